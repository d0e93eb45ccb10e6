"""Stress and consequences, hit points, a harm clock: each said in a system.toml alone, and counted slowly here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from refgen.errors import ResolverError
from refgen.game import GameRules, SystemSpec
from refgen.readers.read import open_document
from refgen.resolver.computed import ComputedTables
from refgen.rules.load import rules_in
from refgen.rules.spec_files import SpecFiles
from refgen.source import SourceFile
from tests.conftest import exact, texts
from tests.resolver.systems.small import FOLDER, derived, small

F = Fraction

Steps = Callable[[Hashable], Mapping[Hashable, int]]
"""The weight of each state that a step leads to; none from an end."""


def within(step: Steps, start: Hashable, steps: int) -> Fraction:
    """The chance to have ended, path by path."""

    @cache
    def found(state: Hashable, left: int) -> Fraction:
        weights = step(state)
        if not weights or not left:
            return F(not weights)
        return sum((F(weight, sum(weights.values())) * found(to, left - 1) for to, weight in weights.items()), F(0))

    return found(start, steps)


def mean(step: Steps, start: Hashable) -> Fraction:
    """The mean number of steps of a chain that only stays or goes on."""

    @cache
    def found(state: Hashable) -> Fraction:
        weights = step(state)
        if not weights:
            return F(0)
        total, leaving = sum(weights.values()), sum(weight for to, weight in weights.items() if to != state)
        return (total + sum((weight * found(to) for to, weight in weights.items() if to != state), F(0))) / leaving

    return found(start)


FOUR_DF = Counter(sum(faces) for faces in product((-1, 0, 1), repeat=4))
TWO_DICE = Counter(sum(faces) for faces in product(range(1, 7), repeat=2))
TAKES = [(1, 1), (2, 2), None, (3, 4), (5, 8)]


def exchange(lead: int) -> Steps:
    """Attack and defence, all 81 times 81 of them; the marks are which of the five boxes are full, None is out."""

    @cache
    def step(state: Hashable) -> Mapping[Hashable, int]:
        found: dict[Hashable, int] = {}
        if state is None:
            return found
        assert isinstance(state, tuple)
        hampered = -1 if any(state[2:]) else 0
        for attack, defence in product(FOUR_DF, repeat=2):
            weights = FOUR_DF[attack] * FOUR_DF[defence]
            margin = attack + lead - defence - hampered
            to = hit(state, margin + 2) if margin > 0 else state
            found[to] = found.get(to, 0) + weights
        return found

    return step


def hit(state: tuple[int, ...], shifts: int) -> tuple[int, ...] | None:
    first = next((box for box, weight in enumerate(TAKES) if weight and weight[0] <= shifts <= weight[1]), len(TAKES))
    for box in range(first, len(TAKES)):
        if not state[box]:
            return (*state[:box], 1, *state[box + 1 :])
    return None


def test_the_boxes_are_those_printed() -> None:
    table = derived("stress")["boxes-of-all"]
    assert [cell.text for cell in table.rows[0]] == ["Stress and consequences", "1", "2", "(1)", "3-4", "5-8"]


@pytest.mark.parametrize("lead", [-1, 0, 1, 2])
def test_taken_out(lead: int) -> None:
    table, step = derived("stress")["taken-out"], exchange(lead)
    row = f"{lead:+d}" if lead else "0"
    start = (0, 0, 0, 0, 0)
    assert exact(table[row, "mean"]) == mean(step, start)
    assert exact(table[row, "one-hit"]) == within(step, start, 1)
    for steps in (2, 3, 4):
        assert exact(table[row, f"within-{steps}"]) == within(step, start, steps)


def losses() -> Mapping[int, int]:
    """The damage of one attack in all 20 times 6 weights."""
    found: dict[int, int] = {}
    for roll, die in product(range(1, 21), range(1, 7)):
        times = 2 if roll == 20 else int(roll + 4 >= 13)
        found[times * (die + 1)] = found.get(times * (die + 1), 0) + 1
    return found


def attacks(state: Hashable) -> Mapping[Hashable, int]:
    assert isinstance(state, int)
    found: dict[Hashable, int] = {}
    for lost, weights in losses().items() if state else ():
        found[max(state - lost, 0)] = found.get(max(state - lost, 0), 0) + weights
    return found


def test_damage_of_one_attack_is_rolled_once() -> None:
    table, weights = derived("hit-points")["one-attack"], losses()
    assert [row[0].text for row in table.rows] == [str(weight) for weight in sorted(weights)]
    assert [exact(cell) for cell in table.column("chance")] == [F(weights[weight], 120) for weight in sorted(weights)]
    assert {exact(cell) for cell in table.column("mean")} == {
        F(sum(weight * weights[weight] for weight in weights), 120)
    }


@pytest.mark.parametrize(("foe", "points"), [("Goblin", 7), ("Ogre", 20)])
def test_attacks_until_the_hit_points_are_gone(foe: str, points: int) -> None:
    table = derived("hit-points")["attacks"]
    assert exact(table[foe, "mean"]) == mean(attacks, points)
    assert [exact(table[foe, f"within-{n}"]) for n in (1, 2, 3)] == [within(attacks, points, n) for n in (1, 2, 3)]
    left = sum(
        F(first * second, 120**2) * after
        for once, first in attacks(points).items()
        for after, second in (attacks(once) or {once: 120}).items()
        if isinstance(after, int)
    )
    assert exact(table[foe, "left-after-2" if table.index("left-after-2") else "left"]) == left


def with_potions(points: int, potions: int) -> Fraction:
    """The most attacks to be had: for each damage the better of drinking and not."""

    @cache
    def found(left: int, have: int) -> Fraction:
        if not left:
            return F(0)
        total, stays = F(1), F(0)
        for lost, weights in losses().items():
            if not lost:
                stays = F(weights, 120)
                continue
            lasting = found(max(left - lost, 0), have)
            if have:
                lasting = max(lasting, found(max(left - max(lost - 3, 0), 0), have - 1))
            total += F(weights, 120) * lasting
        return total / (1 - stays)

    return found(points, potions)


@pytest.mark.parametrize("potions", [0, 1, 2])
def test_potions_are_drunk_at_the_best_moment(potions: int) -> None:
    table = derived("hit-points")["goblin"]
    assert exact(table[str(potions), "mean"]) == mean(attacks, 7)
    assert exact(table[str(potions), "with"]) == with_potions(7, potions)


def moves(stat: int) -> Steps:
    """Two dice, 36 weights; on a twelve a segment is cleared, which lasts longer than anything else."""

    @cache
    def step(state: Hashable) -> Mapping[Hashable, int]:
        assert isinstance(state, int)
        found: dict[Hashable, int] = {}
        for roll, weights in TWO_DICE.items() if state < 6 else ():
            total = roll + stat
            to = state if total >= 10 else min(state + (1 if total >= 7 else 2), 6)
            to = max(state - 1, 0) if roll == 12 else to
            found[to] = found.get(to, 0) + weights
        return found

    return step


@pytest.mark.parametrize("stat", [-1, 0, 1, 2, 3])
def test_a_clock_that_fills_and_is_cleared(stat: int) -> None:
    table, step = derived("clock")["clock"], moves(stat)
    row = f"{stat:+d}" if stat else "0"
    for steps in (3, 4, 5):
        assert exact(table[row, f"within-{steps}"]) == within(step, 0, steps)
    assert float(exact(table[row, "mean"])) == pytest.approx(lasting(step))


def lasting(step: Steps) -> float:
    """The sum of the chances that a clock is not full yet after 0, 1, 2 … moves."""
    going_on, now = 0.0, {0: 1.0}
    for _ in range(2_000):
        going_on += sum(now.values())
        later: dict[int, float] = {}
        for state, chance in now.items():
            for to, weights in step(state).items():
                if isinstance(to, int) and to < 6:
                    later[to] = later.get(to, 0) + chance * weights / 36
        now = later
    return going_on


def test_figures_rest_on_the_facts_of_the_chain() -> None:
    facts = small("hit-points").facts
    cell = derived("hit-points")["attacks"]["Goblin", "mean"]
    needed = {facts[name].span for name in ("die", "bonus", "armour", "damage", "critical", "goblin")}
    assert set(cell.sources) == needed


def changed(system: str, old: str, new: str) -> GameRules:
    """A small system with another line in its system.toml."""
    path = FOLDER / system / "system.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    files = SpecFiles(SourceFile(str(path), text.replace(old, new)))
    spec = files.load(SystemSpec)
    return rules_in(open_document(FOLDER / system / spec.document.file), system, spec, files)


@pytest.mark.parametrize(
    ("table", "old", "new", "message"),
    [
        ("attacks", "steps(until-down)", "steps(until-dawn)", 'there is no chain "until-dawn"'),
        ("attacks", "after(until-down, 2, {left})", "after(until-down, 2, {lost})", "another number with each throw"),
        ("attacks", "next = { left =", "next = { right =", 'changes "right", which is not in the state'),
        ("attacks", 'id = "points", title = "Foe"', 'id = "hit", title = "Foe"', "another number with each step"),
        ("attacks", 'end = "{left} == 0"', 'end = "{left} == {gone}"', 'asks for "gone", which is not there'),
        ("attacks", "max({left} - {lost}, 0)", "{left} + {lost}", "more than 2,000 states|10,000"),
        ("attacks", 'roll = "{die}"', 'roll = "explode({die})"', 'the throw "roll" has no last outcome'),
        ("attacks", 'roll = "{die}"', 'roll = "{hurt} + 1"', 'the throw "roll" names another throw'),
        ("attacks", "{hit} * {hurt}", "{hit} * d6", "dice without a name stand beside bound throws"),
        ("one-attack", "mean({lost})", "{lost}", "another number with each throw"),
        ("goblin", 'marks = { hits = "{lost}" }', 'marks = { hits = "{lost} / 7" }', "It holds|would hold"),
        ("goblin", 'tracks = { hits = "" }', 'tracks = { hits = "1" }', "is the same for all"),
        ("goblin", 'count = "{goblin}"', 'count = "{goblin} * 1000"', "are not between 0 and 1,000"),
    ],
)
def test_what_cannot_be_worked_out_is_refused_at_its_place(table: str, old: str, new: str, message: str) -> None:
    with pytest.raises(ResolverError, match=message) as caught:
        ComputedTables(changed("hit-points", old, new))[table]
    assert caught.value.span is not None


def test_a_chain_that_may_never_end_is_shown_by_a_dash() -> None:
    rules = changed("hit-points", "{roll} + {bonus} >= {armour})", "0)")
    rules = changed("hit-points", "if({roll} == {critical}, 2, {roll} + {bonus} >= {armour})", "{roll} * 0")
    table = ComputedTables(rules)["attacks"]
    assert texts(table, "mean", "within-3") == [["–", "–"], ["–", "–"]]


def test_a_throw_of_far_too_many_outcomes_is_refused() -> None:
    with pytest.raises(ResolverError, match="have 150,000 outcomes together; refgen follows at most 100,000"):
        ComputedTables(changed("hit-points", 'hurt = "{damage}"', 'hurt = "d50000"'))["one-attack"]
