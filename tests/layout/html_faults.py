"""Faults of HTML: resources that a page or style sheet loads from elsewhere, and markup that is not valid."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator
from typing import Any
from urllib.parse import unquote, urlsplit

import tinycss2
from lxml import html
from tinyhtml5.parser import HTMLParser

from refgen.layout.readback.html_pages import doubled_ids

_LOADED = ("src", "poster", "data", "background", "action", "formaction", "manifest", "ping")


def outside(name: str, text: str, files: Collection[str]) -> list[str]:
    """What the file ``name`` refers to that is none of these files, which are paths as that of ``name`` is."""
    found = in_css(text) if name.endswith(".css") else in_html(text)
    return [address for address in found if address and not _is_among(address, name, files)]


def _is_among(address: str, name: str, files: Collection[str]) -> bool:
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return False
    path = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(parts.path))) if parts.path else name
    return path in files


def in_html(text: str) -> Iterator[str]:
    """Style sheets, pictures, fonts, scripts, frames and forms of a page."""
    root = html.document_fromstring(text.encode())
    for name in _LOADED:
        yield from root.xpath(f"//@{name}")
    yield from root.xpath("//*[not(self::a or self::area)]/@*[name() = 'href' or name() = 'xlink:href']")
    for several in root.xpath("//@srcset | //@imagesrcset"):
        yield from (one.split()[0] for one in several.split(",") if one.split())
    for refresh in root.xpath("//meta[@http-equiv]/@content"):
        yield from (part.strip()[4:] for part in refresh.split(";") if part.strip().lower().startswith("url="))
    for style in root.xpath("//@style | //style/text()"):
        yield from in_css(style)


def in_css(text: str) -> Iterator[str]:
    """What is imported, and every address, in a style sheet or in some declarations."""
    yield from _addresses(tinycss2.parse_component_value_list(text, skip_comments=True))


def _addresses(tokens: Any) -> Iterator[str]:
    importing = False
    for token in tokens:
        if token.type == "url" or (importing and token.type == "string"):
            yield token.value
        elif token.type == "function" and token.lower_name in ("url", "src", "image-set", "-webkit-image-set"):
            yield from (argument.value for argument in token.arguments if argument.type == "string")
        importing = (token.type == "at-keyword" and token.lower_value == "import") or (
            importing and token.type == "whitespace"
        )
        yield from _addresses(getattr(token, "content", None) or getattr(token, "arguments", None) or ())


INTERACTIVE = "self::a or self::button or self::input or self::select or self::textarea or self::summary"
URL = re.compile(r"(?:[A-Za-z0-9!$&'()*+,\-./:;=?@_~#]|[^\x00-\x7f]|%[0-9A-Fa-f]{2})*")
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
PARENTS = {"li": {"ul", "ol"}, "dt": {"dl", "div"}, "dd": {"dl", "div"}, "option": {"select"}, "caption": {"table"}}
REFERENCES = ("for", "aria-labelledby", "aria-describedby", "aria-controls")


def faults_of(page: str) -> list[str]:
    """What is wrong with a page."""
    parser = HTMLParser()
    parser.parse(page)
    root = html.document_fromstring(page.encode())
    errors = [f"{position}: {code}" for position, code, _ in parser.errors]
    return [*errors, *(f'two elements have the id "{name}"' for name in doubled_ids(root)), *_content(root)]


def _content(root: Any) -> Iterator[str]:
    for inner in root.xpath(f"//*[({INTERACTIVE}) and ancestor::*[{INTERACTIVE}]]"):
        yield f"<{inner.tag}> stands in another control"
    for name, parents in PARENTS.items():
        yield from (
            f"<{name}> stands in <{one.getparent().tag}>"
            for one in root.iter(name)
            if one.getparent().tag not in parents
        )
    yield from (f'the id "{name}" has a blank' for name in root.xpath("//@id") if re.search(r"\s", name) or not name)
    yield from (f'"{url}" is no URL' for url in root.xpath("//@href | //@src") if not URL.fullmatch(url))
    yield from ("a picture says nothing" for image in root.iter("img") if not image.get("alt"))
    yield from ("an option is empty" for option in root.iter("option") if not (option.text or option.get("label")))
    ids = set(root.xpath("//@id"))
    for attribute in REFERENCES:
        yield from (
            f'{attribute}="{name}" is nowhere' for name in root.xpath(f"//@{attribute}") if not {*name.split()} <= ids
        )
    yield from _headings(root)


def _headings(root: Any) -> Iterator[str]:
    if [len(root.xpath("//h1")), len(root.xpath("//main"))] != [1, 1]:
        yield "there is not one <h1> and one <main>"
    for section in root.iter("section"):
        if not any(len(section.xpath(f".//{heading}")) for heading in HEADINGS):
            yield f'the section "{section.get("id", "")}" has no heading'
    levels = [int(heading.tag[1]) for heading in root.iter(*HEADINGS)]
    for above, level in zip([0, *levels], levels, strict=False):
        if level > above + 1:
            yield f"<h{level}> follows <h{above}>"
