"""A check report as text or JSON.

In: CheckReports. Out: the text for a person, or data for a machine (``schema`` names its shape and version).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from refgen.checks.finding import CheckReport, Finding, FindingKind

SCHEMA = "refgen/check/1"


def text_report(reports: Sequence[CheckReport]) -> Iterator[str]:
    """A line for each finding, as compilers write them, then a summary line for each system."""
    for report in reports:
        for finding in report.findings:
            yield f"{finding.span}: {finding.severity}: {sentence(finding)}"
    for report in reports:
        yield (f"{report.system}: {report.compared} compared, {report.agreeing} agree, {len(report.open)} findings")


def sentence(finding: Finding) -> str:
    """What a finding says, in one sentence."""
    where = ", ".join(part for part in (finding.table, finding.row, finding.column) if part)
    if finding.kind is FindingKind.SOURCE:
        return f"{where}: {finding.rule}: {finding.printed}; read as: {finding.computed}"
    return f"{where}: printed {finding.printed or 'nothing'}, computed {finding.computed} ({finding.rule})"


def json_report(reports: Sequence[CheckReport]) -> dict[str, Any]:
    """The report as plain data."""
    return {
        "schema": SCHEMA,
        "summary": [
            {
                "system": report.system,
                "compared": report.compared,
                "agree": report.agreeing,
                "open": len(report.open),
            }
            for report in reports
        ],
        "findings": [_as_data(finding) for report in reports for finding in report.findings],
    }


def _as_data(finding: Finding) -> dict[str, Any]:
    return {
        "id": finding.id,
        "kind": finding.kind.value,
        "system": finding.system,
        "table": finding.table,
        "row": finding.row,
        "column": finding.column,
        "printed": finding.printed,
        "computed": finding.computed,
        "exact": finding.exact,
        "rule": finding.rule,
        "severity": finding.severity.value,
        "span": {"file": finding.span.file, "line": finding.span.line, "column": finding.span.column},
    }
