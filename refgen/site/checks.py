"""What the checks of a game compared and found.

In: a game. Out: ChecksPage.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from refgen.checks.finding import CheckReport, Finding
from refgen.game.game import Game
from refgen.site import address
from refgen.site.page import Head


@dataclass(frozen=True, slots=True)
class SiteFinding:
    """A finding, the anchor it stands at, and the page of its table ("" where it is about none)."""

    anchor: str
    finding: Finding
    table: str

    @property
    def verdict(self) -> str:
        """Whether it is accepted, and why, or how sure it is."""
        accepted = self.finding.accepted
        return f"accepted: {accepted.reason}" if accepted else str(self.finding.severity)


@dataclass(frozen=True, slots=True)
class ChecksPage:
    """How many numbers were compared, and every finding."""

    template: ClassVar[str] = "checks"
    head: Head
    report: CheckReport
    findings: tuple[SiteFinding, ...]


def make_checks(head: Head, game: Game) -> ChecksPage:
    """The page of a game's checks."""
    report = game.check()
    return ChecksPage(head, report, tuple(_shown(game, finding) for finding in report.findings))


def anchor_of(finding: Finding) -> str:
    """The anchor of a finding on the page of the checks."""
    return f"finding-{finding.id.replace('/', '-')}"


def _shown(game: Game, finding: Finding) -> SiteFinding:
    there = finding.table in game.tables if finding.table else False
    return SiteFinding(anchor_of(finding), finding, address.table(game.id, finding.table) if there else "")
