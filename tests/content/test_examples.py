"""The games in content/examples: whole small games of other families, in which every number is checked and right."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from pathlib import Path
from shutil import copytree

import pytest

import refgen
from refgen.checks.coverage import coverage
from refgen.files import bundled_folder
from refgen.game import GameModel, load_game
from tests.conftest import SYSTEMS
from tests.content.test_systems import check_places

EXAMPLES = ("night-kiln", "soundings", "thornpost")
FILES = {"cards.toml", "characters", "pins.toml", "proof.toml", "screen.toml", "sheet.toml", "system.toml"}


def folder_of(example: str) -> Path:
    return bundled_folder("content") / "examples" / example


@cache
def model(example: str) -> GameModel:
    return load_game(folder_of(example))


def project(folder: Path, example: str) -> refgen.Project:
    """A new project with this game."""
    (folder / "refgen.toml").touch()
    copytree(folder_of(example), folder / "content" / example)
    return refgen.project(folder)


@cache
def public(example: str) -> refgen.Game:
    return refgen.load(folder_of(example))


def test_each_example_has_a_document_and_all_files_of_a_game() -> None:
    assert {path.name for path in folder_of("").iterdir()} == {*EXAMPLES}
    for example in EXAMPLES:
        (document,) = {path.name for path in folder_of(example).iterdir()} - FILES
        assert document.startswith("rules.")


def test_examples_are_not_among_the_bundled_games() -> None:
    assert {*refgen.project(bundled=True).games} == {*SYSTEMS}


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES)
def test_every_number_is_compared_or_pinned_and_none_is_open(example: str) -> None:
    report = model(example).check()
    assert (list(report.findings), report.errors) == ([], ())
    found = coverage(model(example).ruleset, report)
    assert [(str(entry.span), entry.text) for entry in found.open] == []
    assert found.unfound == ()


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES)
def test_its_character_has_no_fault(example: str) -> None:
    (character,) = public(example).characters.values()
    assert public(example).fill(character).faults == []


@pytest.mark.parametrize("example", ["soundings", "night-kiln"])
def test_slicing_its_document_at_a_span_gives_the_cell_back(example: str) -> None:
    check_places(model(example).ruleset)


def signed(number: int) -> str:
    return f"{number:+}" if number > 0 else str(number)


def test_chances_of_soundings_are_those_of_a_d20() -> None:
    odds = public("soundings").tables["odds"]
    tasks = {"Easy": 8, "Fair": 11, "Hard": 14, "Severe": 17, "Desperate": 20}
    for bonus, (task, target) in product(range(-1, 10), tasks.items()):
        faces = sum(face + bonus >= target for face in range(1, 21))
        assert odds[signed(bonus), task].exact == Fraction(faces, 20)


def test_chances_of_night_kiln_are_binomial_and_of_a_second_throw_for_each_failure() -> None:
    once, second = Fraction(1, 3), 1 - Fraction(2, 3) ** 2
    for (table, success), dice in product((("odds", once), ("leaning-odds", second)), range(1, 10)):
        exactly = [comb(dice, hits) * success**hits * (1 - success) ** (dice - hits) for hits in range(dice + 1)]
        for needed, work in enumerate(("Simple", "Tricky", "Hard", "Fierce"), start=1):
            assert public("night-kiln").tables[table][str(dice), work].exact == sum(exactly[needed:])


def test_chances_of_thornpost_are_those_of_two_dice_or_the_best_of_three() -> None:
    two, three = [[*product(range(1, 7), repeat=dice)] for dice in (2, 3)]
    odds = public("thornpost").tables["help-odds"]
    for trait in range(-1, 4):
        alone = Fraction(sum(sum(dice) + trait >= 7 for dice in two), len(two))
        helped = Fraction(sum(sum(dice) - min(dice) + trait >= 7 for dice in three), len(three))
        assert (odds[signed(trait), "Alone"].exact, odds[signed(trait), "With help"].exact) == (alone, helped)


@pytest.mark.soak  # every time one is built with a look, by tests/pipeline/test_looks.py
@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_is_built(example: str, tmp_path: Path) -> None:
    made = project(tmp_path, example)
    result = made.build(refgen.BuildSettings(output=tmp_path / "out", papers=["a4"], jobs=1))
    assert (result.errors, result.mismatches) == ([], [])
    assert {f"{example}/{name}" for name in ("gm-screen-a4.pdf", "sheet-a4.pdf", "cards-a4.pdf", "explore.html")} <= {
        *result.files
    }
