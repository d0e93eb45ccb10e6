"""Types of fields in files that people write: names, colours, languages, patterns, sentences, formulas; and facts.

In: nothing. Out: types for the models of system.toml and of the files of aids, so that a value that does not fit is
refused at its place. In: entries of ``[facts]`` and ``[examples]``, the numbers in prose with the formulas that they
follow from. Out: FactSpecs; the figures of an example become facts like all others.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, Protocol, Self, TypeVar

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Discriminator,
    PositiveInt,
    StringConstraints,
    Tag,
    ValidationInfo,
    model_validator,
)

from refgen.errors import NotationError
from refgen.languages import language_of
from refgen.look_alikes import code_points, foreign_letters, main_script
from refgen.notation.dice_notation import in_one_spelling
from refgen.notation.formula_parser import parse_formula
from refgen.notation.formula_tree import NAME
from refgen.notation.printed_cell import NotationName
from refgen.notation.printed_numbers import NotationStyle
from refgen.rules.pattern import compile_pattern
from refgen.rules.sentence import check_readings, names_of
from refgen.rules.toml import Strict, text_or_table


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
    if odd := foreign_letters(text, main_script([text])):
        letters = code_points(text[at] for at in odd)
        raise ValueError(f"this is no name, for a word of it has letters of two scripts that look alike: {letters}")
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


def _refuse_list(value: object) -> object:
    """Refuses a list, which some keys took once."""
    if isinstance(value, list):
        raise ValueError("one sentence, not a list: what another document says stands in phrasings/")
    return value


def _as_list(value: object) -> object:
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


def _normalize_dice(text: str, info: ValidationInfo) -> str:
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

Page = PositiveInt | Annotated[str, StringConstraints(min_length=1, max_length=20)]
"""A page, or pages, of a printed book: 34, "34–36", "A-2"."""

Color = Annotated[str, StringConstraints(pattern=r"^#[0-9a-f]{6}$")]

Language = Annotated[str, AfterValidator(_is_language)]
"""A language tag of BCP 47: "de", "pt-BR"."""

DiceLetter = Annotated[str, AfterValidator(_is_dice_letter)]
"""A letter for dice besides d: "W" in "2W6"."""

Pattern = Annotated[str, _accepted_by(compile_pattern)]
"""A regular expression in RE2's notation (refgen/rules/pattern.py)."""

Patterns = Annotated[list[Pattern], BeforeValidator(_as_list, json_schema_input_type=Pattern | list[Pattern])]
"""A regular expression, or several of which any will do."""

SentenceText = Annotated[str, _accepted_by(names_of, "not a sentence: ")]
"""A sentence with names in braces (refgen/rules/sentence.py)."""

Sentences = Annotated[
    list[SentenceText], BeforeValidator(_as_list, json_schema_input_type=SentenceText | list[SentenceText])
]
"""A sentence, or several of which any will do."""

NamelessSentences = Annotated[Sentences, AfterValidator(_without_names)]
"""A sentence without names, or several."""

OneSentence = Annotated[SentenceText | None, BeforeValidator(_refuse_list, json_schema_input_type=SentenceText | None)]
"""A sentence, for a key that once took a list of sentences."""

OneHead = Annotated[str | Literal[False], BeforeValidator(_refuse_list, json_schema_input_type=str | Literal[False])]
"""The words of a head, or false, for a key that once took a list of heads."""

Columns = Annotated[list[_Column], AfterValidator(_ids_differ)]
"""Columns of a table, each with an id of its own."""

FormulaText = Annotated[str, AfterValidator(_normalize_dice)]
"""A formula in refgen's notation (refgen/notation/formula_parser.py)."""

RolledText = Annotated[str, AfterValidator(_with_usual_dice)]
"""Dice, with names of facts in braces that are filled in as printed."""

Readings = Annotated[dict[str, str], _accepted_by(check_readings)]
"""By an odd or damaged print, the text to read in its place.

A print with names in braces is a sentence, whose values the text to read may keep.
"""

FactReadings = Annotated[dict[str, str], AfterValidator(_word_for_word)]
"""Readings of a fact, whose prints are taken word for word: the sentence of the fact has the words around them."""


def _level_of_ladder(written: Any) -> Any:
    if isinstance(written, dict) and "ladder" in written and "type" not in written:
        return {**written, "type": "level"}
    return written


class NotationSpec(Strict):
    """A value in a notation; with a ``ladder`` and no ``type`` it is a level of that ladder."""

    ladder: Identifier | None = None

    _level_of_ladder = model_validator(mode="before")(_level_of_ladder)


class RangeFollows(Strict):
    """Formulas for the low end, the high end or both of a range, or for its width: how many numbers it has."""

    low: FormulaText = ""
    high: FormulaText = ""
    width: FormulaText = ""

    @model_validator(mode="after")
    def _check_ends(self) -> Self:
        if bool(self.width) == bool(self.low or self.high):
            raise ValueError("a range follows `low` and `high`, one of them, or `width`")
        return self


Follows = Annotated[
    Annotated[FormulaText, Tag("text")] | Annotated[RangeFollows, Tag("table")], Discriminator(text_or_table)
]


class FactPlace(Strict):
    """How a fact is found: by a sentence with its name, or by a pattern whose first group is the value.

    A fact whose name stands in the sentence of another fact has neither. ``text = false``: this edition does not say
    it. With ``table`` the sentence stands in a row of that table, whose cells follow each other with a blank between.
    """

    text: SentenceText | Literal[False] | None = None
    pattern: Pattern = ""
    section: str | None = None
    table: Identifier | None = None
    read: FactReadings = {}


class RollSpec(Strict):
    """A roll with a name; each formula that names the roll rolls separately."""

    title: str
    roll: FormulaText


class FactSpec(FactPlace, NotationSpec):
    """A number stated in prose, and its notation.

    ``follows`` is the formula by which it follows from other numbers, ``because`` the reason in words; a check compares
    the formula with the number. ``inferred``: only the numbers of the document show that, and no sentence says so.
    """

    title: str
    type: NotationName = "number"
    unit: str = ""
    follows: Follows = ""
    because: str = ""
    inferred: bool = False

    @model_validator(mode="after")
    def _check_reason(self) -> Self:
        if bool(self.follows) != bool(self.because):
            raise ValueError("`follows` and `because` belong together")
        return self


_NAME = re.compile(r"(?<!\{)\{([^{}]+)\}")


class ExampleSpec(Strict):
    """A worked example: the sentences that tell it, with names for its figures, and equations that the figures satisfy.

    The figure {skill} of the example "climb" is the fact "climb-skill". Figures are numbers, except the figures that
    ``types`` lists by notation and ``levels`` by ladder; ``titles`` gives words to figures whose name does not explain
    itself. ``holds`` are equations joined by "and", each of the form {figure} == formula; ``because`` is their reason.
    """

    title: str
    section: str | None = None
    text: Sentences
    types: dict[NotationName, list[Identifier]] = {}
    levels: dict[Identifier, list[Identifier]] = {}
    titles: dict[Identifier, str] = {}
    holds: str
    because: str
    inferred: bool = False

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        printed = [name for names in (*self.types.values(), *self.levels.values()) for name in names]
        for name in (*printed, *self.titles, *self._equations()):
            if name not in self._names:
                raise ValueError(f'no sentence of the example has a figure "{name}"')
        return self

    @property
    def _names(self) -> Mapping[str, None]:
        return dict.fromkeys(name for text in self.text for name in names_of(text))

    def _equations(self) -> Mapping[str, str]:
        """The formulas on the right of the equations, by figure."""
        found: dict[str, str] = {}
        for equation in re.split(r"\s+and\s+", self.holds):
            figure, sign, formula = (part.strip() for part in equation.partition("=="))
            name = _NAME.fullmatch(figure)
            if not sign or name is None or name[1] in found:
                raise ValueError(f'"{equation}" is not an equation with a figure of its own before ==')
            try:
                parse_formula(formula)
            except NotationError as error:
                raise ValueError(error.message) from error
            found[name[1]] = formula
        return found

    def ids(self, example_id: str) -> Mapping[str, str]:
        """The ids of the figures as facts, by their names in the example: "climb-skill" by "skill"."""
        return {name: f"{example_id}-{name}" for name in self._names}

    def figures(self, example_id: str) -> Mapping[str, FactSpec]:
        """The figures as facts, by their ids as facts."""
        ids = self.ids(example_id)
        first = {next(iter(names_of(text)), ""): text for text in self.text}
        equations = self._equations()
        return {ids[name]: self._figure(name, ids, first.get(name), equations.get(name)) for name in self._names}

    def _figure(self, name: str, ids: Mapping[str, str], text: str | None, formula: str | None) -> FactSpec:
        """A figure as a fact; ``text`` is the sentence whose first name is the figure, ``formula`` its equation."""
        entry: dict[str, Any] = {"title": f"{self.title}: {self.titles.get(name, name.replace('-', ' '))}"}
        entry |= [("type", notation) for notation, names in self.types.items() if name in names]
        entry |= [("ladder", ladder) for ladder, names in self.levels.items() if name in names]
        if text is not None:
            entry |= {"section": self.section, "text": _with_ids(text, ids)}
        if formula is not None:
            because = _with_ids(self.because, ids)
            entry |= {"follows": _with_ids(formula, ids), "because": because, "inferred": self.inferred}
        return FactSpec.model_validate(entry)


def _with_ids(text: str, ids: Mapping[str, str]) -> str:
    """A text with the ids of figures as facts in place of their names in the example."""
    return _NAME.sub(lambda name: f"{{{ids.get(name[1], name[1])}}}", text)
