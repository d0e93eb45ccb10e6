"""Layouts of an aid, remembered by what stands on each page: a page that does not change is laid out once.

In: how to make the HTML of some parts of an aid (panels, pages, cards). Out: pages, laid out and measured, and any of
them joined to one document.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from refgen.render.measure import PartBoxes, measure
from refgen.render.pdf import layout, load_fonts

PartT = TypeVar("PartT")
"""All that the layout of a part rests on, such as its type size; hashable."""


@dataclass(frozen=True, slots=True)
class LaidOutPage:
    """A page of WeasyPrint's, and the boxes of each part on it, by the number of the part."""

    page: Any
    parts: Mapping[int, PartBoxes]


@dataclass(slots=True)
class LayoutCache(Generic[PartT]):
    """Lays out parts of an aid, and remembers every page. ``name`` says in errors which aid it is."""

    make: Callable[[Mapping[int, PartT]], str]
    name: str
    fonts: Any = field(default_factory=load_fonts)
    documents: list[Any] = field(default_factory=list)
    known: dict[frozenset[tuple[int, PartT]], LaidOutPage] = field(default_factory=dict)

    def layout(self, parts: Mapping[int, PartT]) -> list[LaidOutPage]:
        """Lay out some parts, by their numbers, on as many pages as they take. Raises RenderError."""
        document = layout(self.make(parts), self.name, self.fonts)
        self.documents.append(document)
        pages = [LaidOutPage(page, measure(page)) for page in document.pages]
        self.known |= {frozenset((number, parts[number]) for number in page.parts): page for page in pages}
        return pages

    def pages(self, contents: Sequence[Mapping[int, PartT]]) -> list[LaidOutPage]:
        """The pages with just these parts each; those that are not known yet are laid out, all at once."""
        missing = [content for content in contents if frozenset(content.items()) not in self.known]
        if missing:
            self.layout({number: part for content in missing for number, part in content.items()})
        return [self.known[frozenset(content.items())] for content in contents]

    def join(self, pages: Sequence[LaidOutPage]) -> Any:
        """Pages of any layouts as one document of WeasyPrint's."""
        return self.documents[0].copy([page.page for page in pages])


def parts_of(pages: Sequence[LaidOutPage]) -> dict[int, PartBoxes]:
    """The boxes of all parts on some pages, by the number of the part."""
    return {number: part for page in pages for number, part in page.parts.items()}
