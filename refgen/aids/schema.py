"""The schema of screen.toml, and that of blocks: which tables and facts an aid shows, and in what order.

Words may name facts in braces ("roll {dice}"): the number comes from the rule document, never from here.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Discriminator, Field, Tag, model_validator

from refgen.rules.field_types import Identifier
from refgen.rules.toml import Strict, text_or_table

SMALLEST = 7.5
"""Points: what can still be read at the table."""


class Importance(StrEnum):
    """How often a block of a panel is looked up."""

    CORE = "core"
    USUAL = "usual"
    RARE = "rare"


class TermSpec(Strict):
    """An entry of a glossary: a term, and what it says."""

    term: str
    text: str


class QuoteSpec(Strict):
    """A passage of the rule document, in its own words: the paragraphs of a section, or one of them (from 1).

    ``sentence`` takes the one sentence in which these words stand.
    """

    section: str
    paragraph: int | None = Field(None, ge=1)
    sentence: str = ""


class BlockSpec(Strict):
    """One block of a panel, card or sheet: exactly one of what ``CONTENT`` names.

    A table, steps of a procedure, ``items`` of a list in no order, a glossary, facts, a short text, or a quotation.

    Of a long table, ``rows`` takes those from one to another (counted from 1), ``part`` one of so many equal ``parts``
    of them, and ``fold`` sets them in so many groups side by side. ``chart`` draws a table instead: its ``columns``
    over the column ``across``; ``width`` is that of the whole chart, ``height`` that of the drawing, in ems: as wide as
    the column it stands in, or less. ``note`` takes the place of a table's own note; "" leaves that out.
    """

    CONTENT: ClassVar = ("table", "steps", "items", "glossary", "facts", "text", "quote")

    title: str = ""
    table: Identifier | None = None
    columns: list[Identifier] = []
    heads: dict[Identifier, str] = {}
    bars: Identifier | None = None
    heat: bool = False
    rows: tuple[int, int] | None = None
    parts: int = Field(1, ge=1, le=12)
    part: int = Field(1, ge=1)
    fold: int = Field(1, ge=1, le=8)
    chart: Literal["bars", "lines"] | None = None
    across: Identifier | None = None
    width: int = Field(36, ge=12, le=80)
    height: int = Field(10, ge=4, le=40)
    steps: list[str] = []
    items: list[str] = []
    glossary: list[TermSpec] = []
    facts: list[Identifier] = []
    text: str = ""
    quote: QuoteSpec | None = None
    note: str | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        given = [name for name in self.CONTENT if getattr(self, name)]
        if len(given) != 1:
            raise ValueError(f"a block has one of {', '.join(self.CONTENT)}; this one has {', '.join(given) or 'none'}")
        if self.part > self.parts:
            raise ValueError(f"part {self.part} of {self.parts}")
        if self.rows and not 1 <= self.rows[0] <= self.rows[1]:
            raise ValueError(f"rows from {self.rows[0]} to {self.rows[1]}")
        self._check_chart()
        return self

    def _check_chart(self) -> None:
        if self.chart and self.table is None:
            raise ValueError("a chart draws a table; this one has none")
        of_charts = {"across", "width", "height"} & self.model_fields_set
        of_tables = {"bars", "heat", "fold"} & self.model_fields_set
        if wrong := sorted(of_tables if self.chart else of_charts):
            raise ValueError(f"{', '.join(wrong)} is for {'tables' if self.chart else 'charts'} only")


class PanelBlockSpec(BlockSpec):
    """A block of a panel.

    ``system`` is the one it comes from, where that is not the screen's own. ``importance``: core is looked up all the
    time and is marked; rare is what to leave out first. ``smallest`` is the least type size, in points, in which the
    block can be read at the table. ``with_next``: the next block stands below it, in the same column.
    """

    system: str = ""
    importance: Importance = Importance.USUAL
    smallest: float = Field(SMALLEST, ge=SMALLEST, le=10)
    with_next: bool = False


class EdgeSpec(Strict):
    """What runs along a panel's edge: a ladder, or two columns of a table (of ``every`` so many rows one)."""

    system: str = ""
    ladder: Identifier | None = None
    table: Identifier | None = None
    value: Identifier | None = None
    name: Identifier | None = None
    every: int = Field(1, ge=1, le=10)

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        of_table = [self.table, self.value, self.name]
        if bool(self.ladder) == any(of_table) or (any(of_table) and not all(of_table)):
            raise ValueError("an edge has either a ladder, or a table with value and name")
        return self


Edge = Annotated[Annotated[Identifier, Tag("text")] | Annotated[EdgeSpec, Tag("table")], Discriminator(text_or_table)]


class PanelSpec(Strict):
    """One panel of a GM screen: its blocks in the order in which they are read. ``edge`` is its own, if it has one."""

    title: str
    edge: Edge | None = None
    blocks: list[PanelBlockSpec] = Field(min_length=1)


class ScreenSpec(Strict):
    """A whole screen.toml.

    ``edge`` runs along each panel: a ladder by its name, or an EdgeSpec. ``players`` are the panels that the players
    see. A screen that belongs to no system says by ``system`` where its blocks come from, and has a ``title``.
    """

    title: str = ""
    system: str = ""
    edge: Edge | None = None
    panels: list[PanelSpec] = Field(min_length=1, max_length=6)
    players: list[PanelSpec] = Field([], max_length=6)
