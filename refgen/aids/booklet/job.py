"""The jobs of a booklet: its pages set and laid out for a size of paper, written as HTML or PDF, and read back.

In: a Booklet and a size of paper. Out: the files of each format, and mismatches between the pages and the booklet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from refgen.aids.booklet import paper as area
from refgen.aids.booklet.model import Booklet
from refgen.aids.booklet.pages import (
    BOOKLET,
    BookletPage,
    BookletPages,
    Contents,
    Cover,
    Heading,
    Item,
    Note,
    Slice,
    Title,
)
from refgen.aids.booklet.paper import LAID_OUT, on_paper
from refgen.aids.booklet.planner import Planner
from refgen.aids.kind import AidJob, MadeFiles, numbered_previews
from refgen.blocks.typesetting import COMPUTED
from refgen.errors import RenderError
from refgen.game.system_info import SystemInfo
from refgen.layout.engine import WITHIN, PartBoxes
from refgen.layout.layout_cache import KeptPages, LayoutCache
from refgen.layout.lengths import PIXEL
from refgen.layout.page_format import PageFormat
from refgen.layout.preview import previews
from refgen.layout.readback.compare import pdf_mismatches
from refgen.layout.readback.expected import ExpectedPart, Piece, boxed
from refgen.layout.templates import SharedStyles, aid_html


def expected(system: SystemInfo, booklet: BookletPages) -> list[ExpectedPart]:
    """The texts that must be read on each page of the booklet, page by page."""
    return [_page(system, page) for page in booklet.pages]


def _page(system: SystemInfo, page: BookletPage) -> ExpectedPart:
    """The texts of a page, then its running head and its page number; the first page has no head and no number."""
    name = f"page {page.number + 1}"
    pieces = boxed(0, [piece for placed in page.items for piece in _item(system, placed.item, name)])
    around = (system.title, page.chapter, str(page.number + 1)) if page.number else ()
    return ExpectedPart(name, (*pieces, *(Piece(text, f"{name}, margin") for text in around)))


def _item(system: SystemInfo, item: Item, name: str) -> Iterator[Piece]:
    match item:
        case Cover():
            yield from (Piece(text, "cover") for text in (system.title, BOOKLET, *item.lines))
        case Heading():
            yield Piece(item.text, f"{name}, heading")
        case Contents():
            yield from (
                Piece(text, f'contents, "{line.title}"') for line in item.lines for text in (line.title, str(line.page))
            )
        case Title():
            yield Piece(item.words, f'"{item.text}", title')
            yield Piece(COMPUTED if item.computed else "", f'"{item.text}", tag')
        case Slice():
            yield from item.block.content_pieces(f"{name}, {item.block.columns[0].title}")
        case Note():
            yield Piece(item.sign, f"{name}, note")
            yield Piece(item.text, f"{name}, note")


MAX_LAYOUTS = 4
"""A booklet is laid out at most so many times; a text that still overflows its page then is reported as too large."""

LONGEST_QUOTED = 60
"""An error message quotes at most so many letters of a title."""

MakeHtml = Callable[[Sequence[BookletPage]], str]
"""Makes the HTML of some pages."""


@dataclass(frozen=True, slots=True)
class FittedBooklet:
    """A booklet whose texts all fit their pages: the pages, their PDF, and the boxes measured on each page."""

    pages: BookletPages
    pdf: bytes
    measured: Sequence[Mapping[int, PartBoxes]]


def fit_booklet(
    make: MakeHtml, system: SystemInfo, booklet: Booklet, name: str, kept: KeptPages | None = None
) -> FittedBooklet:
    """Plan and lay out a booklet; some pages may be ``kept``. Raises RenderError when a page fits in no way."""
    planner = Planner(system, booklet)
    cache = LayoutCache[BookletPage](lambda parts: make(list(parts.values())), name, kept)
    for _ in range(MAX_LAYOUTS):
        pages = planner.pages()
        contents = [{page.number: page} for page in pages.pages]
        measured = [page.parts for page in cache.pages(contents)]
        too_full = {number: boxes.overflow for page in measured for number, boxes in page.items() if boxes.overflows}
        if not too_full:
            return FittedBooklet(pages, cache.write(contents), measured)
        planner.height -= max(too_full.values()) * PIXEL + 1
    fullest = pages.pages[max(too_full, key=too_full.__getitem__)]
    hint = "Shorten its longest words and texts."
    raise RenderError(f"{name}: {_excerpt(fullest)} fits no page of a booklet", hint=hint)


def _excerpt(page: BookletPage) -> str:
    """How an error message names a page: by its first title, or by its chapter."""
    titles = (placed.item.text for placed in page.items if isinstance(placed.item, Title | Heading))
    title = next(titles, page.chapter)
    if not title:
        return "what stands on the cover"
    return f'"{title}"' if len(title) <= LONGEST_QUOTED else f'"{title[:LONGEST_QUOTED]}…"'


def booklet_html(system: SystemInfo, pages: Sequence[BookletPage]) -> str:
    """The HTML of some pages of a reference booklet."""
    values = {"name": BOOKLET, "area": area, "within": WITHIN, "styled": SharedStyles()}
    return aid_html("booklet/booklet.html", system, pages=pages, **values)


PREVIEWED = 5
"""So many pages get a preview: the cover, the contents and some tables; later pages look much like these."""


@dataclass(frozen=True, slots=True)
class BookletJob(AidJob):
    """A booklet on all its papers, whose pages are alike but for their margins."""

    aid: Booklet

    def make(self, kept: KeptPages | None = None) -> MadeFiles:
        """A PDF for each paper."""
        name = self.path(PageFormat(LAID_OUT))
        fitted = fit_booklet(partial(booklet_html, self.system), self.system, self.aid, name, kept)
        model = expected(self.system, fitted.pages)
        mismatches = [*pdf_mismatches(model, fitted.pdf, fitted.measured, f"{name}.pdf")]
        files = {f"{self.path(each)}.pdf": on_paper(fitted.pdf, each.paper) for each in self.formats}
        pictures = numbered_previews(self.name, previews(fitted.pdf, PREVIEWED))
        return MadeFiles(files, pictures, mismatches=mismatches)
