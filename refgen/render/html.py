"""Aids as HTML.

In: an aid, the system it belongs to, and how it is to be set. Out: a whole HTML document, the same for print and
screen, which loads nothing but the assets beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from refgen.aids.card_deck import CardDeck
from refgen.aids.sheet.model import Field
from refgen.aids.site import AidLinks, SystemPage, SystemSummary
from refgen.aids.system_info import SystemInfo
from refgen.render.environment import environment
from refgen.render.lengths import TICK_PATH, TICK_WIDTH
from refgen.render.page_format import PageFormat
from refgen.render.screen.pages import PanelPage, on_sheets
from refgen.render.screen.panel_area import is_tight
from refgen.render.sheet.pages import SheetPages

CARDS_A_SHEET = 9

_Part = TypeVar("_Part")


@dataclass(frozen=True, slots=True)
class Setting:
    """How an aid is set: in which format, which of its parts (by number), and in which type size each, in points."""

    page_format: PageFormat
    sizes: Mapping[int, float]


def screen_html(system: SystemInfo, pages: Sequence[PanelPage], page_format: PageFormat) -> str:
    """Some pages of a GM screen: one panel a page, or those of each side on one sheet."""
    sheets = on_sheets(pages, page_format.imposition)
    across = max(map(len, sheets), default=1)
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


def continuation_html(system: SystemInfo, character: str, parts: Sequence[object], page_format: PageFormat) -> str:
    """What the sheet of a character has no room for: parts with a title, and a text or lines under heads."""
    return _page("sheet/continuation.html", system, page_format, character=character, parts=parts)


def roster_html(
    system: SystemInfo,
    turns: Sequence[object],
    groups: Sequence[Sequence[object]],
    page_format: PageFormat,
    fields: SheetFields,
) -> str:
    """Characters side by side: who acts first, and the tables of each group of them."""
    return _page("sheet/roster.html", system, page_format, turns=turns, groups=groups, fields=fields)


def deck_html(system: SystemInfo, deck: CardDeck, setting: Setting) -> str:
    """A deck of cards, nine on a page, with marks to cut along."""
    cards = _set(deck.cards, setting)
    sheets = [cards[start : start + CARDS_A_SHEET] for start in range(0, len(cards), CARDS_A_SHEET)]
    return _page("card/cards.html", system, setting.page_format, sheets=sheets)


def system_page_html(page: SystemPage) -> str:
    """The site's page of a system."""
    return environment().get_template("site/system.html").render(page=page, root="../")


def index_html(entries: Sequence[tuple[SystemSummary, Sequence[AidLinks]]]) -> str:
    """The site's first page: each system and its aids."""
    return environment().get_template("site/index.html").render(entries=entries, root="")


def _set(parts: Sequence[_Part], setting: Setting) -> Sequence[tuple[int, _Part, float]]:
    """The parts to set: the number of each, the part itself, and its type size."""
    return [(number, parts[number], size) for number, size in setting.sizes.items()]


def _page(template: str, system: SystemInfo, page_format: PageFormat, **values: object) -> str:
    return environment().get_template(template).render(system=system, page_format=page_format, root="../", **values)
