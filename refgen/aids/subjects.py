"""Tables by subject: the section of the rule document to which each table belongs.

In: a game. Out: its tables under the titles of sections, in the order of the document. A computed table belongs to the
section with most of the cells from which it follows.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property

from refgen.game.game import GameModel
from refgen.readers.document import Section
from refgen.rules.model import RuleTable
from refgen.span import Span

ELSEWHERE = "Other tables"


class Subjects:
    """The sections of a game's documents, found by places in the documents."""

    def __init__(self, game: GameModel) -> None:
        self._game = game

    @cached_property
    def _starts(self) -> Mapping[str, tuple[list[int], list[Section]]]:
        """The starts of the sections of each file, and the sections."""
        found: dict[str, tuple[list[int], list[Section]]] = {}
        for section in self._game.sections:
            starts, sections = found.setdefault(section.text.source.name, ([], []))
            starts.append(section.text.span.start)
            sections.append(section)
        return found

    def section(self, span: Span) -> Section | None:
        """The section around a place, None for a place in no section."""
        number = self._number(span)
        return self._starts[span.file][1][number] if number >= 0 else None

    def _number(self, span: Span) -> int:
        """The number of the section around a place among the sections of its file, -1 for no section."""
        starts, _ = self._starts.get(span.file, ([], []))
        return bisect_right(starts, span.start) - 1

    def of(self, table: RuleTable) -> Section | None:
        """The section to which a table belongs; None for a table that follows from nothing printed."""
        if table.span is not None:
            return self.section(table.span)
        counted = Counter((span.file, number) for span in _sources(table) if (number := self._number(span)) >= 0)
        if not counted:
            return None
        most = max(counted.values())
        file, number = min(place for place, count in counted.items() if count == most)
        return self._starts[file][1][number]

    def grouped(self, tables: Mapping[str, RuleTable]) -> Mapping[str, list[RuleTable]]:
        """Tables by the titles of their sections, in the order of the document."""
        groups: dict[str, list[RuleTable]] = {section.title: [] for section in self._game.sections}
        for table in tables.values():
            section = self.of(table)
            groups.setdefault(section.title if section and section.title else ELSEWHERE, []).append(table)
        return {title or ELSEWHERE: group for title, group in groups.items() if group}


def _sources(table: RuleTable) -> Iterator[Span]:
    return (span for row in table.rows for cell in row for span in dict.fromkeys(cell.sources))
