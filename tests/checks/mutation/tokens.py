"""What there is to change in a document: its numbers, words for numbers, levels and dice.

In: a document, read and checked as it is. Out: a Token for each, with its place in the raw text and its standing: what
the unchanged check makes of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from refgen.checks.finding import CheckReport
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
    """What the check of the unchanged document makes of a token."""

    COMPARED = "compared"
    """It is compared with what follows from others."""
    SOURCE = "source"
    """Something that is compared rests on it."""
    READ = "read"
    """It is a cell or a fact, and nothing that is compared rests on it."""
    UNREAD = "unread"
    """No table and no fact has it."""

    @property
    def is_derivable(self) -> bool:
        """Whether the document says enough for a change of it to be noticed."""
        return self is Standing.COMPARED


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


def tokens(edited: Edited, game: Game, report: CheckReport) -> Sequence[Token]:
    """Every token of a document in the order of its text, each once."""
    _, spec, _, _ = system(edited.game)
    document = read_document(source(edited.path), spec.format)
    places = Places.of(game, report)
    found: dict[int, Token] = {}
    for kind, start, text in sorted(_found(document, game), key=lambda one: (one[1], -len(one[2]))):
        if not any(start < other.end and other.start < start + len(text) for other in list(found.values())[-2:]):
            found[start] = Token(kind, start, text, *places.standing(start, start + len(text)))
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
    """Where the check compares, what that rests on, and what is read, each with its name."""

    compared: Mapping[Span, str]
    sources: Mapping[Span, str]
    read: Mapping[Span, str]

    @classmethod
    def of(cls, game: Game, report: CheckReport) -> Places:
        read = dict(_cells(game)) | {fact.span: fact.id for fact in game.ruleset.facts.values()}
        comparisons = [judged.comparison for judged in report.judged]
        subjects = [one.subject for one in comparisons if one.subject.row]
        compared = {subject.span: subject.id for subject in reversed(subjects)}
        sources = {span: read[span] for one in comparisons for span in one.sources if span in read}
        return cls(compared, sources, read)

    def standing(self, start: int, end: int) -> tuple[Standing, str]:
        for standing, places in (
            (Standing.COMPARED, self.compared),
            (Standing.SOURCE, self.sources),
            (Standing.READ, self.read),
        ):
            for span, name in places.items():
                if span.start <= start and end <= span.end:
                    return standing, name
        return Standing.UNREAD, ""


def _cells(game: Game) -> Iterator[tuple[Span, str]]:
    for table in game.ruleset.tables.values():
        for number, row in enumerate(table.rows, 1):
            for cell, column in zip(row, table.columns, strict=True):
                if cell.span is not None:
                    yield cell.span, f"{table.id}/{number}/{column.id}"
