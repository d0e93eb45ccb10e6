"""A table that is gone from the document hides no number that is wrong elsewhere, however an entry names the table."""

from __future__ import annotations

from pathlib import Path

import pytest

from refgen.checks.coverage import Status
from refgen.checks.finding import CheckReport, FindingKind
from refgen.game import GameModel, SystemSpec
from refgen.rules.load import load_ruleset
from tests.checks.small import write

LOST = ("Depth  | Rolls | Step", "Deep   | Rolls | Step")
"""The table of depths is not found by its head any more."""
WRONG = ("hold 6", "hold 7")

CHECKS = """
[checks.boats]
kind = "formula"
fact = "hold"
formula = "2 * {seats}"
rule = "two boats"

[checks.goal]
kind = "formula"
fact = "goal"
formula = "{hold} + 1"
rule = "one more than they hold"
"""
"""The goal follows from the travellers: the finding of the goal is an effect of theirs."""


def grid(formula: str, axis: str = "numbers = [7]") -> str:
    """A computed table that a check asks for, though it compares no row."""
    return f"""
[derived.asked]
title = "Asked"
rule = "As the depths say."
rows = [{{ id = "depth", {axis} }}]
columns = [{{ id = "chance", formula = "{formula}" }}]

[checks.asked]
kind = "compare"
printed = "odds"
computed = "asked"
key = "margin"
computed_key = "depth"
columns = {{ odds = "chance" }}
rule = "as the depths say"
unmatched = ["-1", "0", "+1"]
"""


def chain(step: str, more: str = "") -> str:
    """A chain whose steps are added up, and a computed table that asks for the chain."""
    return f"""
[chains.wading]
title = "Wading"
state = {{ wet = "0" }}
{more}
next = {{ wet = "min({{wet}} + {step}, 9)" }}
end = "{{wet}} >= 5"
{grid("steps(wading)")}
"""


TRACK = """
[tracks.mud]
title = "Mud"
boxes = { id = "depth", of = "depths.depth" }
low = "low({depth.rolls})"
"""
ENTRIES = {
    "a roll looked up in it": grid("chance(map({dice}, depths) >= 2)"),
    "a cell by its key": grid("at({depths.step}, 1, {depths.step})"),
    "a cell by the range that holds a number": grid("at({depths.rolls}, 3, {depths.step})"),
    "its lowest number": grid("lowest({depths.step})"),
    "how many rows it has": grid("rows({depths.step})"),
    "an axis": grid("1", 'of = "depths.depth"'),
    "the end of an axis": grid("1", 'low = "7", high = "highest({depths.step}) + 4"'),
    "a throw of a chain": chain("{fallen}", 'throws = { fallen = "map({dice}, depths)" }'),
    "a column in a chain": chain("rows({depths.step})"),
    "the boxes of a track": TRACK + grid("box(mud, 3)"),
    "a track of a chain": TRACK + chain("{mud.worst}", 'tracks = { mud = "" }\nmarks = { mud = "1" }'),
    "a named roll": '[rolls]\nstep = { title = "Step", roll = "map({dice}, depths)" }\n' + grid("mean({step})"),
    "the trait of an action": """
[actions.wade]
title = "Wade"
roll = "{dice} + {depth.step}"
trait = { id = "depth", of = "depths.depth" }
""",
    "the bands of an action": """
[actions.wade]
title = "Wade"
roll = "{dice}"
at_least = "7 - {skill}"
trait = { id = "skill", low = "1", high = "2" }
bands = { of = "depths.depth", range = "rolls" }
""",
    "an explorer": """
[explorers.asked]
title = "Asked"
rule = "As printed."
rows = [{ id = "n", of = "depths.depth" }]
columns = [{ id = "step", formula = "{n.step}" }]
""",
    "a ladder": """
[ladders.depth]
table = "depths"
level = "depth"
value = "step"
"""
    + grid("3 / 4", 'ladder = "depth"'),
    "a proof of it": """
[checks.cover]
kind = "partition"
table = "depths"
column = "rolls"
dice = "{dice}"
""",
    "a proof by a formula": """
[checks.seats]
kind = "formula"
fact = "seats"
formula = "rows({depths.step})"
rule = "a seat for each depth"
""",
    "a proof by a roll": """
[checks.seats]
kind = "formula"
fact = "seats"
formula = "highest(map({dice}, depths))"
rule = "the deepest"
""",
    "a quote": """
[checks.seats]
kind = "quotes"
fact = "seats"
table = "depths"
key = "depth"
row = "Chasm"
column = "step"
""",
    "a comparison with it": """
[checks.same]
kind = "compare"
printed = "odds"
computed = "depths"
columns = { margin = "step" }
key = "margin"
computed_key = "step"
unmatched = ["-1", "0"]
rule = "as deep"
""",
}
"""Entries that name the table of depths, each in its own way."""


def game_of(folder: Path, *changes: tuple[str, str], entries: str) -> GameModel:
    system = write(folder, *changes, checks=CHECKS + entries)
    return GameModel(load_ruleset(system, SystemSpec, partial=True), system)


def numbers(report: CheckReport) -> list[tuple[str, str, list[str]]]:
    """The numbers that are wrong, each with what would agree and what goes with it."""
    found = [finding for finding in report.open if finding.kind is FindingKind.NUMBER]
    return [(one.id, one.computed, [effect.id for effect in one.effects]) for one in found]


@pytest.mark.parametrize("entries", ENTRIES.values(), ids=ENTRIES)
def test_what_names_a_lost_table_hides_no_number(tmp_path: Path, entries: str) -> None:
    game = game_of(tmp_path, LOST, WRONG, entries=entries)
    assert {error.message for error in game.check().errors} == {"no table has the head Depth | Rolls | Step"}
    assert numbers(game.check()) == [("boats", "6", ["goal"])]
    assert game.coverage().counts[Status.COMPARED] >= 2


@pytest.mark.slow
@pytest.mark.parametrize("entries", ENTRIES.values(), ids=ENTRIES)
def test_these_entries_are_sound_while_the_table_is_there(tmp_path: Path, entries: str) -> None:
    report = game_of(tmp_path, entries=entries).check()
    assert (report.errors, report.open) == ((), ())


def test_what_names_a_lost_sentence_hides_no_number(tmp_path: Path) -> None:
    game = game_of(tmp_path, ("Roll 2d6", "Take 2d6"), WRONG, entries=ENTRIES["a roll looked up in it"])
    assert {error.message for error in game.check().errors} == {'the fact "dice" is not in the document'}
    assert numbers(game.check()) == [("boats", "6", ["goal"])]
