"""Blocks with every word and figure in place, so that a template only sets them."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from refgen.aids.chart.model import ChartBlock
from refgen.aids.footnotes import Footnote

LONGEST_NAME = 24
"""Characters; a longer text in a cell explains, it does not name its row."""


@dataclass(frozen=True, slots=True)
class ShownColumn:
    """A column on the page: ``under`` stands below its title; ``align`` is "start", "end", "center" or "bars".

    ``share`` is how many percent of the table it takes (0: what its words need); one with a ``gutter`` begins another
    group of columns.
    """

    title: str
    under: str
    align: str
    share: float = 0.0
    gutter: bool = False


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell on the page.

    ``bar`` is the length of a bar behind the figure in percent of the longest; ``heat`` a tint from 0 to 8; ``sign``
    refers to a footnote. ``before`` and ``after`` are the room beside the text, in ems of its type, that brings a
    figure under the others of its column. A ``gutter`` is that of its column. ``value`` is what bar or heat show: they
    can be checked against it.
    """

    text: str
    align: str
    header: bool = False
    bar: int | None = None
    heat: int | None = None
    sign: str = ""
    before: float = 0.0
    after: float = 0.0
    gutter: bool = False
    value: Fraction | None = field(default=None, compare=False)

    @property
    def is_long(self) -> bool:
        """Whether its text may break into lines though it names its row: it explains rather than names."""
        return self.header and self.align == "start" and len(self.text) > LONGEST_NAME


@dataclass(frozen=True, slots=True)
class TableBlock:
    """A table on the page. ``computed`` ones wear a tag and state their rule."""

    title: str
    columns: tuple[ShownColumn, ...]
    rows: tuple[tuple[ShownCell, ...], ...]
    computed: bool
    note: str
    source: str
    heat: bool = False
    footnotes: tuple[Footnote, ...] = ()
    kind: str = "table"

    @property
    def is_list(self) -> bool:
        """Whether it is one column without a head, which is a list to the eye and when it is read aloud."""
        return len(self.columns) == 1 and not (self.columns[0].title or self.columns[0].under)


@dataclass(frozen=True, slots=True)
class StepsBlock:
    """A procedure, step by step. ``first`` is the number of its first step: another block may go on from one."""

    title: str
    steps: tuple[str, ...]
    note: str
    footnotes: tuple[Footnote, ...] = ()
    kind: str = "steps"
    first: int = 1


@dataclass(frozen=True, slots=True)
class FactsBlock:
    """Facts: what each is, and its figure."""

    title: str
    facts: tuple[tuple[str, str], ...]
    note: str
    footnotes: tuple[Footnote, ...] = ()
    kind: str = "facts"


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A short text."""

    title: str
    text: str
    note: str
    footnotes: tuple[Footnote, ...] = ()
    kind: str = "text"


@dataclass(frozen=True, slots=True)
class ListBlock:
    """A list of texts in no order."""

    title: str
    items: tuple[str, ...]
    note: str
    footnotes: tuple[Footnote, ...] = ()
    kind: str = "list"


@dataclass(frozen=True, slots=True)
class GlossaryBlock:
    """Terms, each with what it says."""

    title: str
    terms: tuple[tuple[str, str], ...]
    note: str
    footnotes: tuple[Footnote, ...] = ()
    kind: str = "glossary"


@dataclass(frozen=True, slots=True)
class QuoteBlock:
    """Paragraphs of the rule document in its own words."""

    title: str
    paragraphs: tuple[str, ...]
    note: str
    footnotes: tuple[Footnote, ...] = ()
    kind: str = "quote"


Block = TableBlock | ChartBlock | StepsBlock | FactsBlock | TextBlock | ListBlock | GlossaryBlock | QuoteBlock
