"""Pandoc's syntax tree (its AST): the few things in it that a reader wants.

In: blocks and inlines as pandoc's JSON has them ("t" is the kind, "c" the content). Out: words, list items, the
parts of a table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from refgen.readers.pandoc.locate import BLANK
from refgen.source import plain

LISTS = frozenset({"BulletList", "OrderedList"})
NESTED = frozenset({"BlockQuote", "Div", "Figure"})
"""Blocks that hold other blocks and nothing else."""

_BLANKS = frozenset({"Space", "SoftBreak", "LineBreak"})
_VERBATIM = frozenset({"Code", "CodeBlock", "Math", "RawInline", "RawBlock"})
_WORDS_AT = {"Cite": 1, "Header": 2, "Image": 1, "Link": 1, "Span": 1}
_PARTED = LISTS | NESTED | {"LineBlock", "DefinitionList"}
_WITH_ATTRIBUTES = frozenset({"OrderedList", "Div", "Figure"})
_WORDLESS = frozenset({"Note", "HorizontalRule"})
_NUMBERED = frozenset({"DefaultStyle", "Decimal", "Example"})
_QUOTES = {"SingleQuote": ("‘", "’"), "DoubleQuote": ("“", "”")}


@dataclass(frozen=True, slots=True)
class TableParts:
    """The rows of a table in row groups, the first of which has ``head_rows`` rows and may have none."""

    groups: tuple[Sequence[Any], ...]
    head_rows: int
    width: int
    caption: str
    id: str


def table_parts(content: Any) -> TableParts:
    """The parts of a table block; a row is a list of its cells."""
    (identity, _, _), (_, caption), columns, head, bodies, foot = content
    heads = [_cells(row) for row in head[1]]
    inner = [[_cells(row) for row in (*body[2], *body[3])] for body in bodies]
    groups = (heads, *inner, [_cells(row) for row in foot[1]])
    return TableParts(groups, len(heads), len(columns), plain("".join(pieces(caption))), identity)


def _cells(row: Any) -> Any:
    return row[1]


def items(kind: str, content: Any) -> list[tuple[str, Sequence[Any]]]:
    """The items of a list, each with its number as printed ("1. "), "" when it has none."""
    if kind == "BulletList":
        return [("", blocks) for blocks in content]
    (start, style, _), listed = content
    counted = style["t"] in _NUMBERED
    return [(f"{number}. " if counted else "", blocks) for number, blocks in enumerate(listed, start)]


def blocks_of_item(blocks: Sequence[Any]) -> Iterator[Any]:
    """The lists and tables inside an item."""
    for block in blocks:
        if block["t"] in LISTS or block["t"] == "Table":
            yield block
        elif block["t"] in NESTED:
            yield from blocks_of_item(block["c"] if block["t"] == "BlockQuote" else block["c"][-1])


def pieces(blocks: Sequence[Any]) -> list[str]:
    """The words of blocks, with BLANK between them; words that touch have none between them."""
    made: list[str] = []
    for block in blocks:
        for piece in [BLANK, *_pieces(block)]:
            if piece != BLANK or (made and made[-1] != BLANK):
                made.append(piece)
    return made[:-1] if made and made[-1] == BLANK else made


def _pieces(node: Any) -> Iterator[str]:
    """The words under a node of the tree, in order. Footnotes stand apart: ``footnotes``."""
    if isinstance(node, list):
        for child in node:
            yield from _pieces(child)
    elif isinstance(node, dict):
        yield from _node(node["t"], node.get("c"))


def _node(kind: str, content: Any) -> Iterator[str]:
    if kind in _BLANKS:
        yield BLANK
    elif kind == "Str" or kind in _VERBATIM:
        yield from _split(_verbatim(kind, content))
    elif kind == "Quoted":
        before, after = _QUOTES[content[0]["t"]]
        yield from (before, *_pieces(content[1]), after)
    elif kind == "Table":
        yield from _table(content)
    elif kind in _PARTED:
        yield from _apart(content[-1] if kind in _WITH_ATTRIBUTES else content)
    elif kind not in _WORDLESS:
        yield from _pieces(content[_WORDS_AT[kind]] if kind in _WORDS_AT else content)


def _verbatim(kind: str, content: Any) -> str:
    if kind == "Str":
        return str(content)
    return "" if content[0] == "html" else str(content[1])


def _apart(parts: Sequence[Any]) -> Iterator[str]:
    for part in parts:
        yield BLANK
        yield from _apart(part) if isinstance(part, list) and part and isinstance(part[0], list) else _pieces(part)


def _table(content: Any) -> Iterator[str]:
    for group in table_parts(content).groups:
        for row in group:
            for cell in row:
                yield BLANK
                yield from _pieces(cell[4])


def _split(text: str) -> Iterator[str]:
    """Words of verbatim text; a no-break space is part of a word."""
    for number, word in enumerate(text.replace("\t", " ").replace("\n", " ").split(" ")):
        if number:
            yield BLANK
        if word:
            yield word


def footnotes(node: Any) -> Iterator[Sequence[Any]]:
    """The footnotes under a node, each as its blocks."""
    if isinstance(node, list):
        for child in node:
            yield from footnotes(child)
    elif isinstance(node, dict) and node.get("t") == "Note":
        yield node["c"]
    elif isinstance(node, dict) and "c" in node:
        yield from footnotes(node["c"])


def without_widths(node: Any) -> Any:
    """The syntax tree with columns as wide as their cells: in plain text, a cell then stays on one line."""
    if isinstance(node, list):
        return [without_widths(child) for child in node]
    if not isinstance(node, dict):
        return node
    if node.get("t") == "ColWidth":
        return {"t": "ColWidthDefault"}
    return {key: without_widths(child) for key, child in node.items()}
