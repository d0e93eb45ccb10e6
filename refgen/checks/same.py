"""One cause, one finding: what several checks find of one printed number, with the same number that would agree.

In: the findings of all checks. Out: the same, each printed number once for each number that would agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from refgen.checks.finding import Finding, FindingKind, Severity

_SURE = (Severity.ERROR, Severity.WARNING, Severity.NOTE)


def merged(findings: Sequence[Finding]) -> Sequence[Finding]:
    """Findings at one place with one answer, together: the surest of them, which lists the others."""
    groups: dict[object, list[Finding]] = {}
    for finding in findings:
        key = (finding.span, finding.printed, finding.computed) if _is_of_a_number(finding) else finding.id
        groups.setdefault(key, []).append(finding)
    return [_together(group) for group in groups.values()]


def _is_of_a_number(finding: Finding) -> bool:
    return finding.kind is not FindingKind.NOT_COMPARED and finding.row != ""


def _together(group: Sequence[Finding]) -> Finding:
    surest, *others = sorted(group, key=lambda finding: (_SURE.index(finding.severity), finding.kind))
    rules = dict.fromkeys(finding.rule for finding in (surest, *others))
    sources = dict.fromkeys(span for finding in (surest, *others) for span in finding.sources)
    if not others:
        return surest
    ids = tuple(finding.id for finding in others)
    return replace(surest, rule="; ".join(rules), sources=tuple(sources), also=ids)
