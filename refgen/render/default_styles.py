"""HTML on top of WeasyPrint's default style sheet, without the rules of it that cost much and style nothing of ours.

In: HTML. Out: the same laid out, faster: a rule for a pseudo-element of any element makes WeasyPrint work out a style
in every element of a page. The default sheet has six of these, five of them for footnotes of CSS, which our pages
have none of.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import weasyprint
from weasyprint.css.counters import CounterStyle
from weasyprint.html import UA, UA_STYLESHEET

_NOTES = re.compile(r"^::(?:footnote|note)-[a-z]+ *\{[^}]*\}$", re.MULTILINE)
_MARKERS = re.compile(r"^::marker(?= *\{)", re.MULTILINE)


class PageHtml(weasyprint.HTML):  # type: ignore[misc]
    """A page of ours: its list items alone have markers, and there are no footnotes of CSS."""

    # WeasyPrint has no public way to choose the default style sheet; without this method it would take its own.
    def _ua_stylesheets(self, forms: bool = False) -> list[Any]:
        return [_default_styles() if sheet is UA_STYLESHEET else sheet for sheet in super()._ua_stylesheets(forms)]


@cache
def _default_styles() -> Any:
    styles = _MARKERS.sub("li::marker", _NOTES.sub("", UA))
    return weasyprint.CSS(string=styles, counter_style=CounterStyle())
