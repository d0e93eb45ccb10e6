"""All dice that the five systems roll, against a list of all their outcomes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from refgen.game import GameRules
from refgen.notation.formula_parser import parse_dice
from refgen.notation.formula_tree import Call, Formula
from refgen.notation.values import DiceText, Interval, Value
from refgen.resolver.formula.compiler import Compiler
from refgen.resolver.formula.dice_tables import roll_tables
from refgen.resolver.formula.names import Names
from refgen.resolver.formula.scope import Scope
from refgen.resolver.lookup import dice_of, spelled_out
from tests.conftest import SYSTEMS, ours
from tests.resolver.dice.outcomes import Outcomes, in_table, outcomes_of

REACH = 12
PLACES = {"die": ["d4", "d8", "d12"], "lowest": ["-4"], "highest": ["4"], "trait": ["2"], "modifier": ["0"]}
"""What stands in for the rows that a formula is filled for."""


def texts_of(value: Any, key: str = "") -> Iterator[str]:
    """The dice that system.toml rolls."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from texts_of(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from texts_of(inner, key)
    elif isinstance(value, str) and key in ("dice", "roll") and value:
        yield value


def filled(ruleset: GameRules, text: str) -> Iterator[str]:
    """A text with its facts and named rolls, and each of the rows that it may be filled for."""
    text = spelled_out(ruleset, text)
    place = next((match for match in re.finditer(r"\{([a-z0-9.-]+)\}", text) if match[1] not in ruleset.facts), None)
    if place is None:
        yield dice_of(ruleset, text)
        return
    for value in PLACES[place[1].rpartition(".")[2]]:
        yield from filled(ruleset, text.replace(place[0], value))


def dice_of_system(system: str) -> list[str]:
    ruleset = ours(system)
    values: list[Value | None] = [fact.value for fact in ruleset.facts.values()]
    values += [cell.value for table in ruleset.tables.values() for row in table.rows for cell in row]
    printed = [value.expression for value in values if isinstance(value, DiceText)]
    rolled = [one for text in texts_of(ruleset.spec.model_dump(exclude={"examples"})) for one in filled(ruleset, text)]
    return sorted({text for text in [*printed, *rolled] if text})


def outcomes_with_tables(ruleset: GameRules, formula: Formula) -> Outcomes | None:
    """All outcomes; None for a roll of which only the odds are printed."""
    match formula:
        case Call(name="map", table=table, arguments=(argument,)) if not table.startswith('"'):
            rows = [(cell, result) for cell, result in roll_tables(ruleset)[table] if isinstance(cell, Interval)]
            return in_table(outcomes_of(argument), [(outcome, int(result)) for outcome, result in rows])
        case Call(name="chances"):
            return None
        case Call(name="times", arguments=(left, right)):
            one, two = outcomes_with_tables(ruleset, left), outcomes_with_tables(ruleset, right)
            assert one is not None
            assert two is not None
            pairs = product(one.listed, two.listed)
            return Outcomes([(a * b, weight * other) for (a, weight), (b, other) in pairs], one.whole * two.whole)
    return outcomes_of(formula)


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_roll_of_a_system_is_what_all_its_outcomes_add_up_to(system: str) -> None:
    ruleset, compared = ours(system), 0
    for text in dice_of_system(system):
        formula = parse_dice(re.sub(r"(?<=\)) \+ \d+ \+ 0$", "", text))
        listed = outcomes_with_tables(ruleset, formula)
        if listed is None:
            continue
        rolled = Compiler(Names(ruleset, {})).roll_reaching(formula)(Scope({}), REACH)
        chances, unknown = listed.chances()
        for outcome in range(-REACH, REACH + 1):
            exactly = chances.get(outcome, Fraction(0))
            assert rolled.is_exact(outcome), text
            assert exactly <= rolled.exactly(outcome) <= exactly + unknown, text
        compared += 1
    assert compared > 0


def test_the_dice_are_found() -> None:
    assert {"4dF", "d6"} <= set(dice_of_system("interactive-history"))
    assert "explode(d8) - explode(d8)" in dice_of_system("harmonies")
