"""Layouts of an aid, remembered by what stands on each page: a page that does not change is laid out and written once.

In: how to make the HTML of some parts of an aid (panels or pages), and the pages that earlier builds wrote. Out:
pages that are measured, and any of them as one document or one PDF.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from refgen.render.join import join
from refgen.render.measure import PartBoxes, Rect, measure
from refgen.render.pdf import layout, load_fonts, write_to_join

PartT = TypeVar("PartT")
"""All that the layout of a part rests on, such as its type size; hashable."""


class KeptPages(Protocol):
    """What is kept of pages from build to build, by the HTML of each, on which all of it rests."""

    def get(self, html: str) -> bytes | None:
        """What is kept of a page."""

    def put(self, html: str, data: bytes) -> None:
        """Keep something of a page."""


@dataclass(slots=True, eq=False)
class LaidOutPage:
    """A page: the boxes of each part on it, by the number of the part. It is WeasyPrint's, or written already."""

    parts: Mapping[int, PartBoxes]
    page: Any = None
    pdf: bytes = b""


@dataclass(slots=True)
class LayoutCache(Generic[PartT]):
    """Lays out parts of an aid, and remembers every page. ``name`` says in errors which aid it is."""

    make: Callable[[Mapping[int, PartT]], str]
    name: str
    kept: KeptPages | None = None
    known: dict[frozenset[tuple[int, PartT]], LaidOutPage] = field(default_factory=dict)
    _html: dict[frozenset[tuple[int, PartT]], str] = field(default_factory=dict)
    _fonts: Any = None
    _document: Any = None

    def layout(self, parts: Mapping[int, PartT]) -> list[LaidOutPage]:
        """Lay out some parts, by their numbers, on as many pages as they take. Raises RenderError."""
        self._fonts = self._fonts or load_fonts()
        self._document = layout(self.make(parts), self.name, self._fonts)
        pages = [LaidOutPage(measure(page), page) for page in self._document.pages]
        self.known |= {frozenset((number, parts[number]) for number in page.parts): page for page in pages}
        return pages

    def pages(self, contents: Sequence[Mapping[int, PartT]]) -> list[LaidOutPage]:
        """The pages with just these parts each; those that are not known yet are laid out, all at once."""
        missing = [content for content in contents if not self._is_known(content)]
        if missing:
            self.layout({number: part for content in missing for number, part in content.items()})
        found = [self.known[frozenset(content.items())] for content in contents]
        for content in missing:
            self._keep(content, self.known[frozenset(content.items())])
        return found

    def join(self, pages: Sequence[LaidOutPage]) -> Any:
        """Pages of any layouts as one document of WeasyPrint's."""
        return self._document.copy([page.page for page in pages])

    def write(self, contents: Sequence[Mapping[int, PartT]]) -> bytes:
        """The pages with just these parts each as one PDF/UA-1. Raises RenderError."""
        pages = self.pages(contents)
        for content, page in zip(contents, pages, strict=True):
            if not page.pdf:
                page.pdf = self._written(content)
                self._keep(content, page)
        return join([page.pdf for page in pages])

    def _written(self, content: Mapping[int, PartT]) -> bytes:
        page = self.known[frozenset(content.items())].page
        if page is None:  # an earlier build needed its measures alone
            page = self.layout(content)[0].page
        return write_to_join(self._document.copy([page]), self.name, prefix=f"{min(content)}-")

    def _is_known(self, content: Mapping[int, PartT]) -> bool:
        """Whether a page is known, if only from an earlier build."""
        key = frozenset(content.items())
        if key not in self.known and self.kept is not None:
            self._html[key] = self.make(content)
            data = self.kept.get(self._html[key])
            if data is not None:
                self.known[key] = page_from(data)
        return key in self.known

    def _keep(self, content: Mapping[int, PartT], page: LaidOutPage) -> None:
        if self.kept is not None:
            self.kept.put(self._html[frozenset(content.items())], page_data(page))


def parts_of(pages: Sequence[LaidOutPage]) -> dict[int, PartBoxes]:
    """The boxes of all parts on some pages, by the number of the part."""
    return {number: part for page in pages for number, part in page.parts.items()}


def page_data(page: LaidOutPage) -> bytes:
    """What is kept of a page: the boxes of its parts, and the PDF, if it was written."""
    head = json.dumps([(number, asdict(part)) for number, part in page.parts.items()])
    return head.encode() + b"\n" + page.pdf


def page_from(data: bytes) -> LaidOutPage:
    """The page of which that was kept."""
    head, _, pdf = data.partition(b"\n")
    return LaidOutPage({number: _boxes(**part) for number, part in json.loads(head)}, pdf=pdf)


def _boxes(frame: list[float] | None, boxes: list[list[float]], **others: Any) -> PartBoxes:
    """The boxes of a part; JSON has lists for tuples."""
    return PartBoxes(frame=_rect(frame) if frame else None, boxes=[_rect(box) for box in boxes], **others)


def _rect(lengths: list[float]) -> Rect:
    left, top, width, height = lengths
    return left, top, width, height
