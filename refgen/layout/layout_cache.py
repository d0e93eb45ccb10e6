"""A cache of the pages of an aid: a page that does not change is laid out and written once.

In: a function that makes the HTML of some parts of an aid (panels, pages, faces of cards), and the pages that earlier
builds wrote. Out: measured pages, and one PDF of any pages. Pages are written and kept one by one, so that a changed
page is made alone, or in batches, which share their fonts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from pydantic import TypeAdapter

from refgen.layout.engine import LaidOutPage, LayoutSession, PartBoxes, write_to_join
from refgen.layout.templates import loaded_files

PartT = TypeVar("PartT")
"""Everything that the layout of a part depends on, such as its type size; hashable."""


Content = Mapping[int, PartT]
"""The parts on a page, by their numbers."""

Key = frozenset[tuple[int, PartT]]


class KeptPages(Protocol):
    """Measures and PDFs of pages, kept from build to build by the HTML of the pages."""

    def get(self, html: str) -> bytes | None:
        """The kept data of the pages with this HTML; None if no data is kept."""

    def put(self, html: str, data: bytes) -> None:
        """Keep data of the pages with this HTML."""


@dataclass(slots=True)
class LayoutCache(Generic[PartT]):
    """Lays out parts of an aid, and remembers every page. ``name`` is the name of the aid in errors.

    ``make`` makes the HTML of some parts. ``batch`` is the number of pages that are written and kept together.
    ``longer`` is the number of CSS pixels by which a page is longer while it is laid out than in the PDF.
    """

    make: Callable[[Content[PartT]], str]
    name: str
    kept: KeptPages | None = None
    batch: int = 1
    longer: float = 0.0
    known: dict[Key[PartT], LaidOutPage] = field(default_factory=dict)
    _pdfs: dict[Key[PartT], bytes] = field(default_factory=dict)
    _html: dict[Key[PartT], str] = field(default_factory=dict)
    _session: LayoutSession = field(default_factory=lambda: LayoutSession(loaded_files()))

    def layout(self, parts: Content[PartT]) -> Sequence[LaidOutPage]:
        """Lay out parts, by their numbers, on as many pages as the parts need. Raises RenderError."""
        pages = self._session.lay_out(self.make(parts), self.name)
        self.known |= {_key({number: parts[number] for number in page.parts}): page for page in pages}
        return pages

    def pages(self, contents: Sequence[Content[PartT]]) -> list[LaidOutPage]:
        """The page of each content; all pages that are not known yet are laid out at once."""
        unknown = [batch for batch in self._batches(contents) if not self._are_known(batch)]
        missing = [content for batch in unknown for content in batch if _key(content) not in self.known]
        if missing:
            self.layout(_join_parts(missing))
        for batch in unknown:
            self._keep(batch)
        return [self.known[_key(content)] for content in contents]

    def write(self, contents: Sequence[Content[PartT]]) -> bytes:
        """The page of each content, all as one PDF/UA-1. Raises RenderError."""
        self.pages(contents)
        from refgen.layout.join import join  # loads what shares fonts, which pages laid out for a template lack

        return join([self._pdf(batch) for batch in self._batches(contents)])

    def _pdf(self, batch: Sequence[Content[PartT]]) -> bytes:
        key = _key(_join_parts(batch))
        if not self._pdfs.get(key):
            self._pdfs[key] = self._write_batch(batch)
            self._keep(batch)
        return self._pdfs[key]

    def _write_batch(self, batch: Sequence[Content[PartT]]) -> bytes:
        keys = [_key(content) for content in batch]
        released = [content for content, key in zip(batch, keys, strict=True) if self.known[key].is_released]
        if released:  # written before, or made by an earlier build that kept only the measures
            self.layout(_join_parts(released))
        pages = [self.known[key] for key in keys]
        self.known |= {key: page.released() for key, page in zip(keys, pages, strict=True)}
        return write_to_join(pages, self.name, prefix=f"{min(batch[0])}-", cut=self.longer)

    def _batches(self, contents: Sequence[Content[PartT]]) -> list[Sequence[Content[PartT]]]:
        return [contents[start : start + self.batch] for start in range(0, len(contents), self.batch)]

    def _are_known(self, batch: Sequence[Content[PartT]]) -> bool:
        """Whether the pages of a batch are known, from this build or from an earlier build."""
        keys = [_key(content) for content in batch]
        if self.kept is not None and not self.known.keys() >= {*keys}:
            data = self.kept.get(self._html_of(batch))
            if data is not None:
                pages, self._pdfs[_key(_join_parts(batch))] = _unpack_pages(data)
                self.known |= dict(zip(keys, pages, strict=True))
        return self.known.keys() >= {*keys}

    def _keep(self, batch: Sequence[Content[PartT]]) -> None:
        if self.kept is not None:
            pages = [self.known[_key(content)] for content in batch]
            self.kept.put(self._html_of(batch), _pack_pages(pages, self._pdfs.get(_key(_join_parts(batch)), b"")))

    def _html_of(self, batch: Sequence[Content[PartT]]) -> str:
        parts = _join_parts(batch)
        key = _key(parts)
        if key not in self._html:
            self._html[key] = self.make(parts)
        return self._html[key]


def _key(parts: Content[PartT]) -> Key[PartT]:
    return frozenset(parts.items())


def _join_parts(contents: Sequence[Content[PartT]]) -> Content[PartT]:
    """The parts of some pages."""
    return {number: part for content in contents for number, part in content.items()}


def parts_of(pages: Sequence[LaidOutPage]) -> dict[int, PartBoxes]:
    """The boxes of all parts on some pages, by the number of the part."""
    return {number: part for page in pages for number, part in page.parts.items()}


_MEASURES = TypeAdapter(list[dict[int, PartBoxes]])
"""The boxes of parts, by number, of each page."""


def _pack_pages(pages: Sequence[LaidOutPage], pdf: bytes) -> bytes:
    """The data to keep of pages: the boxes of their parts, and the PDF, empty if it was not written."""
    return _MEASURES.dump_json([dict(page.parts) for page in pages]) + b"\n" + pdf


def _unpack_pages(data: bytes) -> tuple[list[LaidOutPage], bytes]:
    """The pages and the PDF of kept data."""
    measures, _, pdf = data.partition(b"\n")
    return [LaidOutPage(parts) for parts in _MEASURES.validate_json(measures)], pdf
