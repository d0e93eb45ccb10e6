"""Attributes in Markdown: names, classes and ids for programs, which kramdown and pandoc never show to readers.

In: the parser of markdown-it-py. Out: the parser with three more rules, which read attributes as tokens of the type
``attributes``: a line of its own (``{: .no_toc }``, ``{:toc}``, pandoc's ``::: note``), attributes behind emphasis,
code or a link (``*1d6*{: .die}``), and words in square brackets with attributes behind them (``[Fudge]{.title}``).

No plugin of markdown-it-py reads kramdown's lines, nor the attributes at the end of a heading.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

from refgen.source import Passage

ATTRIBUTES = "attributes"
"""The type of tokens that hold attributes, as written in their content."""

_ATTRIBUTE = r"""(?:[#.][\w:.-]+|[\w-]+=(?:"[^"\n]*"|'[^'\n]*'|[^\s"'{}]+))"""
_BRACED = rf"\{{:? *(?:{_ATTRIBUTE}|-)(?: +{_ATTRIBUTE})* *\}}"
_INLINE = re.compile(_BRACED)
_AT_END = re.compile(rf"\s+(?P<attributes>{_BRACED})\s*\Z")
_ID = re.compile(r"#(?P<id>[\w:.-]+)")
_LINE = r" {0,3}(?:\{:[^{}\n]*\}|:{3,} *(?:\{[^{}\n]*\}|[\w-]+)? *:*)[ \t]*\r?"
_WHOLE_LINE = re.compile(_LINE)
_LINES_OF_HTML = re.compile(r"^[ \t]*\{:[^{}\n]*\}[ \t]*\r?$", re.MULTILINE)
_CLOSERS = ")]*_`"

IN_TEXT = rf"^{_LINE}$|(?<=[{re.escape(_CLOSERS)}]){_BRACED}|(?<=[ \t]){_BRACED}[ \t]*\r?$"
"""Attributes in the text of a document that is not parsed."""


def read_attributes(parser: MarkdownIt) -> None:
    """Let a parser read attributes."""
    ends = ["paragraph", "reference", "blockquote", "list", "table"]
    parser.block.ruler.before("fence", ATTRIBUTES, _attribute_line, {"alt": ends})
    parser.inline.ruler.after("link", "bracketed", _bracketed)
    parser.inline.ruler.after("bracketed", ATTRIBUTES, _attributes_behind)


def id_of(attributes: str) -> str:
    """The id among attributes; "" if there is none."""
    found = _ID.search(attributes)
    return found["id"] if found else ""


def part_attributes(words: str) -> tuple[str, str]:
    """The words of a heading or caption without the attributes at their end, and the id among the attributes."""
    found = _AT_END.search(words) if words.endswith("}") else None
    return (words[: found.start()], id_of(found["attributes"])) if found else (words, "")


def without_attribute_lines(html: Passage) -> Passage:
    """A stretch of HTML without the lines that hold attributes and nothing else."""
    if "{:" not in html.text:
        return html
    return Passage.joined(html.split(_LINES_OF_HTML))


def _attribute_line(state: StateBlock, first: int, _end: int, silent: bool) -> bool:
    start = state.bMarks[first] + state.tShift[first]
    line_end = state.eMarks[first]
    if state.src[start : start + 2] not in ("{:", "::") or not _WHOLE_LINE.fullmatch(state.src, start, line_end):
        return False
    if not silent:
        token = state.push(ATTRIBUTES, "", 0)
        token.map, token.content = [first, first + 1], state.src[start:line_end]
        state.line = first + 1
    return True


def _bracketed(state: StateInline, silent: bool) -> bool:
    start, end = state.pos, state.posMax
    if state.src[start] != "[" or "]{" not in state.src:
        return False
    label_end = state.md.helpers.parseLinkLabel(state, start)
    found = _INLINE.match(state.src, label_end + 1, end) if label_end > start else None
    if not found:
        return False
    if not silent:
        state.pos, state.posMax = start + 1, label_end
        state.push("bracketed_open", "span", 1)
        state.md.inline.tokenize(state)
        state.push("bracketed_close", "span", -1)
        state.push(ATTRIBUTES, "", 0).content = found[0]
    state.pos, state.posMax = found.end(), end
    return True


def _attributes_behind(state: StateInline, silent: bool) -> bool:
    start = state.pos
    if state.src[start] != "{" or not start or state.src[start - 1] not in _CLOSERS:
        return False
    found = _INLINE.match(state.src, start, state.posMax)
    if not found:
        return False
    if not silent:
        state.push(ATTRIBUTES, "", 0).content = found[0]
    state.pos = found.end()
    return True
