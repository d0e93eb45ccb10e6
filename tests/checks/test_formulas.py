"""Facts whose `follows` names a formula have the findings of a formula check."""

from __future__ import annotations

from pathlib import Path

import pytest

from refgen.checks.finding import CheckReport, FindingKind, Severity
from refgen.checks.run import check
from refgen.errors import RulesError
from refgen.game import SystemSpec
from refgen.resolver.computed import ComputedTables
from refgen.rules.load import load_ruleset
from tests.checks import small


def found(folder: Path, fact: str, says: str, document: str = small.DOCUMENT) -> list[tuple[str, str, str, Severity]]:
    """What is found where a fact also ``says`` something."""
    findings = checked(folder, fact, says, document).findings
    return [(finding.id, finding.printed, finding.computed, finding.severity) for finding in findings]


def checked(folder: Path, fact: str, says: str, document: str = small.DOCUMENT) -> CheckReport:
    system = small.write(folder, checks="")
    (system / "proof.toml").write_text(f"[facts]\n{fact} = {{ {says} }}\n", encoding="utf-8")
    (system / "rules.md").write_text(document, encoding="utf-8")
    ruleset = load_ruleset(system, SystemSpec)
    return check(ruleset, ComputedTables(ruleset))


BECAUSE = 'because = "boats of some seats"'
WRONG = small.DOCUMENT.replace("hold 6", "hold 7")


def test_a_fact_that_follows_agrees(tmp_path: Path) -> None:
    assert found(tmp_path, "hold", f'follows = "{{boats}} * {{seats}}", {BECAUSE}') == []


@pytest.mark.parametrize(("inferred", "severity"), [("false", Severity.ERROR), ("true", Severity.WARNING)])
def test_a_fact_that_does_not_is_found_by_its_own_name(tmp_path: Path, inferred: str, severity: Severity) -> None:
    says = f'follows = "{{boats}} * {{seats}}", {BECAUSE}, inferred = {inferred}'
    assert found(tmp_path, "hold", says, WRONG) == [("hold", "7", "6", severity)]


@pytest.mark.parametrize(
    ("formula", "printed", "expected"),
    [
        ("mean(d8!>3)", "18", []),
        ("mean(d8!>3)", "17", [("hold", "17", "18", Severity.ERROR)]),
        ("deviation(3d8!>2)^2", "4284", []),
        ("mean(floor(d6! * 100))", "420", []),
    ],
)
def test_the_mean_of_dice_that_go_on_accuses_no_right_number(
    tmp_path: Path, formula: str, printed: str, expected: list[object]
) -> None:
    changed = small.DOCUMENT.replace("hold 6", f"hold {printed}")
    assert found(tmp_path, "hold", f'follows = "{formula}", {BECAUSE}', changed) == expected


@pytest.mark.parametrize(
    ("dice", "expected"),
    [("1d6+1d6", []), ("1d6+1d4", [("planks", "1d6+1d4", "dice that come up like 2d6", Severity.ERROR)])],
)
def test_dice_follow_from_dice(tmp_path: Path, dice: str, expected: list[object]) -> None:
    changed = small.DOCUMENT.replace("1d6+1d6", dice)
    assert found(tmp_path, "planks", f'follows = "{{dice}}", {BECAUSE}', changed) == expected


@pytest.mark.parametrize(("rolled", "is_same"), [("d6! + 2d6!", True), ("2d6! + d6", False), ("min(3d6!, 50)", False)])
def test_dice_that_go_on_are_compared_as_far_as_they_are_known(tmp_path: Path, rolled: str, is_same: bool) -> None:
    changed = small.DOCUMENT.replace("1d6+1d6", "3d6!")
    assert (found(tmp_path, "planks", f'follows = "{rolled}", {BECAUSE}', changed) == []) == is_same


@pytest.mark.parametrize(
    ("follows", "printed", "expected"),
    [
        ('{ low = "2", high = "12" }', "2 to 12", []),
        ('{ low = "2", high = "12" }', "2 to 11", [("range", "2 to 11", "2 to 12", Severity.ERROR)]),
        ('{ low = "2" }', "2 to 11", []),
        ('{ low = "3" }', "2 to 11", [("range", "2 to 11", "3", Severity.ERROR)]),
        ('{ high = "12" }', "1 to 12", []),
        ('{ width = "11" }', "2 to 12", []),
        ('{ width = "11" }', "2 to 11", [("range", "2 to 11", "11 numbers wide", Severity.ERROR)]),
    ],
)
def test_a_range_follows_by_its_ends_or_its_width(
    tmp_path: Path, follows: str, printed: str, expected: list[tuple[str, str, str, Severity]]
) -> None:
    document = small.DOCUMENT.replace("2 to 12", printed)
    assert found(tmp_path, "range", f'follows = {follows}, because = "so it is"', document) == expected


@pytest.mark.parametrize(
    ("title", "says", "message"),
    [
        ("no reason", 'follows = "6"', "`follows` and `because` belong together"),
        ("no formula", 'because = "so it is"', "`follows` and `because` belong together"),
        ("no formula at all", 'follows = "6 *", because = "so it is"', "cannot read the formula"),
        (
            "an end and the width",
            'follows = { low = "1", width = "2" }, because = "x"',
            "`low` and `high`, one of them",
        ),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, title: str, says: str, message: str) -> None:
    with pytest.raises(RulesError) as caught:
        found(tmp_path, "hold", says)
    assert message in caught.value.message, title
    assert str(caught.value.span).startswith("crossing/proof.toml:")


def test_a_name_that_is_not_there_is_reported_at_the_fact(tmp_path: Path) -> None:
    report = checked(tmp_path, "hold", f'follows = "{{boots}} * 3", {BECAUSE}')
    (error,) = report.errors
    assert "boots" in error.message
    assert str(error.span).startswith("crossing/proof.toml:")
    assert [(finding.id, finding.kind) for finding in report.open] == [("hold", FindingKind.NOT_COMPARED)]
