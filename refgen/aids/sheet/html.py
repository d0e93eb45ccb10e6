"""Character sheets as HTML: for paper, for browsers, and the continuation pages of filled sheets.

In: pages of a sheet, the system of the sheet, and how fields are shown. Out: a whole HTML document, which loads nothing
but the assets beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from refgen.aids.sheet.pages import SheetPages
from refgen.characters.sheet import Field
from refgen.game.system_info import SystemInfo
from refgen.layout.lengths import TICK_PATH, TICK_WIDTH
from refgen.render.environment import aid_html
from refgen.render.page_format import PageFormat

if TYPE_CHECKING:  # who fills sheets makes no form
    from refgen.aids.sheet.form import SheetForm


@dataclass(frozen=True, slots=True)
class SheetFields:
    """How the fields of a sheet are shown: to be filled in, or as texts with their ``values``, by field name.

    ``counts`` is the number of boxes of a row, where it is known; ``sizes`` is the type size of some texts, in points.
    ``unseen`` boxes keep their place: the program that fills the sheet draws those that the character has.
    """

    values: Mapping[str, str] | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    unseen: frozenset[str] = frozenset()
    sizes: Mapping[str, float] = field(default_factory=dict)
    tick: str = TICK_PATH
    tick_width: float = TICK_WIDTH

    def box_class(self, box: Field) -> str:
        """The CSS class of a box: "" for a box that everybody has, or that this character is known to have."""
        row = box.name.rpartition(".")[0]
        if box.absent or box.name in self.unseen or (row in self.counts and int(box.id) > self.counts[row]):
            return "unseen"
        is_known = box.value or row in self.counts or (self.values and box.name in self.values)
        return "optional" if box.optional and not is_known else ""


TO_FILL_IN = SheetFields()


def sheet_html(system: SystemInfo, pages: SheetPages, page_format: PageFormat, fields: SheetFields = TO_FILL_IN) -> str:
    """The HTML of some pages of a character sheet with its fields."""
    values = {"sheet": pages.sheet, "pages": pages.pages, "fields": fields}
    return aid_html("sheet/sheet.html", system, page_format=page_format, **values)


def form_html(system: SystemInfo, form: SheetForm) -> str:
    """A character sheet to be filled in with a browser, whatever the paper."""
    return aid_html("sheet/form.html", system, form=form)


def continuation_html(system: SystemInfo, character: str, parts: Sequence[object], page_format: PageFormat) -> str:
    """The HTML of continuation pages: parts with a title, and a text or lines under heads."""
    return aid_html("sheet/continuation.html", system, page_format=page_format, character=character, parts=parts)
