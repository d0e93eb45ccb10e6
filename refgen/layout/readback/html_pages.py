"""An HTML page as it is read back, by lxml.

In: a page. Out: the texts of its parts, its fields, and the links that lead nowhere.
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

from refgen.layout.readback.align import normalized

_UNSEEN = ("option", "script", "style", "textarea", "title")
_FIELDS = "self::input or self::select or self::textarea"


def _strings(path: str) -> etree.XPath:
    """A path to texts or attributes that are plain strings, which do not know the element they stand in."""
    return etree.XPath(path, smart_strings=False)


_TEXTS = _strings(
    f".//text()[normalize-space()][not({' or '.join(f'parent::{tag}' for tag in _UNSEEN)})][not(ancestor::template)]"
)
_OWN_TEXTS = _strings("./text()")
_IDS = _strings("//@id")
_LINKS = _strings("//@href | //@src")

_PARSER = etree.HTMLParser()
# lxml's own parser asks a function of Python for the class of each element.
_PARSER.set_element_class_lookup(etree.ElementDefaultClassLookup(element=html.HtmlElement, comment=html.HtmlComment))


@dataclass(frozen=True, slots=True)
class HtmlField:
    """A field to fill in: its name, its label, and its tooltip."""

    name: str
    label: str
    tooltip: str


def read_html(page: str | bytes) -> Any:
    """The root element of a page."""
    return html.document_fromstring(page.encode() if isinstance(page, str) else page, parser=_PARSER)


def texts(element: Any) -> list[str]:
    """The texts that are seen in an element, in order, without blanks."""
    return [text for node in _TEXTS(element) if (text := normalized(node))]


def own_texts(element: Any) -> list[str]:
    """The texts of an element that are in none of the elements in it, without blanks."""
    return [text for node in _OWN_TEXTS(element) if (text := normalized(node))]


def all_text(element: Any) -> str:
    """All that is seen in an element, as one text."""
    return normalized("".join(_TEXTS(element)))


def whole_text(element: Any) -> str:
    """All text of an element, with what is never seen, such as scripts: found a hundred times faster."""
    text: str = etree.tostring(element, encoding="unicode", method="text", with_tail=False)
    return text


def parts(root: Any) -> list[Any]:
    """The elements of the parts of an aid, in order."""
    return list(root.xpath("//*[@data-frame]"))


def svgs(element: Any) -> list[Any]:
    """The charts in an element, in order."""
    return list(element.xpath(".//svg"))


def texts_beside_parts(root: Any) -> list[str]:
    """The texts that stand in no part, and in no tab; there should be none."""
    beside = "//body//text()[not(ancestor::*[@data-frame]) and not(ancestor::nav)]"
    return [text for node in root.xpath(beside) if (text := normalized(node))]


def tab_texts(root: Any) -> list[str]:
    """What the tabs say."""
    return [normalized(link.text_content()) for link in root.xpath("//nav//a")]


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
    """The ids that more than one element has."""
    names = _IDS(root)
    return [name for name, count in Counter(names).items() if count > 1] if len(set(names)) < len(names) else []


def ids(root: Any) -> frozenset[str]:
    """The ids of a page: the anchors that a link may name."""
    return frozenset(_IDS(root))


def dead_links(root: Any, name: str, files: Collection[str], anchors: Mapping[str, Collection[str]]) -> Iterator[str]:
    """The links of the page ``name`` that lead to no file of the build, or to no anchor of a page.

    ``anchors`` has the ids of the pages that are known, this one among them. Links to other hosts and to addresses of
    other kinds are left alone: whether they lead anywhere is not for a build to find out.
    """
    here = anchors.get(name, ())
    for link in _LINKS(root):
        if not ((link.startswith("#") and unquote(link[1:]) in here) or _leads_on(link, name, files, anchors)):
            yield link


def _leads_on(link: str, name: str, files: Collection[str], anchors: Mapping[str, Collection[str]]) -> bool:
    place = _place(posixpath.dirname(name), link)
    if place is None:
        return True
    target, anchor = place[0] or name, place[1]
    is_there = not anchor or "=" in anchor or anchor in anchors.get(target, [anchor])  # "dice=4dF" is typed, no place
    return (target in files or target == name) and is_there


@lru_cache(maxsize=10_000)
def _place(folder: str, link: str) -> tuple[str, str] | None:
    """The path and the anchor that a link in a page of a folder leads to; None for one to another host or program."""
    address = urlsplit(link)
    if address.scheme or address.netloc:
        return None
    path = posixpath.normpath(posixpath.join(folder, unquote(address.path))) if address.path else ""
    return path, unquote(address.fragment)
