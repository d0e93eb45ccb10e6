"""Marks of printed numbers that differ from the rules: the figure to print, and a footnote.

In: the findings of checks. Out: a Mark for each printed place with a finding.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from refgen.checks.finding import Accepted, Finding, FindingKind, Print, Severity
from refgen.span import Span

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
