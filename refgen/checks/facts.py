"""Numbers in prose against tables and dice.

In: a fact, and the cell or the dice that must agree with it. Out: findings.
"""

from __future__ import annotations

from refgen.checks.finding import Finding, FindingKind, Severity
from refgen.errors import CheckError
from refgen.notation.values import Interval, Value, as_chance, as_number
from refgen.resolver.lookup import column_of, roll_of, table_of
from refgen.rules.model import Fact, Ruleset
from refgen.rules.schema import RangeSpec, StatedSpec


def check_stated(ruleset: Ruleset, check_id: str, spec: StatedSpec) -> tuple[int, list[Finding]]:
    """What a sentence says of a table is what the table prints in the row that the sentence speaks of."""
    fact, at = _fact(ruleset, spec.fact), _fact(ruleset, spec.at)
    table = table_of(ruleset, spec.table)
    cells = [
        cell
        for key, cell in zip(column_of(table, spec.key), column_of(table, spec.column), strict=True)
        if as_number(key.value) == as_number(at.value)
    ]
    if len(cells) != 1:
        raise CheckError(f'"{at.text}" stands in {len(cells)} rows of "{table.id}"')
    printed = cells[0]
    if _same(fact.value, printed.value):
        return 1, []
    rule = f"{table.title}, {at.text}, as printed in the table"
    return 1, [_finding(ruleset, fact, check_id, printed.text, rule)]


def _same(left: Value, right: Value | None) -> bool:
    chances = as_chance(left), as_chance(right)
    if all(chance is not None for chance in chances):
        return chances[0] is not None and chances[1] is not None and chances[0].value == chances[1].value
    return left == right


def check_range(ruleset: Ruleset, check_id: str, spec: RangeSpec) -> tuple[int, list[Finding]]:
    """The range of results that a sentence states is the range of the dice."""
    fact = _fact(ruleset, spec.fact)
    outcomes = roll_of(ruleset, spec.dice).outcomes
    if fact.value == Interval(outcomes[0], outcomes[-1]):
        return 1, []
    computed = f"{outcomes[0]} to {outcomes[-1]}"
    return 1, [_finding(ruleset, fact, check_id, computed, f"the lowest and highest result of {spec.dice}")]


def _fact(ruleset: Ruleset, fact_id: str) -> Fact:
    if fact_id not in ruleset.facts:
        raise CheckError(f'there is no fact "{fact_id}"', hint=f"There are {', '.join(ruleset.facts)}.")
    return ruleset.facts[fact_id]


def _finding(ruleset: Ruleset, fact: Fact, check_id: str, computed: str, rule: str) -> Finding:
    return Finding(
        id=check_id,
        kind=FindingKind.NUMBER,
        system=ruleset.id,
        table="facts",
        row=fact.id,
        column=fact.title,
        printed=fact.text,
        computed=computed,
        exact="",
        rule=rule,
        severity=Severity.ERROR,
        span=fact.span,
    )
