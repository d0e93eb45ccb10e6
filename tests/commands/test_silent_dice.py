"""What an author writes about dice in system.toml is read as it is meant, or ``refgen check`` and ``odds`` say so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from refgen.cli import main
from tests.checks.small import parted

HEAD = """\
title = "Trade"
about = "Goods and checks."
document = "rules.md"
accent = "#123456"
source = "made for the tests"
"""


def project(folder: Path, document: str, rules: str) -> Path:
    game = folder / "content" / "trade"
    game.mkdir(parents=True)
    (folder / "refgen.toml").touch()
    (game / "rules.md").write_text(document, encoding="utf-8")
    said, proofs = parted(HEAD + rules)
    (game / "system.toml").write_text(said, encoding="utf-8")
    (game / "proof.toml").write_text(proofs, encoding="utf-8")
    return folder


def run(command: str, folder: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, [command, *arguments, "--project", str(folder)])


GOODS = "# Goods\n\nRoll D66.\n\nRoll | Goods\n-----|------\n{rows}\n"
GOODS_RULES = """
[tables.goods]
title = "Goods"
header = ["Roll", "Goods"]
columns = [{ id = "roll", type = "interval" }, { id = "goods" }]

[facts]
dice = { title = "Dice", text = "Roll {dice}.", type = "dice" }

[checks]
goods = { kind = "partition", table = "goods", column = "roll", dice = "{dice}" }
"""
ROWS = ["11-16", "21-26", "31-33", "34-36", "41", "42-46", "51-56", "61-66"]


@pytest.mark.parametrize(
    ("title", "changed", "printed", "expected"),
    [
        ("all outcomes once", {}, [], []),
        ("one outcome twice", {"21-26": "16-26"}, ["11-16", "16-26"], ["11 to 15", "21 to 26"]),
        ("a row of six lost", {"21-26": ""}, ["11-16", "31-33"], ["11 to 26", "21 to 33"]),
        ("one outcome lost", {"41": ""}, ["34-36", "42-46"], ["34 to 41", "41 to 46"]),
        ("a range without any outcome", {"41": "37-40\n41"}, ["37-40"], ["another range"]),
        ("beyond the dice", {"61-66": "61-67"}, ["61-67"], ["61 to 66"]),
    ],
)
def test_a_d66_table_is_covered_by_its_36_outcomes(
    tmp_path: Path, title: str, changed: dict[str, str], printed: list[str], expected: list[str]
) -> None:
    rows = [part for row in ROWS for part in changed.get(row, row).split("\n") if part]
    document = GOODS.format(rows="\n".join(f"{row} | goods" for row in rows))
    report = json.loads(run("check", project(tmp_path, document, GOODS_RULES), "--format", "json").stdout)
    found = [place for each in report["findings"] for place in (each, *each["rivals"])]
    assert ([each["printed"] for each in found], [each["computed"] for each in found]) == (printed, expected), title


TASKS = """# Tasks

Roll 2d6 for 8 or more, with a skill of 0 to 3.

Difficulty     | DM
---------------|---
Easy           | +4
Average        | 0
Difficult      | -2
"""
TASKS_RULES = """
[tables.tasks]
title = "Tasks"
header = ["Difficulty", "DM"]
columns = [{{ id = "difficulty" }}, {{ id = "dm", type = "modifier" }}]

[facts]
dice = {{ title = "Dice", text = "Roll {{dice}} for {{target}} or more", type = "dice" }}
target = {{ title = "Target" }}

[ladders.task]
table = "tasks"
level = "difficulty"
value = "dm"

[actions.check]
title = "Check"
roll = "{{dice}} + {{trait}} + {{modifier}} - {{target}}"
trait = {{ id = "trait", numbers = [3, 2, 1, 0] }}
{difficulty}
"""


@pytest.mark.parametrize("axis", ['ladder = "task"', 'of = "tasks.dm"'])
def test_a_ladder_of_modifiers_is_no_difficulty(tmp_path: Path, axis: str) -> None:
    written = f'difficulty = {{ id = "difficulty", {axis} }}'
    folder = project(tmp_path, TASKS, TASKS_RULES.format(difficulty=written))
    asked = ["--system", "trade", "--trait", "2", "--difficulty", "Difficult"]
    refused = run("odds", folder, *asked)
    assert refused.exit_code == 2
    message, hint = refused.stderr.splitlines()
    assert message.endswith('rules.md:7:18: "+4" is a difficulty, and is printed like a modifier')
    assert 'roll = "{dice} + {trait} + {modifier} - {target}"' in hint


def test_a_level_of_modifiers_is_given_as_a_modifier(tmp_path: Path) -> None:
    folder = project(tmp_path, TASKS, TASKS_RULES.format(difficulty=""))
    asked = ["--system", "trade", "--trait", "2", "--modifier", "-2"]
    assert run("odds", folder, *asked).stdout.splitlines()[1] == "  Check  41.67% (5/12)"


def test_signed_numbers_that_a_roll_must_reach_are_a_difficulty_when_it_says_so(tmp_path: Path) -> None:
    written = 'difficulty = { id = "difficulty", ladder = "task", signed = true }'
    folder = project(tmp_path, TASKS, TASKS_RULES.format(difficulty=written))
    asked = ["--system", "trade", "--trait", "2", "--difficulty", "Difficult"]
    assert run("odds", folder, *asked).stdout.splitlines()[1] == "  Check  91.67% (11/12)"


CHANCE = """
[tables.tasks]
title = "Tasks"
header = ["Difficulty", "DM"]
columns = [{{ id = "difficulty" }}, {{ id = "dm", type = "modifier" }}]

[facts]
dice = {{ title = "Dice", text = "Roll {{dice}} for", type = "dice" }}

[rolls.both]
title = "Two rolls"
roll = "{{dice}} + {{dice}}"

[derived.tries]
kind = "grid"
title = "Tries"
rule = "Rolled."
{names}
rows = [{{ id = "n", numbers = [1, 2] }}]
columns = [{{ id = "once", title = "Once", formula = "{formula}" }}]
"""


@pytest.mark.parametrize(
    ("formula", "names", "found"),
    [
        ("chance({dice} >= {n} and {dice} <= 5)", "", ["dice"]),
        ("mean(if({dice} > 6, {dice} + {n}, 0))", "", ["dice"]),
        ("chance({both} > 6 or even({both}))", "", ["both"]),
        ("chance({sum} > 6 and {sum} < 9)", 'let = { sum = "{dice} + {n}" }', ["sum"]),
        ("chance({dice} > {n} and {dice} < 3) + chance({both} > 6 and {dice} < 3)", "", ["dice"]),
        ("chance({throw} > 6 and {throw} < 9)", 'throws = { throw = "{dice}" }', []),
        ("chance({one} > 6 and {two} < 9)", 'throws = { one = "{dice}", two = "{dice}" }', []),
        ("chance({sum} > 6 and {sum} < 9)", 'throws = { t = "{dice}" }\nlet = { sum = "{t} + {n}" }', []),
        ("chance({dice} - {dice} >= {n})", "", []),
        ("chance({dice} >= {dice})", "", []),
        ("chance({dice} >= 9) - chance({dice} >= 10)", "", []),
        ("chance(if({n} > 1, {dice} >= 9, {dice} <= 5))", "", []),
        ("chance({dice} >= {n} and {both} >= {n})", "", []),
    ],
)
def test_a_roll_that_stands_in_two_questions_is_a_warning(
    tmp_path: Path, formula: str, names: str, found: list[str]
) -> None:
    folder = project(tmp_path, TASKS, CHANCE.format(formula=formula, names=names))
    report = run("check", folder)
    shown = [line.partition(" stands in two questions")[0] for line in report.stdout.splitlines()[:-1]]
    line = folder.joinpath("content/trade/system.toml").read_text(encoding="utf-8").count("\n")
    where = f"trade/system.toml:{line}:54: warning: derived.tries.columns.once.formula"
    assert shown == [f"{where}: {{{name}}}" for name in found]
    assert report.exit_code == (1 if found else 0)
    assert report.stdout.count("throws = { throw = ") == len(found)
