"""What the checks say of the five systems, and that they see a single wrong figure."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest

from refgen.bundle import bundled
from refgen.checks.compare import agrees
from refgen.checks.finding import CheckReport, FindingKind, Severity
from refgen.checks.report import json_report, text_report
from refgen.checks.run import check
from refgen.errors import CheckError, ResolverError
from refgen.notation.number import read_number
from refgen.resolver.derived import derive
from refgen.rules.load import load_ruleset
from refgen.rules.model import Cell
from tests.conftest import SYSTEMS, computed, from_original, ours


def report(system: str) -> CheckReport:
    return check(ours(system), computed(system))


@pytest.mark.parametrize(
    ("system", "compared", "findings"),
    [
        ("atari-isev", 1, 0),
        ("fudge-1995", 37, 2),
        ("harmonies", 2, 0),
        ("interactive-history", 40, 9),
        ("polyhedral-fudge", 127, 0),
    ],
)
def test_counts(system: str, compared: int, findings: int) -> None:
    found = report(system)
    assert (found.compared, len(found.open)) == (compared, findings)


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_original_has_the_same_findings(system: str) -> None:
    theirs = check(from_original(system), derive(from_original(system)))
    assert [finding.id for finding in theirs.open] == [finding.id for finding in report(system).open]


@pytest.mark.parametrize(
    ("system", "damage"),
    [
        ("interactive-history", {"damage/insignificant-catastrophe": "Insignificant Catastrophe"}),
        ("atari-isev", {"damage/missing-wound-table": "standard Fudge wound table looks as follows:"}),
        ("harmonies", {"damage/folded-odds": '<row rowsep="0"> <entry>Difficulty</entry> <entry>-20</entry>'}),
        ("polyhedral-fudge", {"damage/three-line-head": "Target Number Trait Level Die"}),
        (
            "fudge-1995",
            {"damage/scrambled-head": "4dF Chance of achieving: or d% 3d6 4d6", "damage/open-list": "9 . . ."},
        ),
    ],
)
def test_damage_of_the_originals_is_named_with_its_place(system: str, damage: dict[str, str]) -> None:
    ruleset = from_original(system)
    notes = [found for found in check(ruleset, derive(ruleset)).findings if found.kind is FindingKind.SOURCE]
    assert {note.id: note.printed for note in notes} == damage
    for note in notes:
        printed = ruleset.document.text[note.span.start : note.span.end].replace("\n+", "\n")
        assert " ".join(printed.split()) == note.printed
        assert note.severity is Severity.NOTE
        assert note.computed


def test_a_finding_names_the_cell_and_both_figures() -> None:
    (finding,) = [found for found in report("fudge-1995").findings if found.row == "+2"]
    assert (finding.printed, finding.computed, finding.exact) == ("18%", "19%", "5/27")
    assert str(finding.span).startswith("fudge-1995/fudge3.txt:")
    assert finding.severity == "warning"


def test_the_text_report_ends_with_a_line_for_each_system() -> None:
    lines = list(text_report([report("fudge-1995")]))
    assert lines[-1] == "fudge-1995: 37 compared, 35 agree, 2 findings"
    assert len(lines) == 3


def test_damage_reads_as_what_is_wrong_and_how_it_is_read() -> None:
    ruleset = from_original("interactive-history")
    note = next(line for line in text_report([check(ruleset, derive(ruleset))]) if ": note: " in line)
    assert note.partition(": note: ")[2] == (
        "levels: two words of other columns run together in a cell: Insignificant Catastrophe; read as: Insignificant"
    )


def test_the_json_report_names_its_schema() -> None:
    data = json_report([report("fudge-1995")])
    assert data["schema"] == "refgen/check/1"
    assert data["summary"] == [{"system": "fudge-1995", "compared": 37, "agree": 35, "open": 2}]


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("300", "300", True),
        ("300", "200", False),
        (">500,000", "2 mil", True),
        (">500,000", "500,000", False),
        ("2 mil", ">500,000", True),
        (">200,000", ">500,000", True),
        ("<10", ">20", False),
    ],
)
def test_bounds_agree_with_what_they_allow(left: str, right: str, expected: bool) -> None:
    printed, exact = read_number(left), read_number(right)
    assert agrees(Cell(left, printed), Cell(right, exact, exact=exact.value)) is expected


def mutated(folder: Path, system: str, old: str, new: str) -> CheckReport:
    """The report of a system in whose document one figure is changed."""
    copy = copytree(bundled("content") / system, folder / system)
    document = copy / ours(system).spec.document
    text = document.read_text(encoding="utf-8")
    assert text.count(old) == 1
    document.write_text(text.replace(old, new), encoding="utf-8")
    ruleset = load_ruleset(copy)
    return check(ruleset, derive(ruleset))


@pytest.mark.parametrize(
    ("system", "old", "new", "finding"),
    [
        ("polyhedral-fudge", "Good \u00a0 \u00a0 33% 50%", "Good \u00a0 \u00a0 33% 51%", "plain-chances/good/good"),
        ("harmonies", "<entry>75%</entry>", "<entry>76%</entry>", "stated-odds"),
        ("atari-isev", "between -4 and +4", "between -5 and +4", "roll-range"),
        ("interactive-history", "| 10,000   | 3,000", "| 11,000   | 3,000", "army-sizes/mediocre/nominal"),
    ],
)
def test_a_changed_figure_is_found(tmp_path: Path, system: str, old: str, new: str, finding: str) -> None:
    before = {found.id for found in report(system).findings}
    after = {found.id for found in mutated(tmp_path, system, old, new).findings}
    assert finding in after - before


def test_a_hole_in_a_roll_table_stops_what_rests_on_it(tmp_path: Path) -> None:
    with pytest.raises(ResolverError, match="the outcome 19 stands 0 times in percentile"):
        mutated(tmp_path, "fudge-1995", "7-18 | 19-38", "7-18 | 20-38")


def test_a_check_of_an_unknown_table_is_an_error_at_its_entry(tmp_path: Path) -> None:
    copy = copytree(bundled("content") / "fudge-1995", tmp_path / "fudge-1995")
    spec = copy / "system.toml"
    text = spec.read_text(encoding="utf-8").replace('computed = "techniques"', 'computed = "tricks"')
    spec.write_text(text, encoding="utf-8")
    ruleset = load_ruleset(copy)
    with pytest.raises(CheckError, match='there is no computed table "tricks"') as caught:
        check(ruleset, derive(ruleset))
    assert str(caught.value.span).startswith("fudge-1995/system.toml:")
