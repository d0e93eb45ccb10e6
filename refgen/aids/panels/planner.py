"""Panels arranged on pages by the estimated heights of their blocks, and again by measured heights where needed.

In: panels and their format. Out: their pages, and an error for each panel that does not fit: which block is too wide or
too high, or which blocks to drop or move; and whether the header of a panel has room for its title.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from refgen.aids.distribute import Arrangement, PageArea, arrange, arrangements, min_height
from refgen.aids.panels.model import (
    SMALLEST,
    Importance,
    Panel,
    PanelBlock,
    PanelFrame,
    PanelPage,
    Panels,
    Sheet,
    Side,
    may_flow,
    on_sheets,
    set_pages,
    type_scale,
)
from refgen.blocks.letters import SettableWords
from refgen.blocks.measure import MeasuredBlock
from refgen.errors import RefgenError, RenderError
from refgen.layout.engine import PartBoxes
from refgen.layout.lengths import MILLIMETRE, PIXEL, SMALL_PRINT
from refgen.layout.metrics import Face, width, without_glyph
from refgen.layout.page_format import PageFormat, Paper, TypeScale
from refgen.layout.sizing import page_area
from refgen.words import Words

MAX_PAGES = 8
"""The most pages that a panel may take."""


@dataclass
class BlockLengths:
    """The lengths of a block in points, remembered by width and type size.

    ``factor`` is measured height by estimated height. No block ``stretches``.
    """

    estimated: MeasuredBlock
    with_next: bool
    factor: float = 1.0
    stretches: bool = False

    def __post_init__(self) -> None:
        self.min_content = cache(self.estimated.min_content)
        self._estimated_height = cache(self.estimated.height)

    def height(self, width: float, size: float) -> float:
        """The height in points, corrected by ``factor``."""
        return self._estimated_height(width, size) * self.factor

    def correct(self, width: float, size: float, height: float) -> None:
        """Set ``factor`` by a measured height in points."""
        self.factor = height / self.estimated.height(width, size)


@dataclass(slots=True)
class PanelPlanner:
    """Arranges panels on pages; panels that do not fit are left out, each with an error in ``faults``.

    The pages are named in ``words``; ``across`` pages stand side by side on the widest sheet. ``lost`` is by how many
    points each panel overflowed when it was laid out; the area of the panel is reduced by that height.
    """

    aid: Panels
    page_format: PageFormat
    words: Words
    across: int = 1
    lost: dict[int, float] = field(default_factory=dict)
    blocks: dict[int, list[BlockLengths]] = field(default_factory=dict)
    arranged: dict[int, Arrangement] = field(default_factory=dict)
    faults: list[RefgenError] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not self.blocks:  # whoever measured them has looked
            words = SettableWords()
            self.aid = replace(self.aid, panels=tuple(_settable_panels(self.aid.panels, words)))
            self.faults += words.faults
        self._arrange(range(len(self.aid.panels)))

    def _arrange(self, numbers: Iterable[int]) -> None:
        """Arrange the panels with these numbers."""
        for number in numbers:
            panel = self.aid.panels[number]
            try:
                if number not in self.blocks:
                    self.blocks[number] = [measure_block(block) for block in panel.blocks]
                self.arranged[number] = _arrange_panel(
                    panel, self.blocks[number], self.page_format, self.lost.get(number, 0)
                )
            except RenderError as fault:
                self.arranged.pop(number, None)
                self.faults.append(fault)

    def sheets(self) -> Sequence[Sheet]:
        """The pages of all panels that fit, on sheets of paper. Raises the first error when no panel fits."""
        if not self.arranged:
            raise self.faults[0]
        estimated = {number: [block.estimated for block in blocks] for number, blocks in self.blocks.items()}
        sheets = on_sheets(set_pages(self.aid, self.arranged, estimated, self.words), self.page_format.imposition)
        self.across = max(map(len, sheets))
        return sheets

    def learn(self, too_full: Sequence[PanelPage], measured: Mapping[int, PartBoxes]) -> None:
        """Arrange the panels of overfull pages again, by the boxes ``measured`` on each page, by page number."""
        for page in too_full:
            self.lost[page.panel_number] = self.lost.get(page.panel_number, 0) + measured[page.number].overflow * PIXEL
            heights = iter(measured[page.number].blocks)
            for column in page.columns:
                width = self.arranged[page.panel_number].width * column.width / 100
                for block in self.blocks[page.panel_number][column.first : column.first + len(column.blocks)]:
                    block.correct(width, page.size, next(heights) * PIXEL)
        self._arrange(dict.fromkeys(page.panel_number for page in too_full))

    def error(self, name: str, fullest: PanelPage) -> RenderError:
        """The error for a page that was too full in every layout: unexpected, since measured heights are exact."""
        hint = "This is a fault in refgen: please tell us."
        return RenderError(f'{name}: no arrangement of the blocks of "{fullest.title}" fits', hint=hint)


def _settable_panels(panels: Iterable[Panel], words: SettableWords) -> Iterator[Panel]:
    """The panels without blocks and letters that no font has; a panel without any block left is left out."""
    for panel in panels:
        blocks = ((block, words.block(block.block, panel.title, block.place)) for block in panel.blocks)
        settable = tuple(replace(block, block=shown) for block, shown in blocks if shown is not None)
        if settable:
            edge = tuple((words.title(value), words.title(level)) for value, level in panel.edge)
            title = words.title(panel.title, panel.place)
            source, rounding = words.title(panel.source), words.title(panel.rounding)
            yield replace(panel, title=title, blocks=settable, edge=edge, source=source, rounding=rounding)


def measure_block(block: PanelBlock) -> BlockLengths:
    """The lengths of a block."""
    return BlockLengths(block.block.measure(), block.with_next)


def _arrange_panel(panel: Panel, blocks: Sequence[BlockLengths], page_format: PageFormat, lost: float) -> Arrangement:
    """The arrangement of a panel. Raises a RenderError that names the block that does not fit."""
    frame = PanelFrame(panel, page_format)
    if panel.edge and frame.edge_size < SMALLEST:
        message = (
            f'"{panel.title}": the edge has no room for {len(panel.edge)} steps in the smallest type ({SMALLEST} pt)'
        )
        raise RenderError(message, span=panel.place, hint="Take larger paper, or leave edge_scale out.")
    width, height = frame.area
    area = PageArea(width, height - lost, MAX_PAGES if panel.flows or may_flow(page_format) else 1)
    sizes = type_scale(page_format, panel.side)
    smallest = min(max(block.smallest for block in panel.blocks), sizes.usual)
    arrangement = arrange(blocks, area, sizes, smallest)
    if arrangement is None:
        raise _overfull(panel, blocks, area, sizes, smallest)
    return arrangement


LONGEST_QUOTED = 60
"""An error quotes at most so many characters of the words that are too wide."""

_DROPPED_FIRST = (Importance.RARE, Importance.USUAL, Importance.CORE)


_WIDE_HINT = "Break the long word, show fewer columns, fold the table less often, or draw the chart narrower."
_HIGH_HINT = "Shorten it, show a part of the table, or fold it."


def _too_large(panel: Panel, block: PanelBlock, what: str, size: float, hint: str) -> RenderError:
    return RenderError(f'"{panel.title}": "{name_of(block)}" is {what} ({size:g} pt)', span=block.place, hint=hint)


def _overfull(
    panel: Panel, blocks: Sequence[BlockLengths], area: PageArea, sizes: TypeScale, smallest: float
) -> RenderError:
    """The error for a panel that fits in no size of the scale that is at least ``smallest``."""
    size = min(size for size in sizes.sizes if size >= smallest)
    for shown, block in zip(panel.blocks, blocks, strict=True):
        if (excess := block.min_content(size) - area.width) > 0:
            what = f'too wide by {_millimetres(excess)}: "{_excerpt(block.estimated.widest_words)}"'
            return _too_large(panel, shown, what, size, _WIDE_HINT)
        if (excess := min_height(block, area, size) - area.height) > 0:
            return _too_large(panel, shown, f"too high by {_millimetres(excess)}, even alone", size, _HIGH_HINT)
    fills = [arrangement.fullest for arrangement in arrangements(blocks, area, area.pages, size)]
    excess_of_all = f" by {_millimetres((min(fills) - 1) * area.height)}" if fills and min(fills) > 1 else ""
    dropped = _to_drop(panel, blocks, lambda some: arrange(some, area, sizes, smallest) is not None)
    names = " and ".join(f'"{name_of(panel.blocks[number])}"' for number in sorted(dropped))
    return RenderError(
        f'"{panel.title}" is too full{excess_of_all} even in the smallest type ({size:g} pt)',
        span=panel.blocks[dropped[-1]].place or panel.place,
        hint=f"It fits without {names}: drop that, or move it to another panel.",
    )


def _to_drop(
    panel: Panel, blocks: Sequence[BlockLengths], fits: Callable[[Sequence[BlockLengths]], bool]
) -> Sequence[int]:
    """The numbers of the blocks without which a panel fits: the least important, the last of these first."""
    rank = {number: _DROPPED_FIRST.index(block.importance) for number, block in enumerate(panel.blocks)}
    dropped: list[int] = []
    for candidate in sorted(rank, key=lambda number: (rank[number], -number)):
        dropped.append(candidate)
        if fits([block for number, block in enumerate(blocks) if number not in dropped]):
            break
    return dropped


def name_of(block: PanelBlock) -> str:
    """The name of a block in messages."""
    return block.block.title or block.block.kind


def _excerpt(words: str) -> str:
    return words if len(words) <= LONGEST_QUOTED else f"{words[:LONGEST_QUOTED]}…"


def _millimetres(points: float) -> str:
    return f"{points / MILLIMETRE:.1f} mm"


# The header of a panel

TITLE, TITLE_ON_A5, OTHER = 17.0, 12.0, 9.0
"""The sizes in points of the title of a panel, on A5 as well, and of the other words of a header."""

GAPS = 6.0
"""Millimetres between the words of a header."""


def fits_header(title: str, game: str, page_format: PageFormat, words: Words, *, edge: float) -> bool:
    """Whether the header of a panel has room for its title beside an ``edge`` in millimetres.

    On A5 the title of the ``game`` has a line of its own.
    """
    if without_glyph(title, Face.SERIF):
        return False
    room = page_area(page_format, edge=edge)[0] - GAPS * MILLIMETRE
    ems = width(words("continued", title=title), Face.SERIF)
    place = width(words(Side.GM, number=MAX_PAGES, total=MAX_PAGES), Face.REGULAR)
    if page_format.paper is Paper.A5:
        return TITLE_ON_A5 * ems + SMALL_PRINT * place <= room
    other = max(OTHER, page_format.small_print)
    return TITLE * ems + other * (width(game, Face.REGULAR) + place) <= room
