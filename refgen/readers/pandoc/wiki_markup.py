"""MediaWiki, reStructuredText and Org that pandoc loses or misreads, in other markup.

In: the passage of a text. Out: a RewrittenText. In MediaWiki, templates for footnotes, powers and struck words, the
second use of a footnote, and heads of several rows, which lose their spans; in Org, heads of several rows; in
reStructuredText, struck words as pandoc itself writes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from refgen.readers.document import STRUCK, Note
from refgen.readers.pandoc.rewriting import (
    Pieces,
    RewritingRule,
    RewrittenText,
    follow_rules,
    fraction,
    markup_around,
    no_pieces,
    rewrite,
)
from refgen.source import Passage

_RST = (RewritingRule("[STRIKEOUT:", re.compile(r"\[STRIKEOUT:(?P<words>[^\[\]]*)\]"), no_pieces, STRUCK),)
_MEDIAWIKI = (
    RewritingRule(
        "{{", re.compile(r"\{\{\s*(?:efn|refn|NoteTag)\s*\|(?P<words>[^{}|]*)\}\}"), markup_around("<ref>words</ref>")
    ),
    RewritingRule("{{", re.compile(r"\{\{\s*sup\s*\|(?P<words>[^{}|]*)\}\}"), markup_around("<sup>words</sup>")),
    RewritingRule(
        "{{",
        re.compile(r"\{\{\s*(?:nowrap|nobr|nobold|small|smaller|big|larger)\s*\|(?P<words>[^{}|]*)\}\}"),
        markup_around("words"),
    ),
    RewritingRule("{{", re.compile(r"\{\{\s*sub\s*\|(?P<words>[^{}|]*)\}\}"), markup_around("<sub>words</sub>")),
    RewritingRule(
        "{{",
        re.compile(r"\{\{\s*(?:s|strike|strikethrough|del)\s*\|(?P<words>[^{}|]*)\}\}"),
        markup_around("<del>words</del>"),
    ),
    RewritingRule("{{", re.compile(r"\{\{\s*s?frac\s*\|(?P<above>\d+)\|(?P<below>\d+)\}\}"), fraction),
)

_REFERENCE = re.compile(
    r"<ref\b(?P<named>[^<>]*?)(?:/>|>(?P<words>(?:(?!</?ref\b).)*)</ref\s*>)", re.IGNORECASE | re.DOTALL
)
_NAME = re.compile(r"\bname\s*=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^\s\"'/>]+))", re.IGNORECASE)


def _repeat_references(text: Passage) -> Passage:
    """MediaWiki in which a footnote that is named a second time has its words there as well."""

    def name_of(match: re.Match[str]) -> str:
        name = _NAME.search(match["named"])
        return next(filter(None, name.groups()), "") if name else ""

    full: dict[str, Passage] = {}
    for match in _REFERENCE.finditer(text.text):
        if match["words"] and (name := name_of(match)):
            full.setdefault(name, text.group(match))

    def pieces(text: Passage, match: re.Match[str]) -> Pieces:
        again = full.get(name_of(match))
        return [again] if again is not None and not match["words"] else [text.group(match)]

    return rewrite(text, _REFERENCE, pieces) if full else text


_WIKI_TABLE = re.compile(r"^[ \t]*\{\|(?:(?!\{\|).)*?^[ \t]*\|\}", re.MULTILINE | re.DOTALL)
_WIKI_ROW = re.compile(r"^[ \t]*\|-[^\n]*\n", re.MULTILINE)
_WIKI_CELL = re.compile(r"^[ \t]*(?P<sign>[|!])(?![-}+])", re.MULTILINE)
_WIKI_HEAD_MARK = re.compile(r"^(?P<before>[ \t]*)!|!!", re.MULTILINE)


def _lower_wiki_heads(text: Passage) -> tuple[Passage, dict[tuple[int, int], int]]:
    """MediaWiki in which heads of several rows are cells, whose spans pandoc keeps; and how many rows are head."""
    heads: dict[tuple[int, int], int] = {}
    pieces, position = [text[:0]], 0
    for table in _WIKI_TABLE.finditer(text.text):
        count, end = 0, table.start()
        bounds = [table.start(), *(row.end() for row in _WIKI_ROW.finditer(text.text, *table.span())), table.end()]
        for start, stop in pairwise(bounds):
            signs = [cell["sign"] for cell in _WIKI_CELL.finditer(text.text, start, stop)]
            if "|" in signs:
                break
            count, end = count + bool(signs), stop
        if count > 1:
            heads[table.span()] = count
            pieces.append(text[position : table.start()])
            pieces.append(rewrite(text[table.start() : end], _WIKI_HEAD_MARK, _as_cells))
            position = end
    return Passage.joined([*pieces, text[position:]]), heads


def _as_cells(text: Passage, match: re.Match[str]) -> Pieces:
    sign = text.group(match)
    return [sign.replaced("||" if sign.text == "!!" else f"{match['before']}|")]


_ORG_TABLE = re.compile(r"(?:^[ \t]*\|[^\n]*(?:\n|\Z))+", re.MULTILINE)
_HEAD_ROWS = 3
"""A head has at most so many rows."""


_LIST_TABLE = re.compile(
    r"^(?P<indent>[ \t]*)\.\.[ ](?:list|csv)-table::[^\n]*\n(?:(?P=indent)[ \t]+[^\n]*\n|[ \t]*\n)*", re.MULTILINE
)
_HEAD_ROWS_SAID = re.compile(r"^[ \t]+:header-rows:[ \t]*(?P<rows>[1-9])[ \t]*$", re.MULTILINE)


def _rst_heads(text: Passage) -> Iterator[tuple[tuple[int, int], int]]:
    """The tables of reStructuredText that say how many rows their head has; pandoc reads one row."""
    for table in _LIST_TABLE.finditer(text.text):
        if said := _HEAD_ROWS_SAID.search(table[0]):
            yield table.span(), int(said["rows"])


def _org_heads(text: Passage) -> Iterator[tuple[tuple[int, int], int]]:
    """The tables of Org whose head has several rows: all above the first line of dashes."""
    for table in _ORG_TABLE.finditer(text.text):
        lines = table[0].splitlines()
        rows = next((number for number, line in enumerate(lines) if line.lstrip().startswith("|-")), 0)
        if 1 < rows <= _HEAD_ROWS and rows + 1 < len(lines):
            yield table.span(), rows


def rewrite_mediawiki(text: Passage) -> RewrittenText:
    """MediaWiki that pandoc reads without losses, as far as its habits are known."""
    notes: list[Note] = []
    text, heads = _lower_wiki_heads(_repeat_references(follow_rules(_MEDIAWIKI, text, notes)))
    return RewrittenText(text, notes, heads)


def rewrite_rst(text: Passage) -> RewrittenText:
    """The text of reStructuredText without struck words, with the heads of its tables."""
    notes: list[Note] = []
    text = follow_rules(_RST, text, notes)
    return RewrittenText(text, notes, dict(_rst_heads(text)))


def rewrite_org(text: Passage) -> RewrittenText:
    """Org as it is, with the heads of its tables."""
    return RewrittenText(text, heads=dict(_org_heads(text)))
