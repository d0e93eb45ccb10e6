"""What the HTML standard asks of a page, beyond what a parser of XML sees: parse errors, and rules of content.

A part of what validator.nu asks, in which the whole site was without an error; that one needs Java.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lxml import html
from tinyhtml5.parser import HTMLParser

from refgen.layout.readback.html_pages import doubled_ids

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
