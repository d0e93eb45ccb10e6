"""What a table must be in itself: chances that add up, ranges that cover the dice.

In: a printed table. Out: findings about the whole column.
"""

from __future__ import annotations

from fractions import Fraction

from refgen.checks.compare import half_unit
from refgen.checks.finding import Finding, FindingKind, Severity
from refgen.errors import CheckError
from refgen.notation.rounding import decimal
from refgen.notation.values import Interval, as_chance
from refgen.resolver.lookup import column_of, roll_of, table_of
from refgen.rules.model import Ruleset, Table
from refgen.rules.schema import CoverSpec, SumSpec
from refgen.source import Span


def check_sum(ruleset: Ruleset, check_id: str, spec: SumSpec) -> tuple[int, list[Finding]]:
    """The chances of a column add up to 100%, give or take half a unit for each of them."""
    table = table_of(ruleset, spec.table)
    chances = [chance for cell in column_of(table, spec.column) if (chance := as_chance(cell.value)) is not None]
    total = sum((chance.value for chance in chances), Fraction(0))
    slack = sum((half_unit(chance) for chance in chances), Fraction(0))
    if abs(total - 1) <= slack:
        return 1, []
    rule = "the chances of all outcomes add up to 100%"
    return 1, [_about(ruleset, table, check_id, spec.column, f"{decimal(total * 100, 1)}%", "100%", rule)]


def check_cover(ruleset: Ruleset, check_id: str, spec: CoverSpec) -> tuple[int, list[Finding]]:
    """Every outcome of the dice stands in exactly one range of a column, and no range is beyond the dice."""
    table = table_of(ruleset, spec.table)
    intervals = [cell.value for cell in column_of(table, spec.column) if isinstance(cell.value, Interval)]
    outcomes = roll_of(ruleset, spec.dice).outcomes
    wrong = [outcome for outcome in outcomes if sum(outcome in interval for interval in intervals) != 1]
    beyond = [
        end
        for interval in intervals
        for end in (interval.low, interval.high)
        if end is not None and not outcomes[0] <= end <= outcomes[-1]
    ]
    if not wrong and not beyond:
        return 1, []
    shown = ", ".join(str(outcome) for outcome in [*wrong, *beyond][:8])
    rule = f"the ranges cover each outcome of {spec.dice} once"
    return 1, [_about(ruleset, table, check_id, spec.column, f"not once: {shown}", "each outcome once", rule)]


def _about(
    ruleset: Ruleset, table: Table, check_id: str, column: str, printed: str, computed: str, rule: str
) -> Finding:
    return Finding(
        id=check_id,
        kind=FindingKind.STRUCTURE,
        system=ruleset.id,
        table=table.id,
        row="",
        column=column,
        printed=printed,
        computed=computed,
        exact="",
        rule=rule,
        severity=Severity.WARNING,
        span=_place(table),
    )


def _place(table: Table) -> Span:
    if table.span is None:
        raise CheckError(f'"{table.id}" is computed, not printed: there is nothing to check')
    return table.span
