"""A screen that fits: each panel is arranged by the estimated heights of its blocks, then laid out, most often once.

In: a screen, its format, and how to make the HTML of some of its pages. Out: its HTML and its layout. Where an estimate
was too low, the panel is arranged again by the heights that its blocks turned out to have, and laid out again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from refgen.aids.gm_screen import GmScreen, Panel, PanelBlock
from refgen.errors import RefgenError, RenderError
from refgen.render.fit import TOLERANCE, Room, measure
from refgen.render.pdf import layout, load_fonts
from refgen.render.readback.expected import block_pieces
from refgen.render.screen.distribute import Arrangement, PageRoom, Sized, arrange
from refgen.render.screen.estimate import Measured, measure_block
from refgen.render.screen.format import Form, ScreenFormat
from refgen.render.screen.metrics import Face, without_glyph
from refgen.render.screen.overfull import overfull
from refgen.render.screen.pages import PanelPage, ScreenPages, set_pages

MAX_PAGES = 8
"""Pages that a panel may flow over."""

MAX_LAYOUTS = 4
"""Tries: an arrangement that no estimate brings to fit is a fault."""

SAFETY = 1.004
"""What heights are taken for, as a multiple of the estimate: most are a little more or less."""

_POINT = 72 / 96
"""CSS pixels in points."""

MakeHtml = Callable[[Sequence[PanelPage]], str]


@dataclass(slots=True)
class PanelLengths:
    """A block with its lengths; ``factor`` is how much higher it turned out than it was estimated."""

    estimated: Measured
    factor: float = SAFETY
    known: dict[tuple[float, float], float] = field(default_factory=dict)

    @property
    def least(self) -> float:
        """The narrowest width in which nothing sticks out, in ems."""
        return self.estimated.least

    @property
    def widest(self) -> str:
        """The words that need its least width."""
        return self.estimated.widest

    def height(self, width: float, size: float) -> float:
        """Its height in points."""
        key = width, size
        if key not in self.known:
            self.known[key] = self.estimated.height(width, size)
        return self.known[key] * self.factor

    def correct(self, width: float, size: float, height: float) -> None:
        """Learn how high the block turned out to be."""
        self.factor = height / self.estimated.height(width, size)


@dataclass(frozen=True, slots=True)
class FittedScreen:
    """A screen that fits: its pages, their HTML, the layout, and what was measured on each page of paper.

    ``faults`` say which panels could not be made.
    """

    pages: ScreenPages
    html: str
    document: Any
    rooms: Sequence[Mapping[int, Room]]
    faults: Sequence[RefgenError]


def fit_screen(make: MakeHtml, screen: GmScreen, form: ScreenFormat, name: str) -> FittedScreen:
    """Arrange and lay out a screen. Raises RenderError when no panel can be made."""
    planner = _Planner(screen, form)
    planner.arrange(range(len(screen.panels)))
    press = _Press(make, name)
    for _ in range(MAX_LAYOUTS):
        pages = planner.pages()
        papers = _papers(pages, form.form)
        rooms = press.lay_out(papers)
        too_full = [page for page in pages.pages if rooms[page.number].excess > TOLERANCE]
        if not too_full:
            return FittedScreen(pages, make(pages.pages), *press.bound(papers), planner.faults)
        planner.learn(too_full, rooms)
    raise RenderError(f"{name}: no arrangement of its blocks fits", hint="This is a fault in refgen: please tell us.")


@dataclass(slots=True)
class _Planner:
    """Arranges the panels of a screen; those that fit in no way are left out, each with its fault."""

    screen: GmScreen
    form: ScreenFormat
    blocks: dict[int, list[PanelLengths]] = field(default_factory=dict)
    arranged: dict[int, Arrangement] = field(default_factory=dict)
    faults: list[RefgenError] = field(default_factory=list)

    def arrange(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            panel = self.screen.panels[number]
            try:
                self.blocks.setdefault(number, [_measured(panel, own) for own in panel.blocks])
                self.arranged[number] = _arranged(panel, self.blocks[number], self.form)
            except RenderError as fault:
                self.arranged.pop(number, None)
                self.faults.append(fault)

    def pages(self) -> ScreenPages:
        if not self.arranged:
            raise self.faults[0]
        return set_pages(self.screen, self.arranged)

    def learn(self, pages: Sequence[PanelPage], rooms: Mapping[int, Room]) -> None:
        """Arrange the panels of some pages again, by the heights that the blocks on them have."""
        for page in pages:
            heights = iter(rooms[page.number].blocks)
            width = self.arranged[page.panel_number].width
            for column in page.columns:
                for number, height in zip(
                    range(column.first, column.first + len(column.blocks)), heights, strict=False
                ):
                    block = self.blocks[page.panel_number][number]
                    block.correct(width * column.width / 100, page.size, height * _POINT)
        self.arrange(dict.fromkeys(page.panel_number for page in pages))


def _measured(panel: Panel, own: PanelBlock) -> PanelLengths:
    """The lengths of a block. Raises RenderError for a character that no font of ours has."""
    for piece in block_pieces(own.block, panel.title):
        if lacking := without_glyph(piece.text, Face.REGULAR):
            told = ", ".join(f"{character} (U+{ord(character):04X})" for character in lacking)
            raise RenderError(
                f'"{panel.title}": no font of ours has a glyph for {told}, in {piece.where}',
                span=own.place,
                hint="Write it with other characters.",
            )
    return PanelLengths(measure_block(own.block))


def _arranged(panel: Panel, blocks: Sequence[PanelLengths], form: ScreenFormat) -> Arrangement:
    """The arrangement of a panel. Raises RenderError that says what does not fit."""
    width, height = form.room(edge=bool(panel.edge))
    room, scale = PageRoom(width, height, MAX_PAGES if form.flows else 1), form.scale(panel.side)
    least = min(max(own.smallest for own in panel.blocks), scale.usual)
    found = arrange(blocks, room, scale, least)
    if found is not None:
        return found
    smallest = min(size for size in scale.sizes if size >= least)

    def fits(some: Sequence[Sized]) -> bool:
        return arrange(some, room, scale, least) is not None

    raise overfull(panel, blocks, room, smallest, fits)


Paper = tuple[PanelPage, ...]
"""The pages that stand on one piece of paper."""


@dataclass(slots=True)
class _Press:
    """Lays pages out, and remembers every piece of paper by what stands on it."""

    make: MakeHtml
    name: str
    fonts: Any = field(default_factory=load_fonts)
    documents: list[Any] = field(default_factory=list)
    known: dict[Paper, tuple[Any, Mapping[int, Room]]] = field(default_factory=dict)

    def lay_out(self, papers: Sequence[Paper]) -> Mapping[int, Room]:
        """Lay out what was not laid out yet; how much room there is on each page, by its number."""
        new = [paper for paper in papers if paper not in self.known]
        document = layout(self.make([page for paper in new for page in paper]), self.name, self.fonts)
        self.documents.append(document)
        self.known |= {paper: (own, measure(own)) for paper, own in zip(new, document.pages, strict=True)}
        return {number: room for paper in papers for number, room in self.known[paper][1].items()}

    def bound(self, papers: Sequence[Paper]) -> tuple[Any, Sequence[Mapping[int, Room]]]:
        """All of it as one document, and what was measured on each piece of paper."""
        found = [self.known[paper] for paper in papers]
        return self.documents[0].copy([own for own, _ in found]), [rooms for _, rooms in found]


def _papers(pages: ScreenPages, form: Form) -> list[Paper]:
    if form is Form.SHEET:
        return [tuple(side) for side in pages.sides]
    return [(page,) for page in pages.pages]
