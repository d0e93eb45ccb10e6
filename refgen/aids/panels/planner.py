"""Panels are arranged by the estimated heights of their blocks, and again by the measured heights of too low estimates.

In: panels and their format. Out: their pages, and the faults of the panels that do not fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from refgen.aids.distribute import Arrangement, PageArea, SizedBlock, arrange
from refgen.aids.panels.model import Panel, PanelBlock, Panels
from refgen.aids.panels.overfull import overfull
from refgen.aids.panels.pages import PanelPage, PanelPages, set_pages
from refgen.aids.panels.panel_area import flows, panel_area, scale
from refgen.blocks.measure import MeasuredBlock
from refgen.errors import RefgenError, RenderError
from refgen.layout.engine import PartBoxes
from refgen.layout.lengths import PIXEL
from refgen.layout.metrics import Face, without_glyph
from refgen.layout.page_format import PageFormat

MAX_PAGES = 8
"""The most pages that a panel may take."""


@dataclass(slots=True)
class BlockLengths:
    """The lengths of a block in points, remembered by width and type size.

    ``factor`` is measured height by estimated height. No block ``stretches``.
    """

    estimated: MeasuredBlock
    with_next: bool
    factor: float = 1.0
    stretches: bool = False
    heights: dict[tuple[float, float], float] = field(default_factory=dict)
    min_contents: dict[float, float] = field(default_factory=dict)

    @property
    def widest_words(self) -> str:
        """The words that make the min-content width as large as it is."""
        return self.estimated.widest_words

    def min_content(self, size: float) -> float:
        """The narrowest width in which nothing sticks out."""
        if size not in self.min_contents:
            self.min_contents[size] = self.estimated.min_content(size)
        return self.min_contents[size]

    def height(self, width: float, size: float) -> float:
        """The height in points, corrected by ``factor``."""
        key = width, size
        if key not in self.heights:
            self.heights[key] = self.estimated.height(width, size)
        return self.heights[key] * self.factor

    def correct(self, width: float, size: float, height: float) -> None:
        """Set ``factor`` by a measured height in points."""
        self.factor = height / self.estimated.height(width, size)


@dataclass(slots=True)
class Planner:
    """Arranges panels; panels that do not fit are left out, each with its fault.

    ``lost`` is by how many points each panel overflowed when it was laid out; its area is reduced by that.
    """

    aid: Panels
    page_format: PageFormat
    lost: dict[int, float] = field(default_factory=dict)
    blocks: dict[int, list[BlockLengths]] = field(default_factory=dict)
    arranged: dict[int, Arrangement] = field(default_factory=dict)
    faults: list[RefgenError] = field(default_factory=list)

    def arrange(self, numbers: Iterable[int]) -> None:
        """Arrange the panels with these numbers."""
        for number in numbers:
            panel = self.aid.panels[number]
            try:
                self.blocks.setdefault(number, [_measured(panel, block) for block in panel.blocks])
                self.arranged[number] = _arranged(
                    panel, self.blocks[number], self.page_format, self.lost.get(number, 0)
                )
            except RenderError as fault:
                self.arranged.pop(number, None)
                self.faults.append(fault)

    def pages(self) -> PanelPages:
        """The pages of all panels that fit. Raises the first fault when none does."""
        if not self.arranged:
            raise self.faults[0]
        estimated = {number: [block.estimated for block in blocks] for number, blocks in self.blocks.items()}
        return set_pages(self.aid, self.arranged, estimated)

    def learn(self, pages: Sequence[PanelPage], measured: Mapping[int, PartBoxes]) -> None:
        """Arrange the panels of some pages again, by the boxes ``measured`` on each page, by page number."""
        for page in pages:
            self.lost[page.panel_number] = self.lost.get(page.panel_number, 0) + measured[page.number].overflow * PIXEL
            heights = iter(measured[page.number].blocks)
            for column in page.columns:
                width = self.arranged[page.panel_number].width * column.width / 100
                for block in self.blocks[page.panel_number][column.first : column.first + len(column.blocks)]:
                    block.correct(width, page.size, next(heights) * PIXEL)
        self.arrange(dict.fromkeys(page.panel_number for page in pages))


def _measured(panel: Panel, block: PanelBlock) -> BlockLengths:
    """The lengths of a block. Raises RenderError for a character that no font of refgen has."""
    for piece in block.block.pieces(panel.title):
        if lacking := without_glyph(piece.text, Face.REGULAR):
            characters = ", ".join(f"{character} (U+{ord(character):04X})" for character in lacking)
            raise RenderError(
                f'"{panel.title}": no font of ours has a glyph for {characters}, in {piece.where}',
                span=block.place,
                hint="Write it with other characters.",
            )
    return BlockLengths(block.block.measure(), block.with_next)


def _arranged(panel: Panel, blocks: Sequence[BlockLengths], page_format: PageFormat, lost: float) -> Arrangement:
    """The arrangement of a panel. Raises a RenderError that names the block that does not fit."""
    width, height = panel_area(page_format, edge=bool(panel.edge))
    area = PageArea(width, height - lost, MAX_PAGES if panel.flows or flows(page_format) else 1)
    sizes = scale(page_format, panel.side)
    wanted = min(max(block.smallest for block in panel.blocks), sizes.usual)
    found = arrange(blocks, area, sizes, wanted)
    if found is not None:
        return found
    smallest = min(size for size in sizes.sizes if size >= wanted)

    def fits(some: Sequence[SizedBlock]) -> bool:
        return arrange(some, area, sizes, wanted) is not None

    raise overfull(panel, blocks, area, smallest, fits)
