"""Aids as HTML.

In: an aid, the system it belongs to, and how it is to be set. Out: a whole HTML document, the same for print and
screen, which loads nothing but the assets beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from refgen.aids.sheet.model import Field
from refgen.aids.system_info import SystemInfo
from refgen.layout.engine import WITHIN
from refgen.layout.lengths import TICK_PATH, TICK_WIDTH
from refgen.render.environment import environment
from refgen.render.page_format import PageFormat
from refgen.render.shared_styles import SharedStyles

if TYPE_CHECKING:
    from refgen.render.booklet.pages import BookletPage
    from refgen.render.card.faces import Back, SetFront, Style
    from refgen.render.card.imposition import CardPaper
    from refgen.render.screen.pages import PanelPage
    from refgen.render.sheet.form import SheetForm
    from refgen.render.sheet.pages import SheetPages

# What one kind of aid alone needs is imported where its pages are made: whoever fills sheets makes no booklet.


def screen_html(system: SystemInfo, pages: Sequence[PanelPage], page_format: PageFormat, across: int = 1) -> str:
    """Some pages of a GM screen: one panel a page, or those of each side on one sheet, so many ``across``."""
    from refgen.render.screen.pages import on_sheets
    from refgen.render.screen.panel_area import is_tight

    sheets = on_sheets(pages, page_format.imposition)
    values = {"across": across, "is_tight": partial(is_tight, page_format)}
    return _page("screen/screen.html", system, page_format, sheets=sheets, **values)


@dataclass(frozen=True, slots=True)
class SheetFields:
    """How the fields of a sheet are shown: to be filled in, or ``as_text``, with the type ``sizes`` of some in points.

    The boxes that are ``unseen`` keep their place: whoever fills the sheet in draws those that the character has.
    """

    as_text: bool = False
    unseen: frozenset[str] = frozenset()
    sizes: Mapping[str, float] = field(default_factory=dict)
    tick: str = TICK_PATH
    tick_width: float = TICK_WIDTH

    def box_class(self, box: Field) -> str:
        """The class of a box: "" for one that everybody has."""
        if box.absent or box.name in self.unseen:
            return "unseen"
        return "optional" if box.optional and not box.value else ""


TO_FILL_IN = SheetFields()


def sheet_html(system: SystemInfo, pages: SheetPages, page_format: PageFormat, fields: SheetFields = TO_FILL_IN) -> str:
    """Some pages of a character sheet with its fields."""
    return _page("sheet/sheet.html", system, page_format, sheet=pages.sheet, pages=pages.pages, fields=fields)


def form_html(system: SystemInfo, form: SheetForm) -> str:
    """A character sheet to be filled in with a browser, whatever the paper."""
    return environment().get_template("sheet/form.html").render(system=system, form=form, root="../")


def booklet_html(system: SystemInfo, pages: Sequence[BookletPage]) -> str:
    """Some pages of a reference booklet."""
    from refgen.render.booklet import area
    from refgen.render.booklet.pages import BOOKLET

    values = {"name": BOOKLET, "area": area, "within": WITHIN, "styled": SharedStyles()}
    return environment().get_template("booklet/booklet.html").render(system=system, pages=pages, root="../", **values)


def continuation_html(system: SystemInfo, character: str, parts: Sequence[object], page_format: PageFormat) -> str:
    """What the sheet of a character has no room for: parts with a title, and a text or lines under heads."""
    return _page("sheet/continuation.html", system, page_format, character=character, parts=parts)


def roster_html(
    system: SystemInfo,
    turns: Sequence[object],
    groups: Sequence[object],
    page_format: PageFormat,
    fields: SheetFields,
) -> str:
    """Characters side by side: who acts first, and what those of each group have."""
    return _page("sheet/roster.html", system, page_format, turns=turns, groups=groups, fields=fields)


def deck_html(
    system: SystemInfo, style: Style, fronts: Sequence[SetFront], backs: Sequence[Back], below: float = 0
) -> str:
    """Some faces of cards, one a page; each page is ``below`` millimetres longer than its card."""
    values = {"fronts": fronts, "backs": backs, "below": below, "styled": SharedStyles()}
    template = environment().get_template("card/cards.html")
    return template.render(system=system, style=style, root="../", **values)


def calibration_html(paper: CardPaper) -> str:
    """Two sides of a sheet, by which the offset of a printer is found: a ruler, and a cross behind its middle."""
    from refgen.render.card.imposition import CARD_PAPER_SIZES

    width, height = CARD_PAPER_SIZES[paper]
    template = environment().get_template("card/calibration.html")
    return template.render(width=width, height=height, middle=width / 2, centre=height / 2, root="../")


def _page(template: str, system: SystemInfo, page_format: PageFormat, **values: object) -> str:
    return environment().get_template(template).render(system=system, page_format=page_format, root="../", **values)
