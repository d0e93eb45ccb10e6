"""A check report as annotations of GitHub Actions: workflow commands that mark lines of a change.

In: CheckReports, and the folder of each game. Out: a line for each finding; what errata accept is only a notice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from refgen.checks.finding import CheckReport, Finding, Severity
from refgen.export.check_text import path_of, sentence, summary

COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def github_report(reports: Sequence[CheckReport], folders: Mapping[str, Path] | None = None) -> Iterator[str]:
    """The workflow commands, then the summary lines."""
    for report in reports:
        yield from (_command(finding, folders or {}) for finding in report.findings)
    yield from (summary(report) for report in reports)


def _command(finding: Finding, folders: Mapping[str, Path]) -> str:
    span = finding.span
    places = {"file": path_of(finding.system, span, folders), "line": str(span.line), "col": str(span.column)}
    if span.end_line == span.line:
        places["endColumn"] = str(span.end_column)
    properties = ",".join(f"{name}={_property(value)}" for name, value in {**places, "title": finding.id}.items())
    command = "notice" if finding.accepted else COMMANDS[finding.severity]
    return f"::{command} {properties}::{_data(sentence(finding))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
