"""Panels of blocks, as a GM screen has them: what is shown, and nothing of paper.

In: nothing; these are values. Out: Panels, each with its blocks in the order in which they are read, and what runs
along its edge. How the blocks are set is the affair of the other modules of this folder.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from refgen.blocks.block import Block
from refgen.errors import RefgenError
from refgen.span import Span

SMALLEST = 7.5
"""Points: what can still be read at the table."""


class Importance(StrEnum):
    """How often a block of a panel is looked up."""

    CORE = "core"
    USUAL = "usual"
    RARE = "rare"


class Side(StrEnum):
    """Who sees a panel, and what its pages are called."""

    GM = "panel"
    PLAYERS = "players’ side"
    OPEN = "page"


@dataclass(frozen=True, slots=True)
class PanelBlock:
    """A block of a panel; ``smallest`` in points, ``place`` in the file that describes the panel.

    One ``with_next`` stands in the same column as the next.
    """

    block: Block
    importance: Importance = Importance.USUAL
    smallest: float = SMALLEST
    with_next: bool = False
    place: Span | None = field(default=None, compare=False)


EdgeStep = tuple[str, str]
"""A value, and its name."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One panel. ``edge`` runs along it from top to bottom; ``source`` says where its figures come from.

    A panel that ``flows`` takes several pages where it needs them, on paper of any size.
    """

    title: str
    blocks: tuple[PanelBlock, ...]
    edge: tuple[EdgeStep, ...] = ()
    source: str = ""
    side: Side = Side.GM
    place: Span | None = field(default=None, compare=False)
    flows: bool = False


@dataclass(frozen=True, slots=True)
class Panels:
    """All panels of an aid, in the order in which they are printed. ``faults`` say why panels are missing."""

    title: str
    panels: tuple[Panel, ...]
    faults: tuple[RefgenError, ...] = field(default=(), compare=False)
