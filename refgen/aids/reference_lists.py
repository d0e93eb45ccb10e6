"""Lists of the contents of a game, as booklets and the site show them: tables by section, ladders, named rolls, facts.

In: a game. Out: the tables under the titles of the sections of the document; a record of each ladder, roll and fact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

from refgen.blocks.typesetting import typeset
from refgen.game import GameModel
from refgen.notation.figures import decimal
from refgen.notation.levels import Ladder
from refgen.readers.document import Section
from refgen.resolver.dice.distribution import Distribution
from refgen.resolver.lookup import words_of
from refgen.rules.model import RuleTable
from refgen.span import Span, SpanIndex


class SectionIndex:
    """The sections of a game's documents, found by places in the documents."""

    def __init__(self, game: GameModel) -> None:
        self._game = game

    @cached_property
    def _places(self) -> SpanIndex[tuple[Span, Section]]:
        """The sections, each with its place."""
        return SpanIndex(((section.text.span, section) for section in self._game.sections), itemgetter(0))

    def section(self, span: Span) -> Section | None:
        """The section around a place, None for a place in no section."""
        found = self._places.last(span)
        return found[1] if found else None

    def of(self, table: RuleTable) -> Section | None:
        """The section to which a table belongs; None for a table that follows from nothing printed.

        A computed table belongs to the section with most of the cells from which the table follows.
        """
        if table.span is not None:
            return self.section(table.span)
        counted = Counter(found[0] for span in _sources(table) if (found := self._places.last(span)))
        most = max(counted.values(), default=0)
        first = min((place for place, count in counted.items() if count == most), default=None)
        return self.section(first) if first else None

    def path(self, section: Section) -> Sequence[Section]:
        """The sections around a section, the outermost first, and the section itself."""
        path = [section]
        before = self._game.sections[: self._game.sections.index(section)]
        for outer in reversed([other for other in before if other.text.source == section.text.source]):
            if outer.level < path[0].level:
                path.insert(0, outer)
        return path

    def grouped(self, tables: Mapping[str, RuleTable]) -> Mapping[str, list[RuleTable]]:
        """Tables by the titles of their sections, in the order of the document."""
        elsewhere = self._game.words("other-tables")
        groups: dict[str, list[RuleTable]] = {section.title: [] for section in self._game.sections}
        for table in tables.values():
            section = self.of(table)
            groups.setdefault(section.title if section and section.title else elsewhere, []).append(table)
        return {title or elsewhere: group for title, group in groups.items() if group}


def _sources(table: RuleTable) -> Iterator[Span]:
    return (span for row in table.rows for cell in row for span in dict.fromkeys(cell.sources))


def path_in_game(file: str) -> str:
    """A file without the folder of its game, which is the same on all pages of a game."""
    return file.partition("/")[2] or file


def ladder_steps(ladder: Ladder) -> tuple[tuple[str, str], ...]:
    """The levels of a ladder from best to worst: their numbers, signed as the document prints them, and their names."""
    sign = "+" if ladder.signed else ""
    return tuple((typeset(f"{level.value:{sign if level.value else ''}d}"), level.name) for level in ladder.levels)


@dataclass(frozen=True, slots=True)
class GlossaryLadder:
    """A ladder: the levels from best to worst, each as number and name."""

    id: str
    levels: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class GlossaryRoll:
    """A roll: title, dice expression, and mean and standard deviation to two decimals."""

    id: str
    title: str
    expression: str
    mean: str
    deviation: str


@dataclass(frozen=True, slots=True)
class GlossaryFact:
    """A number in prose: title, figure and unit, and the file and line of the document."""

    id: str
    title: str
    figure: str
    unit: str
    place: str


def glossary_ladders(game: GameModel) -> Iterator[GlossaryLadder]:
    """The ladders of a game."""
    return (GlossaryLadder(name, ladder_steps(ladder)) for name, ladder in game.ladders.items())


def glossary_rolls(game: GameModel) -> Iterator[tuple[GlossaryRoll, Distribution]]:
    """The named rolls of a game as they are shown, each with its distribution."""
    for named in game.named_rolls.values():
        roll = named.reaching(0)
        expression = typeset(words_of(game.ruleset, game.ruleset.spec.rolls[named.id].roll))
        sign = "" if roll.moments else "≈ "
        mean, deviation = (
            typeset(game.words.figure(f"{sign}{decimal(number, 2)}")) for number in (roll.mean, roll.deviation)
        )
        yield GlossaryRoll(named.id, named.title, expression, mean, deviation), roll


def glossary_facts(game: GameModel) -> Iterator[GlossaryFact]:
    """The numbers in prose."""
    for fact in game.facts.values():
        figure, place = typeset(fact.text, fact.value), fact.span.short
        yield GlossaryFact(fact.id, fact.title, figure, fact.unit, place)
