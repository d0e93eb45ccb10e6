"""Entities of XML: what "&n;" stands for in a document that declares it.

In: a document that lxml has read, which refuses entities that hold themselves or stand for very much. Out: the words of
each entity that the document declares, and a Fault at each that stands for nothing. Nothing is fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape
from html.entities import html5
from xml.parsers import expat

from refgen.readers.document import Fault
from refgen.source import Passage

MARKUP = re.compile(
    r"<!--.*?-->|<!\[CDATA\[(?P<verbatim>.*?)\]\]>|<\?.*?\?>|<!DOCTYPE[^\[>]*(?:\[.*?\]\s*)?>|<[^>]*>"
    r"|&(?P<entity>[^;\s]{1,40});",
    re.DOTALL,
)


def declared_entities(document: Passage) -> Mapping[str, str]:
    """The words of each entity that a document declares."""
    written: dict[str, str] = {}

    def declare(name: str, is_parameter: bool, value: str | None, *_: str | None) -> None:
        if value is not None and not is_parameter:
            written.setdefault(name, value)

    parser = expat.ParserCreate()
    parser.EntityDeclHandler = declare
    parser.DefaultHandler = lambda _: None  # with it, expat puts in no entity
    if "<!ENTITY" in document.text:
        parser.Parse(document.text.encode(), True)
    words: dict[str, str] = {}
    for name in written:
        _work_out(name, written, words)
    return words


def _work_out(name: str, written: Mapping[str, str], words: dict[str, str]) -> None:
    """Add the words of an entity, after those of the entities in it."""
    if name in words:
        return
    for markup in MARKUP.finditer(written[name]):
        if markup["entity"] in written:
            _work_out(markup["entity"], written, words)
    words[name] = MARKUP.sub(
        lambda markup: entity_text(markup["entity"], words) or "" if markup["entity"] else markup["verbatim"] or "",
        written[name],
    )


def entity_text(name: str, declared: Mapping[str, str]) -> str | None:
    """What an entity stands for: its words, or a character by its number or its usual name; None for nothing known."""
    if name in declared:
        return declared[name]
    return unescape(f"&{name};") if name.startswith("#") else html5.get(f"{name};")


def unknown_entities(document: Passage, declared: Mapping[str, str]) -> Iterator[Fault]:
    """A fault for each entity that stands for nothing known."""
    for markup in MARKUP.finditer(document.text):
        name = markup["entity"]
        if name and entity_text(name, declared) is None:
            hint = f'Declare it, as in <!ENTITY {name} "words">; nothing is fetched.'
            yield Fault("the document does not say what this stands for", document.group(markup).span, hint)
