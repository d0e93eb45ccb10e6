"""What there is to change in a document: its numbers, words for numbers, levels and dice.

In: a document, read and checked as it is. Out: a Token for each, with its place in the raw text and its standing: what
the unchanged check makes of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from refgen.checks.coverage import CoveredNumber, Status
from refgen.game import GameModel
from refgen.readers.read import visible_paragraphs
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
    PINNED = "pinned"
    """The game sets it."""
    READ = "read"
    """A cell or fact has it, and nothing checks it."""
    IGNORED = "ignored"
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
        return cls(status) if status in (*cls,) else cls.IGNORED


@dataclass(frozen=True, slots=True)
class Token:
    """A number, word, level or dice: where it stands in the raw text, its standing, and what it is a part of."""

    kind: Kind
    start: int
    text: str
    standing: Standing = Standing.IGNORED
    name: str = ""

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def tokens(edited: Edited, game: GameModel) -> Sequence[Token]:
    """Every token of what there is to see in a document, in the order of its text, each once."""
    _, spec, _, _ = system(edited.game)
    places = Places.of(game)
    patterns = [(Kind.DICE, DICE), (Kind.LEVEL, _levels(game)), (Kind.WORD, WORD), (Kind.NUMBER, NUMBER)]
    found = [
        Token(kind, piece.origins[0], piece.text)
        for paragraph in visible_paragraphs(source(edited.path), spec.format)
        for kind, pattern in patterns
        for piece in map(paragraph.group, pattern.finditer(paragraph.text))
        if _is_whole(piece)
    ]
    return [replace(one, standing=places.standing(one), name=places.name(one)) for one in _apart(found)]


def _apart(found: Sequence[Token]) -> Iterator[Token]:
    """Tokens none of which is in another: the longest of those that begin together, the first of others."""
    end = 0
    for token in sorted(found, key=lambda one: (one.start, -len(one.text))):
        if token.start >= end:
            end = token.end
            yield token


def _levels(game: GameModel) -> re.Pattern[str]:
    ladders = game.ruleset.ladders.values()
    names = {name for ladder in ladders for name in (*(level.name for level in ladder.levels), *ladder.aliases)}
    levels = "|".join(re.escape(name) for name in sorted(names, key=lambda name: -len(name)))
    return re.compile(rf"\b(?:{levels})(?!\w)" if names else r"\b\B")


def _is_whole(piece: Passage) -> bool:
    """Whether the raw text has it in one piece, as it is read."""
    start = piece.origins[0]
    return piece.source.text[start : start + len(piece.text)] == piece.text


@dataclass(frozen=True, slots=True)
class Places:
    """The entries of the coverage, and the names of what is compared or read, by place."""

    entries: Sequence[CoveredNumber]
    named: Mapping[Span, str]

    @classmethod
    def of(cls, game: GameModel) -> Places:
        read = dict(_cells(game)) | {fact.span: fact.id for fact in game.ruleset.facts.values()}
        subjects = [judged.comparison.subject for judged in game.check().judged]
        compared = {subject.span: subject.id for subject in reversed(subjects) if subject.row}
        return cls(game.coverage().entries, read | compared)

    def standing(self, token: Token) -> Standing:
        """The best standing of the numbers that share a place."""
        shared = (one for one in self.entries if one.span.start < token.end and token.start < one.span.end)
        return min((Standing.of(entry.status) for entry in shared), key=list(Standing).index, default=Standing.IGNORED)

    def name(self, token: Token) -> str:
        """The check, the cell or the fact that has this place, "" for none."""
        held = (name for span, name in self.named.items() if span.start <= token.start and token.end <= span.end)
        return next(held, "")


def _cells(game: GameModel) -> Iterator[tuple[Span, str]]:
    for table in game.ruleset.tables.values():
        for number, row in enumerate(table.rows, 1):
            for cell, column in zip(row, table.columns, strict=True):
                if cell.span is not None:
                    yield cell.span, f"{table.id}/{number}/{column.id}"
