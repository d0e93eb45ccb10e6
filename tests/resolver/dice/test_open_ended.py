"""Rolls that go on, under every function of numbers and of rolls, against dice that are followed very far."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random

import pytest

from refgen.errors import RefgenError
from refgen.resolver.dice.distribution import Distribution
from refgen.resolver.rolls import roll
from tests.resolver.dice.far import FarRoll, far_roll

F = Fraction
ASKED = (*range(-12, 31), 35, 40, 55, -25, -40)


def reaching(text: str, number: int) -> Distribution:
    return roll(text, max(40, abs(number)))


@pytest.mark.parametrize(
    ("text", "number", "at_least"),
    [
        ("floor(explode(times(d6, 100)) / 100)", 19, F(1, 6**3)),
        ("floor(d6! / 10)", 6, F(1, 6**10)),
        ("floor(d6! / 100)", 5, F(1, 6**83) * F(5, 6)),
        ("floor(explode(d%, 96) / 10)", 30, F(5937, 50_000_000)),
        ("ceiling(d6! / 10)", 7, F(1, 6**10)),
        ("nearest(d6! / 10)", 6, F(1, 6**9) * F(6, 6)),
        ("sign(d6! - 20)", 1, F(1, 6**3) * F(4, 6)),
        ("sign(d6! - 200)", 1, F(1, 6**33) * F(4, 6)),
        ("abs(d6!)", 55, F(1, 6**9)),
        ("abs(20 - d6!)", 40, F(1, 6**10)),
        ("clamp(d6!, 1, 100)", 100, F(1, 6**16) * F(3, 6)),
        ("clamp(100 - d6!, -10, 100)", -9, 1 - F(1, 6**18) * F(5, 6)),
        ("d6! in 100..200", 1, F(1, 6**16) * F(3, 6) - F(1, 6**33) * F(4, 6)),
        ("d6! in 100..", 1, F(1, 6**16) * F(3, 6)),
        ("d6! in d6..", 1, F(7, 12)),
        ("if(d6! > 100, 2, 1)", 2, F(1, 6**16) * F(2, 6)),
        ("if(d6! - 101, 2, 1)", 2, 1 - F(1, 6**17)),
        ("d6! > 100 and d4 > 2", 1, F(1, 6**16) * F(2, 6) / 2),
        ("d6! > 100 or d4 > 2", 1, F(1, 2) + F(1, 6**16) * F(2, 6) / 2),
        ("not (d6! - 101)", 1, F(1, 6**17)),
        ("not (d6! > 100)", 1, 1 - F(1, 6**16) * F(2, 6)),
        ("1000 mod d6!", 1000, F(1, 6**166) * F(2, 6)),
        ("min(d6!, 100)", 100, F(1, 6**16) * F(3, 6)),
        ("max(d6!, 100)", 101, F(1, 6**16) * F(2, 6)),
        ("times(d6!, 3)", 300, F(1, 6**16) * F(3, 6)),
        ("(d6! - d4) * 3", 30, F(29, 864)),
        ("d6!^2", 10_000, F(1, 6**16) * F(3, 6)),
        ("half_away(d6!)", 50, F(1, 6**16) * F(4, 6)),
        ("powers(d6!, 10)", 2, F(1, 6**16) * F(3, 6)),
        ("preferred(d6!, 10, 20, 50)", 100, F(1, 6**12) * F(4, 6)),
        ("combinations(d6!, 2)", 1_225, F(1, 6**8) * F(5, 6)),
        ('map(d6!, "..99: 0, 100..: 1")', 1, F(1, 6**16) * F(3, 6)),
        ("max(floor(d8! / 4), floor(d6! / 4))", 5, F(3005, 221_184)),
    ],
)
def test_a_chance_far_out_is_exact_under_every_function(text: str, number: int, at_least: Fraction) -> None:
    rolled = reaching(text, number)
    assert rolled.is_exact(number)
    assert rolled.at_least(number) == at_least


@pytest.mark.parametrize(
    ("text", "number"),
    [("d6!", 3000), ("even(d6!)", 1), ("2d6! - 2d6!", 1), ("lesser(d6!, d6!)", 0), ("d6! mod 4", 1)],
)
def test_what_cannot_be_exact_says_so(text: str, number: int) -> None:
    rolled, far = reaching(text, number), far_roll(text)
    assert not rolled.is_exact(number)
    assert 0 < rolled.residue < F(1, 10**6)
    assert abs(rolled.at_least(number) - far.at_least(number)) <= rolled.residue + far.unknown


@pytest.mark.parametrize(
    ("text", "mean", "variance"),
    [
        ("d6!", F(21, 5), F(266, 25)),
        ("3d6!", F(63, 5), 3 * F(266, 25)),
        ("d6! + 2", F(31, 5), F(266, 25)),
        ("10 - d6!", F(29, 5), F(266, 25)),
        ("d6! * 3", F(63, 5), 9 * F(266, 25)),
        ("d6! * 1 / 2 * 2", F(21, 5), F(266, 25)),
        ("3d8!>2", 108, 4284),
        ("d8!>3", 18, 372),
        ("d6!>5", F(21, 4), F(385, 16)),
        ("d8!>2 - d8!>2", 0, 2856),
        ("d6! - d6!", 0, 2 * F(266, 25)),
        ("2d6! - 2d6!", 0, 4 * F(266, 25)),
        ("d6! * d6!", F(441, 25), None),
        ("explode(4dF)", 0, None),
        ("open(4dF)", 0, None),
        ("snake(d6!)", F(21, 5) - F(1, 36), None),
        ("reroll(d6!, 1)", F(21, 5) - F(1, 6) + F(21, 5) / 6, None),
        ("without(d6!, 1)", (F(21, 5) - F(1, 6)) / F(5, 6), None),
        ("min(d6!, 100)", None, None),
        ("max(d8!, d6!)", None, None),
        ("min(d8!, d6!)", None, None),
        ("max(d6!, 20)", None, None),
        ("max(d6! - 30, 3)", None, None),
        ("max(d6!, 3) - d8!", None, None),
        ("floor(d6! / 10)", None, None),
        ("floor(d6! / -10)", None, None),
        ("nearest(d6! / 4 + 1 / 2)", None, None),
        ("ceiling(open(4dF) / 3)", None, None),
        ("half_away(open(4dF))", 0, None),
        ("floor(d6! / 3 + 4dF / 3)", None, None),
        ("if(d6 > 3, d6!, 0)", F(21, 10), None),
        ("if(d6! > 3, d8!, d6! - 1)", None, None),
        ("d6! > 10", F(1, 6) * F(2, 6), None),
    ],
)
def test_the_mean_of_a_roll_that_goes_on_is_exact(text: str, mean: Fraction | None, variance: Fraction | None) -> None:
    moments = roll(text).moments
    assert moments is not None
    if mean is not None and variance is not None:
        assert (moments.mean, moments.variance) == (mean, variance)
        return
    far = far_roll(text)
    assert abs(moments.mean - far.moment(1)) < F(1, 10**9)
    assert abs(moments.square - far.moment(2)) < F(1, 10**9)
    assert mean in (None, moments.mean)


@pytest.mark.parametrize("text", ["even(d6!)", "floor(3d6! / 2)", "abs(d6! - d6!)", "lesser(d6!, d6!)", "d6!^2"])
def test_a_mean_that_is_not_known_is_near(text: str) -> None:
    rolled, far = roll(text), far_roll(text)
    assert rolled.moments is None
    assert abs(rolled.mean - far.moment(1)) < F(1, 1000)


BASE = [
    *("d6!", "d4!", "d8!", "d6!>5", "d4!>3", "d8!>6", "explode(dF)", "explode(4dF)", "open(4dF)", "open(dF)"),
    *("explode(d6 - d4)", "2d4!", "explode(times(d6, 10))", "explode(2d4)"),
]
BOUNDED = ["d6", "d4", "2d6", "4dF", "d20", "3"]
FORMS = (
    *("floor(({a}) / {k})", "ceiling(({a}) / {k})", "nearest(({a}) / {k})", "sign({a} - {n})", "abs({a} - {n})"),
    *("clamp({a}, {n}, {m})", "clamp({a}, {s}, 60)", "({a}) mod {k}", "even({a})", "({a}) * {k}", "-({a})", "({a})^2"),
    *(
        "times({a}, {s})",
        "max({a}, {s})",
        "min({a}, {s})",
        "max({a}, {b})",
        "min({a}, {b})",
        "{a} + {b}",
        "{a} - ({b})",
    ),
    *("({a}) in {n}..{m}", "({a}) in {n}..", "({a}) in {s}..{m}", "({a}) {c} {n}", "({a}) {c} {b}", "not ({a} - {n})"),
    *("if(({a}) > {n}, {b}, {s})", "if({a} - {n}, {b}, {s})", "({a}) > {n} and ({b}) < {m}", "({a}) > {n} or {s} > 2"),
    *(
        "half_away({a})",
        "snake({a})",
        "reroll({a}, {f}, 3)",
        "without({a}, {f})",
        "lesser({a}, {s})",
        "lesser({a}, {b})",
    ),
    *(
        'map({a}, "..2: -1, 3-{n}0: 4, {n}1..: 7")',
        "floor(({a}) / {k} + {s} / 3)",
        "floor({m} / ({a}))",
        "{m} mod ({a})",
    ),
    *("repeat(2, {a})", "combinations({a}, 2)", "preferred({a}, 10, 20, 50)", "powers({a}, 3)", "floor(({a}) / ({s}))"),
)


def formulas(random: Random, count: int) -> Iterator[str]:
    for _ in range(count):
        yield formula(random, random.choice([1, 1, 2]))


def formula(random: Random, depth: int) -> str:
    if not depth:
        return random.choice(BASE)
    return random.choice(FORMS).format(
        a=formula(random, depth - 1),
        b=formula(random, random.randint(0, depth - 1)),
        s=random.choice(BOUNDED),
        k=random.choice([2, 3, 5, 7, 10, -3]),
        n=random.choice([1, 5, 20, 45, 70]),
        m=random.choice([8, 25, 60, 100]),
        f=random.choice([1, 2, 5, -1]),
        c=random.choice([">=", "<", ">", "<=", "==", "!="]),
    )


def faults(text: str, far: FarRoll) -> Iterator[str]:
    """What a roll says that its dice do not: of chances that are exact, or farther off than the residue; of means."""
    for number in ASKED:
        rolled = reaching(text, number)
        slack = F(0) if rolled.is_exact(number) else rolled.residue
        for name, own, other in (
            ("at least", rolled.at_least(number), far.at_least(number)),
            ("exactly", rolled.exactly(number), far.exactly(number)),
        ):
            if not other - slack <= own <= other + far.unknown + slack:
                yield f"{text}: {name} {number} is {float(own)}, not {float(other)}"
    known = roll(text).moments
    for power, own in enumerate((known.mean, known.square) if known else (), start=1):
        if abs(own - far.moment(power)) > F(1, 10**9) * (1 + abs(own)):
            yield f"{text}: the moment {power} is {float(own)}, not {float(far.moment(power))}"


@pytest.mark.slow
@pytest.mark.parametrize("count", [60, pytest.param(3_000, marks=pytest.mark.soak)])
def test_formulas_at_random_say_nothing_that_their_dice_do_not(count: int) -> None:
    asked = 0
    for text in formulas(Random(count), count):
        try:
            roll(text)
            far = far_roll(text)
        except RefgenError:
            continue
        asked += 1
        assert list(faults(text, far)) == []
    assert asked > count * 2 / 3
