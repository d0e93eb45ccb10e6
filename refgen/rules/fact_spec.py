"""Entries for the numbers in prose: facts with the formulas that they follow, and worked examples.

In: entries of ``[facts]`` and ``[examples]``. Out: FactSpecs; the figures of an example are facts like all others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import Discriminator, Tag, model_validator

from refgen.errors import NotationError
from refgen.notation.formula_parser import parse_formula
from refgen.notation.printed_cell import NotationName
from refgen.rules.field_types import FactReadings, FormulaText, Identifier, Pattern, Sentences, SentenceText
from refgen.rules.sentence import names_of
from refgen.rules.toml import Strict, text_or_table


def _of_ladder(said: Any) -> Any:
    if isinstance(said, dict) and "ladder" in said and "type" not in said:
        return {**said, "type": "level"}
    return said


class NotationSpec(Strict):
    """What is printed in a notation; with a ladder, and nothing else said, it is a level of that ladder."""

    ladder: Identifier | None = None

    _of_ladder = model_validator(mode="before")(_of_ladder)


class RangeFollows(Strict):
    """What the ends or the width of a range follow: the low end, the high end, both, or how many numbers it has."""

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
    """How a fact is found: the sentence that states it, in which it is named, or a pattern whose first group it is.

    A fact that the sentence of another one names has neither. ``text = false``: this edition does not say it. With
    ``table`` the sentence stands in a row of that table, whose cells follow each other with a blank between.
    """

    text: SentenceText | Literal[False] | None = None
    pattern: Pattern = ""
    section: str | None = None
    table: Identifier | None = None
    read: FactReadings = {}


class FactSpec(FactPlace, NotationSpec):
    """A number stated in prose: where it is found, and its notation.

    ``follows`` is the formula by which it follows from other numbers, ``because`` the reason in words; a check compares
    the two. ``inferred``: the document does not say so, and only its own numbers show it.
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
    """A worked example: the sentences that tell it, and a formula that all its figures satisfy.

    The sentences have names for the figures. Elsewhere a figure goes by both names: {skill} of the example "climb" is
    the fact "climb-skill". Figures are numbers, but for those that ``types`` has by their notation and ``levels`` by
    their ladder; ``titles`` has words for those whose name is not enough. ``holds`` are equations joined by "and", each
    a figure == what it follows from, ``because`` of what.
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
    def _of_figures(self) -> Self:
        printed = [name for names in (*self.types.values(), *self.levels.values()) for name in names]
        for name in (*printed, *self.titles, *self._equations()):
            if name not in self._names:
                raise ValueError(f'no sentence of the example has a figure "{name}"')
        return self

    @property
    def _names(self) -> Mapping[str, None]:
        return dict.fromkeys(name for text in self.text for name in names_of(text))

    def _equations(self) -> Mapping[str, str]:
        """The formula of each figure that follows from one."""
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
        """The ids of the figures as facts, by their names in the example."""
        return {name: f"{example_id}-{name}" for name in self._names}

    def figures(self, example_id: str) -> Mapping[str, FactSpec]:
        """Its figures as facts, by the names that they have elsewhere."""
        ids = self.ids(example_id)
        first = {next(iter(names_of(text)), ""): text for text in self.text}
        equations = self._equations()
        return {
            ids[name]: FactSpec.model_validate(
                {
                    "title": f"{self.title}: {self.titles.get(name, name.replace('-', ' '))}",
                    **dict(self._notation(name)),
                    **({"section": self.section, "text": _called(first[name], ids)} if name in first else {}),
                    **(self._follows(equations[name], ids) if name in equations else {}),
                }
            )
            for name in self._names
        }

    def _notation(self, name: str) -> Iterator[tuple[str, str]]:
        yield from (("type", notation) for notation, names in self.types.items() if name in names)
        yield from (("ladder", ladder) for ladder, names in self.levels.items() if name in names)

    def _follows(self, formula: str, ids: Mapping[str, str]) -> dict[str, Any]:
        because = _called(self.because, ids)
        return {"follows": _called(formula, ids), "because": because, "inferred": self.inferred}


def _called(text: str, ids: Mapping[str, str]) -> str:
    """A text with figures by the names that they have elsewhere."""
    return _NAME.sub(lambda name: f"{{{ids.get(name[1], name[1])}}}", text)
