"""Errata: what is accepted and until when, what accepts nothing, and files that are wrong themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from refgen.checks.finding import FindingKind, Print
from refgen.export.check import report_lines
from tests.checks.small import CHECKS, checked

REASON = 'reason = "One seat is the ferryman\'s."\n'
PINS = 'printed = "5"\ncomputed = "6"\n'
ERRATUM = f'[[errata]]\nfinding = "hold"\n{PINS}{REASON}'

WRONG = (("hold 6", "hold 5"),)
"""A number that does not follow: hold, printed 5, by the rules 6."""

THIRDS = """
Thirds: 33 and 67, 16, 83.

Third | Is
------|----
1     | 33%
2     | 67%
3     | 16%
4     | 83%
"""

ROUNDED = """
[tables.thirds]
title = "Thirds"
header = ["Third", "Is"]
columns = [{ id = "third", type = "number" }, { id = "is", type = "percent" }]

[checks.thirds]
kind = "formula"
table = "thirds"
column = "is"
formula = "if({row.third} <= 2, {row.third} / 3, ({row.third} * 4 - 11) / 6)"
rule = "thirds, then sixths"
"""
"""Chances of 1/3, 2/3, 1/6 and 5/6: the last but one is cut off."""


def rounded(folder: Path, errata: str, *changes: tuple[str, str]) -> list[tuple[str, bool, str]]:
    """The findings of the table of thirds: id, whether it is accepted, and why its erratum lapsed."""
    report = checked(folder, ("Depth  |", f"{THIRDS}\nDepth  |"), *changes, checks=ROUNDED, errata=errata)
    return [(found.id, found.accepted is not None, found.lapsed) for found in report.findings]


CELLS = f"""\
[[errata]]
finding = "thirds/rounding"
cells = [{{ cell = "3/is", printed = "16%", computed = "17%" }}]
{REASON}"""


def test_an_accepted_finding_is_not_open_and_keeps_its_reason(tmp_path: Path) -> None:
    report = checked(tmp_path, *WRONG, errata=ERRATUM)
    (finding,) = report.findings
    assert report.open == ()
    assert finding.accepted is not None
    assert (finding.accepted.reason, finding.accepted.prints) == ("One seat is the ferryman's.", Print.PRINTED)


def test_what_aids_print_is_the_print_unless_the_erratum_says_otherwise(tmp_path: Path) -> None:
    report = checked(tmp_path, *WRONG, errata=ERRATUM + 'print = "computed"\n')
    (finding,) = report.accepted
    assert finding.accepted is not None
    assert finding.accepted.prints is Print.COMPUTED


@pytest.mark.parametrize(
    ("title", "changes", "why"),
    [
        ("another print", [("hold 6", "hold 4")], "it accepts 5 as printed, and now 4 is"),
        ("another rule", [*WRONG, ("Two boats", "Three boats")], "it accepts 6 as computed, and now 9 is"),
    ],
)
def test_an_erratum_lapses_when_the_print_or_the_computed_number_changes(
    tmp_path: Path, title: str, changes: list[tuple[str, str]], why: str
) -> None:
    report = checked(tmp_path, *changes, errata=ERRATUM)
    (finding,) = report.open
    assert (finding.id, finding.lapsed) == ("hold", why), title
    assert f"Its erratum lapsed: {why}. [hold]" in next(report_lines([report]))


def test_an_erratum_of_rounding_accepts_the_cells_that_it_lists(tmp_path: Path) -> None:
    assert rounded(tmp_path, CELLS) == [("thirds/3/is", True, "")]


def test_another_odd_cell_of_the_table_is_open(tmp_path: Path) -> None:
    assert rounded(tmp_path, CELLS, ("| 67%", "| 66%")) == [("thirds/2/is", False, ""), ("thirds/3/is", True, "")]


def test_a_listed_cell_with_another_print_is_open(tmp_path: Path) -> None:
    why = "it accepts 16% as printed, and now 15% is"
    assert rounded(tmp_path, CELLS, ("| 16%", "| 15%")) == [("thirds/3/is", False, why)]


def test_a_listed_cell_that_agrees_is_a_finding_at_its_erratum(tmp_path: Path) -> None:
    assert rounded(tmp_path, CELLS, ("| 16%", "| 17%")) == [("errata/thirds/3/is", False, "")]


def test_an_erratum_whose_finding_is_gone_is_an_open_finding_at_the_erratum_and_at_the_number(tmp_path: Path) -> None:
    report = checked(tmp_path, errata=ERRATUM)
    (finding,) = report.open
    assert str(finding.span) == "crossing/errata.toml:2:1"
    accepted, *follows_from = map(str, finding.sources)
    assert accepted == "crossing/rules.md:4:49"
    assert follows_from == ["crossing/rules.md:4:1", "crossing/rules.md:4:17"]
    assert list(report_lines([report]))[:2] == [
        "crossing/errata.toml:2:1: warning: hold is no longer found; its erratum can go. "
        "Either this or hold at crossing/rules.md:4:49 is wrong; nothing says which. [errata/hold]",
        "crossing/rules.md:4:49: warning: hold agrees with the rules; it was accepted when 5 stood here. "
        "Either this or errata/hold at crossing/errata.toml:2:1 is wrong; nothing says which. [hold]",
    ]


def test_an_erratum_accepts_no_other_finding(tmp_path: Path) -> None:
    report = checked(tmp_path, *WRONG, ("58%", "50%"), errata=ERRATUM)
    assert [finding.id for finding in report.open] == ["chance"]


@pytest.mark.parametrize(
    ("title", "text", "place", "said"),
    [
        ("an unknown check", ERRATUM.replace("hold", "holds"), "2:1", 'no check can find "holds", * mean hold?'),
        ("an unknown row", ERRATUM.replace("hold", "steps/lake"), "2:1", "no check can find * steps/shoal"),
        ("an unknown table", ERRATUM.replace("hold", "zzz/lake"), "2:1", "no check can find * `refgen check` shows"),
        ("a chance that its dice give", ERRATUM.replace("hold", "chance/odds/0"), "2:1", "is no longer found"),
        ("twice the same", ERRATUM + "\n" + ERRATUM, "8:1", "hold has two errata; keep one of them"),
        ("a defect", ERRATUM.replace("hold", "defects/river"), "2:1", "no check can find"),
        (
            "one that does not say what it accepts",
            ERRATUM.replace(PINS, ""),
            "2:1",
            'does not say what was printed and computed: add printed = "5" and computed = "6"',
        ),
    ],
)
def test_an_erratum_that_accepts_nothing_is_a_finding_and_hides_no_other(
    tmp_path: Path, title: str, text: str, place: str, said: str
) -> None:
    report = checked(tmp_path, *WRONG, ("58%", "50%"), errata=text)
    (finding,) = [found for found in report.open if found.kind is FindingKind.ERRATUM]
    assert str(finding.span) == f"crossing/errata.toml:{place}", title
    assert all(part in finding.rule for part in said.split("*"))
    assert report.errors == ()
    assert {found.id for found in report.findings} >= {"hold", "chance"}


@pytest.mark.parametrize(
    ("title", "text", "place", "message", "hint"),
    [
        ("not TOML", "[[errata]\n", "1:9", "not valid TOML", "Write ]]"),
        ("an unknown key", ERRATUM + 'why = "x"\n', "6:1", 'unknown key "errata.0.why"', "Remove it"),
        ("no reason", '[[errata]]\nfinding = "hold"\n', "1:1", 'the key "errata.0.reason" is missing', "Add it"),
        ("an empty reason", ERRATUM.replace("One seat is the ferryman's.", ""), "5:1", "this is empty", ""),
        ("an unknown print", ERRATUM + 'print = "neither"\n', "6:1", 'this is not "printed", "computed" or "both"', ""),
        ("a finding of another kind of value", ERRATUM.replace('"hold"', "3"), "2:1", "this is no text", ""),
        ("cells of one number", CELLS.replace("/rounding", "/3"), "1:1", 'only the erratum of "<check>/rounding"', ""),
        ("cells and a print", CELLS + 'printed = "5"\n', "1:1", "each of its cells says what is printed", ""),
    ],
)
def test_a_wrong_file_is_an_error_with_its_place_and_hides_no_finding(
    tmp_path: Path, title: str, text: str, place: str, message: str, hint: str
) -> None:
    report = checked(tmp_path, *WRONG, errata=text)
    (error,) = report.errors
    assert str(error.span) == f"crossing/errata.toml:{place}", title
    assert message in error.message
    assert hint in error.hint
    assert [finding.id for finding in report.open] == ["hold"]


def test_the_erratum_of_a_check_that_could_not_compare_stays(tmp_path: Path) -> None:
    checks = CHECKS.replace("{boats} * {seats}", "{boats} * {seets}")
    report = checked(tmp_path, *WRONG, errata=ERRATUM, checks=checks)
    assert [(finding.id, finding.kind) for finding in report.open] == [("hold", FindingKind.NOT_COMPARED)]
