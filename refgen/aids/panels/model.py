"""Panels of blocks, as on a GM screen: their contents, independent of paper.

In: nothing; these are values. Out: Panels, each with its blocks in reading order, and the scale along its edge. The
other modules of this folder set the blocks on paper.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from refgen.blocks.block import Block
from refgen.errors import RefgenError
from refgen.span import Span

SMALLEST = 7.5
"""The smallest type in points that can be read at the table."""


class Importance(StrEnum):
    """How often a block of a panel is looked up."""

    CORE = "core"
    USUAL = "usual"
    RARE = "rare"


class Side(StrEnum):
    """Who sees a panel; the value is the word for its pages."""

    GM = "panel"
    PLAYERS = "players’ side"
    OPEN = "page"


@dataclass(frozen=True, slots=True)
class PanelBlock:
    """A block of a panel; ``smallest`` is its least type size in points, ``place`` where the panel's file describes it.

    A block ``with_next`` stands in the same column as the block after it.
    """

    block: Block
    importance: Importance = Importance.USUAL
    smallest: float = SMALLEST
    with_next: bool = False
    place: Span | None = field(default=None, compare=False)


EdgeStep = tuple[str, str]
"""A value on a scale along the edge, and its name."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One panel. ``edge`` is the scale along its edge from top to bottom; ``source`` says where its figures come from.

    A panel that ``flows`` may take several pages on paper of any size.
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
