"""Verdicts of the checks for readers: the page of all findings, and the explanation of each number.

In: a game. Out: ChecksPage; for a number in a cell or in prose, an Explanation: the print and its place, the exact
number, the sources that it follows from, and the verdict of the checks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import ClassVar

from refgen.aids.reference_lists import SectionIndex, path_in_game
from refgen.checks.comparison import JudgedComparison, Verdict
from refgen.checks.coverage import CoveredNumber, Status
from refgen.checks.finding import CheckReport, Extent, Finding, FindingKind
from refgen.game import GameModel
from refgen.rules.model import Cell, RuleTable
from refgen.site import address
from refgen.site.page import Head
from refgen.span import Span, SpanIndex
from refgen.words import Words


@dataclass(frozen=True, slots=True)
class SiteFinding:
    """A finding, its anchor, and the page of its table ("" for a finding about no table).

    ``verdict`` is the reason of an accepted finding, or how sure an open one is.
    """

    anchor: str
    finding: Finding
    table: str
    verdict: str


@dataclass(frozen=True, slots=True)
class FindingSection:
    """A section of the rules with the number of its findings, and the anchor of the first finding."""

    title: str
    anchor: str
    count: int


@dataclass(frozen=True, slots=True)
class ChecksPage:
    """How many numbers were compared, and every finding in the order of the rules; ``sections`` are its contents."""

    template: ClassVar[str] = "checks"
    head: Head
    report: CheckReport
    extent: Extent
    findings: tuple[SiteFinding, ...]
    sections: tuple[FindingSection, ...] = ()


def make_checks(head: Head, game: GameModel) -> ChecksPage:
    """The page of a game's checks."""
    report = game.check()
    ordered = sorted(report.findings, key=lambda finding: finding.span)
    findings, sections = tuple(_site_finding(game, one) for one in ordered), tuple(_sections(game, ordered))
    return ChecksPage(head, report, game.extent, findings, sections)


def _sections(game: GameModel, findings: Sequence[Finding]) -> Iterator[FindingSection]:
    subjects = SectionIndex(game)
    titles = [section.title if (section := subjects.section(one.span)) else "" for one in findings]
    for title in dict.fromkeys(titles):
        first = findings[titles.index(title)]
        yield FindingSection(title or game.words("elsewhere"), anchor_of(first), titles.count(title))


def anchor_of(finding: Finding) -> str:
    """The anchor of a finding on the page of the checks."""
    return f"finding-{finding.id.replace('/', '-')}"


def _site_finding(game: GameModel, finding: Finding) -> SiteFinding:
    there = finding.table in game.tables if finding.table else False
    accepted, words = finding.accepted, game.words
    verdict = words("accepted", reason=accepted.reason) if accepted else words(f"severity-{finding.severity}")
    page = address.table(game.id, finding.table) if there else ""
    return SiteFinding(anchor_of(finding), finding.in_words(words), page, verdict)


_OF_NUMBERS = (FindingKind.NUMBER, FindingKind.ROUNDING)


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


@dataclass(frozen=True, slots=True)
class NumberNote:
    """A note on a number of a page: its anchor, the words or the row and column around the number, the explanation."""

    anchor: str
    where: str
    explanation: Explanation


class Explanations:
    """The explanations of a game's numbers."""

    def __init__(self, game: GameModel) -> None:
        self._game = game

    def of_cell(self, table: RuleTable, cell: Cell) -> Explanation | None:
        """The Explanation of the numbers in a cell; None for a cell without numbers."""
        if table.computed:
            return _explain_computed(table, cell, self._game.words)
        return self.of_print(cell.span, cell.text) if cell.span else None

    def of_print(self, span: Span, printed: str) -> Explanation | None:
        """The explanation of the numbers in a print; None for a print without numbers."""
        entries = self.entries(span)
        if not entries:
            return None
        judged = self._judged_by_span.get(span, ())
        exact = dict.fromkeys(str(one.comparison.exact) for one in judged if one.comparison.exact is not None)
        rules = dict.fromkeys(one.comparison.rule for one in judged)
        verdict = self._of_finding(span) or self._of_comparisons(judged) or self._status(entries)
        words = self._game.words
        listed, rule = words.joined(exact) if exact else "", " ".join(map(words.said, rules))
        return Explanation(printed, line_references([span]), listed, rule, verdict)

    def entries(self, span: Span) -> Sequence[CoveredNumber]:
        """The numbers that begin in a stretch of a document."""
        return self._entries.within(span)

    def _of_finding(self, span: Span) -> str:
        """The verdict of the finding about a print; "" without a finding."""
        finding = self._findings.get(span)
        if finding is None:
            return ""
        words = self._game.words
        accepted = [words("accepted", reason=finding.accepted.reason)] if finding.accepted else []
        differs = (
            words("differs-from", figure=words.figure(words.said(finding.computed)))
            if finding.computed
            else words("differs")
        )
        return "; ".join([differs, *accepted])

    def _of_comparisons(self, judged: Sequence[JudgedComparison]) -> str:
        """The verdict of the comparisons of a print, none of which has a finding; "" without a comparison."""
        if not judged:
            return ""
        is_rounded = any(one.verdict is Verdict.ROUNDING for one in judged)
        return self._game.words("off-by-rounding" if is_rounded else "agrees")

    def _status(self, entries: Sequence[CoveredNumber]) -> str:
        """Explanations of numbers that no check compares, with the reasons."""
        statuses = ((self._game.words(f"status-{entry.status}"), entry.by) for entry in entries)
        return "; ".join(dict.fromkeys(f"{text}: {', '.join(by)}" if by else text for text, by in statuses))

    @cached_property
    def _entries(self) -> SpanIndex[CoveredNumber]:
        entries = (entry for entry in self._game.coverage().entries if entry.status is not Status.MENTION)
        return SpanIndex(entries, attrgetter("span"))

    @cached_property
    def _judged_by_span(self) -> Mapping[Span, Sequence[JudgedComparison]]:
        found: dict[Span, list[JudgedComparison]] = defaultdict(list)
        for judged in self._game.check().judged:
            found[judged.comparison.subject.span].append(judged)
        return found

    @cached_property
    def _findings(self) -> Mapping[Span, Finding]:
        return {finding.span: finding for finding in self._game.check().findings if finding.kind in _OF_NUMBERS}


def line_references(spans: Iterable[Span]) -> str:
    """Places as readers of a game's pages find them: "rules.md:12, 14, more.md:3"."""
    files: dict[str, dict[int, None]] = defaultdict(dict)
    for span in spans:
        files[span.file].setdefault(span.line)
    return ", ".join(f"{path_in_game(file)}:{', '.join(map(str, sorted(found)))}" for file, found in files.items())


def _explain_computed(table: RuleTable, cell: Cell, words: Words) -> Explanation | None:
    if cell.exact is None:
        return None
    return Explanation("", line_references(cell.sources), str(cell.exact), table.explained_in(words), "")
