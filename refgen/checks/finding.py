"""A finding: a printed number that does not agree with a rule, and all that is needed to judge it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from refgen.source import Span


class FindingKind(StrEnum):
    """What a finding is about."""

    NUMBER = "number"
    """A printed number that does not follow from the rules."""
    STRUCTURE = "structure"
    """A table that does not hold together: a gap, an overlap, a sum."""
    SOURCE = "source"
    """Damage of the document itself, which system.toml names and reads around."""


class Severity(StrEnum):
    """How sure a finding is."""

    ERROR = "error"
    """The print contradicts a rule that the document states."""
    WARNING = "warning"
    """The print is off by less than one unit of its last digit, or breaks the pattern of its own table."""
    NOTE = "note"
    """Nothing to decide: damage of the source that is read around."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One disagreement.

    ``row`` and ``column`` name the cell in its table ("" when the finding is about all of it), ``printed`` and
    ``computed`` are texts in the same notation, ``exact`` is the unrounded number ("p/q", "" when there is none).
    """

    id: str
    kind: FindingKind
    system: str
    table: str
    row: str
    column: str
    printed: str
    computed: str
    exact: str
    rule: str
    severity: Severity
    span: Span


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What the checks of one system found, and how many printed numbers they compared."""

    system: str
    compared: int
    findings: tuple[Finding, ...]

    @property
    def open(self) -> tuple[Finding, ...]:
        """The findings that somebody has to decide about: all but notes."""
        return tuple(finding for finding in self.findings if finding.severity is not Severity.NOTE)

    @property
    def agreeing(self) -> int:
        """How many of the compared numbers agree."""
        return self.compared - len(self.open)
