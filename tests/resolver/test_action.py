"""Actions: what a trait rolls, what a matrix of them shows, contests, and what is wrong with them and where."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from shutil import copytree

import pytest

from refgen.errors import RefgenError, ResolverError, RulesError
from refgen.game import SystemSpec
from refgen.resolver.action import Contest, contest, entry_named
from refgen.resolver.action_reader import action_of
from refgen.resolver.computed import TABLE_KINDS, ComputedTables
from refgen.resolver.formula.axis import AxisSpec
from refgen.resolver.tables.grid_spec import MatrixSpec
from refgen.rules.load import load_ruleset
from refgen.rules.model import RuleTable
from tests.conftest import ours
from tests.resolver.systems.small import FOLDER, printed, small

F = Fraction
FUDGE = [sum(faces) for faces in product((-1, 0, 1), repeat=4)]


@pytest.mark.parametrize(
    ("title", "system", "action", "trait", "modifier", "goal", "expected"),
    [
        ("Good +1 against Great", "fudge-1995", "four-df", "Good", 1, 2, F(50, 81)),
        ("the same with d%", "fudge-1995", "percentile", "Good", 1, 2, F(31, 50)),
        ("the same with 3d6", "fudge-1995", "three-d6", "Good", 1, 2, F(5, 8)),
        ("the same with 4d6", "fudge-1995", "four-d6", "Good", 1, 2, F(791, 1296)),
        ("a trait by its number", "fudge-1995", "four-df", "+1", 1, 2, F(50, 81)),
        ("a trait by its number without a sign", "fudge-1995", "four-df", "1", 1, 2, F(50, 81)),
        ("a name without case, with blanks around it", "fudge-1995", "four-df", "  gOOD ", 1, 2, F(50, 81)),
        ("zero with a sign", "fudge-1995", "four-df", "+0", 0, 0, F(50, 81)),
        ("a negative number", "apocalypse", "move", "-1", 0, 10, F(3, 36)),
        ("d20 at most 11, made easier by 2", "roll-under", "test", "11", 2, 0, F(13, 20)),
        ("two more dice", "pool", "pool", "2", 2, 4, F(4, 10) ** 4),
        ("two dice fewer than two", "pool", "pool", "2", -2, 1, F(0)),
    ],
)
def test_the_degree_of_a_trait(
    title: str, system: str, action: str, trait: str, modifier: int, goal: int, expected: Fraction
) -> None:
    ruleset = small(system) if (FOLDER / system).is_dir() else ours(system)
    found = action_of(ruleset, action)
    assert found.degree(entry_named(found.trait, trait, "trait"), modifier).reaches(goal) == expected, title


@pytest.mark.parametrize(
    ("title", "system", "action", "asked", "expected"),
    [
        ("names and a modifier", "fudge-1995", "four-df", ("Good", "Great", 1), F(50, 81)),
        ("any case and typography", "fudge-1995", "four-df", (" gOOD", "GREAT ", 1), F(50, 81)),
        ("numbers as texts", "fudge-1995", "four-df", ("+1", "2", 1), F(50, 81)),
        ("numbers", "fudge-1995", "four-df", (1, 2, 1), F(50, 81)),
        ("a real minus sign", "fate", "roll", ("−1", "Poor"), F(50, 81)),
        ("no difficulties", "roll-under", "test", (11, "", 2), F(13, 20)),
        ("an open roll, eight sixes and any number", "step-dice", "roll", ("Known", 49), F(1, 6) ** 8),
    ],
)
def test_the_chance_of_a_trait(
    title: str, system: str, action: str, asked: tuple[str, str, int], expected: Fraction
) -> None:
    ruleset = small(system) if (FOLDER / system).is_dir() else ours(system)
    assert action_of(ruleset, action).chance(*asked) == expected, title


@pytest.mark.parametrize(
    ("title", "system", "action", "asked", "message", "hint"),
    [
        ("nearly a trait", "fate", "roll", ("Goood", "Fair"), '"Goood" is no trait', "Did you mean Good?"),
        ("nearly a difficulty", "fate", "roll", ("Good", "Fare"), '"Fare" is no difficulty', "Did you mean Fair?"),
        ("no difficulty", "fate", "roll", ("Good",), "needs a difficulty", "There are Superb"),
        ("a difficulty too many", "roll-under", "test", (9, 9), "Test has no difficulties", "Give a modifier"),
    ],
)
def test_what_a_chance_lacks(
    title: str, system: str, action: str, asked: tuple[str, str], message: str, hint: str
) -> None:
    with pytest.raises(RefgenError, match=message) as caught:
        action_of(small(system), action).chance(*asked)
    assert caught.value.hint.startswith(hint), title


@pytest.mark.parametrize("minimum", ["", "Fair", "good", 4])
@pytest.mark.parametrize(("trait", "against", "modifier"), [("Great", "Good", 0), ("Fair", "Superb", 2)])
def test_a_contest_by_name(trait: str, against: str, modifier: int, minimum: str | int) -> None:
    action = action_of(small("fate"), "roll")
    first, second = (action.degree(entry_named(action.trait, name, "trait")) for name in (trait, against))
    least = {"": None, "Fair": 2, "good": 3, 4: 4}[minimum]
    expected = contest(replace(first, added=first.added + modifier), second, least)
    assert action.contest(trait, against, modifier, minimum) == expected


def test_an_action_is_shown_with_its_roll() -> None:
    assert repr(action_of(small("fate"), "roll")) == "<Action Roll: 4dF + trait>"


@pytest.mark.parametrize(
    ("system", "action", "modifier", "expected"),
    [
        ("fate", "roll", 0, "4dF + trait"),
        ("fate", "roll", -2, "4dF + trait -2"),
        ("roll-under", "test", 1, "trait +1 - 1d20"),
        ("step-dice", "roll", 3, "explode(trait's die) +3"),
        ("pool", "pool", 1, "count(repeat(trait +1, d10) >= 7)"),
    ],
)
def test_a_roll_in_words(system: str, action: str, modifier: int, expected: str) -> None:
    assert action_of(small(system), action).words(modifier) == expected


def test_a_degree_between_two_ends() -> None:
    action = action_of(small("apocalypse"), "move")
    degree = action.degree(entry_named(action.trait, "2", "trait"))
    assert degree.between(7, 9) == F(5 + 6 + 4, 36)
    assert degree.between(None, 6) + degree.between(7, None) == 1
    assert sorted(printed("apocalypse", degree.sources)) == ["2d6"]


@pytest.mark.parametrize("minimum", [None, -1, 0, 2, 4, 9])
@pytest.mark.parametrize(("trait", "foe"), [("Great", "Good"), ("Fair", "Fair"), ("Poor", "Superb")])
def test_a_contest_against_all_outcomes(trait: str, foe: str, minimum: int | None) -> None:
    action = action_of(small("fate"), "roll")
    first, second = (action.degree(entry_named(action.trait, name, "trait")) for name in (trait, foe))
    values = {"Great": 4, "Good": 3, "Fair": 2, "Poor": -1, "Superb": 5}
    both = [(one + values[trait], two + values[foe]) for one, two in product(FUDGE, FUDGE)]
    win = sum(one > two and (minimum is None or one >= minimum) for one, two in both)
    lose = sum(one < two for one, two in both)
    draw = sum(one == two and (minimum is None or one >= minimum) for one, two in both)
    expected = Contest(F(win, 6561), F(draw, 6561), F(lose, 6561), F(6561 - win - draw - lose, 6561))
    assert contest(first, second, minimum) == expected


@pytest.mark.parametrize(
    ("title", "system", "action", "trait", "message", "hint"),
    [
        ("an unknown action", "fate", "jump", "Good", 'no action "jump"', "There is only roll."),
        ("a system without actions", "grids", "jump", "Good", 'no action "jump"', "describes none"),
        ("nearly a trait", "fate", "roll", "Goood", '"Goood" is no trait', "Did you mean Good?"),
        ("no trait at all", "fate", "roll", "xyz", '"xyz" is no trait', "There are Superb, Great"),
        ("a number beyond the ladder", "fate", "roll", "+6", '"\\+6" is no trait', "There are Superb"),
        ("nothing but blanks", "fate", "roll", " ", '" " is no trait', "There are Superb"),
        ("nothing but blanks where traits have no numbers", "step-dice", "roll", " ", '" " is no trait', "There are"),
        ("no number", "step-dice", "roll", "None", '"None" is no trait', "There are Unknown"),
    ],
)
def test_an_unknown_name_is_told_what_there_is(
    title: str, system: str, action: str, trait: str, message: str, hint: str
) -> None:
    with pytest.raises(ResolverError, match=message) as caught:
        entry_named(action_of(small(system), action).trait, trait, "trait")
    assert caught.value.hint.startswith(hint) or hint in caught.value.hint, title


def matrix(system: str, **parts: str) -> RuleTable:
    return TABLE_KINDS[MatrixSpec](small(system), "t", MatrixSpec(kind="matrix", title="T", **parts))


def matrix_of(system: str, **parts: str) -> list[list[str]]:
    table = matrix(system, **parts)
    return [[column.title for column in table.columns], *([cell.text for cell in row] for row in table.rows)]


def test_a_matrix_of_a_part_of_the_ladders() -> None:
    part = {"from_trait": "Great", "to_trait": "Fair", "from_difficulty": "Fair", "to_difficulty": "Good"}
    assert matrix_of("fate", action="roll", **part) == [
        ["Trait", "", "Fair", "Good"],
        ["Great", "+4", "94%", "81%"],
        ["Good", "+3", "81%", "62%"],
        ["Fair", "+2", "62%", "38%"],
    ]


def test_a_modifier_of_a_matrix_is_a_formula_of_facts() -> None:
    plain = matrix_of("roll-over", action="check", from_trait="15", to_trait="14")
    helped = matrix_of("roll-over", action="check", from_trait="15", to_trait="14", modifier="{help} - 2 * {help}")
    assert plain[1:] == [["15", "65%", "40%", "15%"], ["14", "65%", "40%", "15%"]]
    assert helped[1:] == [["15", "55%", "30%", "5%"], ["14", "55%", "30%", "5%"]]


def test_every_cell_of_a_matrix_rests_on_its_trait_its_difficulty_and_the_dice() -> None:
    table = matrix("fate", action="roll")
    names = [row[0].text for row in table.rows]
    for row in table.rows:
        for difficulty, cell in zip(reversed(names), row[2:], strict=True):
            assert set(printed("fate", cell.sources)) == {"4dF", row[0].text, difficulty}


@pytest.mark.parametrize(
    ("title", "parts", "message"),
    [
        ("an unknown action", {"action": "jump"}, 'no action "jump"'),
        ("an unknown trait", {"action": "roll", "from_trait": "Goood"}, 'there is no "Goood" there'),
        ("an unknown difficulty", {"action": "roll", "to_difficulty": "Hard"}, 'there is no "Hard" there'),
        ("an unknown fact", {"action": "roll", "modifier": "{help}"}, '"help", which is not there'),
        ("a broken modifier", {"action": "roll", "modifier": "1 / 2"}, "which is no whole number"),
    ],
)
def test_a_matrix_that_cannot_be_made(title: str, parts: dict[str, str], message: str) -> None:
    with pytest.raises(ResolverError, match=message):
        matrix_of("fate", **parts)


def test_a_matrix_needs_difficulties() -> None:
    with pytest.raises(ResolverError, match='the action "test" has no difficulties'):
        matrix_of("roll-under", action="test")


def test_a_modifier_that_the_roll_does_not_name_is_refused(tmp_path: Path) -> None:
    ruleset = load_ruleset(changed(tmp_path, "fate", " + {modifier}", ""), SystemSpec)
    action = action_of(ruleset, "roll")
    good = entry_named(action.trait, "Good", "trait")
    assert action.degree(good).reaches(3) == F(50, 81)
    with pytest.raises(ResolverError, match="Roll knows no modifiers"):
        action.degree(good, 1)


def changed(folder: Path, system: str, old: str, new: str) -> Path:
    """A copy of a small system with another line in its system.toml."""
    copytree(FOLDER / system, folder / system)
    path = folder / system / "system.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    return folder / system


@pytest.mark.parametrize(
    ("title", "system", "old", "new", "line", "message"),
    [
        ("an unknown action", "fate", 'action = "roll"', 'action = "jump"', "[derived.roll-odds]", 'no action "jump"'),
        ("an unknown name in the roll", "fate", "{trait} + {mod", "{trade} + {mod", "[actions.roll]", '"trade"'),
        (
            "an unknown ladder",
            "fate",
            'id = "trait", ladder = "skill"',
            'id = "trait", ladder = "skull"',
            "[actions.roll]",
            '"skull"',
        ),
        (
            "a trait that no formula names",
            "fate",
            'id = "trait"',
            'id = "skill"',
            "[actions.roll]",
            r"\{trait\} is called by the id of its axis: \{skill\}",
        ),
        ("a roll for all traits", "fate", " + {trait}", "", "[actions.roll]", r"names the trait: \{trait\}"),
        (
            "a trait with the name of a fact",
            "roll-over",
            '{trait}, {bonuses.bonus}) + {modifier}"\ntrait = { id = "trait"',
            '{help}, {bonuses.bonus}) + {modifier}"\ntrait = { id = "help"',
            "[actions.check]",
            r'\{help\} is the trait of "Check", and also the name of a fact',
        ),
        ("no dice", "fate", "{dice} + {trait}", "{trait}", "[actions.roll]", "there are no dice in it"),
        (
            "an unknown column",
            "step-dice",
            'of = "skills.skill"',
            'of = "skills.name"',
            "[actions.roll]",
            "is no column",
        ),
        (
            "an unknown table",
            "step-dice",
            'of = "skills.skill"',
            'of = "skulls.skill"',
            "[actions.roll]",
            "no table",
        ),
        (
            "no range of results",
            "apocalypse",
            "{band.total}",
            "{band.result}",
            "[derived.move-odds]",
            "is no number, and a formula asks for {band.result}",
        ),
        (
            "more than from low to high",
            "apocalypse",
            'low = "{lowest-stat}"',
            'low = "9"',
            "[derived.move-odds]",
            "no numbers from 9 to 3",
        ),
        (
            "very many numbers",
            "apocalypse",
            'low = "{lowest-stat}"',
            'low = "-9999"',
            "[derived.move-odds]",
            "or too many",
        ),
        (
            "a broken end",
            "apocalypse",
            'low = "{lowest-stat}"',
            'low = "1/2"',
            "[derived.move-odds]",
            "no whole number",
        ),
    ],
)
def test_a_fault_is_shown_at_the_entry_that_has_it(
    tmp_path: Path, title: str, system: str, old: str, new: str, line: str, message: str
) -> None:
    folder = changed(tmp_path, system, old, new)
    lines = (folder / "system.toml").read_text(encoding="utf-8").splitlines()
    with pytest.raises(ResolverError, match=message) as caught:
        dict(ComputedTables(load_ruleset(folder, SystemSpec)))
    span = caught.value.span
    assert span is not None
    assert (span.file, span.line, span.column) == (f"{system}/system.toml", lines.index(line) + 1, 1), title


@pytest.mark.parametrize(
    ("title", "old", "new", "message"),
    [
        (
            "a formula that cannot be read",
            "{dice} + {trait}",
            "{dice} ++* {trait}",
            r'"actions.roll.roll": .*column 10',
        ),
        ("an unknown function", "{dice} + {trait}", "roll({dice}) + {trait}", 'there is no function "roll"'),
        ("two kinds of axis", 'id = "trait", ladder', 'id = "trait", numbers = [1], ladder', "an axis is one of"),
        (
            "two numbers that the roll is held against",
            'title = "Roll"',
            'title = "Roll"\nat_least = "1"\nat_most = "2"',
            "comes to `at_least` a number or to `at_most` a number, not to both",
        ),
        (
            "a difficulty that is of no use",
            'title = "Roll"',
            'title = "Roll"\nat_most = "2"',
            r"name the difficulty in `roll` or in `at_most`: \{difficulty\}",
        ),
        (
            "a trait and a difficulty with one id",
            'id = "trait"',
            'id = "difficulty"',
            'two ids, neither "modifier"',
        ),
        (
            "an unknown key",
            'roll = "{dice}',
            'rolls = "{dice}',
            'unknown key "actions.roll.rolls"|"actions.roll.roll" is missing',
        ),
    ],
)
def test_a_fault_in_what_is_written_is_shown_at_its_key(
    tmp_path: Path, title: str, old: str, new: str, message: str
) -> None:
    with pytest.raises(RefgenError, match=message) as caught:
        load_ruleset(changed(tmp_path, "fate", old, new), SystemSpec)
    assert caught.value.span is not None
    line = (tmp_path / "fate" / "system.toml").read_text(encoding="utf-8").splitlines()[caught.value.span.line - 1]
    assert new[:12] in line or line == "[actions.roll]", title


def test_an_action_like_another_has_its_axes_but_for_its_own(tmp_path: Path) -> None:
    folder = copytree(FOLDER / "fate", tmp_path / "fate")
    with (folder / "system.toml").open("a", encoding="utf-8") as file:
        file.write('[actions.bold]\ntitle = "Bold"\nroll = "{dice} + {trait}"\nlike = "roll"\n')
        file.write('[actions.mad]\ntitle = "Mad"\nroll = "{dice} + {trait}"\nlike = "roll"\n')
        file.write('difficulty = { id = "difficulty", ladder = "skill", reverse = true }\n')
    spec = load_ruleset(folder, SystemSpec).spec
    roll, bold, mad = (spec.actions[name] for name in ("roll", "bold", "mad"))
    assert (bold.trait, bold.difficulty) == (roll.trait, roll.difficulty)
    assert mad.trait == roll.trait
    assert mad.difficulty == AxisSpec(id="difficulty", ladder="skill", reverse=True)


def test_an_action_like_none_is_refused(tmp_path: Path) -> None:
    folder = copytree(FOLDER / "fate", tmp_path / "fate")
    with (folder / "system.toml").open("a", encoding="utf-8") as file:
        file.write('[actions.bold]\ntitle = "Bold"\nroll = "2d6 + {trait}"\nlike = "calm"\n')
    with pytest.raises(RulesError, match='"actions": there is no action "calm" to be like'):
        load_ruleset(folder, SystemSpec)
