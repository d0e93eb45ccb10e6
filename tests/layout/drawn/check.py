"""The comparison of all drawings of an aid, in its HTML and in its PDF, with the model.

In: an aid, its HTML and its PDF. Out: mismatches with the names that a build gives them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import median
from typing import Any, NamedTuple

from refgen.aids.cards.faces import Faces
from refgen.aids.cards.job import expected_parts as expected_cards
from refgen.aids.panels.job import expected_parts as expected_screen
from refgen.aids.panels.model import PanelPage
from refgen.blocks.block import Block
from refgen.blocks.chart_block import ChartBlock
from refgen.blocks.table_block import TableBlock
from refgen.game import SystemInfo
from refgen.layout.lengths import MILLIMETRE
from refgen.layout.pieces import Mismatch, PageFault, Piece, align
from refgen.layout.readback.html_pages import parts, read_html, svgs
from refgen.layout.readback.places import PageBox, TextRun, bounding_box
from tests.layout.drawn.charts import chart_faults, chart_texts
from tests.layout.drawn.drawing import TextKey, sort_shapes, svg_drawing
from tests.layout.drawn.grounds import Ground, grounds, html_grounds, is_ink_saving, paper_grounds
from tests.layout.drawn.pdf_drawing import DrawnPage, drawn_pages

DrawnAid = tuple[PanelPage, ...] | Faces
"""The kinds of aids that draw something."""


class DrawnPart(NamedTuple):
    """A panel or a card: its title, its blocks, and the levels of the ladder along its edge, from the top."""

    title: str
    blocks: Sequence[Block]
    levels: Sequence[str] = ()

    @property
    def grounds(self) -> list[Ground]:
        """What is to be behind each cell of its tables."""
        tables = [block for block in self.blocks if isinstance(block, TableBlock)]
        return [ground for table in tables for ground in grounds(table, self.place(table))]

    @property
    def charts(self) -> list[ChartBlock]:
        """Its charts."""
        return [block for block in self.blocks if isinstance(block, ChartBlock)]

    def place(self, block: Block) -> str:
        """The place of a block in words, as the pieces of the block say it."""
        return f'"{block.title or self.title}"'


def drawn_parts(aid: DrawnAid) -> list[DrawnPart]:
    """The parts of an aid, in order."""
    if isinstance(aid, tuple):
        return [
            DrawnPart(
                page.title,
                [block.panel_block.block for column in page.columns for block in column.blocks],
                [level for _, level in page.panel.edge],
            )
            for page in aid
        ]
    fronts = [DrawnPart(face.front.title, face.front.blocks) for face in aid.fronts]
    return [*fronts, *(DrawnPart("back", ()) for _ in aid.backs)]


def drawn_mismatches(system: SystemInfo, aid: DrawnAid, name: str, page: str, pdf: bytes) -> list[Mismatch]:
    """What is drawn otherwise than the figures of an aid say."""
    model, root = drawn_parts(aid), read_html(page)
    on_paper = _pdf(system, aid, model, list(drawn_pages(pdf)), ink_saving=is_ink_saving(root))
    in_html = (
        (f'"{part.title}", {where}' if f'"{part.title}"' not in where else where, what)
        for part, element in zip(model, parts(root), strict=True)
        for where, what in _part_in_html(part, element)
    )
    return [
        *(Mismatch(f"{name}.html", where, what) for where, what in in_html),
        *(Mismatch(f"{name}.pdf", where, what) for where, what in on_paper),
    ]


def _part_in_html(part: DrawnPart, element: Any) -> Iterator[PageFault]:
    yield from html_grounds(part.grounds, element)
    yield from rungs_in_html(len(part.levels), element)
    for chart, svg in zip(part.charts, svgs(element), strict=True):
        shown = [key for key, text in chart_texts(chart) if text]
        yield from chart_faults(chart, part.place(chart), svg_drawing(svg, shown))


def _pdf(
    system: SystemInfo, aid: DrawnAid, model: Sequence[DrawnPart], pages: Sequence[DrawnPage], *, ink_saving: bool
) -> Iterator[PageFault]:
    """What is wrong in a PDF, in which each part stands on a single page."""
    said = [part.pieces for part in (expected_cards(aid) if isinstance(aid, Faces) else expected_screen(system, aid))]
    runs = [(number, run) for number, page in enumerate(pages) for run in page.runs]
    aligned = align([piece for pieces in said for piece in pieces], [run.text for _, run in runs])
    found = {id(piece): runs[texts.start : texts.stop] for piece, texts in aligned.texts}
    texts = {key: [run for _, run in placed] for key, placed in found.items()}
    on_page: dict[int, list[PlacedPart]] = defaultdict(list)
    for part, pieces in zip(model, said, strict=True):
        number, _ = next(found[id(piece)][0] for piece in pieces if id(piece) in found)
        on_page[number].append(PlacedPart(part, pieces, texts))
    for number, placed in on_page.items():
        for where, what in _page(pages[number], placed, ink_saving=ink_saving):
            yield f"page {number + 1}, {where}", what


class PlacedPart(NamedTuple):
    """A part on a page, its pieces, and the runs of each piece that was found, by the identity of the piece."""

    part: DrawnPart
    pieces: Sequence[Piece]
    runs: Mapping[int, Sequence[TextRun]]

    def cells(self) -> Iterator[tuple[Ground, TextRun]]:
        """What is to be behind each cell that was found, and its text."""
        grounds = self.part.grounds
        places = {ground.where for ground in grounds}
        cells = [piece for piece in self.pieces if piece.where in places]
        for ground, piece in zip(grounds, cells, strict=True):
            if id(piece) in self.runs:
                yield ground, self.runs[id(piece)][0]

    def levels(self) -> list[tuple[str, PageBox]]:
        """The levels of the ladder that were found; the piece after each is its value."""
        names = [piece for piece in self.pieces if piece.where.startswith('edge, "')][::2]
        return [(piece.where, self.runs[id(piece)][0].box) for piece in names if id(piece) in self.runs]

    def charts(self) -> Iterator[tuple[ChartBlock, str, Mapping[TextKey, PageBox]]]:
        """Its charts, each with its place in words and the boxes of its texts, whose pieces follow its own."""
        for number, piece in enumerate(self.pieces):
            if isinstance(piece.chart, ChartBlock):
                keys = [key for key, _ in chart_texts(piece.chart)]
                texts = zip(keys, self.pieces[number + 1 :], strict=False)
                boxes = {
                    key: bounding_box(run.box for run in self.runs[id(text)])
                    for key, text in texts
                    if id(text) in self.runs
                }
                yield piece.chart, piece.where, boxes


def _page(page: DrawnPage, placed: Sequence[PlacedPart], *, ink_saving: bool) -> Iterator[PageFault]:
    cells = [cell for part in placed for cell in part.cells()]
    yield from paper_grounds(cells, page.fills, ink_saving=ink_saving)
    for part in placed:
        yield from rungs_on_paper(part.levels())
    charts = [chart for part in placed for chart in part.charts()]
    for (chart, where, boxes), drawing in zip(charts, page.drawings, strict=True):
        spots = {key: drawing.spot(box, key[0]) for key, box in boxes.items()}
        yield from chart_faults(chart, where, sort_shapes(drawing.shapes, spots))


_OFF = 0.25
"""The share of the distance between two levels by which one may be off: letters hang, and names of two words break."""

_STEPS = re.compile(r"--steps: (\d+)")


def rungs_in_html(levels: int, part: Any) -> Iterator[PageFault]:
    """A ladder that is set for another number of levels, and levels that a style of their own may put elsewhere."""
    for edge in part.find_class("edge"):
        if _STEPS.findall(edge.get("style") or "") != [str(levels)]:
            yield "edge", f"the ladder is not set for its {levels} levels"
        yield from (
            (f'edge, "{level[0].text}"', "it is not set as the other levels are")
            for level in edge
            if level.get("style")
        )


def rungs_on_paper(levels: Sequence[tuple[str, PageBox]]) -> Iterator[PageFault]:
    """The levels, given with their places in words, that do not stand at the distance between most of them."""
    heights = [box.top for _, box in levels]
    if len(heights) < 3:
        return
    step = median(above - below for above, below in pairwise(heights))
    top = median(height + number * step for number, height in enumerate(heights))
    for number, ((where, _), height) in enumerate(zip(levels, heights, strict=True)):
        if abs(off := top - number * step - height) > _OFF * step:
            yield where, f"it stands {abs(off) / MILLIMETRE:.1f} mm too {'low' if off > 0 else 'high'}"
