"""Our pages as WeasyPrint takes them, without the work that it would do for any page.

In: HTML. Out: the same laid out, faster. Our templates are well-formed XML as well, which expat reads forty times
faster than WeasyPrint's own parser, written in Python. And a rule for a pseudo-element of any element makes WeasyPrint
work out a style in every element of a page: its default sheet has six of these, five of them for footnotes of CSS,
which our pages have none of, and one for the markers of lists, which look like the text around them here. Nor have our
pages boxes in the margins or areas for notes, of which WeasyPrint would style eighteen a page. And white space between
two blocks would become a box to be dropped later, as a fifth of the boxes of a deck are.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any
from xml.etree import ElementTree

import weasyprint
from weasyprint.css.counters import CounterStyle
from weasyprint.html import UA, UA_STYLESHEET

_PSEUDO_ELEMENTS = re.compile(r"^::(?:(?:footnote|note)-[a-z]+|marker) *\{[^}]*\}$", re.MULTILINE)
_AREAS = re.compile(r"^ *@(?:footnote|note-area|(?:top|left|right|bottom)-[a-z-]+) *\{[^}]*\}$", re.MULTILINE)

_OF_BLOCKS = frozenset(
    {"html", "body", "article", "section", "div", "blockquote", "form"}
    | {"dl", "ol", "ul", "table", "thead", "tbody", "tr"}
)
"""What holds blocks, or parts of tables; where it holds words, no line ends between them."""


class PageHtml(weasyprint.HTML):  # type: ignore[misc]
    """A page of ours, without footnotes of CSS, and without styles for markers alone."""

    def __init__(self, string: str, base_url: str, url_fetcher: Any) -> None:
        page = _read(string)
        if page is None:
            super().__init__(string=string, base_url=base_url, url_fetcher=url_fetcher)
            return
        # What WeasyPrint sets when it has read a page; it has no public way to hand it a tree.
        self.base_url, self.url_fetcher, self.media_type = base_url, url_fetcher, "print"
        self.wrapper_element = weasyprint.cssselect2.ElementWrapper.from_html_root(page, content_language=None)
        self.etree_element = self.wrapper_element.etree_element

    # WeasyPrint has no public way to choose the default style sheet; without this method it would take its own.
    def _ua_stylesheets(self, forms: bool = False) -> list[Any]:
        return [_default_styles() if sheet is UA_STYLESHEET else sheet for sheet in super()._ua_stylesheets(forms)]


@cache
def _default_styles() -> Any:
    styles = _AREAS.sub("", _PSEUDO_ELEMENTS.sub("", UA))
    return weasyprint.CSS(string=styles, counter_style=CounterStyle())


def _read(html: str) -> Any:
    """The root element of a page; None when it is no XML, as with control characters in its text."""
    try:
        page = ElementTree.fromstring(html)  # noqa: S314  # our own page, in which all text is escaped
    except ElementTree.ParseError:
        return None
    for element in page.iter():
        if element.tag in _OF_BLOCKS and len(element):
            _drop_space_between_blocks(element)
    return page


def _drop_space_between_blocks(element: Any) -> None:
    if _is_between_blocks(element.text):
        element.text = None
    for child in element:
        if _is_between_blocks(child.tail):
            child.tail = None


def _is_between_blocks(text: str | None) -> bool:
    """Whether a text is white space with the end of a line, with which our templates part blocks."""
    return text is not None and "\n" in text and text.isspace()
