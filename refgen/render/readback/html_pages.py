"""An HTML page as it is read back, by lxml.

In: a page. Out: the texts of its parts, its fields, and the links that lead nowhere.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from lxml import html

from refgen.render.readback.align import normalized

_UNSEEN = ("option", "script", "style", "template", "textarea", "title")
_FIELDS = "self::input or self::select or self::textarea"


@dataclass(frozen=True, slots=True)
class HtmlField:
    """A field to fill in: its name, its label, and its tooltip."""

    name: str
    label: str
    tooltip: str


def read_html(page: str | bytes) -> Any:
    """The root element of a page."""
    return html.document_fromstring(page.encode() if isinstance(page, str) else page)


def texts(element: Any) -> list[str]:
    """The texts that are seen in an element, in order, without blanks."""
    unseen = " or ".join(f"ancestor::{tag}" for tag in _UNSEEN)
    return [text for node in element.xpath(f".//text()[not({unseen})]") if (text := normalized(node))]


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
    return [name for name, count in Counter(root.xpath("//@id")).items() if count > 1]


def ids(root: Any) -> frozenset[str]:
    """The ids of a page: the anchors that a link may name."""
    return frozenset(root.xpath("//@id"))


def dead_links(root: Any, name: str, files: Collection[str], anchors: Mapping[str, Collection[str]]) -> Iterator[str]:
    """The links of the page ``name`` that lead to no file of the build, or to no anchor of a page.

    ``anchors`` has the ids of the pages that are known, this one among them. Links to other hosts and to addresses of
    other kinds are left alone: whether they lead anywhere is not for a build to find out.
    """
    for link in map(str, root.xpath("//@href | //@src")):
        address = urlsplit(link)
        if address.scheme or address.netloc:
            continue
        path = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(address.path)))
        target = path if address.path else name
        is_anchor = not address.fragment or unquote(address.fragment) in anchors.get(
            target, [unquote(address.fragment)]
        )
        if not (is_anchor and (target in files or target == name)):
            yield link
