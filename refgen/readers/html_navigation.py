"""The navigation of HTML pages, known by its structure and never by the names of classes.

In: the tree of a numbered page and its tags. Out: the elements that lead to other pages and are no part of the text:

- ``nav``, and elements with ``role="navigation"``;
- the header and footer of the page where all words in it are links;
- a table all of whose cells are links to other pages, at least two;
- links with ``rel="prev"`` or ``rel="next"``.

A table or list of links into the page itself is a part of the text: it may be a list of skills.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from refgen.readers.markup import PLACE, WORD, NumberedMarkup

NAVIGATION = "this is navigation of the page"
_PARTS_OF_TEXT = ("article", "section", "main", "aside", "blockquote", "table", "li")
"""Elements with headers and footers of their own."""


def navigation_of(root: etree._Element, markup: NumberedMarkup) -> set[etree._Element]:
    """The elements of a page that are navigation."""
    return set(_PageLinks(markup).navigation(root))


def words_in(element: etree._Element) -> list[int]:
    """The numbers of the words in an element."""
    return [int(word["number"]) for text in element.itertext() for word in WORD.finditer(text) if word["number"]]


@dataclass(frozen=True, slots=True)
class _PageLinks:
    """Which words of a page are links."""

    markup: NumberedMarkup

    def navigation(self, root: etree._Element) -> Iterator[etree._Element]:
        yield from root.iter("nav")
        for element in root.iter("header", "footer"):
            in_text = next(element.iterancestors(*_PARTS_OF_TEXT), None) is not None
            if not in_text and self._holds_links_only(element):
                yield element
        yield from (table for table in root.iter("table") if self._leads_away(table))
        yield from (link for link in root.iter("a") if {"prev", "next"} & set(self._attribute(link, "rel").split()))
        if any(tag.attributes.get("role") == "navigation" for tag in self.markup.tags):
            yield from (part for part in root.iter() if self._attribute(part, "role") == "navigation")

    def _attribute(self, element: etree._Element, name: str) -> str:
        place = element.get(PLACE)
        return self.markup.tags[int(place)].attributes.get(name, "") if place else ""

    def _holds_links_only(self, element: etree._Element) -> bool:
        """Whether all words of an element, but for signs between them, are in links or a ``nav``."""
        linked = {word for part in element.iter("a", "nav") for word in words_in(part)}
        return bool(linked) and all(word in linked for word in words_in(element) if self._is_word(word))

    def _is_word(self, number: int) -> bool:
        return any(letter.isalnum() for letter in self.markup.words[number].text)

    def _leads_away(self, table: etree._Element) -> bool:
        """Whether a table holds nothing but links to other pages, two or more."""
        links = [self._attribute(link, "href") for link in table.iter("a")]
        return len(links) > 1 and all(link[:1] not in ("", "#") for link in links) and self._holds_links_only(table)
