"""What the checks say of the five systems."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest
from click.testing import CliRunner

import refgen
from refgen.checks.agreement import are_compatible
from refgen.checks.finding import CheckReport, Severity
from refgen.cli import main
from refgen.errors import RulesError
from refgen.files import bundled_folder
from refgen.game import SystemSpec
from refgen.notation.figures import Rounding
from refgen.notation.number import read_number
from refgen.rules.load import load_ruleset
from tests.checks.small import checked
from tests.conftest import SYSTEMS, game, ours


def report(system: str) -> CheckReport:
    return game(system).check()


COUNTS = {
    "atari-isev": (128, 127, 0, 1),
    "fudge-1995": (244, 241, 3, 3),
    "harmonies": (151, 150, 0, 1),
    "interactive-history": (215, 211, 2, 4),
    "polyhedral-fudge": (304, 297, 0, 7),
}
"""Numbers compared, those that agree, those off by rounding alone, and findings that errata accept."""


@pytest.mark.parametrize("system", SYSTEMS)
def test_counts(system: str) -> None:
    found = report(system)
    assert (found.compared, found.agreeing, found.rounding, len(found.accepted)) == COUNTS[system]
    assert found.open == ()


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_comparison_has_an_id_of_its_own(system: str) -> None:
    ids = [judged.comparison.subject.id for judged in report(system).judged]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_comparison_is_of_what_is_printed_where_it_says(system: str) -> None:
    text = ours(system).document.text
    for judged in report(system).judged:
        subject = judged.comparison.subject
        if subject.row:
            printed = " ".join(text[subject.span.start : subject.span.end].split())
            assert printed == " ".join(subject.printed.split()), subject.id


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_rule_is_told_in_words_that_are_filled_in(system: str) -> None:
    for judged in report(system).judged:
        rule = judged.comparison.rule
        assert rule
        assert not set("{}") & set(rule), rule
        assert rule == rule.strip().removesuffix("."), rule


@pytest.mark.parametrize(
    ("system", "check_id", "rule"),
    [
        ("polyhedral-fudge", "plain-chances", Rounding.HALF_UP),
        ("polyhedral-fudge", "exploding-chances", Rounding.HALF_EVEN),
        ("fudge-1995", "success-rates", Rounding.HALF_EVEN),
        ("interactive-history", "roll-chances", Rounding.HALF_UP),
    ],
)
def test_the_rounding_rule_of_a_table_is_found_out(system: str, check_id: str, rule: Rounding) -> None:
    assert report(system).roundings[check_id] is rule


@pytest.mark.parametrize(
    ("system", "finding", "printed", "computed_text", "severity"),
    [
        ("atari-isev", "axe-second-result", "Superb", "Great", Severity.ERROR),
        ("interactive-history", "standing-armies/very-small/standing", "300", "200", Severity.ERROR),
        ("interactive-history", "standing-armies/tiny/standing", "20", "67", Severity.WARNING),
        ("interactive-history", "technology-chances/-2/chance", "0.18", "0.19", Severity.WARNING),
        ("interactive-history", "technology-years/very-hard/normal-after", "5", "6", Severity.WARNING),
        ("harmonies", "odds-series/-18/odds", "0.7%", "0.8%", Severity.WARNING),
        ("polyhedral-fudge", "exploding-chances/1/mediocre", "100%", "94%", Severity.ERROR),
        ("fudge-1995", "success-rates/+2/4df-or-d%", "18%", "19%", Severity.WARNING),
        ("fudge-1995", "percentile-widths/39-62/d%", "39-62", "23 numbers wide", Severity.WARNING),
    ],
)
def test_what_the_documents_get_wrong(
    system: str, finding: str, printed: str, computed_text: str, severity: Severity
) -> None:
    (found,) = [other for other in report(system).findings if other.id == finding]
    assert (found.printed, found.computed, found.severity) == (printed, computed_text, severity)


STEPS = """
[checks.again]
kind = "compare"
printed = "depths"
computed = "odds"
key = "depth"
computed_key = "odds"
columns = { step = "margin" }
rule = "as many steps"
"""


@pytest.mark.parametrize("key", ["inferred_rows", "unmatched"])
def test_a_row_that_a_comparison_names_must_be_there(tmp_path: Path, key: str) -> None:
    (error,) = checked(tmp_path, checks=f'{STEPS}{key} = ["Steam"]\n').errors
    assert (error.message, error.hint) == ('"depths" has no row "Steam"', "Did you mean Stream?")


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
    assert are_compatible(read_number(left), read_number(right)) is expected


def copied(folder: Path, system: str, file: str, old: str, new: str) -> Path:
    """A copy of a system with one piece of a file changed."""
    copy = copytree(bundled_folder("content") / system, folder / system)
    path = copy / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")
    return copy


def test_a_check_of_an_unknown_table_is_an_error_at_its_entry(tmp_path: Path) -> None:
    (error,) = checked(tmp_path, checks=STEPS.replace('"odds"\nkey', '"odd"\nkey')).errors
    assert error.message == 'there is no table "odd" to compare with'
    assert str(error.span).startswith("crossing/proof.toml:")
    assert error.hint == "Did you mean odds?"


@pytest.mark.slow
def test_two_levels_with_one_number_are_refused_with_both_places(tmp_path: Path) -> None:
    copy = copied(tmp_path, "interactive-history", "details.md", "+3 (5%)  ", "+2 (5%)  ")
    with pytest.raises(RulesError, match=r"Superb and Great have the same number, \+2") as caught:
        load_ruleset(copy, SystemSpec)
    assert str(caught.value.span) == "interactive-history/details.md:57:1"
    assert caught.value.hint == "The first of them stands at interactive-history/details.md:56:1."


@pytest.mark.slow
def test_a_figure_off_by_rounding_is_reported_and_printed_as_its_finding_says(tmp_path: Path) -> None:
    """62.5% is 62% where the other halves go to the even digit; a figure that is wrong is no other one that agrees."""
    copy = copytree(bundled_folder("content") / "polyhedral-fudge", tmp_path / "content" / "polyhedral-fudge")
    (tmp_path / "refgen.toml").touch()
    path = copy / "polyhedral-fudge.txt"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("50% 62% 70%", "50% 63% 70%").replace("25% 33% 50%", "25% 35% 50%"), encoding="utf-8")
    command = ["check", "--project", str(tmp_path)]
    result = CliRunner().invoke(main, command)
    (line,) = [line for line in result.stdout.splitlines() if line.endswith("[exploding-chances/4/good]")]
    assert result.exit_code == 1
    assert ": warning: " in line
    assert "column Good: printed 63%, by the rules 62% (exactly 62.5%). Rule: " in line
    assert line.endswith(
        "; the other 47 figures are rounded half-even. Off by rounding alone. [exploding-chances/4/good]"
    )
    accept = ["--accept", "exploding-chances/4/good", "--reason", "A slip.", "--print", "computed"]
    assert CliRunner().invoke(main, [*command, *accept]).exit_code == 0
    marks = refgen.project(tmp_path).games["polyhedral-fudge"].marks
    assert [(mark.text, mark.other) for mark in marks.values() if mark.reason == "A slip."] == [("62%", "63%")]
