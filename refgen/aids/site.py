"""Pages of the docs site.

In: systems with their tables and check reports, and the files that were made for them. Out: a page for each
system and one that links them all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from refgen.aids.blocks import TableBlock, show_table
from refgen.aids.system_info import SystemInfo
from refgen.aids.typeset import typeset
from refgen.checks.finding import CheckReport, Finding
from refgen.checks.marks import Mark
from refgen.game.game import Game
from refgen.rules.model import Table
from refgen.span import Span


@dataclass(frozen=True, slots=True)
class Download:
    """A file that a page links to; ``href`` is relative to the page of its system."""

    title: str
    href: str
    file_type: str


@dataclass(frozen=True, slots=True)
class Preview:
    """A picture of a page of an aid: ``src`` and, for the page itself, ``href`` are relative to the system's page.

    ``alt`` says what it shows; width and height are in pixels.
    """

    src: str
    href: str
    alt: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class AidLinks:
    """One aid of a system, the forms it comes in, and how its pages look."""

    title: str
    about: str
    downloads: tuple[Download, ...]
    previews: tuple[Preview, ...] = ()


@dataclass(frozen=True, slots=True)
class SiteTable:
    """A table with its anchor on the page."""

    id: str
    block: TableBlock
    rule: str


@dataclass(frozen=True, slots=True)
class SiteFact:
    """A fact with the place it is stated."""

    title: str
    figure: str
    unit: str
    place: str


@dataclass(frozen=True, slots=True)
class SystemPage:
    """Everything about one system."""

    system: SystemInfo
    aids: tuple[AidLinks, ...]
    printed: tuple[SiteTable, ...]
    computed: tuple[SiteTable, ...]
    facts: tuple[SiteFact, ...]
    report: CheckReport
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class SystemSummary:
    """What the first page says of a system. It is kept beside the system's page, for builds of other systems alone."""

    id: str
    title: str
    about: str
    accent: str
    printed: int
    computed: int
    compared: int
    findings: int

    @classmethod
    def of(cls, page: SystemPage) -> SystemSummary:
        """The summary of a page."""
        system = page.system
        return cls(
            system.id,
            system.title,
            system.about,
            system.accent,
            len(page.printed),
            len(page.computed),
            page.report.compared,
            len(page.report.open),
        )


def make_system_page(game: Game, aids: Sequence[AidLinks]) -> SystemPage:
    """The page of a system."""
    facts = (
        SiteFact(fact.title, typeset(fact.text, fact.value), fact.unit, f"{fact.span.file}:{fact.span.line}")
        for fact in game.facts.values()
    )
    report = game.check()
    return SystemPage(
        SystemInfo.of(game),
        tuple(aids),
        tuple(_table(table, game.marks) for table in game.printed.values()),
        tuple(_table(table, {}) for table in game.computed.values()),
        tuple(facts),
        report,
        report.findings,
    )


def _table(table: Table, shown: Mapping[Span, Mark]) -> SiteTable:
    return SiteTable(table.id, show_table(table, marks=shown), typeset(table.explained))
