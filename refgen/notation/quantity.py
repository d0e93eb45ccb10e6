"""Dice as a table prints them, and numbers or dice with words beside them: what they count, measure or roll.

In: "d12+5", "d12+2 (etc)", "none", "5 gp", "60 ft.", "DC 15", "1d4 bludgeoning" (white space collapsed). Out: a
DiceText, whose expression can be parsed and is "" where nothing is rolled; a Quantity, or dice with their label. Words
that change the number ("5 or more", "2d6 keep highest") are no unit and no label.
"""

from __future__ import annotations

import re

from refgen.errors import NotationError
from refgen.notation.formula import parse_dice
from refgen.notation.number import MULTIPLES, plain_signs, read_number, refused
from refgen.notation.tree import BinaryOperation, Constant
from refgen.notation.values import DiceText, LabelledDice, Quantity
from refgen.notation.written import in_one_spelling

_NOTHING_ROLLED = {"none", "-", "–", ""}
_GLOSS = re.compile(r"\s*\([a-z ]+\)\Z")


def read_dice_cell(text: str) -> DiceText:
    """A cell with dice. Raises NotationError when it has none."""
    bare = _GLOSS.sub("", text)
    if bare.lower() in _NOTHING_ROLLED:
        return DiceText("")
    formula = parse_dice(bare)
    is_multiple = (
        isinstance(formula, BinaryOperation) and formula.sign == "*" and not isinstance(formula.left, Constant)
    )
    if isinstance(formula, BinaryOperation) and not is_multiple:
        raise NotationError(f'"{text}" says more than what is rolled')
    return DiceText(in_one_spelling(bare))


_WORD = r"[^\W\d_][^\W\d_'’²³]*[²³]?\.?"
_UNIT = rf"{_WORD}(?:[ /-]{_WORD}){{0,2}}|['\"′″°]"
_QUANTITY = re.compile(rf"(?P<number>[^A-Za-z'\"′″°]*[\d¼-¾⅐-⅞])(?:\s*(?P<unit>{_UNIT}))")
_NAMED = re.compile(r"(?P<unit>[A-Z]{2,4}(?= )|[$£€¥])\s*(?P<number>[^A-Za-z]+)")
_RATIO = re.compile(r"\d\d+\s*/|/\s*\d\d+")
_LABELLED = re.compile(r"(?P<dice>.*?[\d%F)!khl])\s+(?P<label>[^\W\d_][^\d+*/()]*)")
# fmt: off
_CHANGES = {
    "advantage", "and", "best", "by", "disadvantage", "double", "doubled", "drop", "each", "explode", "explodes",
    "exploding", "half", "halved", "highest", "keep", "less", "lowest", "max", "maximum", "min", "minimum", "minus",
    "more", "nd", "or", "per", "plus", "rd", "reroll", "rerolls", "st", "take", "th", "than", "then", "thrice",
    "times", "to", "twice", "with", "worst", "x",
}
# fmt: on
"""Words that make another number of the one before them, or none."""


def read_quantity(text: str) -> Quantity:
    """A number with a unit, or with a short name before it: "5 gp", "60 ft.", "1½ lb.", "DC 15", "$5"."""
    match = _QUANTITY.fullmatch(text) or _NAMED.fullmatch(text)
    if match is None or _changes(match["unit"]) or _RATIO.search(match["number"]):
        raise refused(text, 'a quantity, such as "5 gp"')
    number = read_number(match["number"])
    return Quantity(number.value, match["unit"], number.bound)


def one_unit(unit: str) -> str:
    """A unit as units are compared: "Minutes" and "minute" are one, and so are "ft." and "ft"."""
    bare = unit.casefold().replace(".", "").replace("feet", "foot")
    return bare.removesuffix("s") or bare


def read_dice(text: str) -> DiceText:
    """Dice as a table prints them, perhaps with a label: "d12+5", "1d4 bludgeoning", "none"."""
    written = plain_signs(text).replace("–", "-").replace("—", "-").replace("−", "-")
    match = _LABELLED.fullmatch(written)
    if match is None or _changes(match["label"]):
        return read_dice_cell(written)
    try:
        rolled = read_dice_cell(match["dice"])
    except NotationError:
        return read_dice_cell(written)
    return LabelledDice(rolled.expression, match["label"])


def _changes(words: str) -> bool:
    """Whether words after a number change the number ("or more"), rather than name what is counted."""
    found = re.findall(r"[^\W\d_]+", words.casefold())
    return bool(found) and (found[0] in MULTIPLES or not _CHANGES.isdisjoint(found))
