"""The jobs of a booklet: its pages set and laid out for a size of paper, written as HTML or PDF, and read back.

In: a Booklet and a size of paper. Out: the files of each format, and mismatches between the pages and the booklet.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pikepdf

from refgen.aids.booklet import pages as area
from refgen.aids.booklet.model import Booklet
from refgen.aids.booklet.pages import (
    LAID_OUT,
    BookletPage,
    ContentsLines,
    Cover,
    Heading,
    Item,
    TableNote,
    TableSlice,
    TableTitle,
)
from refgen.aids.booklet.planner import BookletPlanner
from refgen.aids.kind import AidJob, FittedPages, MadeFiles, fit_pages, preview_files
from refgen.blocks.letters import SettableWords
from refgen.game import SystemInfo
from refgen.layout.engine import WITHIN
from refgen.layout.layout_cache import KeptPages, LayoutCache
from refgen.layout.lengths import MILLIMETRE
from refgen.layout.page_format import PAPER_SIZES, PageFormat, Paper
from refgen.layout.pdf_objects import saved_pdf
from refgen.layout.pieces import ExpectedPart, Mismatch, Piece, box_pieces
from refgen.layout.readback.compare import AidOutput, pdf_mismatches, read_back
from refgen.layout.templates import SharedStyles, aid_html
from refgen.words import COMPUTED


def expected_parts(system: SystemInfo, pages: Sequence[BookletPage]) -> list[ExpectedPart]:
    """The texts that must be read on each page of the booklet, page by page."""
    return [_page(system, page) for page in pages]


def _page(system: SystemInfo, page: BookletPage) -> ExpectedPart:
    """The texts of a page, then its running head and its page number; the first page has no head and no number."""
    name = f"page {page.number + 1}"
    pieces = box_pieces(0, [piece for placed in page.items for piece in _item(system, placed.item, name)])
    around = (system.title, page.chapter, str(page.number + 1)) if page.number else ()
    margin = (Piece(text, f"{name}, margin") for text in around)
    return ExpectedPart(name, (*pieces, *margin), is_extended=bool(system.look.templates))


def _item(system: SystemInfo, item: Item, name: str) -> Iterator[Piece]:
    match item:
        case Cover():
            words = (system.title, system.words("reference-booklet"), *item.lines)
            yield from (Piece(text, "cover", framing=True) for text in words)
        case Heading():
            yield Piece(item.text, f"{name}, heading")
        case ContentsLines():
            yield from (
                Piece(text, f'contents, "{line.title}"') for line in item.lines for text in (line.title, str(line.page))
            )
        case TableTitle():
            yield Piece(item.words, f'"{item.text}", title')
            yield Piece(COMPUTED if item.tag else "", f'"{item.text}", mark')
        case TableSlice():
            yield from item.block.content_pieces(f"{name}, {item.block.columns[0].title}")
        case TableNote():
            yield Piece(item.sign, f"{name}, note")
            yield Piece(item.text, f"{name}, note")


def fit_booklet(
    system: SystemInfo, booklet: Booklet, name: str, kept: KeptPages | None = None
) -> FittedPages[BookletPage]:
    """Plan and lay out a booklet; some pages may be ``kept``. Raises RenderError when a page fits in no way."""
    cache = LayoutCache[BookletPage](lambda parts: booklet_html(system, list(parts.values())), name, kept)
    return fit_pages(BookletPlanner(system, booklet), cache)


def booklet_html(system: SystemInfo, pages: Sequence[BookletPage], paper: Paper | None = None) -> str:
    """The HTML of some pages of a reference booklet: to be laid out, or whole on a ``paper`` for browsers to print.

    Browsers know no running heads that follow the content: on a paper the heads stand in the pages.
    """
    values = {"area": area, "within": "#" if paper else WITHIN, "styled": SharedStyles()}
    return aid_html(
        "booklet/booklet.html", system, pages=pages, paper=paper and PAPER_SIZES[paper], printed=bool(paper), **values
    )


def on_paper(pdf: bytes, paper: Paper) -> bytes:
    """The PDF on a paper. The same PDF gives the same bytes."""
    if paper is LAID_OUT:
        return pdf
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        for page in opened.pages:
            page.obj.MediaBox = page_box(paper)
        return saved_pdf(opened, pikepdf.ObjectStreamMode.preserve)


def page_box(paper: Paper) -> list[float]:
    """Left, bottom, right and top of a page, in points from the lower left corner of the paper that is laid out."""
    sides = zip(PAPER_SIZES[LAID_OUT], PAPER_SIZES[paper], strict=True)
    margins = [(there - wanted) / 2 * MILLIMETRE for there, wanted in sides]
    ends = [margin + length * MILLIMETRE for margin, length in zip(margins, PAPER_SIZES[paper], strict=True)]
    return [round(length, 4) for length in (*margins, *ends)]


PREVIEWED = 5
"""So many pages get a preview: the cover, the contents and some tables; later pages look much like these."""


@dataclass(frozen=True, slots=True)
class BookletJob(AidJob):
    """A booklet on all its papers, whose pages are alike but for their margins."""

    aid: Booklet

    def make(self, kept: KeptPages | None = None) -> MadeFiles:
        """A PDF for each paper."""
        name, words = self.path(PageFormat(LAID_OUT)), SettableWords()
        booklet = self.aid.settable(words)
        if not booklet.chapters:
            raise words.faults[0]
        fitted = fit_booklet(self.system, booklet, name, kept)
        model = expected_parts(self.system, fitted.pages)
        pdf = fitted.pdf
        mismatches = [*pdf_mismatches(model, pdf, fitted.measured, f"{name}.pdf")]
        files = {f"{self.path(each)}.pdf": on_paper(pdf, each.paper) for each in self.formats}
        pictures = preview_files(self.name, pdf, PREVIEWED)
        return MadeFiles(files, pictures, words.faults, mismatches)

    def draft(self, *, printed: bool = False) -> MadeFiles:
        """A page with all pages of the booklet for each paper, if a browser is to print them."""
        files: dict[str, bytes] = {}
        mismatches: list[Mismatch] = []
        pages = BookletPlanner(self.system, self.aid).pages() if printed else ()
        for each in self.formats if printed else ():
            html = booklet_html(self.system, pages, each.paper)
            files[f"{self.path(each)}.html"] = html.encode()
            mismatches += read_back(expected_parts(self.system, pages), AidOutput(self.path(each), html))
        return MadeFiles(files, mismatches=mismatches)
