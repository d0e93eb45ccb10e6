"""Types of fields in files that people write: names, colours, languages, patterns, sentences, formulas.

In: nothing. Out: types for the models of system.toml and of the files of aids, so that a value that does not fit is
refused at its place.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Annotated, Literal, Protocol, TypeVar

from pydantic import AfterValidator, BeforeValidator, StringConstraints, ValidationInfo

from refgen.errors import NotationError
from refgen.languages import language_of
from refgen.notation.dice_notation import in_one_spelling
from refgen.notation.formula_parser import parse_formula
from refgen.notation.formula_tree import NAME
from refgen.notation.printed_numbers import NotationStyle
from refgen.rules.pattern import compiled
from refgen.rules.sentence import check_readings, names_of


class _WithId(Protocol):
    @property
    def id(self) -> str: ...


_Column = TypeVar("_Column", bound=_WithId)
_Value = TypeVar("_Value")


def _is_name(text: str) -> str:
    if text.isascii():
        return text
    wrong = [letter for letter in text if unicodedata.category(letter)[0] not in "LMN" and letter != "-"]
    if wrong or text != unicodedata.normalize("NFC", text.lower()):
        shown = f'"{wrong[0]}" is no letter' if wrong else f'write "{unicodedata.normalize("NFC", text.lower())}"'
        raise ValueError(f"this is no name, for it has lower-case letters and figures, joined by hyphens: {shown}")
    return text


def _is_language(tag: str) -> str:
    if tag:
        language_of(tag)
    return tag


def _is_dice_letter(letter: str) -> str:
    if len(letter) != 1 or not letter.isalpha():
        raise ValueError(f'"{letter}" is not one letter')
    return letter


def short_form(key: str, model: type) -> BeforeValidator:
    """Lets people write a table of ``model`` as a text alone, the value of its ``key``."""
    return BeforeValidator(
        lambda written: {key: written} if isinstance(written, str) else written, json_schema_input_type=str | model
    )


def _accepted_by(check: Callable[[_Value], object], prefix: str = "") -> AfterValidator:
    """Refuses a value for which ``check`` raises NotationError, with ``prefix`` before the message."""

    def checked(value: _Value) -> _Value:
        try:
            check(value)
        except NotationError as error:
            raise ValueError(prefix + error.message) from error
        return value

    return AfterValidator(checked)


def _without_names(sentences: list[str]) -> list[str]:
    if named := [text for text in sentences if names_of(text)]:
        raise ValueError(f'"{named[0]}" has a name in braces; a sentence with facts belongs into [restated]')
    return sentences


def _one(value: object) -> object:
    """Refuses a list, which some keys took once."""
    if isinstance(value, list):
        raise ValueError("one sentence, not a list: what another document says stands in phrasings/")
    return value


def _several(value: object) -> object:
    return [value] if isinstance(value, str) else value


def _word_for_word(readings: dict[str, str]) -> dict[str, str]:
    if named := [printed for printed in readings if "{" in printed]:
        raise ValueError(f'"{named[0]}" has a name in braces, but a fact is read word for word')
    return readings


def _ids_differ(columns: list[_Column]) -> list[_Column]:
    ids = [column.id for column in columns]
    if repeated := [name for name in ids if ids.count(name) > 1]:
        raise ValueError(f'two columns have the id "{repeated[0]}"')
    return columns


def _with_usual_dice(text: str, info: ValidationInfo) -> str:
    """A text with "d" for the letters that stand for dice in this file."""
    return NotationStyle(dice_letters=info.context).usual(text) if info.context else text


def _parses(text: str, info: ValidationInfo) -> str:
    """A formula with all dice in one spelling."""
    usual = _with_usual_dice(text, info)
    if not usual:
        return usual
    try:
        parse_formula(usual)
        return in_one_spelling(usual)
    except NotationError as error:
        raise ValueError(error.message) from error


Identifier = Annotated[str, StringConstraints(pattern=f"^{NAME}$"), AfterValidator(_is_name)]
"""Lower-case words of any script joined by hyphens; part of file names, addresses and finding ids."""

Color = Annotated[str, StringConstraints(pattern=r"^#[0-9a-f]{6}$")]

Language = Annotated[str, AfterValidator(_is_language)]
"""A language tag of BCP 47: "de", "pt-BR"."""

DiceLetter = Annotated[str, AfterValidator(_is_dice_letter)]
"""A letter for dice besides d: "W" in "2W6"."""

Pattern = Annotated[str, _accepted_by(compiled)]
"""A regular expression in RE2's notation (refgen/rules/pattern.py)."""

Patterns = Annotated[list[Pattern], BeforeValidator(_several, json_schema_input_type=Pattern | list[Pattern])]
"""A regular expression, or several of which any will do."""

SentenceText = Annotated[str, _accepted_by(names_of, "not a sentence: ")]
"""A sentence with names in braces (refgen/rules/sentence.py)."""

Sentences = Annotated[
    list[SentenceText], BeforeValidator(_several, json_schema_input_type=SentenceText | list[SentenceText])
]
"""A sentence, or several of which any will do."""

NamelessSentences = Annotated[Sentences, AfterValidator(_without_names)]
"""A sentence without names, or several."""

OneSentence = Annotated[SentenceText | None, BeforeValidator(_one, json_schema_input_type=SentenceText | None)]
"""A sentence, for a key that once took a list of sentences."""

OneHead = Annotated[str | Literal[False], BeforeValidator(_one, json_schema_input_type=str | Literal[False])]
"""The words of a head, or false, for a key that once took a list of heads."""

Columns = Annotated[list[_Column], AfterValidator(_ids_differ)]
"""Columns of a table, each with an id of its own."""

FormulaText = Annotated[str, AfterValidator(_parses)]
"""A formula in refgen's notation (refgen/notation/formula_parser.py)."""

RolledText = Annotated[str, AfterValidator(_with_usual_dice)]
"""Dice, with names of facts in braces that are filled in as printed."""

Readings = Annotated[dict[str, str], _accepted_by(check_readings)]
"""By an odd or damaged print, the text to read in its place.

A print with names in braces is a sentence, whose values the text to read may keep.
"""

FactReadings = Annotated[dict[str, str], AfterValidator(_word_for_word)]
"""Readings of a fact, whose prints are taken word for word: the sentence of the fact has the words around them."""
