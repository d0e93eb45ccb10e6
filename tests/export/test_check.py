"""The four formats of a report: each lists the same findings, and fits what reads it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel
from sarif_pydantic import Sarif

from refgen.checks.finding import CheckReport, Counted, Extent, FindingKind
from refgen.checks.run import check
from refgen.export.check import Report, check_data, report_lines, sentence
from refgen.export.sarif import github_report, sarif_report
from tests.checks.small import checked
from tests.conftest import SYSTEMS, computed, ours

ERRATUM = """\
[[errata]]
finding = "mirror/+1"
printed = "75%"
computed = "80%"
reason = "100%: a bridge, not a boat."
"""


@pytest.fixture
def report(tmp_path: Path) -> CheckReport:
    """A report with an error, a warning, and a warning that is accepted."""
    return checked(tmp_path, ("hold 6", "hold 8"), ("25%", "20%"), errata=ERRATUM)


@cache
def all_reports() -> list[CheckReport]:
    return [check(ours(system), computed(system)) for system in SYSTEMS]


def test_the_text_has_place_weight_sentence_and_id(report: CheckReport) -> None:
    assert list(report_lines([report])) == [
        "crossing/rules.md:4:49: error: Travellers: printed 8, by the rules 6. Rule: Two boats for 3 each. "
        "The document states this rule. [hold]",
        "crossing/rules.md:8:10: warning: Odds, row -1, column Odds: printed 20%, by the pattern 25%. "
        "Rule: the chances of opposite numbers add up to 100%. "
        "The document does not state this of each figure: it is inferred from the rest of the table. [mirror/-1]",
        "crossing/rules.md:10:10: accepted: Odds, row +1, column Odds: printed 75%, by the pattern 80%. "
        "Rule: the chances of opposite numbers add up to 100%. "
        "The document does not state this of each figure: it is inferred from the rest of the table. "
        "Accepted: 100%: a bridge, not a boat. [mirror/+1]",
        "crossing: 15 comparisons, 12 agree, 0 rounding, 1 accepted, 2 open",
    ]


def test_a_report_says_how_many_of_all_numbers_are_compared(report: CheckReport) -> None:
    counted = replace(report, extent=Extent(Counted.NUMBERS, 13, 40))
    *_, last = report_lines([counted])
    assert last == "crossing: 13 of 40 numbers compared; 15 comparisons, 12 agree, 0 rounding, 1 accepted, 2 open"
    extent = {"counted": "numbers", "compared": 13, "total": 40}
    assert check_data([counted])["summary"][0]["extent"] == extent


@pytest.mark.slow
def test_a_figure_off_by_rounding_says_how_the_others_are_rounded() -> None:
    lines = list(report_lines([check(ours("interactive-history"), computed("interactive-history"))]))
    (line,) = [line for line in lines if "[technology-years/very-hard/normal-after]" in line]
    assert line.partition(": warning: ")[2] == (
        "Strategic technological advance, row Very hard, column Normal after: printed 5, by the rules 6 "
        "(exactly 50/9, about 5.56). Rule: one divided by the chance, as printed; the other 2 figures are rounded "
        "half-up. Off by rounding alone. [technology-years/very-hard/normal-after]"
    )


def test_the_json_has_all_that_the_sentence_says(report: CheckReport) -> None:
    data = check_data([report])
    assert data["schema"] == "refgen/check/2"
    assert data["summary"] == [
        {
            "system": "crossing",
            "extent": None,
            "compared": 15,
            "agree": 12,
            "rounding": 0,
            "accepted": 1,
            "open": 2,
            "questions": 0,
            "errors": 0,
        }
    ]
    assert dict(data["findings"][0]) == {
        "id": "hold",
        "kind": "number",
        "system": "crossing",
        "table": "facts",
        "title": "",
        "row": "hold",
        "column": "Travellers",
        "printed": "8",
        "computed": "6",
        "exact": "6",
        "decimal": "",
        "rule": "Two boats for 3 each",
        "severity": "error",
        "message": sentence(report.findings[0]),
        "span": {"file": "crossing/rules.md", "line": 4, "column": 49},
        "sources": [
            {"file": "crossing/rules.md", "line": 4, "column": 1},
            {"file": "crossing/rules.md", "line": 4, "column": 17},
        ],
        "accepted": None,
        "also": [],
        "effects": [],
        "rivals": [],
        "lapsed": "",
    }
    assert data["findings"][2]["accepted"] == {"reason": "100%: a bridge, not a boat.", "print": "printed"}


def test_annotations_are_workflow_commands_and_what_is_accepted_a_notice(report: CheckReport) -> None:
    commands = [line.partition("::")[2].partition(" ")[0] for line in github_report([report]) if line.startswith("::")]
    assert commands == ["error", "warning", "notice"]


def test_annotations_escape_what_would_end_a_property_or_the_line(tmp_path: Path) -> None:
    report = checked(
        tmp_path,
        ("hold 6", "hold 5"),
        errata=ERRATUM.replace("mirror/+1", "hold")
        .replace("75%", "5")
        .replace("80%", "6")
        .replace("boat.", "boat:\\r\\nno, none."),
    )
    line = next(github_report([report]))
    properties, _, message = line.removeprefix("::notice ").partition("::")
    assert properties == "file=crossing/rules.md,line=4,col=49,endColumn=50,title=hold"
    assert message.endswith("Accepted: 100%25: a bridge, not a boat:%0D%0Ano, none.")
    assert "\n" not in line


def test_a_file_name_with_colons_and_commas_stays_one_property(report: CheckReport) -> None:
    line = next(github_report([report], {"crossing": Path("/a,b:c%d/crossing")}))
    assert "file=/a%2Cb%3Ac%25d/crossing/rules.md,line=4" in line


def test_files_go_by_their_path_from_the_current_folder(
    report: CheckReport, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path.parent)
    folders = {"crossing": tmp_path / "crossing"}
    file = f"{tmp_path.name}/crossing/rules.md"
    assert f"file={file}," in next(github_report([report], folders))
    assert uri(report, folders) == file


def uri(report: CheckReport, folders: Mapping[str, Path]) -> str:
    """The place of the file of the first finding."""
    (run,) = sarif_report([report], folders)["runs"]
    found: str = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    return found


def test_files_outside_of_the_current_folder_have_absolute_addresses(
    report: CheckReport, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "else where").mkdir()
    monkeypatch.chdir(tmp_path / "else where")
    assert uri(report, {"crossing": tmp_path / "crossing"}) == (tmp_path / "crossing" / "rules.md").as_uri()
    finding = replace(report.open[0], span=replace(report.open[0].span, file=str(tmp_path / "else where" / "é.md")))
    assert uri(replace(report, findings=(finding,)), {"crossing": tmp_path / "crossing"}) == "%C3%A9.md"


NOT_IN_THE_MODEL = {"columnKind": "SARIF 2.1.0, 3.14.17", "suppressions": "SARIF 2.1.0, 3.27.23"}
"""What the standard has, and where, and the package's model of it has not; checked by hand below."""


def surplus(value: object, path: str = "log") -> Iterator[str]:
    """Every key that the SARIF model does not know."""
    if isinstance(value, BaseModel):
        yield from (f"{path}.{key}" for key in value.model_extra or ())
        for name in type(value).model_fields:
            yield from surplus(getattr(value, name), f"{path}.{name}")
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from surplus(item, f"{path}[{number}]")


@pytest.mark.slow
def test_sarif_is_what_the_standard_asks_for(report: CheckReport) -> None:
    data: Any = json.loads(json.dumps(sarif_report([report, *all_reports()])))
    log = Sarif.model_validate(data)
    assert {key.rpartition(".")[2] for key in surplus(log)} == set(NOT_IN_THE_MODEL)
    assert data["version"] == "2.1.0"
    assert data["$schema"].endswith("sarif-2.1.0.json")
    (run,) = data["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    driver = run["tool"]["driver"]
    assert driver["name"] == "refgen"
    assert driver["informationUri"] == "urn:refgen:check"
    assert {rule["id"] for rule in driver["rules"]} == {*FindingKind}
    for rule in driver["rules"]:
        assert all(rule[key]["text"] for key in ("shortDescription", "fullDescription", "help"))
    for result in run["results"]:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert (result["level"] == "none") == (result.get("kind") == "informational")
        assert result["level"] in {"error", "warning", "note", "none"}
        assert result["message"]["text"]
        for suppression in result.get("suppressions", []):
            assert suppression["kind"] == "external"
            assert suppression["justification"]
        for place in [*result["locations"], *result.get("relatedLocations", [])]:
            region = place["physicalLocation"]["region"]
            start, end = (region["startLine"], region["startColumn"]), (region["endLine"], region["endColumn"])
            assert (1, 1) <= start <= end
            assert re.fullmatch(r"[\w/.%-]+", place["physicalLocation"]["artifactLocation"]["uri"])


def test_sarif_suppresses_what_is_accepted_and_knows_a_finding_again(report: CheckReport) -> None:
    (run,) = sarif_report([report])["runs"]
    suppressed = [result.get("suppressions") for result in run["results"]]
    assert suppressed == [None, None, [{"kind": "external", "justification": "100%: a bridge, not a boat."}]]
    prints = [result["partialFingerprints"]["refgenFinding/v1"] for result in run["results"]]
    assert len(set(prints)) == 3
    again = sarif_report([report])["runs"][0]["results"]
    assert [result["partialFingerprints"]["refgenFinding/v1"] for result in again] == prints


@pytest.mark.slow
def test_every_format_lists_the_same_findings(report: CheckReport) -> None:
    reports = [report, *all_reports()]
    ids = [finding.id for own in reports for finding in own.findings]
    assert [line.rpartition("[")[2][:-1] for line in report_lines(reports) if line.endswith("]")] == ids
    assert [finding["id"] for finding in check_data(reports)["findings"]] == ids
    results = sarif_report(reports)["runs"][0]["results"]
    assert [result["properties"]["finding"].partition("/")[2] for result in results] == ids
    titles = [re.search(r"title=([^:]*)::", line) for line in github_report(reports)]
    unescaped = [title[1].replace("%2C", ",").replace("%3A", ":").replace("%25", "%") for title in titles if title]
    assert unescaped == ids


EITHER = "Either this or {} is wrong; nothing says which."


def test_a_finding_that_may_be_at_either_of_two_places_is_shown_at_both(tmp_path: Path) -> None:
    report = checked(tmp_path, ("25%", "24%"))
    (finding,) = report.open
    first, second = finding.at_each_place
    assert (first.id, second.id) == ("mirror/-1", "mirror/+1")
    *lines, told = report_lines([report])
    assert [line.partition(": warning")[0] for line in lines] == ["crossing/rules.md:8:10", "crossing/rules.md:10:10"]
    assert f"{EITHER.format('mirror/+1 at crossing/rules.md:10:10')} [mirror/-1]" in lines[0]
    assert f"{EITHER.format('mirror/-1 at crossing/rules.md:8:10')} [mirror/+1]" in lines[1]
    assert told.endswith("1 open")
    assert [line.partition(",endColumn")[0] for line in github_report([report])][:2] == [
        "::warning file=crossing/rules.md,line=8,col=10",
        "::warning file=crossing/rules.md,line=10,col=10",
    ]
    (data,) = check_data([report])["findings"]
    (rival,) = data["rivals"]
    assert (rival["id"], rival["printed"], rival["computed"], rival["span"]["line"]) == ("mirror/+1", "75%", "76%", 10)
    (result,) = sarif_report([report])["runs"][0]["results"]
    other, *sources = result["relatedLocations"]
    assert result["message"]["text"].endswith("nothing says which. [Or here](1).")
    assert (other["id"], other["physicalLocation"]["region"]["startLine"]) == (1, 10)
    assert other["message"]["text"] == sentence(finding.rivals[0])
    assert sources


@pytest.fixture
def failed(tmp_path: Path) -> CheckReport:
    """A report of a document with a cell that cannot be read, so that two checks could not compare."""
    return checked(tmp_path / "failed", ("50%", "half: 50%"))


MESSAGE = '"half: 50%" is not a percentage'


def test_every_format_has_what_is_wrong_with_files(failed: CheckReport, tmp_path: Path) -> None:
    (error,) = failed.errors
    assert (error.message, str(error.span)) == (MESSAGE, "crossing/rules.md:9:10")
    assert next(report_lines([failed])) == (f"crossing/rules.md:9:10: error: mirror: not compared: {MESSAGE}. [mirror]")
    assert list(report_lines([failed]))[-1].endswith("2 open, 1 error")
    assert str(Report.of(failed)).splitlines()[0] == f"crossing/rules.md:9:10: {MESSAGE}. {error.hint}"
    place = {"file": "crossing/rules.md", "line": 9, "column": 10}
    data = check_data([failed])
    assert data["errors"] == [{"system": "crossing", "message": MESSAGE, "hint": error.hint, "span": place}]
    assert data["summary"][0]["errors"] == 1
    assert next(github_report([failed])) == (
        "::error file=crossing/rules.md,line=9,col=10,endColumn=19,title=bad input::"
        f"{MESSAGE.replace('%', '%25')}. {error.hint.replace('%', '%25')}"
    )


def test_sarif_has_them_as_notifications_of_the_tool(failed: CheckReport, report: CheckReport) -> None:
    log: Any = json.loads(json.dumps(sarif_report([failed])))
    own = {key.rpartition(".")[2] for key in surplus(Sarif.model_validate(log))} - set(NOT_IN_THE_MODEL)
    assert own == {"toolExecutionNotifications"}  # SARIF 2.1.0, 3.20.21
    (invocation,) = log["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    (told,) = invocation["toolExecutionNotifications"]
    assert told["level"] == "error"
    assert told["message"]["text"].startswith(MESSAGE)
    assert told["locations"][0]["physicalLocation"]["region"]["startLine"] == 9
    assert "invocations" not in sarif_report([report])["runs"][0]


@pytest.mark.slow
def test_no_sentence_is_cut_or_padded() -> None:
    for report in all_reports():
        for finding in report.findings:
            said = sentence(finding)
            assert said == " ".join(said.split())
            assert said.endswith((".", '."'))
            assert "{" not in said
