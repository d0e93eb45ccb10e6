"""An HTML page that lxml reads back: texts, fields and links.

In: a page. Out: the texts of its parts, its fields, and the faults of its ids and links.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import unquote, urlsplit

from lxml import etree, html

from refgen.layout.pieces import PageFault, normalize_text

_UNSEEN = ("option", "script", "style", "textarea", "title")
_FIELDS = "self::input or self::select or self::textarea"


def _strings(path: str) -> etree.XPath:
    """An XPath to texts or attributes as plain strings, without a reference to their element."""
    return etree.XPath(path, smart_strings=False)


_TEXTS = _strings(
    f".//text()[normalize-space()][not({' or '.join(f'parent::{tag}' for tag in _UNSEEN)})][not(ancestor::template)]"
)
_OWN_TEXTS = _strings("./text()")
_IDS = _strings("//@id")
_LINKS = _strings("//@href | //@src")

_PARSER = etree.HTMLParser()
# The parser of lxml.html calls a function of Python for the class of each element.
_PARSER.set_element_class_lookup(etree.ElementDefaultClassLookup(element=html.HtmlElement, comment=html.HtmlComment))


@dataclass(frozen=True, slots=True)
class HtmlField:
    """A field to fill in: name, label and tooltip."""

    name: str
    label: str
    tooltip: str


def read_html(page: str | bytes) -> Any:
    """The root element of a page."""
    return html.document_fromstring(page.encode() if isinstance(page, str) else page, parser=_PARSER)


def texts(element: Any) -> list[str]:
    """The visible texts in an element, in order, without blanks."""
    return [text for node in _TEXTS(element) if (text := normalize_text(node))]


def own_texts(element: Any) -> list[str]:
    """The texts right in an element, not in a child, without blanks."""
    return [text for node in _OWN_TEXTS(element) if (text := normalize_text(node))]


def all_text(element: Any) -> str:
    """The visible texts in an element as a single text, without blanks."""
    return normalize_text("".join(_TEXTS(element)))


def whole_text(element: Any) -> str:
    """All text in an element, with invisible text such as scripts: a hundred times faster than ``all_text``."""
    text: str = etree.tostring(element, encoding="unicode", method="text", with_tail=False)
    return text


def parts(root: Any) -> list[Any]:
    """The elements of the parts of an aid, in order."""
    return list(root.xpath("//*[@data-frame]"))


def svgs(element: Any) -> list[Any]:
    """The charts in an element, in order."""
    return list(element.xpath(".//svg[@class = 'chart']"))


def texts_beside_parts(root: Any) -> list[str]:
    """The texts outside parts and tabs, which are faults."""
    beside = "//body//text()[not(ancestor::*[@data-frame]) and not(ancestor::nav)]"
    return [text for node in root.xpath(beside) if (text := normalize_text(node))]


def tab_texts(root: Any) -> list[str]:
    """The texts of the tabs."""
    return [normalize_text(link.text_content()) for link in root.xpath("//nav//a")]


def fields(element: Any) -> list[HtmlField]:
    """The fields in an element, in order."""
    labels = {label.get("for"): label.text_content().strip() for label in element.xpath(".//label[@for]")}
    return [
        HtmlField(
            field.get("name", ""), field.get("aria-label") or labels.get(field.get("id"), ""), field.get("title", "")
        )
        for field in element.xpath(f".//*[{_FIELDS}]")
    ]


def doubled_ids(root: Any) -> list[str]:
    """The ids of more than one element."""
    names = _IDS(root)
    return [name for name, count in Counter(names).items() if count > 1] if len(set(names)) < len(names) else []


def ids(root: Any) -> frozenset[str]:
    """The ids of a page: the anchors that a link may name."""
    return frozenset(_IDS(root))


def link_faults(
    root: Any, name: str, files: Collection[str], anchors: Mapping[str, Collection[str]] | None = None
) -> Iterator[PageFault]:
    """The ids of more than one element, and the links that lead nowhere (see ``dead_links``), as faults of a page."""
    yield from (("", f'two elements have the id "{doubled}"') for doubled in doubled_ids(root))
    links = dead_links(root, name, files, anchors or {name: ids(root)})
    yield from (("", f'the link "{link}" leads nowhere') for link in links)


def dead_links(root: Any, name: str, files: Collection[str], anchors: Mapping[str, Collection[str]]) -> Iterator[str]:
    """The links of the page ``name`` that lead to no file of the build, or to no anchor of a page.

    ``anchors`` has the ids of all known pages, the page ``name`` included. Links to other hosts and links with a
    scheme such as mailto are not checked.
    """
    here = anchors.get(name, ())
    for link in _LINKS(root):
        if not ((link.startswith("#") and unquote(link[1:]) in here) or _leads_to_file(link, name, files, anchors)):
            yield link


def _leads_to_file(link: str, name: str, files: Collection[str], anchors: Mapping[str, Collection[str]]) -> bool:
    place = _place(posixpath.dirname(name), link)
    if place is None:
        return True
    target, anchor = place[0] or name, place[1]
    is_there = (
        not anchor or "=" in anchor or anchor in anchors.get(target, [anchor])
    )  # "dice=4dF" is input of a form, not an id
    return (target in files or target == name) and is_there


@lru_cache(maxsize=10_000)
def _place(folder: str, link: str) -> tuple[str, str] | None:
    """The path and the anchor of a link in a page of a folder; None for a link to another host or with a scheme."""
    address = urlsplit(link)
    if address.scheme or address.netloc:
        return None
    path = posixpath.normpath(posixpath.join(folder, unquote(address.path))) if address.path else ""
    return path, unquote(address.fragment)
