"""The parser of Markdown: markdown-it-py with GitHub's tables, with pandoc's tables and attributes, and with limits.

In: the passage of a document. Out: its tokens, and the addresses that links are defined with. Pandoc's tables and
attributes are read by rules that ``pandoc_tables`` and ``markdown_words`` give the parser. Raises ReadError for more
cells, or more brackets that do not end, than a document may have.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

from markdown_it import MarkdownIt, helpers
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block import reference as link_reference
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from refgen.errors import ReadError
from refgen.limits import limit_hint, limits
from refgen.readers.grids import refuse_large
from refgen.readers.markdown_words import read_attributes
from refgen.readers.pandoc_tables import PANDOC_TABLE, pandoc_table
from refgen.source import Passage

_DOCUMENT, _SEARCHED = "refgen: the document", "refgen: letters searched for the ends of brackets"


def parse_markdown(body: Passage) -> tuple[Sequence[Token], Sequence[Any]]:
    """The tokens of a document, and the addresses that its links are defined with, also those defined twice."""
    defined: dict[str, Any] = {_DOCUMENT: body}
    tokens = _parser(limits().nesting).parse(body.text, defined)
    return tokens, [*defined.get("references", {}).values(), *defined.get("duplicate_refs", [])]


@cache
def _parser(nesting: int) -> MarkdownIt:
    """A parser of GitHub's Markdown, with ``nesting`` as the most quotes and lists inside each other.

    The text of a footnote ("[^1]: …") is a paragraph, and never the address of a link.
    """
    parser = MarkdownIt("commonmark", {"maxNesting": nesting}).enable("table")

    def reference(state: StateBlock, first: int, end: int, silent: bool) -> bool:
        start = state.bMarks[first] + state.tShift[first]
        return not state.src.startswith("[^", start) and link_reference(state, first, end, silent)

    parser.block.ruler.at("reference", reference)
    parser.core.ruler.after("block", "cells", _count_cells)
    parser.helpers = SimpleNamespace(**{**vars(helpers), "parseLinkLabel": _label_end})  # type: ignore[assignment]
    parser.block.ruler.before("table", PANDOC_TABLE, pandoc_table)
    read_attributes(parser)
    return parser


def _count_cells(state: StateCore) -> None:
    """Refuse more cells than a document may have, before their words are read. Raises ReadError."""
    count, line, most = 0, 0, limits().table_cells
    for token in state.tokens:
        count += token.type in ("th_open", "td_open")
        line = token.map[0] if token.map else line
        if count > most:
            document: Passage = state.env[_DOCUMENT]
            refuse_large(0, count, document.lines()[line].span)


def _label_end(state: StateInline, start: int, disable_nested: bool = False) -> int:
    """Where a square bracket ends; -1 for one that does not, after a search through all that follows.

    Raises ReadError when these searches have gone through too many letters.
    """
    end = helpers.parseLinkLabel(state, start, disable_nested)
    if end < 0:
        searched = state.env[_SEARCHED] = state.env.get(_SEARCHED, 0) + state.posMax - start
        if searched > limits().bracket_letters:
            document: Passage = state.env[_DOCUMENT]
            words = state.src[start : start + 40].partition("\n")[0]
            place = document[max(document.text.find(words), 0) :][: len(words)].span
            raise ReadError("too many square brackets do not end", span=place, hint=limit_hint("bracket_letters"))
    return end
