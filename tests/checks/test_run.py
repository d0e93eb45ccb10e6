"""One cause, one finding: the findings that a wrong number explains are listed in its finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from refgen.checks.finding import CheckReport, Finding, Print
from refgen.export.check import sentence
from refgen.pipeline.game_files import accept
from tests.checks.mutation.front_door import documents
from tests.checks.small import CHECKS, checked, write


def report_of(game: str, *changes: tuple[str, str, int]) -> CheckReport:
    """The report on our document of a game, with the n-th print of some texts changed."""
    edited = documents()[f"{game}.ours"]
    text = edited.text
    for old, new, nth in changes:
        before = text.split(old)
        text = old.join(before[:nth]) + new + old.join(before[nth:])
    report = edited.check(text).report
    assert report is not None
    return report


def told(findings: tuple[Finding, ...]) -> list[tuple[str, str, list[str]]]:
    """Each finding, what would agree, and what goes with it."""
    return [(one.id, one.computed, [effect.id for effect in one.effects]) for one in findings]


HUGE = ("500,000", "500,001", 2)
GREAT = ("Great      | 200 mil    | 0.1%      | 200,000", "Great      | 200 mil    | 0.1%      | 200,001", 1)
OF_HUGE = ["army-bounds/vast/nominal", "army-populations/huge/population", "provisional-armies/great/provisional"]
OF_GREAT = [
    "standing-armies/huge/standing",
    "army-populations/great/population",
    "provisional-armies/big/provisional",
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("title", "changes", "findings"),
    [
        ("a number that four rules meet", [HUGE], [("nominal-armies/huge/nominal", "500,000", OF_HUGE)]),
        (
            "two that are wrong each by itself",
            [HUGE, GREAT],
            [
                ("nominal-armies/huge/nominal", "500,000", OF_HUGE),
                ("nominal-armies/great/nominal", "200,000", OF_GREAT),
            ],
        ),
    ],
)
def test_a_number_and_what_it_explains_are_one_finding(
    title: str, changes: list[tuple[str, str, int]], findings: list[tuple[str, str, list[str]]]
) -> None:
    assert told(report_of("interactive-history", *changes).open) == findings, title


@pytest.mark.slow
def test_a_wrong_key_is_reported_once() -> None:
    (finding,) = report_of("harmonies", ("<entry>-20</entry>", "<entry>-21</entry>", 1)).open
    assert (finding.id, finding.computed, finding.also) == ("difficulties/-21", "-20", ("rows/odds/difficulty/-21",))


def either(findings: tuple[Finding, ...]) -> list[tuple[str, str]]:
    """Each place of each finding, and what would agree there."""
    return [(one.id, one.computed) for finding in findings for one in finding.at_each_place]


@pytest.mark.parametrize(
    ("title", "changes", "findings"),
    [
        ("two that mirror each other", [("25%", "24%")], [("mirror/-1", "25%"), ("mirror/+1", "76%")]),
        ("two ranges that overlap", [("2-5", "2-6")], [("cover/stream", "7 to 8"), ("cover/shoal", "2 to 5")]),
        ("two ranges with a gap", [("9-12", "10-12")], [("cover/stream", "6 to 9"), ("cover/chasm", "9 to 12")]),
        ("a range of one number", [("6-8 ", "8-8 ")], [("cover/shoal", "2 to 7"), ("cover/stream", "6 to 8")]),
        ("the first range, behind which is nothing", [("2-5", "5-5")], [("cover/shoal", "2 to 5")]),
        ("one that another rule tells", [("75%", "45%")], [("mirror/+1", "75%")]),
        ("one that follows from a decree", [("hold 6", "hold 7")], [("hold", "6")]),
    ],
)
def test_where_nothing_says_which_is_wrong_a_finding_stands_at_each(
    tmp_path: Path, title: str, changes: list[tuple[str, str]], findings: list[tuple[str, str]]
) -> None:
    found = checked(tmp_path, *changes).open
    assert (len(found), sorted(either(found))) == (1, sorted(findings)), title


@pytest.mark.parametrize(
    ("title", "changes", "findings"),
    [
        (
            "one of the two, which another rule tells",
            [("75%", "45%")],
            [("mirror/+1", "75%", ["mirror/-1", "rising/+1"])],
        ),
        (
            "and another that has nothing to do with them",
            [("25%", "24%"), ("hold 6", "hold 7")],
            [("hold", "6", []), ("mirror/-1", "25%", [])],
        ),
        (
            "a number that follows from a wrong one, and is wrong itself",
            [("Two boats carry 3", "Two boats carry 4"), ("hold 6", "hold 5")],
            [("hold", "8", [])],
        ),
    ],
)
def test_what_one_number_explains(
    tmp_path: Path, title: str, changes: list[tuple[str, str]], findings: list[tuple[str, str, list[str]]]
) -> None:
    assert told(checked(tmp_path, *changes).open) == findings, title


TWICE = """
[checks.bread]
kind = "formula"
fact = "goal"
formula = "{hold} + 1"
rule = "one more than they hold"
"""


def test_a_finding_names_what_goes_with_it(tmp_path: Path) -> None:
    (finding,) = checked(tmp_path, ("hold 6", "hold 7"), checks=CHECKS + TWICE).open
    assert (finding.id, finding.printed, finding.computed) == ("hold", "7", "6")
    assert sentence(finding).endswith("With it go bread at crossing/rules.md:3:57.")


def test_what_goes_with_a_finding_can_be_accepted_by_itself(tmp_path: Path) -> None:
    system = write(tmp_path, ("hold 6", "hold 7"), checks=CHECKS + TWICE)
    report = checked(tmp_path / "again", ("hold 6", "hold 7"), checks=CHECKS + TWICE)
    path = accept(report, system, "bread", "Nobody eats.", Print.PRINTED)
    assert 'printed = "7"\ncomputed = "8"' in path.read_text(encoding="utf-8")
