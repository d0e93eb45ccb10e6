"""Check reports as JSON and as text, and the public Report.

In: CheckReports. Out: plain data, lines for a person, or a Report, which has all formats as methods.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Literal

from typing_extensions import TypedDict

from refgen.checks.finding import CheckReport, Counted, Extent, Finding, FindingKind, Print, Severity
from refgen.errors import RefgenError
from refgen.export.model import Count, Exact, Place, data_of, json_text, notebook_html


class ExtentData(TypedDict):
    """How many of all numbers of the documents are compared; before any system.toml, how many tables with dice."""

    counted: Counted
    compared: Count
    total: Count


class CheckSummary(TypedDict):
    """The numbers of comparisons of a system, and the counts of their verdicts.

    ``extent`` is null for a system whose documents cannot be read.
    """

    system: str
    extent: ExtentData | None
    compared: int
    agree: int
    rounding: int
    accepted: int
    open: int
    questions: int
    errors: int


class AcceptedData(TypedDict):
    """Why a finding is accepted, and what play aids print in its place."""

    reason: str
    print: Print


class RelatedFindingData(TypedDict):
    """A finding within another finding: an effect of the same wrong number, or a rival that may be wrong instead."""

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
    effects: list[RelatedFindingData]
    rivals: list[RelatedFindingData]
    lapsed: str


class ErrorData(TypedDict):
    """An error of a file: the file cannot be read, or an entry in it cannot be worked out."""

    system: str
    message: str
    hint: str
    span: Place | None


class CheckData(TypedDict):
    """The output of ``refgen check --format json``, and ``check.json`` of a build."""

    schema: Literal["refgen/check/2"]
    summary: list[CheckSummary]
    findings: list[FindingData]
    errors: list[ErrorData]


def check_data(reports: Sequence[CheckReport]) -> CheckData:
    """The reports of some games."""
    return CheckData(
        schema="refgen/check/2",
        summary=[_summary(report) for report in reports],
        findings=[_finding(finding) for report in reports for finding in report.findings],
        errors=[data_of(ErrorData, error, system=report.system) for report in reports for error in report.errors],
    )


def _summary(report: CheckReport) -> CheckSummary:
    counts = {name: len(getattr(report, name)) for name in ("accepted", "open", "questions", "errors")}
    extent = data_of(ExtentData, report.extent) if report.extent else None
    return data_of(CheckSummary, report, agree=report.agreeing, extent=extent, **counts)


def _finding(finding: Finding) -> FindingData:
    accepted = finding.accepted
    return data_of(
        FindingData,
        finding,
        message=sentence(finding),
        accepted=AcceptedData(reason=accepted.reason, print=accepted.prints) if accepted else None,
        effects=[_related_data(one) for one in finding.effects],
        rivals=[_related_data(one) for one in finding.rivals],
    )


def _related_data(finding: Finding) -> RelatedFindingData:
    return data_of(RelatedFindingData, finding, message=sentence(finding))


def report_lines(reports: Sequence[CheckReport]) -> Iterator[str]:
    """A line for each place of each finding, as compilers write them, then a summary line for each system."""
    for report in reports:
        for one in (one for finding in report.findings for one in finding.at_each_place):
            yield f"{one.span}: {weight(one)}: {sentence(one)} [{one.id}]"
    yield from (summary(report) for report in reports)


def weight(finding: Finding) -> str:
    """How sure a finding is, or that it is accepted, in a word."""
    return "accepted" if finding.accepted else finding.severity.value


def error_lines(errors: Sequence[RefgenError]) -> Iterator[str]:
    """A line for each error, with its hint."""
    yield from (f"{error}. {error.hint}".rstrip() for error in errors)


def summary(report: CheckReport) -> str:
    """The last line of a report: how much of the documents it reaches, and the counts of its comparisons."""
    more = {"question": len(report.questions), "error": len(report.errors)}
    counts = (f", {count} {what}{'s' * (count > 1)}" for what, count in more.items() if count)
    return (
        f"{report.system}: {_extent_text(report.extent)}{report.compared} comparisons, {report.agreeing} agree, "
        f"{report.rounding} rounding, {len(report.accepted)} accepted, {len(report.open)} open{''.join(counts)}"
    )


_EXTENTS = {
    Counted.NUMBERS: "{one.compared} of {one.total} numbers compared; ",
    Counted.TABLES_WITH_DICE: "{one.compared} of {one.total} tables with dice checked; ",
}


def _extent_text(extent: Extent | None) -> str:
    return _EXTENTS[extent.counted].format(one=extent) if extent else ""


def sentence(finding: Finding) -> str:
    """A finding as a sentence: place, print, the number that would agree, the rule, and how sure the rule is."""
    return " ".join([_number_sentence(finding), *_rival_sentence(finding)])


def _rival_sentence(finding: Finding) -> Iterator[str]:
    """A sentence that names the rivals of a finding: one of all these places is wrong."""
    if finding.rivals:
        *some, last = ("this", *(f"{one.id} at {one.span}" for one in finding.rivals))
        yield f"Either {', '.join(some)} or {last} is wrong; nothing says which."


_WORDS = {
    FindingKind.NAME: "{where}: printed {one.printed}, expected {one.computed}: {one.rule}.",
    FindingKind.SOURCE: "{where}: {one.rule}: {one.printed}; read as: {one.computed}.",
    FindingKind.ERRATUM: "{one.rule}.",
    FindingKind.ROLLED_ANEW: "{one.rule}.",
    FindingKind.LINK: "{one.printed}: {one.rule}.",
    FindingKind.PLACEHOLDER: "{one.printed}: {one.rule}.",
    FindingKind.READING: "{where}: printed {one.printed}, read as {one.computed}: {one.rule}.",
    FindingKind.FAULT: '"{one.printed}": {one.rule}',
    FindingKind.UNDECIDED: "{where}: {one.printed} may be {one.computed} as well: {one.rule}.",
    FindingKind.CHANCE: "{where}: printed {one.printed}, nearest {one.computed}: {one.rule}.",
    FindingKind.NOT_COMPARED: "{where}: not compared: {one.rule}.",
}


def _number_sentence(finding: Finding) -> str:
    """The words of a finding about its own number."""
    place = _place_text(finding)
    if words := _WORDS.get(finding.kind):
        return " ".join([words.format(where=place, one=finding), *_consequences(finding)])
    match finding.kind:
        case FindingKind.PIN:
            return f"{place}: {_pinned_text(finding)}; `refgen check {finding.system} --pin` takes it as it is."
        case FindingKind.STRUCTURE:
            expected = f"{place}: printed {finding.printed or 'a blank'}, expected {finding.computed}"
            return " ".join([f"{expected}.", f"Rule: {finding.rule}.", *_consequences(finding)])
    differ = f"{place}: printed {finding.printed or 'a blank'}, {_origin(finding)} {finding.computed}"
    return " ".join(
        [f"{differ}{_exact_text(finding)}.", f"Rule: {finding.rule}.", _certainty(finding), *_consequences(finding)]
    )


def _consequences(finding: Finding) -> Iterator[str]:
    """The reason of errata, the other checks that find the same number, and the findings that the number explains."""
    if finding.lapsed:
        yield f"Its erratum lapsed: {finding.lapsed}."
    if finding.also:
        yield f"Found by {', '.join(finding.also)} as well."
    if finding.effects:
        yield f"With it go {', '.join(f'{one.id} at {one.span}' for one in finding.effects)}."
    if finding.accepted:
        yield f"Accepted: {finding.accepted.reason}"


def _pinned_text(finding: Finding) -> str:
    """The print and the pinned text, as far as each exists, and what changed between them."""
    said = [f"printed {finding.printed}"] if finding.printed else []
    said += [f"pinned {finding.computed}"] if finding.computed else []
    return ": ".join(filter(None, (", ".join(said), finding.rule)))


def _place_text(finding: Finding) -> str:
    """The table, and the row and column in it; a number in prose goes by its title."""
    if not finding.title:
        return finding.column or finding.table
    row = f", row {finding.row}" if finding.row else ""
    column = f", column {finding.column}" if finding.column else ""
    return f"{finding.title}{row}{column}"


def _origin(finding: Finding) -> str:
    """The origin of the number that a print is compared with."""
    is_pattern = finding.kind is FindingKind.NUMBER and finding.severity is not Severity.ERROR
    return "by the pattern" if is_pattern else "by the rules"


def _exact_text(finding: Finding) -> str:
    if not finding.decimal:
        return ""
    shown = Fraction(re.sub(r"[,%]", "", finding.decimal)) / (100 if finding.decimal.endswith("%") else 1)
    is_all = shown == Fraction(finding.exact)
    return f" (exactly {finding.decimal})" if is_all else f" (exactly {finding.exact}, about {finding.decimal})"


def _certainty(finding: Finding) -> str:
    """How sure a finding is, in words."""
    if finding.kind is FindingKind.ROUNDING:
        return "Off by rounding alone."
    if finding.severity is Severity.ERROR:
        return "The document states this rule."
    if finding.severity is Severity.WARNING:
        return "The document does not state this of each figure: it is inferred from the rest of the table."
    return "Most numbers beside it follow this rule, and nothing says that this one must."


@dataclass(frozen=True, slots=True, repr=False)
class Report(CheckReport):
    """The comparisons and findings of a game's checks. ``open`` are the findings that somebody has to decide about.

    ``errors`` are the errors of the game's files; each has a message, a span (or None) and a hint.
    """

    @classmethod
    def of(cls, report: CheckReport) -> Report:
        """A CheckReport that can be written down."""
        return cls(**{field.name: getattr(report, field.name) for field in fields(report)})

    def __repr__(self) -> str:
        return f"<Report {summary(self)}>"

    def __str__(self) -> str:
        """A line for each error and for each finding, then a summary."""
        return "\n".join([*error_lines(self.errors), *report_lines([self])])

    def to_json(self) -> str:
        """The report as ``refgen check GAME --format json`` prints it."""
        return json_text(check_data([self]))

    def _repr_html_(self) -> str:
        errors = list(error_lines(self.errors))
        findings = [(finding, sentence(finding)) for found in self.findings for finding in found.at_each_place]
        return notebook_html("report", summary=summary(self), errors=errors, findings=findings)
