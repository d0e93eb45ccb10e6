"""The prose of a document as its proposers read it: section by section, cut into sentences, with places of values.

In: a Document. Out: the Prose of each section; and for a printed value, a sentence by which the loader finds the value
again, as the text of a fact.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from operator import itemgetter

from refgen.errors import NotationError, RefgenError
from refgen.notation.printed_cell import NotationName
from refgen.notation.printed_numbers import USUAL, NotationStyle
from refgen.readers.document import Document, Section
from refgen.rules.field_types import FactPlace
from refgen.rules.pattern import ValuePattern, fold_text, value_pattern
from refgen.rules.sentence import parse_sentence
from refgen.rules.statements import FactFinder, Statement
from refgen.rules.toml import find_unprintable
from refgen.source import Passage

_ABBREVIATED = r"(?<!\bvs)(?<!e\.g)(?<!i\.e)(?<!z\.B)(?<!bzw)(?<!\n\d)"
_SENTENCE_END = re.compile(rf"{_ABBREVIATED}[.!?][\"')\]]*\s+(?=[^\W_a-z]|[\"'(\[])|\n")
_WORD = re.compile(r"[^ \xa0\n]+")
_LONGEST = 1_000
"""Characters of a sentence; a longer one, in a table without markup, counts as several."""

_FEWEST, _MOST = 3, 14
"""Words of a sentence that are kept on each side of a value: as few as find the value alone."""


@dataclass(frozen=True)
class Prose:
    """The paragraphs and items of one section, in order, as one folded text with a line for each."""

    section: Section
    pieces: Sequence[Passage]

    @cached_property
    def text(self) -> str:
        """The folded text of all pieces."""
        return "\n".join(fold_text(piece.text).replace("\n", " ") for piece in self.pieces)

    @cached_property
    def _starts(self) -> Sequence[int]:
        starts = [0]
        for piece in self.pieces:
            starts.append(starts[-1] + len(piece.text) + 1)
        return starts

    @cached_property
    def sentences(self) -> Sequence[tuple[int, int]]:
        """The start and end of each sentence with a word in it, in order."""
        ends = [match.end() for match in _SENTENCE_END.finditer(self.text)]
        bounds = [
            (at, min(at + _LONGEST, end))
            for start, end in pairwise([0, *ends, len(self.text)])
            for at in range(start, end, _LONGEST)
        ]
        return [(start, end) for start, end in bounds if re.search(r"[^\W\d_]", self.text[start:end])]

    def sentence_at(self, place: int) -> int:
        """The number of the sentence in which a place of the text lies."""
        return max(bisect_right(self.sentences, place, key=itemgetter(0)) - 1, 0)

    def value(self, start: int, end: int, meaning: str) -> PrintedValue:
        """The value between two places of the text."""
        number = bisect_right(self._starts, start, hi=len(self.pieces)) - 1
        begin = self._starts[number]
        return PrintedValue(self, self.pieces[number], start - begin, end - begin, meaning)


@dataclass(frozen=True)
class PrintedValue:
    """A value of a rule as it stands in a piece of prose, and its ``meaning`` in refgen's notation."""

    prose: Prose
    piece: Passage
    start: int
    end: int
    meaning: str

    @property
    def passage(self) -> Passage:
        """The printed value."""
        return self.piece[self.start : self.end]

    @property
    def words(self) -> str:
        """The printed value and its place, as evidence."""
        return f'"{" ".join(self.passage.text.split())}" at {self.passage.span}'


def prose_of(document: Document) -> Iterator[Prose]:
    """The prose of each section that has some: paragraphs and items, but no lines of text that are a table."""
    for section in document.sections:
        grids = [grid.span for grid in section.grids]
        paragraphs = (text for text in section.paragraphs if not any(grid.holds(text.span) for grid in grids))
        pieces = [*paragraphs, *(item for block in section.lists for item in block.items)]
        pieces = [piece for piece in pieces if piece.text.strip()]
        if pieces:
            pieces.sort(key=lambda piece: (piece.source.name, piece.span.start))
            yield Prose(section, pieces)


class SentenceMaker:
    """Makes the sentences of facts for one document, which is written in a ``style``.

    What a sentence finds is kept: a document may say one sentence hundreds of times.
    """

    def __init__(self, document: Document, style: NotationStyle = USUAL) -> None:
        self.document = document
        self._language = style.language
        self._patterns: Mapping[str, ValuePattern] = {}
        self._finder = FactFinder(document, lambda name: self._patterns[name], style=style)
        self._found: dict[tuple[object, ...], Mapping[str, Passage]] = {}

    def place(
        self, fact: str, value: PrintedValue, notation: NotationName, read: Mapping[str, str]
    ) -> FactPlace | None:
        """The shortest sentence around a value that finds the value and no other; None where no sentence does."""
        title: str | None = value.prose.section.title
        if not title or find_unprintable(title) or len(self.document.titled(title)) != 1:
            title = None
        for count in range(_FEWEST, _MOST + 1):
            printed = fold_text(value.piece.text)
            before, behind = last_words(printed[: value.start], count), first_words(printed[value.end :], count)
            text = f"{escape_braces(before)}{{{fact}}}{escape_braces(behind)}".strip().rstrip(",;:(\"'")
            for section in dict.fromkeys((None, title)) if is_sentence(text) else ():
                place = FactPlace(text=text, section=section, read=dict(read))
                found = self.found(place, {fact: notation})
                if found and found[fact].text == value.passage.text:
                    return place
        return None

    def found(self, place: FactPlace, facts: Mapping[str, NotationName]) -> Mapping[str, Passage]:
        """The values of facts, by their notations, that a sentence finds; none where the loader would refuse it."""
        key = (place.text, place.section, *place.read.items(), *facts.items())
        if key not in self._found:
            self._found[key] = self._find(place, facts)
        return self._found[key]

    def _find(self, place: FactPlace, facts: Mapping[str, NotationName]) -> Mapping[str, Passage]:
        self._patterns = {
            name: value_pattern(notation, place.read, language=self._language) for name, notation in facts.items()
        }
        try:
            return self._finder.find(
                Statement(next(iter(facts)), place, place.section, lambda: self.document.text[:0].span)
            )
        except RefgenError:
            return {}


def sentences_of(text: str) -> Iterator[str]:
    """The sentences of a text, without the blanks between them. A point within a number ends none."""
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    sentences = (text[start:end].strip() for start, end in pairwise([0, *ends, len(text)]))
    return filter(None, sentences)


def is_sentence(text: str) -> bool:
    """Whether the loader takes a text as the sentence of a fact: printable, and no longer than sentences may be."""
    try:
        parse_sentence(text)
    except NotationError:
        return False
    return not find_unprintable(text)


def last_words(text: str, count: int) -> str:
    """The last words of a text, at most so many."""
    words = list(_WORD.finditer(text))
    return text[words[-count].start() :] if len(words) > count else text.lstrip()


def first_words(text: str, count: int) -> str:
    """The first words of a text, at most so many."""
    words = list(_WORD.finditer(text))
    return text[: words[count - 1].end()] if len(words) > count else text.rstrip()


def escape_braces(text: str) -> str:
    """Words as a sentence of a fact or of rows writes them: braces and brackets are none of its own."""
    return text.replace("{", "{{").replace("[", "[[")
