"""The page of checks: how many numbers of a game were compared, and the findings.

In: a game. Out: ChecksPage.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from refgen.aids.subjects import Subjects
from refgen.checks.finding import CheckReport, Finding
from refgen.game.game import Game
from refgen.site import address
from refgen.site.page import Head

ELSEWHERE = "Elsewhere"
"""Where findings stand that are in no section of the rules."""


@dataclass(frozen=True, slots=True)
class SiteFinding:
    """A finding, the anchor it stands at, and the page of its table ("" where it is about none)."""

    anchor: str
    finding: Finding
    table: str

    @property
    def verdict(self) -> str:
        """The reason of an accepted finding, or how sure an open one is."""
        accepted = self.finding.accepted
        return f"accepted: {accepted.reason}" if accepted else str(self.finding.severity)


@dataclass(frozen=True, slots=True)
class FindingSection:
    """A section of the rules: how many findings there are in it, and the anchor of the first."""

    title: str
    anchor: str
    count: int


@dataclass(frozen=True, slots=True)
class ChecksPage:
    """How many numbers were compared, and every finding in the order of the rules; ``sections`` are its contents."""

    template: ClassVar[str] = "checks"
    head: Head
    report: CheckReport
    findings: tuple[SiteFinding, ...]
    sections: tuple[FindingSection, ...] = ()


def make_checks(head: Head, game: Game) -> ChecksPage:
    """The page of a game's checks."""
    report = game.check()
    ordered = sorted(report.findings, key=lambda finding: finding.span)
    return ChecksPage(head, report, tuple(_shown(game, one) for one in ordered), tuple(_sections(game, ordered)))


def _sections(game: Game, findings: Sequence[Finding]) -> Iterator[FindingSection]:
    subjects = Subjects(game)
    titles = [section.title if (section := subjects.section(one.span)) else "" for one in findings]
    for title in dict.fromkeys(titles):
        first = findings[titles.index(title)]
        yield FindingSection(title or ELSEWHERE, anchor_of(first), titles.count(title))


def anchor_of(finding: Finding) -> str:
    """The anchor of a finding on the page of the checks."""
    return f"finding-{finding.id.replace('/', '-')}"


def _shown(game: Game, finding: Finding) -> SiteFinding:
    there = finding.table in game.tables if finding.table else False
    return SiteFinding(anchor_of(finding), finding, address.table(game.id, finding.table) if there else "")
