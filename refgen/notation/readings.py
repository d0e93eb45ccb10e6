"""Which of two readings dice were given, and how the other is written.

In: dice, such as "d66", "6d6 >= 6", "6 x 4d6kh3" or "3d20 advantage". Out: a sentence for each reading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from refgen.errors import NotationError
from refgen.notation.dice_notation import in_one_spelling, tokens
from refgen.notation.dice_words import Token
from refgen.notation.formula_parser import parse_dice
from refgen.notation.formula_tree import Call, ComparisonTest, Constant, Formula, Pool, RangeTest, parts_of
from refgen.notation.usual_text import usual_text

_SAME_DIGITS = re.compile(r"(?<![\w.])(?P<count>\d*)d(?P<sides>44+|66+|88+)(?!\w)", re.ASCII)
_ADVANTAGE = re.compile(r"(?P<dice>(?P<count>\d+)d[\d%f]+) (?:with\s+)?(?P<worse>dis)?(?:adv\w*)?")
_SURE_FACTOR = 101
"""From here on a number before dice is a factor for sure: nobody means so many rolls."""


def is_dice(text: str) -> bool:
    """Whether a text can be read as dice, or as a number."""
    try:
        parse_dice(text)
    except NotationError:
        return False
    return True


def ambiguity_notes(text: str) -> Sequence[str]:
    """For dice with two meanings, a sentence that says which was taken, and how to write the other.

    Raises NotationError for a text that is no dice.
    """
    formula, usual, found = parse_dice(text), usual_text(text).text, tokens(text)
    digits = [_digits_note(match["count"], match["sides"]) for match in _SAME_DIGITS.finditer(usual)]
    return list(dict.fromkeys([*digits, *_sum_notes(formula), *_times_notes(found, usual), *_advantage_notes(found)]))


def _times_notes(found: Sequence[Token], usual: str) -> Iterator[str]:
    """Notes on numbers before rolls ("6 x 4d6kh3"), where so many rolls may be meant."""
    for place, (number, sign) in enumerate(pairwise(found)):
        is_factor = (
            number.kind == "number" and sign.kind == "*" and (not place or found[place - 1].kind not in ("^", "/"))
        )
        if not is_factor or not 1 < int(number.text) < _SURE_FACTOR:
            continue
        rolled = found[place + 2 : _operand_end(found, place + 2)]
        if any(token.kind == "dice" for token in rolled):
            is_die = len(rolled) == 1
            roll = in_one_spelling(rolled[0].text if is_die else usual[rolled[0].start : rolled[-1].end])
            many = f"{number.text} rolls are repeat({number.text}, {roll}) added up, and {roll} each"
            yield f"{number.text}*{roll} is {number.text} times one roll; {many}"


def _operand_end(found: Sequence[Token], place: int) -> int:
    """The place behind the operand that begins at a place: dice, a bracket, or a call."""
    place += found[place].kind == "name"
    if found[place].kind != "(":
        return place + 1
    depth = 0
    for end in range(place, len(found)):
        depth += (found[end].kind == "(") - (found[end].kind == ")")
        if not depth:
            return end + 1
    return len(found)


def _advantage_notes(found: Sequence[Token]) -> Iterator[str]:
    """Notes on pools that are rolled with advantage, where two rolls of the whole pool may be meant."""
    for token in found:
        match = _ADVANTAGE.fullmatch(token.text)
        if match and int(match["count"]) > 1:
            end, better, function = ("lowest", "worse", "min") if match["worse"] else ("highest", "better", "max")
            dice = in_one_spelling(match["dice"])
            kept = f"{token.text} keeps the {end} of the {match['count']} dice"
            yield f"{kept}; the {better} of two rolls of {dice} is {function}({dice}, {dice})"


def _digits_note(count: str, sides: str) -> str:
    digits = f"{len(sides)} dice of {sides[0]} sides read as digits, {'1' * len(sides)} to {sides}"
    if count:
        return f"{count}d{sides} rolls dice with {sides} sides; d{sides} is {digits}"
    return f"d{sides} is {digits}; 1d{sides} is one die with {sides} sides"


def _sum_notes(formula: Formula) -> Iterator[str]:
    """Notes on comparisons of the sum of a pool, where the number of dice that meet the comparison may be meant."""
    match formula:
        case Call(name="count"):
            return
        case ComparisonTest(sign=sign, left=Pool(count=count) as pool, right=Constant(value=number)) if count > 1:
            yield _sum_note(pool, f"{sign} {number}")
        case RangeTest(
            formula=Pool(count=count) as pool, low=Constant() | None as low, high=Constant() | None as high
        ) if count > 1:
            yield _sum_note(pool, f"in {low.value if low else ''}..{high.value if high else ''}")
    for part in parts_of(formula):
        yield from _sum_notes(part)


def _sum_note(pool: Pool, test: str) -> str:
    dice = f"{pool.count}d{pool.sides or 'F'}"
    return f"{dice} {test} asks for the sum of the dice; count({dice} {test}) counts the dice of which that is true"
