"""The schema of system.toml and proof.toml, as far as they say how a rule document is read.

The numbers of the rules do not stand in these files: they are cells and facts of the document. system.toml says where
to find them and in which notation they are printed. Later stages add the sections that they read (actions, computed
tables, checks), each as a class derived from RulesSpec; ``refgen.game`` puts them together.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Literal, Self

from pydantic import Discriminator, PositiveInt, Tag, model_validator

from refgen.languages import Numbers, language_of
from refgen.notation.formula_parser import parse_formula
from refgen.notation.formula_tree import names_in
from refgen.notation.printed_cell import NotationName
from refgen.notation.printed_numbers import NotationStyle
from refgen.readers.document import Format
from refgen.rules.field_types import (
    Color,
    Columns,
    DiceLetter,
    ExampleSpec,
    FactSpec,
    FormulaText,
    Identifier,
    Language,
    NamelessSentences,
    NotationSpec,
    OneHead,
    OneSentence,
    Page,
    Pattern,
    Patterns,
    Readings,
    RollSpec,
    Sentences,
    SentenceText,
    short_form,
)
from refgen.rules.output import OutputSettings
from refgen.rules.toml import Strict, text_or_table

Pinned = bool | str
"""Whether the game sets a number that nothing else could tell; or the reason, in words."""

IN_PROOF = ("examples", "row_counts", "pinned", "restated", "ignored", "defects", "checks")
"""The sections of proof.toml besides facts; all other sections are those of system.toml."""
IN_PROOF_OF_FACTS = ("follows", "because", "inferred")
"""The keys of facts that stand in proof.toml, wherever the rest of the fact stands."""


class BeyondSpec(Strict):
    """How a column goes on beyond its ends, for each whole number farther: by a step that is added, or by a factor.

    ``by`` is the step or factor; by default it is computed from the last two rows at that end.
    """

    way: Literal["step", "factor"]
    by: FormulaText = ""


Beyond = Annotated[BeyondSpec, short_form("way", BeyondSpec)]


class ColumnSpec(NotationSpec):
    """A column: how its cells are printed, and its heading where the document's own will not do.

    ``blank`` says what a blank cell means: nothing; or, in a column of chances to reach a result, best result first,
    that the result is never reached (above the printed chances) or always (below them).

    ``order`` says how numbers, levels or ranges follow each other: by the same step all the way, up, down, or in no
    order. Without ``order`` a first column or a key goes by steps, or up or down, where all but a few of its cells do.

    ``beyond`` says how its numbers go on where at() asks beyond its first or last row.
    """

    id: Identifier
    title: str = ""
    type: NotationName = "text"
    read: Readings = {}
    blank: Literal["nothing", "never-then-always"] = "nothing"
    order: Literal["", "steps", "rising", "falling", "none"] = ""
    beyond: Beyond | None = None
    unit: str = ""


Layout = Literal["grid", "ragged", "list", "paragraphs", "prose"]


class TablePlace(Strict):
    """Where a table stands in a document. The given keys imply the ``layout``, where ``layout`` is not given.

    grid: a table that the reader recognises, found by its ``header``; with ``head = false``, a table without a head,
    whose first row is a row. ragged: words in a row, found by ``head``, the words above the rows. list: the n-th list
    of a section. paragraphs: the paragraphs of a section from the one that starts with ``first`` to the one that
    starts with ``last``. prose: rows inside running text; the sentence ``within`` has them as ``{rows}``.

    ``row`` is a sentence with the ids of the columns as names, or several of which any will do; ``between`` is what
    parts two rows, ``ignore`` what may stand among the rows and is none. ``row_pattern`` is a regular expression in
    place of ``row``, with a group for each column, hyphens of its id as underscores. ``nth`` (from 1) picks one of
    several grids or ragged tables with the same head, or one list of a section.

    ``transpose``: the rows of a grid are columns, each with its head in front; with ``head = false``, without heads.
    ``fold``: so many columns of a grid make a row, and the rows of each band follow those of the band before.
    """

    layout: Layout | None = None
    section: str | None = None
    header: list[str] = []
    head: OneHead = ""
    row: Sentences = []
    row_pattern: Patterns = []
    between: Sentences = []
    ignore: Sentences = []
    nth: int | None = None
    first: str = ""
    last: str = ""
    within: OneSentence = None
    transpose: bool = False
    fold: PositiveInt | None = None

    @model_validator(mode="after")
    def _check_shape(self) -> Self:
        if self.fold and self.transpose:
            raise ValueError("a table with `transpose` joins its bands itself: take out `fold`")
        return self

    @property
    def laid_out(self) -> Layout:
        """How the table is laid out."""
        if self.layout:
            return self.layout
        by_keys: Mapping[Layout, object] = {
            "prose": self.within,
            "paragraphs": self.first or self.last,
            "ragged": self.head,
            "list": self.row or self.row_pattern,
        }
        return next((layout for layout, is_given in by_keys.items() if is_given), "grid")


class RowNumbersSpec(Strict):
    """A table has a row for each whole number from ``low`` to ``high``; ``because`` says how that is known."""

    low: int
    high: int
    because: str

    @model_validator(mode="after")
    def _check_order(self) -> Self:
        if self.low > self.high:
            raise ValueError("rows go from a `low` number to a `high` one")
        return self


class RowCountSpec(Strict):
    """Which rows a table has: one for each level of a ``ladder`` or cell ``of`` a column; or why that is ``open``."""

    ladder: Identifier | None = None
    of: str = ""
    open: str = ""

    @model_validator(mode="after")
    def _check_row_count(self) -> Self:
        if sum(map(bool, (self.ladder, self.of, self.open))) != 1:
            raise ValueError("a row count is a number, or has one of `ladder`, `of` and `open`")
        return self


RowCount = Annotated[
    Annotated[PositiveInt, Tag("text")] | Annotated[RowCountSpec, Tag("table")], Discriminator(text_or_table)
]
"""How many rows a table has, or which."""


class TableSpec(TablePlace):
    """A table: title, place in the document, columns, and the numbers that have a row each.

    A column of text may be written as its id alone. ``page`` is the page of the printed book with the table.
    """

    title: str
    page: Page | None = None
    columns: Columns[Annotated[ColumnSpec, short_form("id", ColumnSpec)]]
    row_numbers: RowNumbersSpec | None = None
    note: str = ""

    @property
    def numbers(self) -> range:
        """The numbers that have a row each; none where its rows do not go by numbers."""
        return range(self.row_numbers.low, self.row_numbers.high + 1) if self.row_numbers else range(0)

    @property
    def numbered(self) -> int:
        """The position of the column with these numbers: the first column of numbers."""
        return next((at for at, column in enumerate(self.columns) if column.type == "number"), 0)


class DefectSpec(Strict):
    """A defect of the document: what is wrong, the damaged words, the table with the defect, and how to read it.

    ``text`` is a sentence without names, ``pattern`` a regular expression whose first group, if any, is the spot. They
    are looked for in the raw text, where a blank is no line break. A document without them does not have the defect.
    """

    title: str
    text: SentenceText | None = None
    pattern: Pattern = ""
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

    @model_validator(mode="after")
    def _check_numbering(self) -> Self:
        if self.zero and self.value:
            raise ValueError("levels are numbered by the column `value`, or counted from `zero`")
        return self


Restated = dict[str, Sentences]
"""By the heading that they stand under, sentences that say facts again; each number is compared with its fact."""


class IgnoredSpec(Strict):
    """By reason, sentences of the document with numbers that no table and no fact reads.

    A number of an ``example``, of a ``heading``, of a ``reference`` to another chapter, of a ``date``, or of a
    ``remark`` on which no rule hangs ("two things speak for it").
    """

    example: NamelessSentences = []
    heading: NamelessSentences = []
    reference: NamelessSentences = []
    date: NamelessSentences = []
    remark: NamelessSentences = []


class DocumentSettings(Strict):
    """How documents are written: the tag of their language ("de", "pt-BR"), and letters of dice besides d.

    ``numbers`` is how one and a half is written; by default, as in the language, whose letters of dice hold too.
    """

    language: Language = ""
    numbers: Numbers = ""
    dice_letters: list[DiceLetter] = []

    def over(self, other: DocumentSettings) -> Self:
        """The settings, completed by the keys of ``other``; a language of one's own settles how numbers are written."""
        own = self.model_fields_set | ({"numbers"} if self.language else set())
        return self.model_copy(update={key: getattr(other, key) for key in other.model_fields_set - own})

    @cached_property
    def style(self) -> NotationStyle:
        """How numbers and dice are written."""
        language = language_of(self.language or "en")
        numbers = self.numbers or (language.decimal if self.language else "")
        return NotationStyle(numbers, tuple(self.dice_letters), language)


class DocumentSpec(DocumentSettings):
    """The document of a game, by the name of its ``file``, and how it is written."""

    file: str = ""


class RulesSpec(Strict):
    """The contents of system.toml: a game, and its document or ``documents`` (names, or patterns such as "*.md").

    ``pages`` are the pages of the printed book on which sections begin, by heading.

    From ``examples`` on, the contents of proof.toml; the figures of examples are facts like all others. ``pinned`` has,
    by reason (or ""), the facts, tables and columns ("table.column") whose numbers the game sets, so that nothing else
    could tell them.
    """

    title: str
    about: str
    document: Annotated[DocumentSpec, short_form("file", DocumentSpec)] = DocumentSpec()
    documents: list[str] = []
    format: Format | None = None
    output: OutputSettings = OutputSettings()
    accent: Color | None = None
    source: str
    pages: dict[str, Page] = {}
    ladders: dict[Identifier, LadderSpec] = {}
    tables: dict[Identifier, TableSpec]
    facts: dict[Identifier, FactSpec] = {}
    rolls: dict[Identifier, RollSpec] = {}
    examples: dict[Identifier, ExampleSpec] = {}
    row_counts: dict[Identifier, RowCount] = {}
    pinned: dict[str, list[str]] = {}
    restated: Restated = {}
    ignored: IgnoredSpec = IgnoredSpec()
    defects: dict[Identifier, DefectSpec] = {}

    @model_validator(mode="after")
    def _add_figures(self) -> Self:
        for example_id, example in self.examples.items():
            for name, figure in example.figures(example_id).items():
                if name in self.facts:
                    raise ValueError(f'"{name}" is both a fact and a figure of the example "{example_id}"')
                self.facts[name] = figure
        return self

    @model_validator(mode="after")
    def _check_rolls(self) -> Self:
        known: set[str] = set()
        for roll_id, spec in self.rolls.items():
            if roll_id in self.facts:
                raise ValueError(f'"{roll_id}" is both a fact and a roll')
            later = [name for name in names_in(parse_formula(spec.roll)) if name in self.rolls and name not in known]
            if later:
                raise ValueError(f'the roll "{roll_id}" names "{later[0]}", which does not stand above it')
            known.add(roll_id)
        return self

    def entry_of(self, fact_id: str) -> tuple[str, str]:
        """The section and the id of the entry of a fact; for a figure of an example, of the example."""
        example = self._examples.get(fact_id)
        return ("examples", example) if example else ("facts", fact_id)

    @cached_property
    def _examples(self) -> Mapping[str, str]:
        return {
            name: example_id for example_id, spec in self.examples.items() for name in spec.ids(example_id).values()
        }

    @cached_property
    def _reasons(self) -> Mapping[str, Pinned]:
        return {name: reason or True for reason, names in self.pinned.items() for name in names}

    def why_pinned(self, of: str, column: str = "") -> Pinned:
        """Whether the numbers of a fact, or of a table and one of its columns, are pinned; or why, in words."""
        return self._reasons.get(f"{of}.{column}" if column else of, False) or self._reasons.get(of, False)
