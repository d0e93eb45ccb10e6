"""A screen that fits: each panel is arranged by the estimated heights of its blocks, then laid out, most often once.

In: a screen, its format, and how to make the HTML of some of its pages. Out: its HTML and its layout. Where an estimate
was too low, the panel is arranged again by the heights that its blocks turned out to have, and laid out again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from refgen.aids.gm_screen import GmScreen
from refgen.errors import RefgenError, RenderError
from refgen.render.fit import TOLERANCE, Room, measure
from refgen.render.page_format import PageFormat
from refgen.render.pdf import layout, load_fonts
from refgen.render.screen.pages import PanelPage, ScreenPages, Sheet, on_sheets
from refgen.render.screen.planner import Planner

MAX_LAYOUTS = 4
"""Tries: an arrangement that no estimate brings to fit is a fault."""

MakeHtml = Callable[[Sequence[PanelPage]], str]


@dataclass(frozen=True, slots=True)
class FittedScreen:
    """A screen that fits: its pages, their HTML, the layout, and what was measured on each sheet.

    ``faults`` say which panels could not be made.
    """

    pages: ScreenPages
    html: str
    document: Any
    rooms: Sequence[Mapping[int, Room]]
    faults: Sequence[RefgenError]


def fit_screen(make: MakeHtml, screen: GmScreen, page_format: PageFormat, name: str) -> FittedScreen:
    """Arrange and lay out a screen. Raises RenderError when no panel can be made."""
    planner = Planner(screen, page_format)
    planner.arrange(range(len(screen.panels)))
    press = _Press(make, name)
    for _ in range(MAX_LAYOUTS):
        pages = planner.pages()
        sheets = on_sheets(pages.pages, page_format.imposition)
        rooms = press.lay_out(sheets)
        too_full = [page for page in pages.pages if rooms[page.number].excess > TOLERANCE]
        if not too_full:
            return FittedScreen(pages, make(pages.pages), *press.bound(sheets), planner.faults)
        planner.learn(too_full, rooms)
    raise RenderError(f"{name}: no arrangement of its blocks fits", hint="This is a fault in refgen: please tell us.")


@dataclass(slots=True)
class _Press:
    """Lays pages out, and remembers every sheet by what stands on it."""

    make: MakeHtml
    name: str
    fonts: Any = field(default_factory=load_fonts)
    documents: list[Any] = field(default_factory=list)
    known: dict[Sheet, tuple[Any, Mapping[int, Room]]] = field(default_factory=dict)

    def lay_out(self, sheets: Sequence[Sheet]) -> Mapping[int, Room]:
        """Lay out what was not laid out yet; how much room there is on each page, by its number."""
        new = [sheet for sheet in sheets if sheet not in self.known]
        if new:
            document = layout(self.make([page for sheet in new for page in sheet]), self.name, self.fonts)
            self.documents.append(document)
            self.known |= {sheet: (own, measure(own)) for sheet, own in zip(new, document.pages, strict=True)}
        return {number: room for sheet in sheets for number, room in self.known[sheet][1].items()}

    def bound(self, sheets: Sequence[Sheet]) -> tuple[Any, Sequence[Mapping[int, Room]]]:
        """All of it as one document, and what was measured on each sheet."""
        found = [self.known[sheet] for sheet in sheets]
        return self.documents[0].copy([own for own, _ in found]), [rooms for _, rooms in found]
