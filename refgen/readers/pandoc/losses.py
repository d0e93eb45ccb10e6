"""The words and cells that pandoc lost: from each table by itself, and from the rest of a text.

In: the Locator of a text, with the places of all words that pandoc has read, and the place of each table. Out: Faults
for rows that pandoc padded and for words that it dropped from a table; Notes on words that it dropped elsewhere.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from unicodedata import normalize

from refgen.readers.document import LEFT_OUT, Fault, Format, Note, words_of
from refgen.readers.pandoc.word_places import CELL_REACH, Locator
from refgen.source import Passage

_TABLE_END = {
    Format.MEDIAWIKI: re.compile(r"^[ \t]*\|\}", re.MULTILINE),
    Format.LATEX: re.compile(r"\\end\{"),
    Format.ORG: re.compile(r"\n(?![ \t]*\|)"),
    Format.RST: re.compile(r"\n[ \t]*\r?\n"),
}
_TABLE_START = {
    Format.MEDIAWIKI: re.compile(r"^[ \t]*\{\|", re.MULTILINE),
    Format.LATEX: re.compile(r"\\begin\{(?:tabular|longtable|array)"),
    Format.ORG: re.compile(r"(?:\A|^(?![ \t]*\|)[^\n]*\n)[ \t]*(?=\|)", re.MULTILINE),
}
_ROW_BORDER = {
    Format.MEDIAWIKI: re.compile(r"^[ \t]*\|[-}]", re.MULTILINE),
    Format.LATEX: re.compile(r"\\\\|\\(?:begin|end)\{"),
    Format.ORG: re.compile(r"\n"),
}
_CELL_START = {
    Format.MEDIAWIKI: re.compile(r"^[ \t]*[|!](?![-}+])|\|\||!!", re.MULTILINE),
    Format.LATEX: re.compile(r"\A|(?<!\\)&"),
    Format.ORG: re.compile(r"\|(?=[^\n])(?![ \t]*\Z)"),
}
_ROW_REACH = 4000
"""How many characters back the start of a row is searched."""

_NO_WORDS = re.compile(r"\\[a-zA-Z]+|</?[a-zA-Z][^<>\n]*>|&\#?\w{1,31};|(?<!\w):[a-z]+:(?=`)|\[[\w#*-]+\]_")
_WORDS = re.compile(r"[^\W_](?:[^\n|&]*[^\W_])?")
_PROSE = re.compile(r"[^\W_]+(?:[^\w\n|&{}\[\]\\<>=]+[^\W_]+)*")
_SWALLOWED = re.compile(r"\d+(?:[.,]\d+)*")
_BEFORE_NUMBER = re.compile(r"\\[a-zA-Z]+[ \t]+\Z")
_COMMAND_LETTERS = 40
_NO_PROSE = re.compile(r"\d*(?:pt|em|ex|cm|mm|in|px)?")
_CAPTIONS = {
    Format.LATEX: re.compile(r"(?<=\\caption\{)[^{}]*"),
    Format.MEDIAWIKI: re.compile(r"(?<=^\|\+)[^\n|=]*$", re.MULTILINE),
    Format.ORG: re.compile(r"(?<=^\#\+CAPTION:)[^\n]*", re.MULTILINE | re.IGNORECASE),
    Format.RST: re.compile(r"(?<=table::)[^\n]*", re.MULTILINE),
}
"""Captions, in which no words are searched: cells have the same words."""

_BODY = re.compile(r"\\begin\{document\}")


@dataclass(frozen=True, slots=True)
class PlacedTable:
    """Where a table starts and ends, and its words that stand there in another spelling, if at all."""

    start: int
    end: int
    unplaced: tuple[str, ...] = ()


def table_start(text: Passage, document_format: Format, first: int) -> int:
    """Where the table starts whose first word that was found starts at ``first``."""
    pattern = _TABLE_START.get(document_format)
    starts = pattern.finditer(text.text, max(0, first - CELL_REACH), first) if pattern else ()
    return max((match.end() if document_format is Format.ORG else match.start() for match in starts), default=first)


def table_end(text: Passage, document_format: Format, last: int) -> int:
    """Where the table ends whose last word ends at ``last``."""
    pattern = _TABLE_END.get(document_format)
    end = pattern.search(text.text, last) if pattern else None
    return end.start() if end else (len(text) if pattern else last)


def short_row(text: Passage, searched: str, document_format: Format, place: int, cells: int) -> Iterator[Fault]:
    """A fault when the row around ``place`` is written with fewer cells than the ``cells`` it was given."""
    if document_format not in _ROW_BORDER:
        return
    start, end = _row(text.text, _ROW_BORDER[document_format], place)
    written = sum(1 for _ in _CELL_START[document_format].finditer(searched[start:end].rstrip()))
    if written < cells:
        yield Fault(
            f"this table row has {'1 cell' if written == 1 else f'{written} cells'}, its table has {cells}",
            text[place : place + 1].span,
            "It is filled with blank cells. Give every row as many cells as the table has columns.",
        )


def _row(text: str, border: re.Pattern[str], place: int) -> tuple[int, int]:
    near = max(0, place - _ROW_REACH)
    before = [match.end() for match in border.finditer(text, near, place)]
    after = border.search(text, place)
    return (before[-1] if before else near), (after.start() if after else len(text))


def _characters(words: str) -> Counter[str]:
    """The letters and digits of words, as many of each as there are, raised and lowered ones as plain ones."""
    return Counter(letter for letter in normalize("NFKC", words).casefold() if letter.isalnum())


def lost_words(locator: Locator, found: Sequence[tuple[int, int]], table: PlacedTable) -> Iterator[Fault]:
    """A fault for each stretch of words in a table that was found for nothing, and that no cell spells otherwise.

    ``found`` are the places of all words, in rising order.
    """
    known = _characters("".join(table.unplaced))
    within = found[bisect_left(found, (table.start,)) : bisect_left(found, (table.end,))]
    rest = _without_found(locator.searched, within, table.start, table.end)
    for words in _WORDS.finditer(rest):
        missing = _characters(words[0])
        if missing <= known:
            known -= missing
            continue
        place = locator.text[table.start + words.start() : table.start + words.end()]
        hint = "Give every row as many cells as the table has columns, without markup of its own."
        yield Fault(f'"{place.text}" stands in the table, but pandoc leaves it out', place.span, hint)


def unread_words(locator: Locator, read: set[str], tables: Iterable[tuple[int, int]]) -> Iterator[Note]:
    """A note on each stretch outside ``tables`` that was found for nothing, and has a word that is not in ``read``.

    The settings before the body of a LaTeX document have no words.
    """
    text = locator.text
    body = _BODY.search(text.text) if locator.format is Format.LATEX else None
    rest = _without_found(locator.searched, [*locator.found, *tables], 0, len(text))
    captions = _CAPTIONS[locator.format].finditer(text.text)
    for words in (*_PROSE.finditer(rest, body.end() if body else 0), *captions):
        before = text.text[max(0, words.start() - _COMMAND_LETTERS) : words.start()]
        is_swallowed = _SWALLOWED.fullmatch(words[0]) and _BEFORE_NUMBER.search(before)
        if is_swallowed or any(not _NO_PROSE.fullmatch(word) for word in words_of(words[0]) - read):
            yield Note("pandoc does not read this", text.group(words).span, LEFT_OUT, is_doubtful=True)


def _without_found(searched: str, found: Iterable[tuple[int, int]], start: int, end: int) -> str:
    """A stretch of the text with blanks in place of words that were found, and of what is no word."""
    rest = list(_NO_WORDS.sub(lambda match: " " * len(match[0]), searched[start:end]))
    for first, last in found:
        if start <= first < last <= end:
            rest[first - start : last - start] = " " * (last - first)
    return "".join(rest)
