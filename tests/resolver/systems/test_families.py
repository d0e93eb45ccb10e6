"""Ten families of actions, held against all outcomes of their dice: chances, contests, words, matrices and grids."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from refgen.resolver.action import Action, Contest
from refgen.resolver.action_reader import action_of
from refgen.rules.model import RuleTable
from tests.resolver.systems.small import FOLDER, derived, printed, small

DIFFICULTIES = {"Simple": 6, "Easy": 4, "Average": 0, "Difficult": -2}
CLASSES = {"Easy": 10, "Medium": 15, "Hard": 20}
TROUBLES = {"None": 0, "Some": -10, "Much": -30}
CLIMBERS = {"Ann": 65, "Bo": 20}
DOCS = Path(__file__).resolve().parents[3] / "docs" / "systems.md"


def action(name: str) -> Action:
    return action_of(small("families"), name)


def faces(count: int, sides: int) -> list[tuple[int, ...]]:
    return list(product(range(1, sides + 1), repeat=count))


def share(outcomes: Iterable[bool]) -> Fraction:
    listed = list(outcomes)
    return Fraction(sum(listed), len(listed))


def hits(thrown: Sequence[int], goal: int) -> int:
    return sum(face >= goal for face in thrown)


TWO, TWENTY, HUNDRED = faces(2, 6), faces(1, 20), faces(1, 100)

SUCCESS: dict[str, Callable[[str, str, int], Fraction]] = {
    "skill": lambda skill, name, more: share(sum(two) + int(skill) + DIFFICULTIES[name] + more >= 8 for two in TWO),
    "attack": lambda bonus, dc, more: share(die + int(bonus) + more >= int(dc) for (die,) in TWENTY),
    "task": lambda bonus, name, more: share(die + int(bonus) + more >= CLASSES[name] for (die,) in TWENTY),
    "save": lambda ability, _, more: share(die <= int(ability) + more for (die,) in TWENTY),
    "climb": lambda who, name, more: share(die <= CLIMBERS[who] + TROUBLES[name] + more for (die,) in HUNDRED),
    "pool": lambda dice, needed, _: share(hits(pool, 5) >= int(needed) for pool in faces(int(dice), 6)),
    "effort": lambda dots, goal, more: share(hits(pool, int(goal)) >= 1 for pool in faces(int(dots) + more, 10)),
    "dice": lambda might, target, more: share(sum(pool) + more >= int(target) for pool in faces(int(might), 6)),
    "strike": lambda weapon, _, more: share(sum(two) + more >= {"Knife": 9, "Spear": 6}[weapon] for two in TWO),
    "courage": lambda heart, _, __: share(sum(two) <= {"Bold": 9, "Shy": 5}[heart] for two in TWO),
}


@pytest.mark.parametrize("family", SUCCESS)
def test_every_chance_of_success(family: str) -> None:
    asked = action(family)
    difficulties = [entry.shown.text for entry in asked.difficulty.entries] if asked.difficulty else [""]
    few = {"pool": 5, "effort": 2, "dice": 4}.get(family)
    modifiers = (-1, 0, 2) if asked.knows_modifiers else (0,)
    for trait in [entry.shown.text for entry in asked.trait.entries][:few]:
        for difficulty, more in product(difficulties, modifiers):
            expected = SUCCESS[family](trait, difficulty, more)
            assert asked.chance(trait, difficulty, more) == expected, (trait, difficulty, more)


@pytest.mark.parametrize(
    ("family", "asked", "expected"),
    [
        ("attack", ("+2", 27), Fraction(0)),
        ("attack", ("+2", "-1"), Fraction(1)),
        ("pool", (2, 0), Fraction(1)),
        ("effort", (1, 2), Fraction(9, 10)),
        ("climb", ("ann", "SOME"), Fraction(55, 100)),
        ("courage", ("9",), Fraction(30, 36)),
    ],
)
def test_a_difficulty_may_be_any_number_where_a_formula_asks_for_no_column(
    family: str, asked: tuple[str | int, ...], expected: Fraction
) -> None:
    assert action(family).chance(*asked) == expected  # type: ignore[arg-type]


def compared(pairs: Iterable[tuple[int, int]], least: int | None = None) -> Contest:
    both = list(pairs)
    win, draw, below = 0, 0, 0
    for own, foe in both:
        reaches = least is None or own >= least
        win += own > foe and reaches
        draw += own == foe and reaches
        below += own >= foe and not reaches
    lose = len(both) - win - draw - below
    return Contest(*(Fraction(part, len(both)) for part in (win, draw, lose, below)))


def test_rolls_meet_as_they_are() -> None:
    pairs = [(sum(own) + 2 + 1, sum(foe) - 1) for own, foe in product(TWO, TWO)]
    assert action("skill").contest(2, -1, 1) == compared(pairs)
    assert action("skill").contest(2, -1, 1, minimum=8) == compared(pairs, 8)


def test_rolls_of_at_most_meet_by_how_much_they_succeed() -> None:
    pairs = [(11 - 2 - own, 14 - foe) for (own,), (foe,) in product(TWENTY, TWENTY)]
    assert action("save").contest(11, 14, -2) == compared(pairs)
    assert action("save").contest(11, 14, -2, minimum=0) == compared(pairs, 0)


def test_rolls_with_a_number_to_reach_for_each_trait_meet_by_how_much_they_succeed() -> None:
    pairs = [(sum(own) - 6, sum(foe) - 9) for own, foe in product(TWO, TWO)]
    assert action("strike").contest("Spear", "Knife") == compared(pairs)


def test_a_difficulty_that_changes_a_roll_changes_both_rolls_of_a_contest() -> None:
    pairs = [(hits(own, 7), hits(foe, 7)) for own, foe in product(faces(2, 10), faces(1, 10))]
    assert action("effort").contest(2, 1, difficulty=7) == compared(pairs)


@pytest.mark.parametrize(
    ("family", "words", "success"),
    [
        (
            "skill",
            "2d6 + skill + difficulty's modifier +1, at least 8",
            "2d6 + skill + difficulty's modifier +1 is at least 8",
        ),
        ("attack", "d20 + bonus +1", "d20 + bonus +1 reaches the difficulty"),
        ("save", "d20, at most ability +1", "d20 is at most ability +1"),
        (
            "pool",
            "count((dice pool)d6 >= 5)",
            "count((dice pool)d6 >= 5) reaches the difficulty",
        ),
    ],
)
def test_a_roll_and_its_success_in_words(family: str, words: str, success: str) -> None:
    asked = action(family)
    assert (asked.words(1), asked.success_words(1)) == (words, success)
    assert repr(asked) == f"<Action {asked.title}: {asked.words()}>"


def heads_and_rows(table: RuleTable) -> list[list[str]]:
    return [[column.title for column in table.columns], *([cell.text for cell in row] for row in table.rows)]


def test_a_matrix_has_the_difficulties_as_they_are_listed() -> None:
    table = derived("families")["skill-odds"]
    assert heads_and_rows(table)[0] == ["Skill", *DIFFICULTIES]
    assert [column.id for column in table.columns] == ["skill", "simple", "easy", "average", "difficult"]
    cell = table["2", "difficult"]
    assert cell.exact == SUCCESS["skill"]("2", "Difficult", 0)
    assert sorted(printed("families", cell.sources)) == ["-2", "2d6", "8"]


def test_the_families_of_the_docs_are_those_that_are_tested() -> None:
    described = (FOLDER / "families" / "system.toml").read_text(encoding="utf-8")
    docs = DOCS.read_text(encoding="utf-8")
    for name in ("skill", "attack", "task", "save", "climb", "pool", "effort", "dice", "strike"):
        (entry,) = re.findall(rf"(?ms)^\[actions\.{name}\].*?(?=\n\n|\n```)", docs)
        assert entry in described, name
