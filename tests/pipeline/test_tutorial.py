"""docs/tutorial.md: its commands do what it says, and its small game loads, checks and builds."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb
from pathlib import Path

import pytest

import refgen
from refgen.game import load_game
from tests.pages import CommandStep, FileStep, ShownLines, steps

PAGE = Path(__file__).resolve().parents[2] / "docs" / "tutorial.md"
TEXT = PAGE.read_text(encoding="utf-8")
GAME = Path("content", "lantern")
WHOLE = "## An evening"
"""The heading under which the files of the whole game stand."""

MOST_LINES = 45
"""A whole small game is described in so many lines of system.toml."""


@pytest.fixture
def lantern(tmp_path: Path) -> Path:
    """A project with the game of the page."""
    return write_lantern(tmp_path)


def rules_of_tutorial() -> str:
    """The rule document of the page."""
    return next(step.text for step in steps(TEXT) if isinstance(step, FileStep))


def write_lantern(project: Path) -> Path:
    """Write the whole game of the page into a project; returns the project."""
    (project / GAME).mkdir(parents=True)
    (project / "refgen.toml").touch()
    first, whole = (steps(part) for part in TEXT.split(WHOLE))
    rules = next(step for step in first if isinstance(step, FileStep))
    for step in (replace(rules, path=str(GAME / rules.path)), *whole):
        if isinstance(step, FileStep):
            step.take(project)
    return project


def test_its_system_is_short() -> None:
    system = next(step for step in steps(TEXT.split(WHOLE)[1]) if isinstance(step, FileStep))
    assert system.text.count("\n") <= MOST_LINES


@pytest.mark.slow
def test_its_commands_do_what_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    taken = steps(TEXT)
    assert len([step for step in taken if isinstance(step, CommandStep)]) == TEXT.count("$ refgen")
    assert len([step for step in taken if isinstance(step, FileStep | ShownLines)]) == TEXT.count("```") // 2
    for step in taken:
        step.take(tmp_path)


def test_every_number_agrees_as_the_page_says(lantern: Path) -> None:
    report = refgen.project(lantern).games["lantern"].check()
    assert f"; {str(report).partition('; ')[2]}\n" in TEXT  # the page has changed its document, and counts more numbers
    assert report.findings == ()


def test_a_wrong_number_is_found_as_the_page_says(lantern: Path) -> None:
    rules = lantern / "content" / "lantern" / "rules.md"
    rules.write_text(rules.read_text(encoding="utf-8").replace("72%", "71%"), encoding="utf-8")
    line = str(refgen.project(lantern).games["lantern"].check()).splitlines()[0]
    (said,) = [said for said in TEXT.splitlines() if "printed 71%" in said]
    assert line.startswith(said.strip().removesuffix("…").strip())


def test_the_odds_are_those_of_two_dice(lantern: Path) -> None:
    game = refgen.project(lantern).games["lantern"]
    falls = [a + b for a in range(1, 7) for b in range(1, 7)]
    for trait, value in (("Sure", 2), ("Able", 1), ("Plain", 0), ("Weak", -1)):
        through = Fraction(sum(fall + value >= 7 for fall in falls), 36)
        price = Fraction(sum(7 <= fall + value <= 9 for fall in falls), 36)
        assert game.actions["roll"].chance(trait) == through
        assert game.tables["odds"][trait, "You do it at a price"].exact == price
        assert game.tables["storm"][trait, "Rolls on average"].exact == 4 / (1 - through)


def test_its_explorer_has_the_segments_of_every_night(lantern: Path) -> None:
    """Troubles of so many rolls are binomial, up to the end of the clock."""
    night = load_game(lantern / "content" / "lantern").explorers["night"]
    trouble = {"Sure": Fraction(6, 36), "Able": Fraction(10, 36), "Plain": Fraction(15, 36), "Weak": Fraction(21, 36)}
    for keeper, rolls in product(*(axis.entries for axis in night.grid.axes)):
        number, chance = int(rolls.shown.text), trouble[keeper.shown.text]
        marked = [comb(number, n) * chance**n * (1 - chance) ** (number - n) for n in range(4)]
        out = 1 - sum(marked)
        assert [cell.exact for cell in night.answer([keeper, rolls]) or ()] == [out, *marked, out]


@pytest.mark.slow
def test_its_screen_is_made(lantern: Path) -> None:
    project = refgen.project(lantern)
    result = project.build(refgen.BuildSettings(output=lantern / "out", only=["screen"], papers=["a4"], jobs=1))
    assert (result.errors, result.mismatches) == ([], [])
    assert "lantern/gm-screen-a4.pdf" in result.files
