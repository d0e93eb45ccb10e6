"""The syntax tree (AST) of pandoc: words, list items and the parts of tables.

In: blocks and inlines, which are JSON objects with the kind "t" and the content "c". Out: their words, those that are
struck or hidden marked; the items of lists; footnotes; the rows of tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from refgen.readers.formulas import plain_formula
from refgen.readers.markup import WORDED_ATTRIBUTES, worded_attributes
from refgen.readers.pandoc.word_places import BLANK, LeftOutWord
from refgen.readers.word_settings import PLAIN_TEXT, Setting, setting_of_classes, setting_of_tag
from refgen.source import plain_text

LISTS = frozenset({"BulletList", "OrderedList"})
NESTED = frozenset({"BlockQuote", "DefinitionList", "Div", "Figure"})
"""Kinds of blocks that hold blocks alone."""

_BLANKS = frozenset({"Space", "SoftBreak", "LineBreak"})
_VERBATIM = frozenset({"Code", "CodeBlock", "Math", "RawInline", "RawBlock"})
_WORDS_AT = {"Cite": 1, "Header": 2, "Image": 1, "Link": 1, "Span": 1}
_PARTED = LISTS | {"BlockQuote", "Div", "LineBlock", "DefinitionList"}
_WITH_ATTRIBUTES = frozenset({"OrderedList", "Div"})
_WORDLESS = frozenset({"Note", "HorizontalRule"})
_WITH_WORDS = frozenset({"CodeBlock", "Header", "Para", "Plain", "RawBlock"})
"""Kinds of blocks that hold words: two such blocks in one item or cell do not share a word."""
_NUMBERED = frozenset({"DefaultStyle", "Decimal", "Example"})
_SETTINGS = {"Superscript": Setting.RAISED, "Subscript": Setting.LOWERED, "Strikeout": Setting.STRUCK}
_TAG = re.compile(r"<(?P<end>/)?(?P<name>[a-zA-Z][\w-]*)[^<>]*?(?P<empty>/)?>")
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
    heads = [cells for _, cells in head[1]]
    inner = [[cells for _, cells in (*body[2], *body[3])] for body in bodies]
    groups = (heads, *inner, [cells for _, cells in foot[1]])
    return TableParts(groups, len(heads), len(columns), text_of(caption), identity)


_OF_TITLE_PAGE = ("title", "subtitle", "author", "institute", "date", "abstract")
"""The metadata that pandoc's own templates print, in that order."""


def title_page(metadata: Mapping[str, Any]) -> list[Any]:
    """The blocks of the metadata that stand on the title page of a document."""
    return [block for key in _OF_TITLE_PAGE if key in metadata for block in _metadata_blocks(metadata[key])]


def settings(metadata: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The name and the words of all other metadata."""
    for key, value in metadata.items():
        if key not in _OF_TITLE_PAGE and (words := text_of(_metadata_blocks(value))):
            yield key, words


def _metadata_blocks(value: Any) -> list[Any]:
    kind, content = value["t"], value["c"]
    match kind:
        case "MetaBlocks":
            return list(content)
        case "MetaInlines":
            return [_plain_block(content)]
        case "MetaList" | "MetaMap":
            inner = content.values() if kind == "MetaMap" else content
            return [block for part in inner for block in _metadata_blocks(part)]
        case _:
            return [_plain_block([{"t": "Str", "c": content}])] if kind == "MetaString" else []


def _plain_block(inlines: Any) -> Any:
    """A block of inlines."""
    return {"t": "Plain", "c": inlines}


def nested_blocks(kind: str, content: Any) -> Sequence[Any]:
    """The blocks in a block that holds blocks alone; those of a figure with its caption, if that says more."""
    if kind == "BlockQuote":
        return list(content)
    if kind == "Div":
        return list(content[1])
    if kind == "DefinitionList":
        return [
            block for term, definitions in content for part in ([_plain_block(term)], *definitions) for block in part
        ]
    _, (_, caption), blocks = content
    return [*blocks, *(caption if word_pieces(caption) != word_pieces(blocks) else ())]


def titles(node: Any) -> Iterator[tuple[str, str]]:
    """The attribute and the words of each title of a link or picture, and of each attribute with words for readers."""
    if isinstance(node, dict) and node.get("t") in ("Link", "Image"):
        _, words, (_, title) = node["c"]
        if title and title != text_of(words):
            yield "title", title
    if isinstance(node, list) and len(node) == 3 and isinstance(node[0], str) and isinstance(node[2], list):
        yield from ((name, value) for name, value in node[2] if name in WORDED_ATTRIBUTES and value)
    if isinstance(node, dict) and node.get("t") in ("RawBlock", "RawInline") and node["c"][0] == "html":
        yield from ((name, node["c"][1][start:end]) for name, start, end in worded_attributes(node["c"][1]))
    if isinstance(node, dict | list):
        for child in node.values() if isinstance(node, dict) else node:
            yield from titles(child)


def list_items(kind: str, content: Any) -> list[tuple[str, Sequence[Any]]]:
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
            yield from blocks_of_item(nested_blocks(block["t"], block["c"]))


def word_pieces(blocks: Sequence[Any]) -> list[str]:
    """The words of blocks, with BLANK between separate words; the parts of a word follow each other directly."""
    made: list[str] = []
    for block in blocks:
        for piece in [BLANK, *_pieces(block)]:
            if piece != BLANK or (made and made[-1] != BLANK):
                made.append(piece)
    return made[:-1] if made and made[-1] == BLANK else made


def text_of(blocks: Sequence[Any]) -> str:
    """The words of blocks as a text, without those that are left out."""
    return plain_text("".join(piece for piece in word_pieces(blocks) if not isinstance(piece, LeftOutWord)))


def _pieces(node: Any) -> Iterator[str]:
    """The words under a node of the tree, in order, without footnotes (``footnotes`` has those)."""
    if isinstance(node, list):
        tags: list[tuple[str, Setting]] = []
        for child in node:
            _follow_tag(child, tags)
            setting = next((setting for _, setting in tags if setting.value), Setting.PLAIN)
            yield from _pieces(child) if setting is Setting.PLAIN else _set(setting, _pieces(child))
    elif isinstance(node, dict):
        kind, content = node["t"], node.get("c")
        yield from [BLANK] * (kind in _WITH_WORDS)
        setting, words = _setting(kind, content), _node(kind, content)
        yield from words if setting is Setting.PLAIN else _set(setting, words)


def _node(kind: str, content: Any) -> Iterator[str]:
    if kind in _BLANKS:
        yield BLANK
    elif kind == "Str" or kind in _VERBATIM:
        yield from _verbatim_words(_verbatim(kind, content))
    elif kind == "Quoted":
        before, after = _QUOTES[content[0]["t"]]
        yield from (before, *_pieces(content[1]), after)
    elif kind == "Table":
        yield from _table(content)
    elif kind == "Figure":
        yield from _separate_pieces(nested_blocks(kind, content))
    elif kind in _PARTED:
        yield from _separate_pieces(content[-1] if kind in _WITH_ATTRIBUTES else content)
    elif kind not in _WORDLESS:
        yield from _pieces(content[_WORDS_AT[kind]] if kind in _WORDS_AT else content)


def _set(setting: Setting, pieces: Iterator[str]) -> Iterator[str]:
    """Words that are not plain: raised and lowered words as plain text, struck and hidden words marked as left out."""
    if setting in (Setting.RAISED, Setting.LOWERED):
        yield from _verbatim_words(PLAIN_TEXT[setting]("".join(pieces)))
    else:
        yield from (piece if piece == BLANK else LeftOutWord(piece, setting.value) for piece in pieces)


def _follow_tag(node: Any, tags: list[tuple[str, Setting]]) -> None:
    """Keep the tags of HTML that are open behind a node, each with its setting."""
    if not isinstance(node, dict) or node.get("t") != "RawInline" or node["c"][0] != "html":
        return
    tag = _TAG.match(node["c"][1])
    if tag and tag["end"]:
        last = next((number for number, (name, _) in reversed(list(enumerate(tags))) if name == tag["name"]), len(tags))
        del tags[last:]
    elif tag and not tag["empty"]:
        tags.append((tag["name"], setting_of_tag(tag[0])))


def _setting(kind: str, content: Any) -> Setting:
    """The setting of the words of a node."""
    return setting_of_classes(content[0][1]) if kind in ("Span", "Div") else _SETTINGS.get(kind, Setting.PLAIN)


def _verbatim(kind: str, content: Any) -> str:
    if kind == "Str":
        return str(content)
    if kind == "Math" or content[0] in ("latex", "tex"):
        return plain_formula(content[1])
    return "" if content[0] == "html" else str(content[1])


def _separate_pieces(parts: Sequence[Any]) -> Iterator[str]:
    for part in parts:
        yield BLANK
        yield from (
            _separate_pieces(part) if isinstance(part, list) and part and isinstance(part[0], list) else _pieces(part)
        )


def _table(content: Any) -> Iterator[str]:
    for group in table_parts(content).groups:
        for row in group:
            for cell in row:
                yield BLANK
                yield from _pieces(cell[4])


def _verbatim_words(text: str) -> Iterator[str]:
    """Words of verbatim text; a no-break space is part of a word."""
    for number, word in enumerate(text.replace("\t", " ").replace("\n", " ").split(" ")):
        if number:
            yield BLANK
        if word:
            yield word


def footnotes(node: Any) -> Iterator[Sequence[Any]]:
    """The footnotes under a node, each as its blocks, without those of the cells of a table."""
    if isinstance(node, list):
        for child in node:
            yield from footnotes(child)
    elif isinstance(node, dict) and node.get("t") == "Table":
        yield from footnotes(node["c"][1])
    elif isinstance(node, dict) and node.get("t") == "Note":
        yield node["c"]
    elif isinstance(node, dict) and "c" in node:
        yield from footnotes(node["c"])
