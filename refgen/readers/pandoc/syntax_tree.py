"""Run pandoc on a document, and read its syntax tree (AST): words, list items and the parts of tables.

In: the bytes of a document. Out: pandoc's output with its messages; the words of blocks and inlines, which are JSON
objects with the kind "t" and the content "c".

No further module starts pandoc. Pandoc runs in its sandbox (no files but the given document, no network), with bounds
on memory and time.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from refgen.errors import ReadError
from refgen.limits import Limits, limit_hint, limits
from refgen.readers.markup import WORDED_ATTRIBUTES, worded_attributes
from refgen.readers.pandoc.word_places import BLANK
from refgen.source import plain_text
from refgen.span import Span

HEAP_EXHAUSTED = 251
"""The exit code of a Haskell program that has used up its memory."""

_MESSAGE = re.compile(
    r"^\[(?P<kind>WARNING|INFO)\] (?P<words>.*) at (?:\S+ )?line (?P<line>\d+) column (?P<column>\d+)"
)
_ERROR_PLACE = re.compile(r"\(?line (?P<line>\d+),? column (?P<column>\d+)\)?:?")
_LOST_BLOCK = "Skipped '\\begin{"


@dataclass(frozen=True, slots=True)
class PandocMessage:
    """A message of pandoc about text that it left out, with the place in the source."""

    words: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class PandocOutput:
    """The output of pandoc, with its messages."""

    text: str
    messages: tuple[PandocMessage, ...]

    @property
    def ast(self) -> Any:
        """The syntax tree, where JSON was asked for. Raises ReadError for a tree that nests too deep."""
        try:
            return json.loads(self.text)
        except RecursionError as error:
            raise too_deep() from error


class PandocError(Exception):
    """Pandoc refused a document: the reason, and the place and the hint if there are any."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint
        place = _ERROR_PLACE.search(message)
        self.reason = " ".join(_ERROR_PLACE.sub("", message).split()).removeprefix("Error at ").rstrip(" ^")
        self.line, self.column = (int(place["line"]), int(place["column"])) if place else (1, 1)


def too_deep(span: Span | None = None) -> ReadError:
    """The error of a document whose quotes, lists or emphasis nest too deep."""
    return ReadError("the document nests too deep", span=span, hint="Take quotes and lists out of each other.")


def convert(raw: bytes, source: str, target: str) -> PandocOutput:
    """Convert a document. Raises PandocError if pandoc refuses the document, ReadError if pandoc is not installed."""
    return _convert(raw, source, target, limits())


@lru_cache(maxsize=8)  # a check reads the documents of a game again, for their numbers
def _convert(raw: bytes, source: str, target: str, most: Limits) -> PandocOutput:
    bounds = ["+RTS", f"-M{most.pandoc_megabytes}M", "-RTS", "--sandbox", "--verbose", "--wrap=none"]
    try:
        done = subprocess.run(  # noqa: S603 - the program is pypandoc's, its arguments are ours
            [program(), *bounds, "--from", source, "--to", target],
            input=raw,
            capture_output=True,
            timeout=most.pandoc_seconds,
        )
    except subprocess.TimeoutExpired as error:
        message = f"it takes longer than {most.pandoc_seconds} seconds"
        raise PandocError(message, limit_hint("pandoc_seconds")) from error
    said = done.stderr.decode("utf-8", "replace")
    if done.returncode == HEAP_EXHAUSTED:
        raise PandocError(f"it takes more than {most.pandoc_megabytes:,} megabytes", limit_hint("pandoc_megabytes"))
    if done.returncode:
        refusal = "\n".join(line for line in said.splitlines() if not line.startswith(("[INFO]", "[WARNING]")))
        raise PandocError(refusal or f"pandoc stopped with {done.returncode}")
    return PandocOutput(done.stdout.decode("utf-8"), tuple(_messages(said)))


def program() -> str:
    """The path of pandoc. Raises ReadError if pandoc is not installed."""
    try:
        import pypandoc

        return str(pypandoc.get_pandoc_path())
    except (ImportError, OSError) as error:
        raise ReadError("this format is read through pandoc", hint="pip install refgen[pandoc]") from error


def _messages(said: str) -> list[PandocMessage]:
    """The warnings, and the blocks that were skipped; pandoc counts every rule and label it skips as well."""
    found = (_MESSAGE.match(line) for line in said.splitlines())
    return [
        PandocMessage(match["words"], int(match["line"]), int(match["column"]))
        for match in found
        if match and (match["kind"] == "WARNING" or match["words"].startswith(_LOST_BLOCK))
    ]


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
    return TableParts(groups, len(heads), len(columns), plain_text("".join(word_pieces(caption))), identity)


_OF_TITLE_PAGE = ("title", "subtitle", "author", "institute", "date", "abstract")
"""The metadata that pandoc's own templates print, in that order."""


def title_page(metadata: Mapping[str, Any]) -> list[Any]:
    """The blocks of the metadata that stand on the title page of a document."""
    return [block for key in _OF_TITLE_PAGE if key in metadata for block in _metadata_blocks(metadata[key])]


def settings(metadata: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The name and the words of all other metadata."""
    for key, value in metadata.items():
        if key not in _OF_TITLE_PAGE and (words := "".join(word_pieces(_metadata_blocks(value)))):
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
        if title and title != "".join(word_pieces(words)):
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


def _pieces(node: Any) -> Iterator[str]:
    """The words under a node of the tree, in order, without footnotes (``footnotes`` has those)."""
    if isinstance(node, list):
        for child in node:
            yield from _pieces(child)
    elif isinstance(node, dict):
        yield from [BLANK] * (node["t"] in _WITH_WORDS)
        yield from _node(node["t"], node.get("c"))


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


def _verbatim(kind: str, content: Any) -> str:
    if kind == "Str":
        return str(content)
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
    """The footnotes under a node, each as its blocks."""
    if isinstance(node, list):
        for child in node:
            yield from footnotes(child)
    elif isinstance(node, dict) and node.get("t") == "Note":
        yield node["c"]
    elif isinstance(node, dict) and "c" in node:
        yield from footnotes(node["c"])
