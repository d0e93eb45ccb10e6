"""A check report as annotations of GitHub Actions: workflow commands that mark lines of a change.

In: CheckReports, and the folder of each game. Out: a line for each error and each place of a finding; what errata
accept is only a notice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from refgen.checks.finding import CheckReport, Finding, Severity
from refgen.errors import RefgenError
from refgen.export.check_text import path_of, sentence, summary
from refgen.span import Span

ERROR = "bad input"
"""The title of an error, which is no finding and has no id."""

COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def github_report(reports: Sequence[CheckReport], folders: Mapping[str, Path] | None = None) -> Iterator[str]:
    """The workflow commands, then the summary lines."""
    for report in reports:
        yield from (_error(report.system, error, folders or {}) for error in report.errors)
        each = (one for finding in report.findings for one in finding.at_each_place)
        yield from (_command(one, folders or {}) for one in each)
    yield from (summary(report) for report in reports)


def _command(finding: Finding, folders: Mapping[str, Path]) -> str:
    command = "notice" if finding.accepted else COMMANDS[finding.severity]
    places = _places(finding.system, finding.span, folders)
    return f"::{command} {_properties({**places, 'title': finding.id})}::{_data(sentence(finding))}"


def _error(system: str, error: RefgenError, folders: Mapping[str, Path]) -> str:
    places = {} if error.span is None else _places(system, error.span, folders)
    return f"::error {_properties({**places, 'title': ERROR})}::{_data(f'{error.message}. {error.hint}'.rstrip())}"


def _places(system: str, span: Span, folders: Mapping[str, Path]) -> dict[str, str]:
    places = {"file": path_of(system, span, folders), "line": str(span.line), "col": str(span.column)}
    return places | ({"endColumn": str(span.end_column)} if span.end_line == span.line else {})


def _properties(values: Mapping[str, str]) -> str:
    return ",".join(f"{name}={_property(value)}" for name, value in values.items())


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
