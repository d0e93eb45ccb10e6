"""Reference booklets as HTML.

In: pages of a booklet, and the system that the booklet is of. Out: a whole HTML document, which loads nothing but the
assets beside it.
"""

from __future__ import annotations

from collections.abc import Sequence

from refgen.aids.booklet import area
from refgen.aids.booklet.pages import BOOKLET, BookletPage
from refgen.game.system_info import SystemInfo
from refgen.layout.engine import WITHIN
from refgen.render.environment import SharedStyles, aid_html


def booklet_html(system: SystemInfo, pages: Sequence[BookletPage]) -> str:
    """Some pages of a reference booklet."""
    values = {"name": BOOKLET, "area": area, "within": WITHIN, "styled": SharedStyles()}
    return aid_html("booklet/booklet.html", system, pages=pages, **values)
