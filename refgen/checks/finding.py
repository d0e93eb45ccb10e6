"""Findings of checks, the report of all findings, and the marks that pages set where a printed number differs.

In: comparisons and their verdicts, and further faults of a game. Out: Findings, a CheckReport, a Mark for each place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Any

from refgen.checks.comparison import CheckSubject, JudgedComparison, Verdict
from refgen.errors import RefgenError
from refgen.notation.figures import Rounding
from refgen.span import Span
from refgen.words import ENGLISH, Words


class FindingKind(StrEnum):
    """The kind of thing that a finding is about."""

    NUMBER = "number"
    """A printed number that does not follow from the rules."""
    ROUNDING = "rounding"
    """A printed number that is rounded otherwise than the rest of its table."""
    STRUCTURE = "structure"
    """A table with too few rows or too many, or with a row in the wrong place."""
    NAME = "name"
    """The name of a row that stands twice, or that has a character which nobody sees, or of another script."""
    READING = "reading"
    """A printed text that system.toml reads as something else than it says."""
    SOURCE = "source"
    """A defect of the document itself, which system.toml names and reads around."""
    ERRATUM = "erratum"
    """An erratum that accepts nothing: its finding is gone, or no check can find it."""
    NOT_COMPARED = "not-compared"
    """Printed numbers that could not be compared, because something else is wrong."""
    LINK = "link"
    """A link of the document that pages leave out, showing its words alone; or an id that two places have."""
    PLACEHOLDER = "placeholder"
    """Words of system.toml that were to be replaced, or a name in braces that nothing fills."""
    ROLLED_ANEW = "rolled-anew"
    """A formula that names a roll in two questions, where each mention is rolled separately."""
    FAULT = "fault"
    """Something that the format of the document drops or mends in silence, such as code: pages do not have it."""
    UNDECIDED = "undecided"
    """A number with a mark that may stand before decimals or between thousands."""
    CHANCE = "chance"
    """A percentage that the dice it is printed for cannot give."""
    PIN = "pin"
    """A number that the game sets, and that is not as it was pinned."""


class Severity(StrEnum):
    """How sure a finding is."""

    ERROR = "error"
    """The printed number contradicts a rule that the document states, or could not be compared."""
    WARNING = "warning"
    """The printed number contradicts a pattern of its table, or is rounded otherwise."""
    QUESTION = "question"
    """A note on something doubtful, which a person has to answer: a number that is not as it was pinned."""
    REMARK = "remark"
    """A note that asks nothing: a defect of the document that system.toml reads around."""


NOTES = (Severity.QUESTION, Severity.REMARK)
"""The severities of findings that are not open, whether or not an erratum accepts them."""


class Print(StrEnum):
    """The text that play aids print in the place of a number that differs."""

    PRINTED = "printed"
    COMPUTED = "computed"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Acceptance:
    """The reason of an accepted finding, and the figure that play aids print in place of the number."""

    reason: str
    prints: Print


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding(CheckSubject):
    """A disagreement between a printed text and a rule.

    ``computed`` is the text in the notation of the ``printed`` text that would agree (for a pin, the pinned text; each
    is "" where it is missing). ``exact`` is the unrounded number ("p/q"), ``decimal`` that number with more
    digits than are printed; both are "" where there is no number. ``sources`` are the places that the computed text
    follows from. ``also`` are the ids of further checks that find the same of this number. ``effects`` are findings
    elsewhere that this number causes. ``rivals`` are findings whose number may be wrong instead of this number: mending
    one of the numbers mends all. ``lapsed`` says why an erratum no longer accepts the finding, "" if none did.
    """

    kind: FindingKind
    system: str
    rule: str
    severity: Severity
    computed: str = ""
    exact: str = ""
    decimal: str = ""
    sources: tuple[Span, ...] = ()
    accepted: Acceptance | None = None
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
        about: dict[str, Any] = {part.name: getattr(subject, part.name) for part in fields(subject)}
        return cls(
            **about,
            kind=kind,
            severity=severity,
            system=system,
            rule=rule,
            computed=computed,
            sources=tuple(sources),
        )

    @property
    def is_open(self) -> bool:
        """Whether somebody has to decide about the finding."""
        return self.accepted is None and self.severity not in NOTES

    @property
    def is_asked(self) -> bool:
        """Whether the finding is a question that nobody has answered."""
        return self.accepted is None and self.severity is Severity.QUESTION

    def in_words(self, words: Words) -> Finding:
        """The finding for pages in the language of some words."""
        computed = words.figure(words.said(self.computed))
        return replace(self, printed=words.said(self.printed), computed=computed, rule=words.said(self.rule))

    @property
    def at_each_place(self) -> tuple[Finding, ...]:
        """The finding at its own place, then at the place of each rival, which has this finding among its rivals."""
        alone = (replace(self, rivals=(), effects=()), *self.rivals)
        rivals = (replace(rival, rivals=tuple(one for one in alone if one is not rival)) for rival in self.rivals)
        return (self, *rivals)


class Counted(StrEnum):
    """The things in a document that checks can reach, which an Extent counts."""

    NUMBERS = "numbers"
    """The printed numbers of the documents of a game."""
    TABLES_WITH_DICE = "tables with dice"
    """The tables of a document without a system.toml over whose rows dice are named."""


@dataclass(frozen=True, slots=True)
class Extent:
    """How much of the documents checks reach: ``compared`` of ``total`` numbers, or of tables with dice."""

    counted: Counted
    compared: int
    total: int


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The comparisons and findings of a system's checks, and the rounding rule that each check detected.

    ``errors`` are the faults of its files, each once: parts that could not be read, worked out or checked. ``extent``
    is None where nobody counted, and of a game that cannot be read.
    """

    system: str
    judged: tuple[JudgedComparison, ...]
    findings: tuple[Finding, ...]
    roundings: Mapping[str, Rounding]
    errors: tuple[RefgenError, ...] = ()
    extent: Extent | None = None

    @property
    def compared(self) -> int:
        """How many comparisons there are; a printed number may be compared by several checks."""
        return len(self.judged)

    @property
    def agreeing(self) -> int:
        """In how many comparisons the printed number agrees."""
        return self._count(Verdict.AGREES)

    @property
    def rounding(self) -> int:
        """In how many comparisons the printed number is off by rounding alone."""
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

    @property
    def questions(self) -> tuple[Finding, ...]:
        """The notes that somebody has still to answer."""
        return tuple(finding for finding in self.findings if finding.is_asked)


_OF_FIGURES = (FindingKind.NUMBER, FindingKind.ROUNDING)


@dataclass(frozen=True, slots=True)
class Mark:
    """The text that a page prints for a figure, the reason of the erratum, and the figure that the page leaves out.

    ``text`` is the text of the document unless an erratum says otherwise. ``other`` is the figure that is left out, and
    ``label`` its label: by the rules, inferred, printed, or read as; both are "" if ``text`` has both figures.
    """

    text: str
    reason: str
    label: str
    other: str


def marks(findings: Sequence[Finding], words: Words = ENGLISH) -> Mapping[Span, Mark]:
    """The marks of all cells and facts with a finding, by their places, in some words."""
    readings = [finding for finding in findings if finding.kind is FindingKind.READING]
    placed = (one for finding in findings for one in finding.at_each_place)
    odd = [finding for finding in placed if finding.kind in _OF_FIGURES and finding.row]
    return {finding.span: _mark(finding, finding.accepted, words) for finding in (*readings, *odd)}


def _mark(finding: Finding, accepted: Acceptance | None, words: Words) -> Mark:
    figure = words.figure(words.said(finding.computed))
    if finding.kind is FindingKind.READING:
        return Mark(finding.printed, "", words("read-as"), figure)
    is_inferred = finding.kind is FindingKind.NUMBER and finding.severity is not Severity.ERROR
    label = words("inferred" if is_inferred else "by-the-rules")
    if accepted is None:
        return Mark(finding.printed, "", label, figure)
    match accepted.prints:
        case Print.PRINTED:
            return Mark(finding.printed, accepted.reason, label, figure)
        case Print.COMPUTED:
            computed = with_figure(finding.printed, figure)
            return Mark(computed, accepted.reason, words("printed"), finding.printed)
        case Print.BOTH:
            return Mark(f"{finding.printed} / {figure}", accepted.reason, "", "")


def with_figure(printed: str, computed: str) -> str:
    """The printed text with the computed figure: a cell such as "+2 (13%)" holds more than the compared figure."""
    held = re.fullmatch(r"(.*\()[^()]*%(\).*)", printed)
    return f"{held[1]}{computed}{held[2]}" if held else computed
