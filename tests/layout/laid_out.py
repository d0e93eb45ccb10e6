"""Pages of tests, laid out by the engine, with the assets of refgen; and the boxes that only the engine knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import pytest

from refgen.layout.engine import LaidOutPage, LayoutSession, lay_out, write
from refgen.layout.templates import loaded_files

NoteT = TypeVar("NoteT")


def pages_of(html: str, name: str = "page") -> Sequence[LaidOutPage]:
    return lay_out(html, name, loaded_files())


def pdf_of(html: str, name: str = "page") -> bytes:
    return write(pages_of(html, name), name)


def boxes_of(pages: Sequence[LaidOutPage]) -> Iterator[Any]:
    """The boxes of WeasyPrint on some pages."""
    for page in pages:
        laid_out, _ = page.layout
        yield from laid_out._page_box.descendants(placeholders=True)


def note_layouts(monkeypatch: pytest.MonkeyPatch, note: Callable[[str, Sequence[LaidOutPage]], NoteT]) -> list[NoteT]:
    """A note of each layout from now on, made of its HTML and of the pages that it gives."""
    noted: list[NoteT] = []
    original = LayoutSession.lay_out

    def noting(session: LayoutSession, html: str, name: str) -> Sequence[LaidOutPage]:
        pages = original(session, html, name)
        noted.append(note(html, pages))
        return pages

    monkeypatch.setattr(LayoutSession, "lay_out", noting)
    return noted
