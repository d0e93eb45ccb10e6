"""The schema of screen.toml: the panels of a GM screen, their blocks, and the scale along their edge.

In: screen.toml as data. Out: a ScreenSpec.
"""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Discriminator, Field, Tag, model_validator

from refgen.aids.panels.model import SMALLEST, Importance
from refgen.blocks.kinds import BlockSpec
from refgen.rules.field_types import Identifier, Page, short_form
from refgen.rules.toml import Strict, text_or_table


class PanelBlockSpec(BlockSpec):
    """A block of a panel.

    ``system`` is the game the block comes from, if it is not the screen's own. ``importance``: core blocks are looked
    up all the time and are marked; rare blocks are the first to leave out. ``smallest`` is the least type size, in
    points, in which the block can be read at the table. ``with_next``: the next block stands below this one, in the
    same column. ``page`` is the reference to the printed book, in place of the page that is known.
    """

    system: str = ""
    importance: Importance = Importance.USUAL
    smallest: float = Field(SMALLEST, ge=SMALLEST, le=10)
    with_next: bool = False
    page: Page | None = None


PanelBlockEntry = Annotated[PanelBlockSpec, short_form("table", PanelBlockSpec)]
"""A block of a panel, or the id of the table that it shows."""


class EdgeScaleSpec(Strict):
    """The scale along a panel's edge: a ladder, or two columns of a table (one row of ``every`` so many)."""

    system: str = ""
    ladder: Identifier | None = None
    table: Identifier | None = None
    value: Identifier | None = None
    name: Identifier | None = None
    every: int = Field(1, ge=1, le=10)

    @model_validator(mode="after")
    def _check_scale(self) -> Self:
        of_table = [self.table, self.value, self.name]
        if bool(self.ladder) == any(of_table) or (any(of_table) and not all(of_table)):
            raise ValueError("an edge has either a ladder, or a table with value and name")
        return self


EdgeScale = Annotated[
    Annotated[Identifier, Tag("text")] | Annotated[EdgeScaleSpec, Tag("table")], Discriminator(text_or_table)
]


class PanelSpec(Strict):
    """A panel of a GM screen: blocks in reading order.

    ``edge_scale`` and ``page_references`` replace those of the screen. ``party`` are the parts and fields of the sheet
    that are shown of the characters, above the blocks.
    """

    title: str
    edge_scale: EdgeScale | None = None
    page_references: bool | None = None
    party: list[str] = []
    blocks: list[PanelBlockEntry] = []

    @model_validator(mode="after")
    def _check_content(self) -> Self:
        if not (self.blocks or self.party):
            raise ValueError("a panel has `blocks`, or shows the `party`")
        return self


class ScreenSpec(Strict):
    """A whole screen.toml.

    ``edge_scale`` runs along each panel: a ladder by its name, or an EdgeScaleSpec. ``players`` are the panels on the
    players' side. ``page_references``: each block says on which page of the printed book it stands. ``characters`` are
    the files of the party, in the folder of the game. A screen that belongs to no game names in ``system`` the game of
    its blocks, and has a ``title``.
    """

    title: str = ""
    system: str = ""
    edge_scale: EdgeScale | None = None
    page_references: bool = False
    characters: list[str] = []
    panels: list[PanelSpec] = Field(min_length=1, max_length=6)
    players: list[PanelSpec] = Field([], max_length=6)


SPEC_NAME = "screen.toml"
