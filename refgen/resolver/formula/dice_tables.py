"""Printed tables that dice formulas name: map(d100, hits) looks a roll up, chances(odds) is a roll by its printed odds.

In: a ruleset, and a call that names a printed table. Out: a Distribution.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import cast

from refgen.errors import ResolverError
from refgen.notation.formula_parser import read_inline_table
from refgen.notation.formula_tree import Call
from refgen.notation.values import Interval, Number, NumberList, Percent
from refgen.resolver.dice.combine import map_outcomes
from refgen.resolver.dice.distribution import Distribution
from refgen.resolver.dice.interval_arithmetic import Bounds
from refgen.resolver.formula.dice_functions import Argument, DiceFunction
from refgen.resolver.formula.following import follow_roll
from refgen.resolver.formula.scope import NamedValue, Scope
from refgen.resolver.lookup import NotPrintedError
from refgen.rules.model import Cell, Ruleset, RuleTable

RollTable = Sequence[tuple[Interval, int]]
"""A table in which a roll is looked up: ranges of outcomes and their results."""

OddsTable = Sequence[tuple[int, Fraction]]
"""A roll as printed odds: a difficulty, and the chance that the difficulty plus the roll is 0 or more."""


DiceTable = RollTable | OddsTable
"""A table that dice can name: ranges and their results for map(), printed odds for chances()."""


def table_functions(ruleset: Ruleset) -> Mapping[str, DiceFunction]:
    """map() and chances(), which name a printed table; map() may also have a table of its own, in quotes."""

    def find(call: Call) -> tuple[NamedValue, DiceTable]:
        table, rows = dice_table(ruleset, call)
        return NamedValue(Cell("", span=table.span), None), rows

    def look_up(call: Call, parts: Sequence[Argument], scope: Scope) -> Distribution:
        named, rows = (None, read_inline_table(call.table)) if call.table.startswith('"') else find(call)
        table = cast("RollTable", rows)
        rolled = follow_roll(parts[0], scope, farthest_end(table), -farthest_end(table))
        if named is not None:
            scope.add_source(named)
        return looked_up(rolled.as_whole(), table, call.table)

    def chances(call: Call, _parts: Sequence[Argument], scope: Scope) -> Distribution:
        named, rows = find(call)
        scope.add_source(named)
        return from_odds(cast("OddsTable", rows), call.table)

    return {"map": look_up, "chances": chances}


def looked_up(rolled: Distribution, table: RollTable, name: str) -> Distribution:
    """A roll looked up in a table, outcome by outcome. Raises ResolverError for an outcome in no range, or in two.

    What lies in a tail has the results of the ranges that are so far out.
    """
    _check_tails(rolled, table, name)
    found = Distribution.of(map_outcomes(rolled, lambda outcome: _result(outcome, table, name)))
    return found.with_tails_of((rolled,), lambda outcomes: _bounds_of_results(outcomes, table))


def _bounds_of_results(outcomes: Bounds, table: RollTable) -> Bounds:
    """The least and the largest result of outcomes between two ends."""
    low, high = outcomes
    results = [
        result
        for interval, result in table
        if (interval.high is None or interval.high >= low) and (interval.low is None or interval.low <= high)
    ]
    return min(results), max(results)


def farthest_end(table: RollTable) -> int:
    """The end of a range that is farthest from zero."""
    ends = (end for interval, _ in table for end in (interval.low, interval.high))
    return max((abs(end) for end in ends if end is not None), default=0)


def _result(outcome: int, table: RollTable, name: str) -> int:
    results = [result for interval, result in table if outcome in interval]
    if len(results) != 1:
        raise ResolverError(f"map(): the outcome {outcome} stands {len(results)} times in {name}")
    return results[0]


def _check_tails(rolled: Distribution, table: RollTable, name: str) -> None:
    for tail, ends in (
        (rolled.exact_high, [interval.high for interval, _ in table]),
        (rolled.exact_low, [interval.low for interval, _ in table]),
    ):
        if tail is not None and ends.count(None) != 1:
            raise ResolverError(
                f"map(): an open-ended roll has outcomes beyond every range of {name}",
                hint='Give the last range no end, such as "7+: 3".',
            )


def from_odds(table: OddsTable, name: str) -> Distribution:
    """The roll whose odds are printed: for each difficulty d, the chance that d plus the roll is 0 or more.

    The roll is -d with the chance by which the odds at d are better than at d - 1. What the printed odds leave open
    is a tail: above, a roll that succeeds at the lowest difficulty; below, one that fails at the highest.
    Raises ResolverError when difficulties do not rise one by one, or chances fall or are none.
    """
    rows = sorted(table)
    if not rows:
        raise ResolverError(f"chances(): {name} has no odds")
    for (before, worse), (difficulty, better) in pairwise(rows):
        if difficulty != before + 1:
            raise ResolverError(f"chances(): {name} goes from {before} to {difficulty}")
        if better < worse:
            raise ResolverError(f"chances(): in {name} the chance falls from {before} to {difficulty}")
    for difficulty, chance in (rows[0], rows[-1]):
        if not 0 <= chance <= 1:
            raise ResolverError(f"chances(): in {name} the number for {difficulty} is not between 0% and 100%")
    (lowest, least), (highest, most) = rows[0], rows[-1]
    chances = {-lowest: least, -highest - 1: 1 - most}
    for (_, worse), (difficulty, better) in pairwise(rows):
        chances[-difficulty] = better - worse
    low = -highest if most < 1 else None
    high = -lowest - 1 if least > 0 else None
    denominator = lcm(*(chance.denominator for chance in chances.values()))
    weights = {outcome: int(chance * denominator) for outcome, chance in chances.items()}
    return Distribution.of(weights, least + 1 - most, low, high)


def dice_table(ruleset: Ruleset, call: Call) -> tuple[RuleTable, DiceTable]:
    """The printed table that map() or chances() names, and its rows. Raises ResolverError when there is none."""
    if "dice tables" not in ruleset.kept:
        ruleset.kept["dice tables"] = roll_tables(ruleset)
    tables: Mapping[str, DiceTable] = ruleset.kept["dice tables"]
    wanted = Interval if call.name == "map" else int
    known = {name: rows for name, rows in tables.items() if isinstance(rows[0][0], wanted)}
    if call.table not in known:
        if call.table in ruleset.spec.tables:
            ruleset.tables[call.table]  # one that could not be read says so
        hint = f"Known are {', '.join(sorted(known)) or 'none here'}."
        raise ResolverError(f'{call.name}() names an unknown table "{call.table}"', hint=hint)
    rows = known[call.table]
    if lost := set(ruleset.spec.tables[call.table].numbers) - {row[0] for row in rows}:
        raise NotPrintedError(f"{call.table} does not print {min(lost)}")
    return ruleset.tables[call.table], rows


def roll_tables(ruleset: Ruleset) -> Mapping[str, DiceTable]:
    """The printed tables that dice can name.

    A roll is looked up in a table with a column of ranges and one of whole numbers. A table without ranges, with one
    column of whole numbers (difficulties) and one of chances, states the odds of a roll.
    """
    found = ((table.id, _roll_table(table) or _odds_table(table)) for table in ruleset.printed_tables)
    return {table_id: rows for table_id, rows in found if rows}


def _roll_table(table: RuleTable) -> RollTable:
    """The ranges and results of a table; none where a row has a list with gaps, which no range holds."""
    if any(isinstance(cell.value, NumberList) for row in table.rows for cell in row):
        return []
    return [
        (interval, int(number))
        for row in table.rows
        for interval in [next((cell.value for cell in row if isinstance(cell.value, Interval)), None)]
        for number in [next((cell.value.value for cell in row if isinstance(cell.value, Number)), None)]
        if interval is not None and number is not None and number.denominator == 1
    ]


def _odds_table(table: RuleTable) -> OddsTable:
    """The difficulties and chances of a table that states nothing else; empty for any other table."""
    rows = []
    for row in table.rows:
        if all(cell.value is None for cell in row):
            continue
        numbers = [cell.value.value for cell in row if isinstance(cell.value, Number) and not cell.value.bound]
        chances = [cell.value.value for cell in row if isinstance(cell.value, Percent)]
        if len(numbers) != 1 or len(chances) != 1 or numbers[0].denominator != 1:
            return []
        rows.append((int(numbers[0]), chances[0]))
    return rows
