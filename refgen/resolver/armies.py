"""Army sizes: people under arms by the size of a society.

In: a table of sizes, populations and shares, and cells such as "Scope-1" that say how many steps smaller or
larger a kind of army is. Out: the army of each size, and of each kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from refgen.errors import ResolverError
from refgen.notation.rounding import decimal
from refgen.notation.values import Level, Modifier, Number
from refgen.resolver.lookup import column_of, computed, number_of, table_of
from refgen.rules.model import Cell, Column, Ruleset, Table
from refgen.rules.schema import ArmiesSpec


def armies(ruleset: Ruleset, table_id: str, spec: ArmiesSpec) -> Table:
    """For each size: population x share, and the same of the size some steps up or down."""
    table = table_of(ruleset, spec.table)
    sizes = list(column_of(table, spec.size))
    people = [
        _people(population, number_of(share))
        for population, share in zip(column_of(table, spec.population), column_of(table, spec.share), strict=True)
    ]
    by_value = {_level(size).value: number for size, number in zip(sizes, people, strict=True)}
    steps = {kind: _steps(ruleset, path) for kind, path in spec.steps.items()}
    columns = [
        Column(spec.size, "Size", "level"),
        Column("nominal", "Nominal", "number"),
        *(Column(kind, kind.replace("-", " ").capitalize(), "number") for kind in steps),
    ]
    rows = [
        (
            Cell(size.text, size.value),
            _cell(people[number]),
            *(_cell(by_value.get(_level(size).value + step)) for step in steps.values()),
        )
        for number, size in enumerate(sizes)
    ]
    return computed(table_id, spec, columns, rows, _rule(steps))


def _rule(steps: dict[str, int]) -> str:
    kinds = ", ".join(
        f"{kind} the army {abs(step)} size {'up' if step > 0 else 'down'}" for kind, step in steps.items()
    )
    return f"Nominal is population times military share; {kinds}."


def _people(population: Cell, share: Fraction) -> Number:
    bound = population.value.bound if isinstance(population.value, Number) else ""
    return Number(number_of(population) * share, bound)


def _level(cell: Cell) -> Level:
    if not isinstance(cell.value, Level):
        raise ResolverError(f'"{cell.text}" at {cell.span} is not a level of the sizes')
    return cell.value


def _steps(ruleset: Ruleset, path: str) -> int:
    """The steps in a cell named "table/row/column", where the row is known by its first cell."""
    table_id, row_name, column = _three(path)
    table = table_of(ruleset, table_id)
    for row, cell in zip(table.rows, column_of(table, column), strict=True):
        if row[0].text == row_name and isinstance(cell.value, Modifier) and cell.value.low == cell.value.high:
            return int(cell.value.low)
    raise ResolverError(f'"{path}" names no modifier', hint='Write "table/first cell of the row/column".')


def _three(path: str) -> Sequence[str]:
    parts = path.split("/")
    if len(parts) != 3:
        raise ResolverError(f'"{path}" is not "table/row/column"')
    return parts


def _cell(number: Number | None) -> Cell:
    if number is None:
        return Cell("–")
    digits = decimal(number.value)
    grouped = f"{int(digits):,}"
    return Cell(number.bound + grouped, number, exact=number.value)
