"""What a page shows where a printed number and the rules differ: the figure to print, and a footnote.

In: a CheckReport. Out: a Mark for each printed place with a finding.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from refgen.checks.finding import Accepted, CheckReport, Finding, FindingKind, Print
from refgen.span import Span

BY_THE_RULES = "By the rules"
PRINTED = "Printed"


@dataclass(frozen=True, slots=True)
class Mark:
    """What to print in the place of a figure, why, and the figure that is not printed.

    ``text`` is the document's own unless an erratum says otherwise. ``label`` says what ``other`` is: "By the rules",
    or "Printed"; both are "" when ``text`` holds both figures.
    """

    text: str
    reason: str
    label: str
    other: str


def marks(report: CheckReport) -> Mapping[Span, Mark]:
    """The marks of all cells and facts that a finding is about."""
    return {
        finding.span: _mark(finding, finding.accepted)
        for finding in report.findings
        if finding.kind in (FindingKind.NUMBER, FindingKind.ROUNDING) and finding.row
    }


def _mark(finding: Finding, accepted: Accepted | None) -> Mark:
    if accepted is None:
        return Mark(finding.printed, "", BY_THE_RULES, finding.computed)
    match accepted.prints:
        case Print.PRINTED:
            return Mark(finding.printed, accepted.reason, BY_THE_RULES, finding.computed)
        case Print.COMPUTED:
            computed = _with_figure(finding.printed, finding.computed)
            return Mark(computed, accepted.reason, PRINTED, finding.printed)
        case Print.BOTH:
            return Mark(f"{finding.printed} / {finding.computed}", accepted.reason, "", "")


def _with_figure(printed: str, computed: str) -> str:
    """The computed figure in its place: a cell such as "+2 (13%)" holds more than the figure that was compared."""
    held = re.fullmatch(r"(.*\()[^()]*%(\).*)", printed)
    return f"{held[1]}{computed}{held[2]}" if held else computed
