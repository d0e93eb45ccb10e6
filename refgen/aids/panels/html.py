"""Panels as HTML, the same for print and screen.

In: pages of panels, the system that these belong to, and a format. Out: a whole HTML document, which loads
nothing but the assets beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from refgen.aids.panels.pages import PanelPage, on_sheets
from refgen.aids.panels.panel_area import is_tight
from refgen.game.system_info import SystemInfo
from refgen.render.environment import aid_html
from refgen.render.page_format import PageFormat


def panels_html(
    system: SystemInfo, called: str, pages: Sequence[PanelPage], page_format: PageFormat, across: int = 1
) -> str:
    """Some pages of an aid: one panel a page, or those of each side on one sheet, so many ``across``."""
    sheets = on_sheets(pages, page_format.imposition)
    values = {"called": called, "across": across, "is_tight": partial(is_tight, page_format)}
    return aid_html("panels/panels.html", system, page_format=page_format, sheets=sheets, **values)
