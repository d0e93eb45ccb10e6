"""The schema of system.toml as far as it tells how a rule document is read.

Numbers of the rules do not stand there: they are cells and facts of the document. system.toml says where to find them
and in which notation they are printed. Later stages add what they read of it, each as a class under RulesSpec: actions,
computed tables, checks; ``refgen.game.spec`` puts them together.
"""

from __future__ import annotations

import re
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, Discriminator, StringConstraints, Tag, model_validator

from refgen.errors import NotationError
from refgen.notation.formula import parse_formula
from refgen.notation.read import NotationName
from refgen.readers.document import Format
from refgen.rules.toml import Strict, text_or_table

Identifier = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
"""Lower-case words joined by hyphens; part of file names, addresses and finding ids."""


Color = Annotated[str, StringConstraints(pattern=r"^#[0-9a-f]{6}$")]


def _compiles(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"not a pattern: {error}") from error
    return pattern


def _parses(text: str) -> str:
    if text:
        try:
            parse_formula(text)
        except NotationError as error:
            raise ValueError(error.message) from error
    return text


Pattern = Annotated[str, AfterValidator(_compiles)]
"""A regular expression in Python's notation."""


FormulaText = Annotated[str, AfterValidator(_parses)]
"""A formula in refgen's notation (refgen/notation/formula.py)."""


Readings = dict[str, str]
"""Printed text to the text that is read in its place: how an odd or damaged print is to be understood."""


class ColumnSpec(Strict):
    """One column: how its cells are printed, and its heading where the document's own will not do.

    ``blank`` says what a blank cell means: nothing; or, in a column of chances to reach a result, best result first,
    that it is never reached (above the printed chances) or always (below them).
    """

    id: Identifier
    title: str = ""
    type: NotationName = "text"
    ladder: Identifier | None = None
    read: Readings = {}
    blank: Literal["nothing", "never-then-always"] = "nothing"
    unit: str = ""


class TableSpec(Strict):
    """One table, and how to find it in the document.

    grid: a table the reader recognises, found by its head. ragged: words in a row, found by the words of the head
    (any of several phrasings), each row matched by ``row``. list: the n-th list of a section. paragraphs: the
    paragraphs of a section from the one that starts with ``first`` to the one that starts with ``last``.
    prose: rows inside running text; ``within`` (any of several phrasings) finds the text whose first group holds them.
    ``head = false`` says that a grid has no head: what its format takes for one is its first row.
    ``nth`` (from 1) picks one of several grids or ragged tables with the same head, or one list of a section.
    """

    title: str
    layout: Literal["grid", "ragged", "list", "paragraphs", "prose"] = "grid"
    section: str | None = None
    header: list[str] = []
    head: list[str] | Literal[False] = []
    row: Pattern = ""
    ignore: Pattern = ""
    nth: int | None = None
    first: str = ""
    last: str = ""
    within: list[Pattern] = []
    transpose: bool = False
    columns: list[ColumnSpec]
    note: str = ""


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


class FactSpec(Strict):
    """A number stated in prose: the phrasings that find it (its first group is the value) and its notation.

    ``follows`` is the formula by which it follows from other numbers, ``because`` the reason in words; a check compares
    the two. ``stated = false``: the document does not say so, and only its own numbers show it.
    """

    title: str
    find: list[Pattern]
    section: str | None = None
    type: NotationName = "number"
    ladder: Identifier | None = None
    read: Readings = {}
    unit: str = ""
    follows: Follows = ""
    because: str = ""
    stated: bool = True

    @model_validator(mode="after")
    def _follows_because(self) -> Self:
        if bool(self.follows) != bool(self.because):
            raise ValueError("`follows` and `because` belong together")
        return self


class DefectSpec(Strict):
    """A defect of the document: what is wrong, the patterns that show it, the table it spoils, and how it is read.

    Patterns are matched against the raw text, where a line break is not a blank.
    A document in which no phrasing is found does not have it.
    """

    title: str
    find: list[Pattern]
    repair: str
    section: str | None = None
    table: Identifier | None = None


class LadderSpec(Strict):
    """A ladder of levels, taken from a table: numbered by a column, or by counting from the level called ``zero``."""

    table: Identifier
    level: Identifier
    value: Identifier | None = None
    zero: str = ""
    aliases: dict[str, str] = {}


class RulesSpec(Strict):
    """What system.toml says of a game and of its document, or ``documents``: names, or patterns such as "*.md"."""

    renamed: ClassVar = {"damage": "defects"}

    title: str
    about: str
    document: str = ""
    documents: list[str] = []
    format: Format | None = None
    accent: Color
    source: str
    ladders: dict[Identifier, LadderSpec] = {}
    tables: dict[Identifier, TableSpec]
    facts: dict[Identifier, FactSpec] = {}
    defects: dict[Identifier, DefectSpec] = {}
