"""Findings: printed numbers that do not agree with a rule, with all that is needed to judge them; and the report."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from refgen.checks.comparison import CheckSubject, Judged, Verdict
from refgen.errors import RefgenError
from refgen.notation.figures import Rounding
from refgen.span import Span


class FindingKind(StrEnum):
    """The kind of thing that a finding is about."""

    NUMBER = "number"
    """A printed number that does not follow from the rules."""
    ROUNDING = "rounding"
    """A printed number that is rounded otherwise than the rest of its table."""
    STRUCTURE = "structure"
    """A table with a row too few or too many, or with one that stands in the wrong place."""
    READING = "reading"
    """A print that system.toml reads as something else than it says."""
    SOURCE = "source"
    """A defect of the document itself, which system.toml names and reads around."""
    ERRATUM = "erratum"
    """An erratum that accepts nothing: what it names is no longer found, or never could be."""
    NOT_COMPARED = "not-compared"
    """Printed numbers that could not be compared, because something else is wrong."""
    LINK = "link"
    """A link of the document that leads where none must, so that pages show its words alone; or an id of two places."""
    PLACEHOLDER = "placeholder"
    """Words of system.toml that were to be replaced, or a name in braces that nothing fills."""
    ROLLED_ANEW = "rolled-anew"
    """A formula that names a roll in two questions, where each mention rolls anew."""
    FAULT = "fault"
    """Something that the format of the document drops or mends in silence, such as code: pages do not have it."""
    UNDECIDED = "undecided"
    """A number with a mark that may stand before decimals or between thousands."""
    CHANCE = "chance"
    """A percentage that the dice it is printed for cannot give."""
    PIN = "pin"
    """A number that the game decrees, and that is not as it was pinned."""


class Severity(StrEnum):
    """How sure a finding is."""

    ERROR = "error"
    """The printed number contradicts a rule that the document states, or could not be compared."""
    WARNING = "warning"
    """The printed number contradicts a pattern of its table, or is rounded otherwise."""
    NOTE = "note"
    """Nothing to decide: a defect that is read around, a print that is read otherwise, a number not as pinned."""


class Print(StrEnum):
    """The text that play aids print in the place of a number that differs."""

    PRINTED = "printed"
    COMPUTED = "computed"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Accepted:
    """The reason of an accepted finding, and the figure that play aids print in place of the number."""

    reason: str
    prints: Print


@dataclass(frozen=True, slots=True)
class Finding:
    """A disagreement between a printed text and a rule.

    ``title`` is that of the table. ``row`` and ``column`` name the cell in it ("" when the finding is about all of it),
    ``printed`` and ``computed`` are texts in the same notation: the second would agree. ``exact`` is the unrounded
    number ("p/q"), ``decimal`` the same with more digits than are printed; both are "" when there is none.
    For a pin ``computed`` is what was pinned, and either is "" where there is none.
    ``sources`` are the places of everything that the computed number follows from. ``also`` are the ids of other checks
    that find the same of the same number, ``effects`` the findings elsewhere whose cause this number is. ``rivals`` are
    those whose number may be the wrong one as well as this: mending any one of them mends all. ``lapsed`` says why an
    erratum no longer accepts it, and is "" where none did.
    """

    id: str
    kind: FindingKind
    system: str
    printed: str
    computed: str
    rule: str
    severity: Severity
    span: Span
    table: str = ""
    title: str = ""
    row: str = ""
    column: str = ""
    exact: str = ""
    decimal: str = ""
    sources: tuple[Span, ...] = ()
    accepted: Accepted | None = None
    also: tuple[str, ...] = ()
    effects: tuple[Finding, ...] = ()
    rivals: tuple[Finding, ...] = ()
    lapsed: str = ""

    @classmethod
    def about(
        cls,
        subject: CheckSubject,
        kind: FindingKind,
        severity: Severity,
        *,
        system: str,
        rule: str,
        computed: str = "",
        sources: Iterable[Span] = (),
    ) -> Finding:
        """A finding about a printed text, with the text that would agree."""
        return cls(
            id=subject.id,
            kind=kind,
            system=system,
            printed=subject.printed,
            computed=computed,
            rule=rule,
            severity=severity,
            span=subject.span,
            table=subject.table,
            title=subject.title,
            row=subject.row,
            column=subject.column,
            sources=tuple(sources),
        )

    @property
    def is_open(self) -> bool:
        """Whether somebody has to decide about it."""
        return self.accepted is None and self.severity is not Severity.NOTE

    @property
    def at_each_place(self) -> tuple[Finding, ...]:
        """The finding as it is told at its own place, and at that of each rival, which has this one among its own."""
        alone = (replace(self, rivals=(), effects=()), *self.rivals)
        others = (replace(one, rivals=tuple(other for other in alone if other is not one)) for one in alone[1:])
        return (self, *others)


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The comparisons and findings of a system's checks, and the rounding rule that each check detected.

    ``errors`` are what is wrong with its files, each once: what could not be read, or worked out, or checked.
    """

    system: str
    judged: tuple[Judged, ...]
    findings: tuple[Finding, ...]
    roundings: Mapping[str, Rounding]
    errors: tuple[RefgenError, ...] = ()

    @property
    def compared(self) -> int:
        """How many printed numbers were compared."""
        return len(self.judged)

    @property
    def agreeing(self) -> int:
        """How many of them agree."""
        return self._count(Verdict.AGREES)

    @property
    def rounding(self) -> int:
        """How many of them are off by rounding alone."""
        return self._count(Verdict.ROUNDING)

    def _count(self, verdict: Verdict) -> int:
        return sum(judged.verdict is verdict for judged in self.judged)

    @property
    def accepted(self) -> tuple[Finding, ...]:
        """The findings that errata accept."""
        return tuple(finding for finding in self.findings if finding.accepted is not None)

    @property
    def open(self) -> tuple[Finding, ...]:
        """The findings that somebody has to decide about."""
        return tuple(finding for finding in self.findings if finding.is_open)


BY_THE_RULES = "By the rules"
INFERRED = "Inferred"
PRINTED = "Printed"
READ_AS = "Read as"

_OF_FIGURES = (FindingKind.NUMBER, FindingKind.ROUNDING)


@dataclass(frozen=True, slots=True)
class Mark:
    """The text to print in the place of a figure, the reason, and the figure that is not printed.

    ``text`` is the document's own unless an erratum says otherwise. ``label`` says what ``other`` is: "By the rules",
    "Inferred", "Printed" or "Read as"; both are "" when ``text`` holds both figures.
    """

    text: str
    reason: str
    label: str
    other: str


def marks(findings: Sequence[Finding]) -> Mapping[Span, Mark]:
    """The marks of all cells and facts that a finding is about."""
    readings = [finding for finding in findings if finding.kind is FindingKind.READING]
    placed = (one for finding in findings for one in finding.at_each_place)
    odd = [finding for finding in placed if finding.kind in _OF_FIGURES and finding.row]
    return {finding.span: _mark(finding, finding.accepted) for finding in (*readings, *odd)}


def _mark(finding: Finding, accepted: Accepted | None) -> Mark:
    if finding.kind is FindingKind.READING:
        return Mark(finding.printed, "", READ_AS, finding.computed)
    is_inferred = finding.kind is FindingKind.NUMBER and finding.severity is Severity.WARNING
    label = INFERRED if is_inferred else BY_THE_RULES
    if accepted is None:
        return Mark(finding.printed, "", label, finding.computed)
    match accepted.prints:
        case Print.PRINTED:
            return Mark(finding.printed, accepted.reason, label, finding.computed)
        case Print.COMPUTED:
            computed = with_figure(finding.printed, finding.computed)
            return Mark(computed, accepted.reason, PRINTED, finding.printed)
        case Print.BOTH:
            return Mark(f"{finding.printed} / {finding.computed}", accepted.reason, "", "")


def with_figure(printed: str, computed: str) -> str:
    """The computed figure in its place: a cell such as "+2 (13%)" holds more than the figure that was compared."""
    held = re.fullmatch(r"(.*\()[^()]*%(\).*)", printed)
    return f"{held[1]}{computed}{held[2]}" if held else computed
