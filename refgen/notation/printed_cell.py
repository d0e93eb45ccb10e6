"""Read a printed cell in the notation of the column.

In: the name of a notation, the text of a cell with its white space collapsed, the ladder that "level" and "condition"
need, and the language of the words. Out: a Value, or a NotationError. Quantities and dice are read in this module:
"5 gp", "60 ft.", "DC 15", "Cr500", "x0.5", "d12+5", "none", "1d4 bludgeoning", "3d6/round". Words that change the
number before them ("5 or more", "2d6 keep highest") are neither a unit nor a label.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

from refgen.errors import NotationError
from refgen.languages import ENGLISH, Language
from refgen.limits import limit_hint, limits
from refgen.marks import RAISED, plain_marks
from refgen.notation.dice_notation import in_one_spelling
from refgen.notation.formula_parser import parse_dice
from refgen.notation.formula_tree import BinaryOperation, Constant, Sum
from refgen.notation.levels import Ladder, read_condition, read_level, read_track_change
from refgen.notation.number import (
    notation_error,
    read_modifier,
    read_number,
    read_percent,
    read_range,
    read_score,
    read_weighted,
)
from refgen.notation.printed_numbers import NotationStyle
from refgen.notation.values import DiceText, LabelledDice, Quantity, Text, Value

NotationName = Literal[
    "text",
    "number",
    "percent",
    "weighted",
    "score",
    "quantity",
    "interval",
    "modifier",
    "dice",
    "level",
    "track-change",
    "condition",
]

FIGURES: frozenset[NotationName] = frozenset(
    ("number", "percent", "weighted", "score", "quantity", "interval", "modifier")
)
"""The notations in which a dash alone is a blank cell."""

WITH_DECIMALS = FIGURES - {"interval", "modifier"}
"""The notations in which a number may have decimals."""

_DASHES = {"-", "--", "---"}
_NOTHING_ROLLED = {"-", ""}
_GLOSS = re.compile(r"\s*\([a-z ]+\)\Z")
_WORD = r"[^\W\d_¼-¾⅐-⅞][^\W\d_'’²³¼-¾⅐-⅞]*[²³]?\.?"
CURRENCY_SIGN = "[$£€¥₹₺₽₴₩]"
_UNIT = rf"{_WORD}(?:[ /-]{_WORD}){{0,2}}|['\"′″°]|{CURRENCY_SIGN}"
_QUANTITY = re.compile(rf"(?P<number>[^A-Za-z'\"′″°]*[\d¼-¾⅐-⅞{RAISED}₀-₉])(?:\s*|-(?=[^\W\d_]{{2}}))(?P<unit>{_UNIT})")
CURRENCY = rf"(?:[A-Z]{{0,2}}{CURRENCY_SIGN}|[kKMGB]?(?:Cr|Kr|kr|Fr|Rs|Rp|Kč|zł))"
"""An expression for the currencies that stand right before their number. Other letters there are a code: A1, Mk2."""

_UNIT_FIRST = re.compile(rf"(?P<sign>[-+]?)(?P<unit>[A-Z]{{2,4}}(?= )|{CURRENCY})\s*(?P<number>[^A-Za-z]+)")
_TIMES = re.compile(r"(?P<first>[x×])?\s*(?P<number>[^A-Za-z×]*[\d¼-¾⅐-⅞])(?(first)|\s*[x×])")
"""A factor: "x0.5", "2×"."""

_RATIO = re.compile(r"\d\d+\s*/|/\s*\d\d+")
_LABELLED = re.compile(
    r"(?P<dice>.*?[\d%F)!khl])(?:\s+(?P<label>[^\W\d_][^\d+*/()]*)|\s?/\s?(?P<each>[^\W\d_][^\d+*/()]*))"
)


def read_value(notation: NotationName, text: str, ladder: Ladder | None = None, language: Language = ENGLISH) -> Value:
    """The value that ``text`` has in a notation; "level" and "condition" need the ladder. Raises NotationError."""
    if notation != "text" and len(text) > limits().value_letters:
        hint = f"Make it text, if it holds words. {limit_hint('value_letters')}"
        raise NotationError(f"a cell of {len(text)} characters is too long for a {notation}", hint=hint)
    if notation in _READERS_OF_WORDS:
        return _READERS_OF_WORDS[notation](text, language)
    if notation in _READERS:
        return _READERS[notation](text)
    if ladder is None:
        raise NotationError(f"a {notation} needs a ladder", hint='Name it in system.toml: ladder = "…".')
    return _READERS_ON_A_LADDER[notation](text, ladder)


def is_blank(notation: NotationName, text: str) -> bool:
    """Whether a cell says nothing: the cell is empty, or a dash alone in a column of figures."""
    return not text or (notation in FIGURES and plain_marks(text) in _DASHES)


def in_usual_style(notation: NotationName, text: str, style: NotationStyle) -> str:
    """A printed text with refgen's marks in its decimals and dice; texts of all other notations stay as printed."""
    if notation == "interval":
        return style.with_commas(plain_marks(text))
    return style.usual(plain_marks(text)) if notation in WITH_DECIMALS or notation == "dice" else text


def read_quantity(text: str, language: Language = ENGLISH) -> Quantity:
    """A number with its unit behind or before: "5 gp", "60 ft.", "1½ lb.", "DC 15", "$5", "Cr500"; a factor: "x2"."""
    number, unit = _number_and_unit(plain_marks(text), language)
    if not unit or _RATIO.search(number):
        raise notation_error(text, 'a quantity, such as "5 gp"')
    read = read_number(number, language)
    return Quantity(read.value, unit, read.bound)


def _number_and_unit(text: str, language: Language) -> tuple[str, str]:
    """The text of the number in a quantity, and the unit; "" for a text without a unit."""
    if times := _TIMES.fullmatch(text):
        return times["number"], "x"
    if (behind := _QUANTITY.fullmatch(text)) and not _change_the_number(behind["unit"], language):
        return behind["number"], behind["unit"]
    if before := _UNIT_FIRST.fullmatch(text):
        return before["sign"] + before["number"], before["unit"].rstrip()
    return text, ""


def one_unit(unit: str) -> str:
    """A unit as units are compared: "Minutes" and "minute" are one, and so are "ft." and "ft"."""
    bare = unit.casefold().replace(".", "").replace("feet", "foot")
    return bare.removesuffix("s") or bare


def read_dice(text: str, language: Language = ENGLISH) -> DiceText:
    """Dice as a table prints them, with or without a label: "d12+5", "1d4 bludgeoning", "3d6/round", "none"."""
    written = plain_marks(text)
    match = _LABELLED.fullmatch(written)
    if match is None or _change_the_number(match["label"] or "", language):
        return _read_bare_dice(written, language)
    try:
        rolled = _read_bare_dice(match["dice"], language)
    except NotationError:
        return _read_bare_dice(written, language)
    return LabelledDice(rolled.expression, match["label"] or f"/{match['each']}")


def _read_bare_dice(text: str, language: Language) -> DiceText:
    bare = _GLOSS.sub("", text)
    if bare in _NOTHING_ROLLED or bare.lower() in language.nothing_rolled:
        return DiceText("")
    formula = parse_dice(bare)
    is_multiple = (
        isinstance(formula, BinaryOperation) and formula.sign == "*" and not isinstance(formula.left, Constant)
    )
    if isinstance(formula, BinaryOperation) and not is_multiple:
        raise NotationError(f'"{text}" is a formula of dice, not dice alone')
    if (
        isinstance(formula, Sum)
        and len(formula.terms) > 1
        and all(isinstance(term, Constant) for _, term in formula.terms)
    ):
        raise notation_error(text, "dice")  # "1-3" is a range
    return DiceText(in_one_spelling(bare))


def _change_the_number(words: str, language: Language) -> bool:
    """Whether words behind a number change the number ("or more") and are no name of things that are counted."""
    found = re.findall(r"[^\W\d_]+", words)
    return bool(found) and (
        found[0].lower() in language.multiples
        or found[0] in language.multiples
        or any(word.lower() in language.changing_words for word in found)
    )


_READERS: dict[str, Callable[[str], Value]] = {
    "text": Text,
    "percent": read_percent,
    "track-change": read_track_change,
}
_READERS_OF_WORDS: dict[str, Callable[[str, Language], Value]] = {
    "number": read_number,
    "weighted": read_weighted,
    "score": read_score,
    "quantity": read_quantity,
    "interval": read_range,
    "modifier": read_modifier,
    "dice": read_dice,
}
_READERS_ON_A_LADDER: dict[str, Callable[[str, Ladder], Value]] = {"level": read_level, "condition": read_condition}
