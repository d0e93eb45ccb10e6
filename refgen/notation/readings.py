"""Which of two readings a text of dice was given, where people may mean the other.

In: dice, such as "d66" or "6d6 >= 6". Out: a sentence for each, which says how the other reading is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from refgen.notation.formula import parse_dice
from refgen.notation.tree import Call, ComparisonTest, Constant, Formula, Pool, RangeTest, parts_of

_SAME_DIGITS = re.compile(r"(?<![\w.])(?P<count>\d*)[dD](?P<sides>44+|66+|88+)(?!\w)", re.ASCII)


def readings(text: str) -> Sequence[str]:
    """What is said about dice that could be read otherwise. Raises NotationError for what is no dice."""
    found = [_digits(match["count"], match["sides"]) for match in _SAME_DIGITS.finditer(text)]
    return list(dict.fromkeys([*found, *_sums(parse_dice(text))]))


def _digits(count: str, sides: str) -> str:
    digits = f"{len(sides)} dice of {sides[0]} sides read as digits, {'1' * len(sides)} to {sides}"
    if count:
        return f"{count}d{sides} rolls dice with {sides} sides; d{sides} is {digits}"
    return f"d{sides} is {digits}; 1d{sides} is one die with {sides} sides"


def _sums(formula: Formula) -> Iterator[str]:
    """Comparisons of the sum of a pool, where the dice that meet the comparison may be meant."""
    match formula:
        case Call(name="count"):
            return
        case ComparisonTest(sign=sign, left=Pool(count=count) as pool, right=Constant(value=number)) if count > 1:
            yield _summed(pool, f"{sign} {number}")
        case RangeTest(
            formula=Pool(count=count) as pool, low=Constant() | None as low, high=Constant() | None as high
        ) if count > 1:
            yield _summed(pool, f"in {low.value if low else ''}..{high.value if high else ''}")
    for part in parts_of(formula):
        yield from _sums(part)


def _summed(pool: Pool, asked: str) -> str:
    dice = f"{pool.count}d{pool.sides or 'F'}"
    return f"{dice} {asked} asks for the sum of the dice; count({dice} {asked}) counts the dice of which that is true"
