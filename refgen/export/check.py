"""Check reports as JSON.

In: CheckReports. Out: plain data.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from typing_extensions import TypedDict

from refgen.checks.finding import Accepted, CheckReport, Finding, FindingKind, Print, Severity
from refgen.errors import RefgenError
from refgen.export.check_text import sentence
from refgen.export.model import Exact, Place, place


class CheckSummary(TypedDict):
    """How many printed numbers of a system were compared, and what came of it."""

    system: str
    compared: int
    agree: int
    rounding: int
    accepted: int
    open: int
    errors: int


class AcceptedData(TypedDict):
    """Why a finding is accepted, and what play aids print in its place."""

    reason: str
    print: Print


class OtherData(TypedDict):
    """A finding that goes away with the one that lists it, or whose number may be the wrong one in its place."""

    id: str
    printed: str
    computed: str
    message: str
    span: Place
    sources: list[Place]


class FindingData(TypedDict):
    """A printed number that does not agree with a rule."""

    id: str
    kind: FindingKind
    system: str
    table: str
    title: str
    row: str
    column: str
    printed: str
    computed: str
    exact: Exact | Literal[""]
    decimal: str
    rule: str
    severity: Severity
    message: str
    span: Place
    sources: list[Place]
    accepted: AcceptedData | None
    also: list[str]
    effects: list[OtherData]
    rivals: list[OtherData]
    lapsed: str


class ErrorData(TypedDict):
    """What is wrong with a file: it cannot be read, or what it asks for cannot be worked out."""

    system: str
    message: str
    hint: str
    span: Place | None


class CheckData(TypedDict):
    """What ``refgen check --format json`` prints, and ``check.json`` of a build."""

    schema: Literal["refgen/check/1"]
    summary: list[CheckSummary]
    findings: list[FindingData]
    errors: list[ErrorData]


def check_data(reports: Sequence[CheckReport]) -> CheckData:
    """The reports of some games."""
    return CheckData(
        schema="refgen/check/1",
        summary=[_summary(report) for report in reports],
        findings=[_finding(finding) for report in reports for finding in report.findings],
        errors=[_error(report.system, error) for report in reports for error in report.errors],
    )


def _error(system: str, error: RefgenError) -> ErrorData:
    span = None if error.span is None else place(error.span)
    return ErrorData(system=system, message=error.message, hint=error.hint, span=span)


def _summary(report: CheckReport) -> CheckSummary:
    return CheckSummary(
        system=report.system,
        compared=report.compared,
        agree=report.agreeing,
        rounding=report.rounding,
        accepted=len(report.accepted),
        open=len(report.open),
        errors=len(report.errors),
    )


def _finding(finding: Finding) -> FindingData:
    return FindingData(
        id=finding.id,
        kind=finding.kind,
        system=finding.system,
        table=finding.table,
        title=finding.title,
        row=finding.row,
        column=finding.column,
        printed=finding.printed,
        computed=finding.computed,
        exact=finding.exact,
        decimal=finding.decimal,
        rule=finding.rule,
        severity=finding.severity,
        message=sentence(finding),
        span=place(finding.span),
        sources=[place(span) for span in finding.sources],
        accepted=_accepted(finding.accepted),
        also=list(finding.also),
        effects=[_other(one) for one in finding.effects],
        rivals=[_other(one) for one in finding.rivals],
        lapsed=finding.lapsed,
    )


def _other(finding: Finding) -> OtherData:
    return OtherData(
        id=finding.id,
        printed=finding.printed,
        computed=finding.computed,
        message=sentence(finding),
        span=place(finding.span),
        sources=[place(span) for span in finding.sources],
    )


def _accepted(accepted: Accepted | None) -> AcceptedData | None:
    return None if accepted is None else AcceptedData(reason=accepted.reason, print=accepted.prints)
