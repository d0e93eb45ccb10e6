"""The schema of the numbers in prose: facts with the formulas that they follow from, and worked examples.

In: entries of ``[facts]`` and ``[examples]``. Out: FactSpecs; the figures of an example become facts like all others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import Discriminator, Tag, model_validator

from refgen.errors import NotationError
from refgen.notation.formula_parser import parse_formula
from refgen.notation.printed_cell import NotationName
from refgen.rules.field_types import FactReadings, FormulaText, Identifier, Pattern, Sentences, SentenceText
from refgen.rules.sentence import names_of
from refgen.rules.toml import Strict, text_or_table


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
    def _ends_or_width(self) -> Self:
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
    def _follows_because(self) -> Self:
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
    def _names_are_figures(self) -> Self:
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
