"""Numbers that explain themselves: the sources of each number of a table.

In: a game. Out: for a cell with a number, an Explanation: the print and its place, the exact number, what it follows
from, and the verdict of the checks.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from refgen.checks.comparison import Judged, Verdict
from refgen.checks.coverage import CoveredNumber, Status
from refgen.checks.finding import Finding, FindingKind
from refgen.game.game import GameModel
from refgen.rules.model import Cell, RuleTable
from refgen.span import Span

AGREES = "agrees with the rules"
ROUNDING = "off by rounding alone"
DIFFERS = "differs from the rules"

_OF_NUMBERS = (FindingKind.NUMBER, FindingKind.ROUNDING)

STATUSES: Mapping[Status, str] = {
    Status.COMPARED: "compared with the rules",
    Status.QUOTED: "compared with the number that it repeats",
    Status.SOURCE: "others follow from it",
    Status.PINNED: "set by the game",
    Status.READ: "read, but not checked",
    Status.EXAMPLE: "an example",
    Status.HEADING: "part of a heading",
    Status.REFERENCE: "a reference",
    Status.DATE: "a date",
    Status.REMARK: "a remark",
    Status.UNLISTED: "not read",
}


@dataclass(frozen=True, slots=True)
class Explanation:
    """The explanation of a number.

    ``printed`` is the text in the document, ``places`` names the lines it stands on or follows from; ``exact`` is the
    unrounded number ("p/q"), ``rule`` says in words how it follows. ``verdict`` is that of the checks, "" for a
    computed number, which no document prints.
    """

    printed: str
    places: str
    exact: str
    rule: str
    verdict: str


class Explanations:
    """The explanations of a game's numbers."""

    def __init__(self, game: GameModel) -> None:
        self._game = game

    def of_cell(self, table: RuleTable, cell: Cell) -> Explanation | None:
        """The Explanation of the numbers in a cell; None for a cell without numbers."""
        if table.computed:
            return _computed(table, cell)
        return self.of_print(cell.span, cell.text) if cell.span else None

    def of_print(self, span: Span, printed: str) -> Explanation | None:
        """The explanation of the numbers in a print; None for a print without numbers."""
        entries = self.entries(span)
        if not entries:
            return None
        judged = self._judged.get(span, ())
        exact = dict.fromkeys(str(one.comparison.exact) for one in judged if one.comparison.exact is not None)
        rules = dict.fromkeys(one.comparison.rule for one in judged)
        verdict = self._verdict(span) or _verdict(judged) or _status(entries)
        return Explanation(printed, lines([span]), " and ".join(exact), " ".join(rules), verdict)

    def entries(self, span: Span) -> Sequence[CoveredNumber]:
        """The numbers that begin in a stretch of a document."""
        starts, entries = self._entries.get(span.file, ((), ()))
        return entries[bisect_left(starts, span.start) : bisect_left(starts, span.end)]

    def _verdict(self, span: Span) -> str:
        """The verdict of the finding about a print; "" without a finding."""
        finding = self._findings.get(span)
        if finding is None:
            return ""
        reason = f"; accepted: {finding.accepted.reason}" if finding.accepted else ""
        return f"{DIFFERS}: {finding.computed}{reason}" if finding.computed else f"{DIFFERS}{reason}"

    @cached_property
    def _entries(self) -> Mapping[str, tuple[Sequence[int], Sequence[CoveredNumber]]]:
        """The numbers of each file in the order of its text, and where each begins."""
        files: dict[str, list[CoveredNumber]] = defaultdict(list)
        for entry in self._game.coverage().entries:
            if entry.status is not Status.MENTION:
                files[entry.span.file].append(entry)
        ordered = {file: sorted(entries, key=lambda entry: entry.span) for file, entries in files.items()}
        return {file: ([entry.span.start for entry in entries], entries) for file, entries in ordered.items()}

    @cached_property
    def _judged(self) -> Mapping[Span, Sequence[Judged]]:
        found: dict[Span, list[Judged]] = defaultdict(list)
        for judged in self._game.check().judged:
            found[judged.comparison.subject.span].append(judged)
        return found

    @cached_property
    def _findings(self) -> Mapping[Span, Finding]:
        return {finding.span: finding for finding in self._game.check().findings if finding.kind in _OF_NUMBERS}


def lines(spans: Iterable[Span]) -> str:
    """Places as readers of a game's pages find them: "rules.md:12, 14, more.md:3"."""
    files: dict[str, dict[int, None]] = defaultdict(dict)
    for span in spans:
        files[span.file].setdefault(span.line)
    return ", ".join(f"{in_game(file)}:{', '.join(map(str, sorted(found)))}" for file, found in files.items())


def in_game(file: str) -> str:
    """A file without the folder of its game, which is the same on all pages of a game."""
    return file.partition("/")[2] or file


def _computed(table: RuleTable, cell: Cell) -> Explanation | None:
    if cell.exact is None:
        return None
    return Explanation("", lines(cell.sources), str(cell.exact), table.explained, "")


def _verdict(judged: Sequence[Judged]) -> str:
    if not judged:
        return ""
    return ROUNDING if any(one.verdict is Verdict.ROUNDING for one in judged) else AGREES


def _status(entries: Sequence[CoveredNumber]) -> str:
    """Explanations of numbers that no check compares, with the reasons."""
    said = (
        f"{STATUSES[entry.status]}: {', '.join(entry.by)}" if entry.by else STATUSES[entry.status] for entry in entries
    )
    return "; ".join(dict.fromkeys(said))
