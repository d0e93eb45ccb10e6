"""Each kind of check: what it finds in a small document, where, and what would agree."""

from __future__ import annotations

from pathlib import Path

import pytest

from refgen.checks.finding import FindingKind, Severity
from refgen.errors import RulesError
from tests.checks.small import CHECKS, checked


def test_a_document_without_a_fault_has_no_findings(tmp_path: Path) -> None:
    report = checked(tmp_path)
    assert report.findings == ()
    assert report.compared == report.agreeing == 15


@pytest.mark.parametrize(
    ("title", "old", "new", "found"),
    [
        ("a chance", "58%", "57%", [("chance", "57%", "58%")]),
        ("a product of a word and a number", "hold 6", "hold 7", [("hold", "7", "6")]),
        ("the range of dice", "2 to 12", "2 to 11", [("range", "2 to 11", "2 to 12")]),
        ("dice that come up like others", "1d6+1d6", "1d6+1d4", [("planks", "1d6+1d4", "dice that come up like 2d6")]),
        (
            "ranges that meet",
            "6-8 ",
            "6-9 ",
            [("cover/stream", "6-9", "6 to 8", "cover/chasm")],
        ),
        (
            "a gap between ranges",
            "6-8 ",
            "6-7 ",
            [("cover/stream", "6-7", "6 to 8", "cover/chasm")],
        ),
        ("a range beyond the dice", "9-12", "9-13", [("cover/chasm", "9-13", "9 to 12")]),
        ("a number out of step", "| 2\n", "| 4\n", [("steps/stream", "4", "2")]),
        ("the first number out of step", "| 1\n", "| 5\n", [("steps/shoal", "5", "1")]),
        (
            "chances that do not mirror each other",
            "25%",
            "24%",
            [("mirror/-1", "24%", "25%", "mirror/+1")],
        ),
        (
            "chances that fall",
            "75%",
            "45%",
            [("mirror/+1", "45%", "75%", "mirror/-1", "rising/+1")],
        ),
    ],
)
def test_a_fault_is_found_where_it_stands(
    tmp_path: Path, title: str, old: str, new: str, found: list[tuple[str, ...]]
) -> None:
    """Each finding with its rivals, and with those that its number explains."""
    report = checked(tmp_path, (old, new))
    shown = [
        (one.id, one.printed, one.computed, *(other.id for other in (*one.rivals, *one.effects)))
        for one in report.findings
    ]
    assert [one for one in shown if not one[0].endswith("rounding")] == found, title


ARMIES = """
Size  | Men    | Share
------|--------|------
Huge  | >5,000 | 10%
Big   | 5,000  | 20%
Small | 300    | 40%
Tiny  | <300   | 80%
"""

BOUNDS = """
[tables.armies]
title = "Armies"
header = ["Size", "Men", "Share"]
columns = [{ id = "size" }, { id = "men", type = "number" }, { id = "share", type = "percent" }]

[checks.men]
kind = "bounds"
table = "armies"
columns = ["men", "share"]
"""


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("| 10%", "| 10%", []),
        (">5,000", ">5,001", [("men/huge/men", ">5,001", ">5,000")]),
        ("| 5,000", "| 4,999", [("men/huge/men", ">5,000", ">4,999")]),
        ("<300", "<400", [("men/tiny/men", "<400", "<300")]),
    ],
)
def test_a_bound_is_the_number_of_the_row_beside_it(
    tmp_path: Path, old: str, new: str, found: list[tuple[str, str, str]]
) -> None:
    document = ARMIES.replace(old, new)
    report = checked(tmp_path, ("Depth  |", f"{document}\nDepth  |"), checks=BOUNDS)
    assert report.compared == 4
    shown = [(one.id, one.printed, one.computed) for one in report.findings if one.kind is FindingKind.NUMBER]
    assert sorted(shown) == sorted(found)


def test_several_checks_that_find_the_same_are_one_finding(tmp_path: Path) -> None:
    again = (
        CHECKS.replace("[checks.hold]", "[checks.load]")
        + "\n"
        + CHECKS[CHECKS.index("[checks.hold]") :]
        .partition("[checks.range]")[0]
        .replace("{boats} boats for", "boats, {boats}, for")
    )
    (finding,) = checked(tmp_path, ("hold 6", "hold 7"), checks=again).findings
    assert (finding.id, finding.also) == ("load", ("hold",))
    assert finding.rule == "Two boats for 3 each; boats, Two, for 3 each"


def test_what_the_document_states_is_an_error_and_what_its_table_shows_a_warning(tmp_path: Path) -> None:
    report = checked(tmp_path, ("hold 6", "hold 8"), ("25%", "20%"))
    weights = {finding.id: finding.severity for finding in report.findings}
    assert weights == {"hold": Severity.ERROR, "mirror/-1": Severity.WARNING}


def test_a_finding_says_what_it_rests_on(tmp_path: Path) -> None:
    report = checked(tmp_path, ("hold 6", "hold 8"))
    (finding,) = report.findings
    assert [(span.line, span.column) for span in (finding.span, *finding.sources)] == [(4, 49), (4, 1), (4, 17)]


LOOK_UP = """
[checks.goal]
kind = "quotes"
fact = "chance"
table = "odds"
key = "margin"
at = "goal"
column = "odds"
"""

WIDTHS = """
[checks.widths]
kind = "formula"
table = "depths"
column = "rolls"
part = "width"
formula = "{row.step} + 2"
rule = "two more than the step"
"""


IN_ORDER = """
[checks.again]
kind = "compare"
printed = "odds"
computed = "depths"
columns = { margin = "step" }
rule = "as many steps"
"""


def test_tables_without_a_key_are_compared_from_the_first_row_to_the_last(tmp_path: Path) -> None:
    report = checked(tmp_path, ("| 2\n", "| 0\n"), ("+1     |", "+3     |"), checks=IN_ORDER)
    found = [(one.id, one.printed, one.computed, len(one.sources)) for one in report.findings if one.table == "odds"]
    assert found == [("again/1/margin", "-1", "1", 1)]


BY_STEP = """
[checks.again]
kind = "compare"
printed = "depths"
computed = "odds"
key = "step"
computed_key = "margin"
columns = { step = "margin" }
rule = "a margin for each step"
"""


def test_a_row_that_cannot_be_compared_is_a_finding(tmp_path: Path) -> None:
    found = [(one.id, one.printed, one.computed) for one in checked(tmp_path, checks=BY_STEP).findings]
    assert found == [("again/2/step", "2", "nothing"), ("again/3/step", "3", "nothing")]


DEPTHS_IN_ORDER = """
[checks.again]
kind = "compare"
printed = "depths"
computed = "odds"
columns = { step = "margin" }
rule = "as many steps"
"""


def test_rows_beyond_the_other_table_are_findings(tmp_path: Path) -> None:
    report = checked(tmp_path, ("+1     | 75%\n", ""), checks=DEPTHS_IN_ORDER)
    assert [one.rule for one in report.findings if one.id == "again/3/depth"] == [
        '"Odds" has no such row to compare with'
    ]


def test_rows_that_the_other_table_lacks_are_named(tmp_path: Path) -> None:
    named = BY_STEP.replace('rule = "a margin', 'unmatched = ["2", "3"]\nrule = "a margin')
    assert checked(tmp_path, checks=named).findings == ()


def test_a_row_that_is_not_there_is_a_finding(tmp_path: Path) -> None:
    (finding,) = checked(tmp_path, checks=LOOK_UP).findings
    assert (finding.id, finding.computed) == ("goal", "nothing")
    assert "there is no such row" in finding.rule


def test_a_look_up_without_its_row_is_a_finding(tmp_path: Path) -> None:
    text = CHECKS.replace('formula = "{boats} * {seats}"', 'formula = "at({odds.margin}, {goal}, {odds.odds})"')
    (finding,) = checked(tmp_path, checks=text).findings
    assert (finding.id, finding.computed) == ("hold", "nothing")
    assert 'no row of "odds.margin" is for 7' in finding.rule


def test_a_width_is_how_many_numbers_a_range_has(tmp_path: Path) -> None:
    found = [(found.id, found.printed, found.computed) for found in checked(tmp_path, checks=WIDTHS).findings]
    assert found == [
        ("widths/shoal/rolls", "2-5", "3 numbers wide"),
        ("widths/stream/rolls", "6-8", "4 numbers wide"),
        ("widths/chasm/rolls", "9-12", "5 numbers wide"),
    ]


@pytest.mark.parametrize(
    ("title", "old", "new", "message"),
    [
        ("an unknown fact", 'fact = "hold"', 'fact = "holds"', 'there is no fact "holds"'),
        ("an unknown name", "{boats} * {seats}", "{boots} * {seats}", 'a formula asks for "boots"'),
        ("an unknown table", 'table = "depths"\ncolumn = "step"', 'table = "deeps"\ncolumn = "step"', "no table"),
        ("an unknown column", 'column = "step"', 'column = "steps"', 'has no column "steps"'),
    ],
)
def test_a_check_of_what_is_not_there_is_an_error_at_its_entry(
    tmp_path: Path, title: str, old: str, new: str, message: str
) -> None:
    assert CHECKS.count(old) == 1
    (error,) = checked(tmp_path, checks=CHECKS.replace(old, new)).errors
    assert message in error.message
    assert str(error.span).startswith("crossing/proof.toml:"), title
    assert error.hint or "formula" in message


@pytest.mark.parametrize(
    ("title", "old", "new", "message"),
    [
        ("a formula that is none", "{boats} * {seats}", "{boats} *", "checks.hold"),
        ("a fact and a table", 'fact = "hold"', 'fact = "hold"\ntable = "odds"\ncolumn = "odds"', "checks a fact, or"),
        ("a part of what has two ends", 'fact = "hold"', 'fact = "hold"\npart = "low"\nhigh = "1"', "no `high`"),
        ("an unknown kind", 'kind = "mirror"', 'kind = "mirrored"', "checks.mirror"),
        ("nothing to cover", 'column = "rolls"\ndice = "{dice}"', 'column = "rolls"', "cover either"),
    ],
)
def test_a_malformed_check_is_refused_at_its_entry(
    tmp_path: Path, title: str, old: str, new: str, message: str
) -> None:
    assert CHECKS.count(old) == 1
    with pytest.raises(RulesError, match=message) as caught:
        checked(tmp_path, checks=CHECKS.replace(old, new))
    assert str(caught.value.span).startswith("crossing/proof.toml:"), title


@pytest.mark.parametrize(("old", "new"), [("alike", "same-distribution"), ("cover", "partition"), ("stated", "quotes")])
def test_a_kind_by_its_old_name_is_refused_with_the_new_one_named(tmp_path: Path, old: str, new: str) -> None:
    with pytest.raises(RulesError, match=f'"{old}" is called "{new}" now') as caught:
        checked(tmp_path, checks=f'\n[checks.one]\nfact = "planks"\nkind = "{old}"\n')
    assert caught.value.hint == f'Write "{new}" in its place.'
    text = (tmp_path / "crossing" / "proof.toml").read_text(encoding="utf-8")
    assert caught.value.span is not None
    assert text.splitlines()[caught.value.span.line - 1] == f'kind = "{old}"'
