"""Errata: what is accepted, what is no longer found, and files that are wrong themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from refgen.checks.finding import Print
from refgen.errors import CheckError, RefgenError
from refgen.export.check_text import report_lines
from tests.checks.small import checked

ERRATUM = """\
[[errata]]
finding = "hold"
reason = "One seat is the ferryman's."
"""


def test_an_accepted_finding_is_not_open_and_keeps_its_reason(tmp_path: Path) -> None:
    report = checked(tmp_path, ("hold 6", "hold 5"), errata=ERRATUM)
    (finding,) = report.findings
    assert report.open == ()
    assert finding.accepted is not None
    assert (finding.accepted.reason, finding.accepted.prints) == ("One seat is the ferryman's.", Print.PRINTED)


def test_what_aids_print_is_the_print_unless_the_erratum_says_otherwise(tmp_path: Path) -> None:
    report = checked(tmp_path, ("hold 6", "hold 5"), errata=ERRATUM + 'print = "computed"\n')
    (finding,) = report.accepted
    assert finding.accepted is not None
    assert finding.accepted.prints is Print.COMPUTED


def test_an_erratum_whose_finding_is_gone_is_an_open_finding_at_the_erratum(tmp_path: Path) -> None:
    report = checked(tmp_path, errata=ERRATUM)
    (finding,) = report.open
    assert str(finding.span) == "crossing/errata.toml:2:1"
    assert next(report_lines([report])) == (
        "crossing/errata.toml:2:1: warning: hold is no longer found; its erratum can go. [errata/hold]"
    )


def test_an_erratum_accepts_no_other_finding(tmp_path: Path) -> None:
    report = checked(tmp_path, ("hold 6", "hold 5"), ("58%", "50%"), errata=ERRATUM)
    assert [finding.id for finding in report.open] == ["chance"]


@pytest.mark.parametrize(
    ("title", "text", "place", "message", "hint"),
    [
        ("not TOML", "[[errata]\n", "1:9", "not valid TOML", "toml.io"),
        ("an unknown key", ERRATUM + 'why = "x"\n', "4:1", 'unknown key "errata.0.why"', "Remove it"),
        ("no reason", '[[errata]]\nfinding = "hold"\n', "1:1", 'the key "errata.0.reason" is missing', "Add it"),
        ("an empty reason", ERRATUM.replace("One seat is the ferryman's.", ""), "3:1", "this is empty", ""),
        ("an unknown print", ERRATUM + 'print = "neither"\n', "4:1", 'this is not "printed", "computed" or "both"', ""),
        ("an unknown check", ERRATUM.replace("hold", "holds"), "2:1", 'no check can find "holds"', "mean hold?"),
        ("an unknown row", ERRATUM.replace("hold", "steps/lake"), "2:1", "no check can find", "steps/shoal"),
        ("an unknown table", ERRATUM.replace("hold", "zzz/lake"), "2:1", "no check can find", "refgen check"),
        ("twice the same", ERRATUM + "\n" + ERRATUM, "6:1", '"hold" has two errata', "Keep one"),
        ("a finding of another kind of value", ERRATUM.replace('"hold"', "3"), "2:1", "this is no text", ""),
    ],
)
def test_a_wrong_file_is_an_error_with_its_place(
    tmp_path: Path, title: str, text: str, place: str, message: str, hint: str
) -> None:
    with pytest.raises(RefgenError) as caught:
        checked(tmp_path, ("hold 6", "hold 5"), errata=text)
    assert str(caught.value.span) == f"crossing/errata.toml:{place}", title
    assert message in caught.value.message
    assert hint in caught.value.hint


def test_a_defect_cannot_be_accepted_because_it_needs_no_decision(tmp_path: Path) -> None:
    with pytest.raises(CheckError, match="no check can find"):
        checked(tmp_path, errata=ERRATUM.replace("hold", "defects/river"))
