"""Percentages printed for dice that are known: each must be one that these dice can give, rounded.

In: printed chances, each with the texts that may name its dice. Out: a note for each that no number of falls comes to.
A chance of dice is a whole number of the equal ways in which they fall: of 2d6 there are 36, so that 3% and 6% are
chances of theirs, and 10% is none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from refgen.checks.comparison import comparison_id, precision_of, row_names
from refgen.checks.finding import Finding, FindingKind, Severity
from refgen.checks.named_dice import dice_in, ways_of
from refgen.notation.values import Percent, as_chance
from refgen.rules.model import Cell, Ruleset
from refgen.span import Span


@dataclass(frozen=True, slots=True)
class PrintedChance:
    """A percentage as it is printed, and its place; ``named`` are texts that may name its dice, the nearest first."""

    cell: Cell
    span: Span
    named: Sequence[str]
    table: str = ""
    title: str = ""
    row: str = ""
    column: str = ""


def chance_findings(system: str, chances: Iterable[PrintedChance]) -> Iterator[Finding]:
    """A note for each chance that its dice cannot give."""
    for printed in chances:
        chance, dice = as_chance(printed.cell.value), _dice_of(printed.named)
        ways = ways_of(dice) if chance is not None and dice else 0
        if chance is None or not ways or _is_given(printed.cell, chance, ways):
            continue
        precision = precision_of(printed.cell.text, chance)
        near = [Fraction(int(chance.value * ways) + more, ways) for more in (0, 1)]
        yield Finding(
            id=comparison_id("chance", printed.table, printed.row, printed.column, _place_in_id(printed)),
            kind=FindingKind.CHANCE,
            system=system,
            table=printed.table,
            title=printed.title,
            row=printed.row,
            column=printed.column,
            printed=printed.cell.text,
            computed=" or ".join(precision.shown(one) for one in near),
            rule=f"a chance of {dice} is a number of its {ways:,} equal ways to fall",
            severity=Severity.NOTE,
            span=printed.span,
        )


def _place_in_id(printed: PrintedChance) -> str:
    """Where tables have no id, the place of the chance is a part of that of the finding."""
    return "" if printed.table else f"{printed.span.line}:{printed.span.column}"


def _dice_of(named: Sequence[str]) -> str:
    """The dice that the nearest text names which names some; "" where that names several."""
    found = next((dice for text in named if (dice := dice_in(text))), [])
    return found[0] if len(found) == 1 else ""


def _is_given(cell: Cell, chance: Percent, ways: int) -> bool:
    """Whether a number of ways comes to a chance, rounded in any way."""
    unit = precision_of(cell.text, chance).unit
    falls = chance.value * ways
    return any(abs(Fraction(int(falls) + more, ways) - chance.value) < unit for more in (0, 1))


def check_chances(ruleset: Ruleset, compared: Collection[Span]) -> Iterator[Finding]:
    """The chances of printed tables that nothing compares."""
    yield from chance_findings(ruleset.id, _printed_chances(ruleset, compared))


def _printed_chances(ruleset: Ruleset, compared: Collection[Span]) -> Iterator[PrintedChance]:
    for table in ruleset.printed_tables:
        if not any(as_chance(cell.value) for row in table.rows for cell in row):
            continue
        names = row_names(table)
        for name, row in zip(names, table.rows, strict=True):
            for column, cell in zip(table.columns, row, strict=True):
                if cell.span is not None and cell.span not in compared and as_chance(cell.value) is not None:
                    titles = [column.title, table.title]
                    yield PrintedChance(cell, cell.span, titles, table.id, table.title, name, column.title)
