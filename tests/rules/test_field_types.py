"""Worked examples: one entry has the sentences and a formula, and its figures are facts."""

from __future__ import annotations

from pathlib import Path

import pytest

from refgen.checks.finding import Severity
from refgen.checks.run import check
from refgen.errors import RulesError
from refgen.game import GameRules, SystemSpec
from refgen.resolver.computed import ComputedTables
from refgen.rules.load import load_ruleset
from tests.rules.game_files import write_game

RULES = """\
# Climbing

Level | Value
------|------
Good  | +1
Fair  | 0
Poor  | -1

Wet rock takes 1 off. Her climbing is Good, less 1 on wet rock, so she climbs at Fair;
a roll of -1 leaves her with Poor.
"""
SYSTEM = """\
title = "Climbing"
about = "A rock."
document = "rules.md"
accent = "#123456"
source = "made for the tests"
ladders = { trait = { table = "levels", level = "level", value = "value" } }

[tables.levels]
title = "Levels"
header = ["Level", "Value"]
columns = [{ id = "level", ladder = "trait" }, { id = "value", type = "number" }]

[facts]
wet = { title = "Wet rock", text = "Wet rock takes {wet} off" }
"""
EXAMPLE = """\
[examples.climb]
title = "Example of the climb"
section = "Climbing"
text = ["climbing is {skill}, less {less} on wet", "climbs at {on-wet-rock}; a roll of {roll} leaves her with {result}"]
levels = { trait = ["skill", "on-wet-rock", "result"] }
titles = { less = "taken off" }
holds = "{less} == {wet} and {on-wet-rock} == {skill} - {less} and {result} == {on-wet-rock} + {roll}"
because = "{skill}, less {wet} for wet rock, and the dice"
"""


def loaded(folder: Path, example: str = EXAMPLE, rules: str = RULES) -> GameRules:
    files = {"rules.md": rules, "system.toml": SYSTEM, "proof.toml": example}
    return load_ruleset(write_game(folder, files), SystemSpec)


def test_its_figures_are_facts_by_both_names(tmp_path: Path) -> None:
    ruleset = loaded(tmp_path)
    assert {fact.title: fact.text for fact in ruleset.facts.values()} == {
        "Wet rock": "1",
        "Example of the climb: skill": "Good",
        "Example of the climb: taken off": "1",
        "Example of the climb: on wet rock": "Fair",
        "Example of the climb: roll": "-1",
        "Example of the climb: result": "Poor",
    }
    assert [name for name in ruleset.facts if name.startswith("climb-")] == [
        *("climb-skill", "climb-less", "climb-on-wet-rock", "climb-roll", "climb-result"),
    ]
    report = check(ruleset, ComputedTables(ruleset))
    assert (report.compared, report.agreeing, report.findings) == (3, 3, ())


@pytest.mark.parametrize(("more", "severity"), [("", Severity.ERROR), ("inferred = true\n", Severity.WARNING)])
def test_a_figure_that_does_not_satisfy_it_is_found(tmp_path: Path, more: str, severity: Severity) -> None:
    ruleset = loaded(tmp_path, EXAMPLE + more, RULES.replace("with Poor", "with Fair"))
    (finding,) = check(ruleset, ComputedTables(ruleset)).findings
    assert (finding.id, finding.printed, finding.computed) == ("climb-result", "Fair", "Poor")
    assert (finding.rule, finding.severity) == ("Good, less 1 for wet rock, and the dice", severity)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('{ trait = ["skill"', '{ trait = ["skil"', 'no sentence of the example has a figure "skil"'),
        ("{ less = ", "{ loss = ", 'no sentence of the example has a figure "loss"'),
        ("{result} == ", "{wet} == ", 'no sentence of the example has a figure "wet"'),
        ("{result} == ", "{result} >= ", '"{result} >= {on-wet-rock} + {roll}" is not an equation'),
        ("{result} == ", "{result} + 1 == ", "is not an equation with a figure of its own before =="),
        ("{result} == ", "{less} == ", "is not an equation with a figure of its own before =="),
        ("+ {roll}", "+ ", "cannot read the formula"),
    ],
)
def test_what_cannot_be_is_refused_at_its_entry(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert EXAMPLE.count(old) == 1
    with pytest.raises(RulesError) as caught:
        loaded(tmp_path, EXAMPLE.replace(old, new))
    assert message in caught.value.message
    assert str(caught.value.span).endswith("/proof.toml:1:1")


def test_a_sentence_that_is_not_there_is_reported_at_the_example(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match="is not in the document") as caught:
        loaded(tmp_path, EXAMPLE.replace("climbing is", "swimming is"))
    assert str(caught.value.span).endswith("/proof.toml:1:1")


def test_a_figure_may_not_be_a_fact_as_well(tmp_path: Path) -> None:
    fact = '\n[facts]\nclimb-roll = { title = "Roll", text = "a roll of {climb-roll} leaves" }\n'
    with pytest.raises(RulesError, match='"climb-roll" is both a fact and a figure of the example "climb"'):
        loaded(tmp_path, EXAMPLE + fact)


def test_its_reason_may_look_a_cell_up(tmp_path: Path) -> None:
    example = EXAMPLE.replace("and the dice", "and the dice: {levels.value at {skill}}")
    ruleset = loaded(tmp_path, example, RULES.replace("with Poor", "with Fair"))
    (finding,) = check(ruleset, ComputedTables(ruleset)).findings
    assert finding.rule == "Good, less 1 for wet rock, and the dice: +1"
