"""What a page or a style sheet makes a browser load, by itself and unasked; links to follow are not among it."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator
from typing import Any
from urllib.parse import unquote, urlsplit

import tinycss2
from lxml import html

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
