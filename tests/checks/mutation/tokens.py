"""What there is to change in a document: its numbers, words for numbers, levels and dice.

In: a document, read and checked as it is. Out: a Token for each, with its place in the raw text and its standing: what
the unchanged check makes of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from refgen.checks.coverage import Entry, Status
from refgen.game.game import Game
from refgen.readers.document import Document
from refgen.readers.read import read_document
from refgen.source import Passage
from refgen.span import Span
from tests.checks.mutation.front_door import Edited, source, system

CARDINALS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
TIMES = ("once", "twice", "thrice")
PARTS = ("half", "third", "quarter")
FOLDS = ("double", "triple")
SERIES = (CARDINALS, ORDINALS, TIMES, PARTS, FOLDS)
"""Words for numbers; one unit is the next of its series."""

WORD = re.compile(rf"\b(?:{'|'.join(word for series in SERIES for word in series)})\b", re.IGNORECASE)
DICE = re.compile(r"(?<![\w.])\d*d(?:\d+|F|%)(?![A-Za-z])", re.IGNORECASE)
NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?!\d)|\d+(?:\.\d+)?")


class Kind(StrEnum):
    """What a token is."""

    NUMBER = "number"
    WORD = "word"
    LEVEL = "level"
    DICE = "dice"


class Standing(StrEnum):
    """What becomes of a token, as ``refgen check --coverage`` has it."""

    COMPARED = "compared"
    """It is compared with what follows from others, or repeats another that it is compared with."""
    SOURCE = "source"
    """Something that is compared rests on it."""
    DECREED = "decreed"
    """The game sets it."""
    READ = "read"
    """A cell or fact has it, and nothing checks it."""
    UNREAD = "unread"
    """No cell and no fact has it: an example, a heading, a word in prose."""

    @property
    def is_derivable(self) -> bool:
        """Whether it follows from others, so that a change of it must be noticed."""
        return self is Standing.COMPARED

    @classmethod
    def of(cls, status: Status) -> Standing:
        """That of a number with such an entry."""
        if status is Status.QUOTED:
            return cls.COMPARED
        return cls(status) if status in (*cls,) else cls.UNREAD


@dataclass(frozen=True, slots=True)
class Token:
    """A number, word, level or dice: where it stands in the raw text, its standing, and what it is a part of."""

    kind: Kind
    start: int
    text: str
    standing: Standing
    name: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def tokens(edited: Edited, game: Game) -> Sequence[Token]:
    """Every token of a document in the order of its text, each once."""
    _, spec, _, _ = system(edited.game)
    document = read_document(source(edited.path), spec.format)
    places = Places.of(game)
    found: dict[int, Token] = {}
    for kind, start, text in sorted(_found(document, game), key=lambda one: (one[1], -len(one[2]))):
        if not any(start < other.end and other.start < start + len(text) for other in list(found.values())[-2:]):
            end = start + len(text)
            found[start] = Token(kind, start, text, places.standing(start, end), places.name(start, end))
    return list(found.values())


def _found(document: Document, game: Game) -> Iterator[tuple[Kind, int, str]]:
    ladders = game.ruleset.ladders.values()
    names = {name for ladder in ladders for name in (*(level.name for level in ladder.levels), *ladder.aliases)}
    levels = "|".join(re.escape(name) for name in sorted(names, key=lambda name: -len(name)))
    level = re.compile(rf"\b(?:{levels})(?!\w)" if names else r"\b\B")
    for section in document.sections:
        for kind, pattern in ((Kind.DICE, DICE), (Kind.LEVEL, level), (Kind.WORD, WORD), (Kind.NUMBER, NUMBER)):
            for match in pattern.finditer(section.text.text):
                piece = section.text.group(match)
                if _is_whole(piece):
                    yield kind, piece.origins[0], piece.text


def _is_whole(piece: Passage) -> bool:
    """Whether the raw text has it in one piece, as it is read."""
    start = piece.origins[0]
    return piece.source.text[start : start + len(piece.text)] == piece.text


@dataclass(frozen=True, slots=True)
class Places:
    """The entries of the coverage, and the names of what is compared or read, by place."""

    entries: Sequence[Entry]
    named: Mapping[Span, str]

    @classmethod
    def of(cls, game: Game) -> Places:
        read = dict(_cells(game)) | {fact.span: fact.id for fact in game.ruleset.facts.values()}
        subjects = [judged.comparison.subject for judged in game.check().judged]
        compared = {subject.span: subject.id for subject in reversed(subjects) if subject.row}
        return cls(game.coverage().entries, read | compared)

    def standing(self, start: int, end: int) -> Standing:
        """The best standing of the numbers that share a place."""
        shared = (entry for entry in self.entries if entry.span.start < end and start < entry.span.end)
        return min((Standing.of(entry.status) for entry in shared), key=list(Standing).index, default=Standing.UNREAD)

    def name(self, start: int, end: int) -> str:
        """The check, the cell or the fact that has this place, "" for none."""
        return next((name for span, name in self.named.items() if span.start <= start and end <= span.end), "")


def _cells(game: Game) -> Iterator[tuple[Span, str]]:
    for table in game.ruleset.tables.values():
        for number, row in enumerate(table.rows, 1):
            for cell, column in zip(row, table.columns, strict=True):
                if cell.span is not None:
                    yield cell.span, f"{table.id}/{number}/{column.id}"
