"""Check reports for code hosts and editors: SARIF 2.1.0, and annotations of GitHub Actions.

In: CheckReports, and the folder of each game. Out: a log as plain data, which shows findings beside the text (the
standard: OASIS, Static Analysis Results Interchange Format 2.1.0); or workflow commands that mark lines of a change: a
line for each error and each place of a finding, where what errata accept is only a notice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import quote

from refgen.checks.finding import CheckReport, Finding, FindingKind, Severity
from refgen.errors import RefgenError
from refgen.export.check import sentence, summary, weight
from refgen.span import Span

VERSION = "2.1.0"
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

INFORMATION = "urn:refgen:check"
"""The ``informationUri``, which must be absolute: a name, as the ``$id`` of schemas is, for refgen has no address."""

RULES: dict[FindingKind, str] = {
    FindingKind.NUMBER: "A printed number does not follow from the rules.",
    FindingKind.ROUNDING: "A printed number is rounded otherwise than the rest of its table.",
    FindingKind.CHANCE: "A percentage is none that its dice can give.",
    FindingKind.STRUCTURE: "A row is missing, stands there twice or in the wrong place.",
    FindingKind.NAME: "The name of a row has a character that nobody sees or of another script, or stands twice.",
    FindingKind.READING: "A print is read as something else than it says.",
    FindingKind.SOURCE: "The document has a defect here, and is read around it.",
    FindingKind.ERRATUM: "An erratum accepts nothing.",
    FindingKind.NOT_COMPARED: "Printed numbers could not be compared.",
    FindingKind.LINK: "A link leads where none must, and is not followed; or two places have the same id.",
    FindingKind.PLACEHOLDER: "Words that were to be replaced or filled are shown as they stand.",
    FindingKind.ROLLED_ANEW: "A formula names a roll in two questions, and rolls separately for each.",
    FindingKind.FAULT: "The format of the document drops or mends this in silence.",
    FindingKind.UNDECIDED: "A number has a mark that may stand before decimals or between thousands.",
    FindingKind.PIN: "A number that the game decrees is not as it was pinned.",
}
"""What each kind of finding says, in a sentence."""

_MEND = "Mend the document, or the entry of system.toml or proof.toml that is compared with it."
_ACCEPT = "`refgen check GAME --accept ID --reason TEXT` accepts a finding that is to stay."

REMEDIES: dict[FindingKind, str] = {
    FindingKind.NUMBER: f"{_MEND} {_ACCEPT}",
    FindingKind.ROUNDING: f"{_MEND} {_ACCEPT}",
    FindingKind.CHANCE: f"Mend the percentage, or the dice in the head or title of its table. {_ACCEPT}",
    FindingKind.STRUCTURE: f"{_MEND} {_ACCEPT}",
    FindingKind.NAME: f"Type the name anew, or give the row another name. {_ACCEPT}",
    FindingKind.READING: "Reword the cell, unless the reading under `read` in system.toml is what it means.",
    FindingKind.SOURCE: f"Mend the document, and take the entry under `defects` out of system.toml. {_ACCEPT}",
    FindingKind.ERRATUM: "Take the entry out of errata.toml, or mend its finding, printed and computed texts.",
    FindingKind.NOT_COMPARED: "Mend the file that the finding names; then the numbers are compared.",
    FindingKind.LINK: "Mend the link, or give one of the two places another id.",
    FindingKind.PLACEHOLDER: "Replace the words in system.toml; names in braces are filled in play aids alone.",
    FindingKind.ROLLED_ANEW: "Ask both in one question, or give a throw a name, if the same roll is meant.",
    FindingKind.FAULT: f"Write what is to be shown in another form of the same format. {_ACCEPT}",
    FindingKind.UNDECIDED: "Say how the document writes numbers, or its language, under `document` in system.toml.",
    FindingKind.PIN: "Undo the change, or take it as it is: `refgen check GAME --pin` writes pins.toml anew.",
}
"""What to do about each kind of finding."""

LEVELS = {
    Severity.ERROR: {"level": "error"},
    Severity.WARNING: {"level": "warning"},
    Severity.QUESTION: {"level": "note"},
    Severity.REMARK: {"kind": "informational", "level": "none"},
}
"""The level of a result, and its kind where that is not "fail" (3.27.9): what is no failure has the level "none"."""


def sarif_report(reports: Sequence[CheckReport], folders: Mapping[str, Path] | None = None) -> dict[str, Any]:
    """The report as a SARIF log with one run; what errata accept is a suppressed result, an error a notification.

    ``folders`` are those of the games, so that files go by their path from the current folder.
    """
    results = [_result(finding, folders or {}) for report in reports for finding in report.findings]
    wrong = [_notification(report.system, error, folders or {}) for report in reports for error in report.errors]
    invocation = {"executionSuccessful": not wrong, "toolExecutionNotifications": wrong}
    rules = [_rule(kind, text) for kind, text in RULES.items()]
    driver = {"name": "refgen", "version": version("refgen"), "informationUri": INFORMATION, "rules": rules}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    run |= {"invocations": [invocation]} if wrong else {}
    return {"$schema": SCHEMA, "version": VERSION, "runs": [run]}


def _rule(kind: FindingKind, text: str) -> dict[str, Any]:
    """A kind of finding; GitHub asks for the full description and the help of each."""
    remedy = REMEDIES[kind]
    return {
        "id": kind.value,
        "shortDescription": {"text": text},
        "fullDescription": {"text": f"{text} {remedy}"},
        "help": {"text": remedy},
    }


def _notification(system: str, error: RefgenError, folders: Mapping[str, Path]) -> dict[str, Any]:
    """A failure of the tool itself: no result, but a part of the log that viewers show."""
    notification: dict[str, Any] = {"level": "error", "message": {"text": f"{error.message}. {error.hint}".rstrip()}}
    if error.span is not None:
        path = _path_of(system, error.span, folders)
        notification["locations"] = [{"physicalLocation": _location(error.span, path)}]
    return notification


def _result(finding: Finding, folders: Mapping[str, Path]) -> dict[str, Any]:
    def location(span: Span) -> dict[str, Any]:
        return {"physicalLocation": _location(span, _path_of(finding.system, span, folders))}

    name = f"{finding.system}/{finding.id}"
    links = [f"[Or here]({number})." for number, _ in enumerate(finding.rivals, 1)]  # viewers show what is linked
    result: dict[str, Any] = {
        "ruleId": finding.kind.value,
        "ruleIndex": list(RULES).index(finding.kind),
        **LEVELS[finding.severity],
        "message": {"text": " ".join([sentence(finding), *links])},
        "locations": [location(finding.span)],
        "partialFingerprints": {"refgenFinding/v1": sha256(name.encode()).hexdigest()},
        "properties": {"finding": name, "printed": finding.printed, "computed": finding.computed},
    }
    rivals = [
        location(one.span) | {"id": number, "message": {"text": sentence(one)}}
        for number, one in enumerate(finding.rivals, 1)
    ]
    if related := [*rivals, *(location(span) for span in finding.sources)]:
        result["relatedLocations"] = related
    if finding.accepted:
        result["suppressions"] = [{"kind": "external", "justification": finding.accepted.reason}]
    return result


def _location(span: Span, path: str) -> dict[str, Any]:
    region = {"startLine": span.line, "startColumn": span.column}
    region |= {"endLine": span.end_line, "endColumn": span.end_column}
    uri = Path(path).as_uri() if Path(path).is_absolute() else quote(path)
    return {"artifactLocation": {"uri": uri}, "region": region}


ERROR = "bad input"
"""The title of an error, which is no finding and has no id."""

COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning"}
"""The workflow commands of open findings; others are a "notice", whose message begins with what the finding is."""


def github_report(reports: Sequence[CheckReport], folders: Mapping[str, Path] | None = None) -> Iterator[str]:
    """The workflow commands, then the summary lines."""
    for report in reports:
        yield from (_error(report.system, error, folders or {}) for error in report.errors)
        each = (one for finding in report.findings for one in finding.at_each_place)
        yield from (_command(one, folders or {}) for one in each)
    yield from (summary(report) for report in reports)


def _command(finding: Finding, folders: Mapping[str, Path]) -> str:
    command = COMMANDS[finding.severity] if finding.is_open else "notice"
    message = sentence(finding) if finding.is_open else f"{weight(finding)}: {sentence(finding)}"
    places = _places(finding.system, finding.span, folders)
    return f"::{command} {_properties({**places, 'title': finding.id})}::{_data(message)}"


def _error(system: str, error: RefgenError, folders: Mapping[str, Path]) -> str:
    places = {} if error.span is None else _places(system, error.span, folders)
    return f"::error {_properties({**places, 'title': ERROR})}::{_data(f'{error.message}. {error.hint}'.rstrip())}"


def _places(system: str, span: Span, folders: Mapping[str, Path]) -> dict[str, str]:
    places = {"file": _path_of(system, span, folders), "line": str(span.line), "col": str(span.column)}
    return places | ({"endColumn": str(span.end_column)} if span.end_line == span.line else {})


def _properties(values: Mapping[str, str]) -> str:
    return ",".join(f"{name}={_property(value)}" for name, value in values.items())


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _path_of(system: str, span: Span, folders: Mapping[str, Path]) -> str:
    """The file of a span as code hosts know it: from the current folder, where spans only name the system's folder.

    The path of a file elsewhere is absolute.
    """
    inside = span.file.removeprefix(f"{system}/")
    path = folders[system].resolve() / inside if system in folders and inside != span.file else Path(span.file)
    return path.relative_to(Path.cwd()).as_posix() if path.is_relative_to(Path.cwd()) else path.as_posix()
