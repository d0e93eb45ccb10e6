"""Candidates that may explain printed odds: sums of dice, open-ended dice and pools, beside the number of a row.

In: nothing. Out: for numbers, and for ranges of results, every Candidate, each with its words, its formula and its
exact chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb

from refgen.notation.values import Interval
from refgen.resolver.dice.distribution import Distribution
from refgen.resolver.rolls import roll

KEY = "KEY"
"""What stands in the formula of a candidate for the number of a row."""

SUMS = ("2d6", "3d6", "4d6", "2d10", "2d8", "2d12", "3d8", "3d10", "5d6", "2d4", "2d20", "4dF")
SUMS_OF_SOME = ("3d6kh2", "3d6kl2", "2d20kh1", "2d20kl1", "4d6kh3")
OPEN = ("open(4dF)", "explode(d4)", "explode(d6)", "explode(d8)", "explode(d10)", "explode(d12)", "explode(2d6)")
SINGLE_DICE = ("d20", "d100", "d6", "d8", "d10", "d12")
"""Dice whose chances go in equal steps, as prices may: only words tell that they are chances."""

POOLED = (6, 10, 8, 12)
MOST_SUCCESSES = 3
MOST_DICE = 40

FEWEST_CHANCES = 4
"""Fewer chances between never and always explain nothing."""

FEWEST_SHIFTED = 5
"""Likewise, where a target is chosen to fit the chances."""

_Chance = Callable[[Interval], Fraction | None]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A way to a chance: in words, as a formula with KEY for the number of the row, and as a function of that number.

    ``needs_words``: the chances may as well be numbers of another kind.
    """

    words: str
    formula: str
    chance: _Chance
    needs_words: bool = False
    fewest: int = FEWEST_CHANCES


@cache
def candidates_for_ranges() -> Sequence[Candidate]:
    """Candidates for ranges of results: "6–8", "12+"."""
    return [
        Candidate(f"{dice} within the range", f"chance({dice} in KEY)", _within(roll(dice)), dice in SINGLE_DICE)
        for dice in (*SUMS, *SUMS_OF_SOME, *OPEN, *SINGLE_DICE)
    ]


@cache
def candidates_for_numbers() -> Sequence[Candidate]:
    """Candidates for numbers: to be reached, not to be exceeded, to be rolled; a bonus; how many dice."""
    return [*_comparisons(), *_pools(), *_bonuses()]


_WAYS: Sequence[tuple[str, str, Callable[[Distribution, int], Fraction]]] = (
    (">=", "at least the number", lambda rolled, n: rolled.at_least(n)),
    ("<=", "at most the number", lambda rolled, n: rolled.less_than(n + 1)),
    ("==", "exactly the number", lambda rolled, n: rolled.exactly(n)),
    (">", "more than the number", lambda rolled, n: rolled.at_least(n + 1)),
    ("<", "less than the number", lambda rolled, n: rolled.less_than(n)),
)


def _comparisons() -> Iterator[Candidate]:
    for dice in (*SUMS, *SUMS_OF_SOME, *OPEN, *SINGLE_DICE):
        rolled = roll(dice)
        for sign, words, chance in _WAYS:
            formula = f"chance({dice} {sign} KEY)"
            yield Candidate(f"{dice} {words}", formula, _compared(rolled, chance), dice in SINGLE_DICE)


def _bonuses() -> Iterator[Candidate]:
    """Dice with the number of the row added, against each target."""
    for dice in (*SUMS, *SINGLE_DICE):
        rolled = roll(dice)
        for target in range(int(rolled.outcomes[0]) + 1, int(rolled.outcomes[-1]) + 1):
            words, formula = f"{dice} and the number at least {target}", f"chance({dice} + KEY >= {target})"
            yield Candidate(words, formula, _with_bonus(rolled, target), dice in SINGLE_DICE, FEWEST_SHIFTED)


def _pools() -> Iterator[Candidate]:
    """So many dice as the number says, of which some must show a success; perhaps rolled again once."""
    for sides in POOLED:
        for least in range(2, sides + 1):
            for wanted in range(1, MOST_SUCCESSES + 1):
                formula = f"chance(count(repeat(KEY, d{sides}) >= {least}) >= {wanted})"
                words = f"{_times(wanted)} {_faces(least, sides)} with so many d{sides}"
                yield Candidate(words, formula, _of_pool(Fraction(sides - least + 1, sides), wanted))
    for first, words in ((2, "neither 1 nor 6"), (1, "not 6")):
        faces = range(first, 6)
        again = f"reroll(d6, {', '.join(map(str, faces))})"
        chance = Fraction(1, 6) + Fraction(len(faces), 6) * Fraction(1, 6)
        formula = f"1 - (1 - chance({again} >= 6))^KEY"
        yield Candidate(
            f"at least one 6 with so many d6, those that show {words} rolled once more", formula, _of_pool(chance, 1)
        )


def _times(count: int) -> str:
    return f"at least {('one', 'two', 'three')[count - 1]}"


def _faces(least: int, sides: int) -> str:
    return f"{least}" if least == sides else f"{least} or more"


def _within(rolled: Distribution) -> _Chance:
    return lambda key: rolled.between(key.low, key.high)


def _compared(rolled: Distribution, chance: Callable[[Distribution, int], Fraction]) -> _Chance:
    return lambda key: None if key.low is None else chance(rolled, key.low)


def _with_bonus(rolled: Distribution, target: int) -> _Chance:
    return lambda key: None if key.low is None else rolled.at_least(target - key.low)


def _of_pool(success: Fraction, wanted: int) -> _Chance:
    def chance(key: Interval) -> Fraction | None:
        count = key.low
        if count is None or not 1 <= count <= MOST_DICE:
            return None
        fewer = (comb(count, k) * success**k * (1 - success) ** (count - k) for k in range(min(wanted, count + 1)))
        return 1 - sum(fewer, Fraction(0))

    return chance
