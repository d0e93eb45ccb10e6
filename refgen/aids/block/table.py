"""A table as it is shown: which columns, under which heads, how each is aligned, with bars or heat behind the figures.

In: a table of a game, and what is wanted of it. Out: a TableBlock. Raises AidError for columns that are not there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType

from refgen.aids.block.model import LONGEST_NAME, ShownCell, ShownColumn, TableBlock
from refgen.aids.figures import equal_share, under_each_other
from refgen.aids.footnotes import footnotes
from refgen.aids.names import column_index
from refgen.aids.typeset import typeset
from refgen.checks.marks import Mark
from refgen.notation.read import FIGURES
from refgen.notation.values import Percent, as_chance
from refgen.rules.model import Cell, Column, Table
from refgen.span import Span

HEAT_STEPS = 8
"""How many tints a heat table has: enough to see, few enough to tell apart in grey print."""

_NUMERIC = FIGURES | {"dice"}


def show_table(
    table: Table,
    wanted: Sequence[str] = (),
    heads: Mapping[str, str] | None = None,
    *,
    bars: str | None = None,
    heat: bool = False,
    marks: Mapping[Span, Mark] = MappingProxyType({}),
) -> TableBlock:
    """A table as it is shown: all its columns, or the wanted ones in that order, under their own heads or others."""
    indexes = [column_index(table, column) for column in wanted] or list(range(len(table.columns)))
    bar_index = column_index(table, bars) if bars else None
    longest = _longest(table, bar_index)
    named = _naming_column(table, indexes)
    notes = footnotes((row[index].span for row in table.rows for index in indexes), marks)
    columns = tuple(
        ShownColumn(
            (heads or {}).get(table.columns[index].id, typeset(table.columns[index].title)),
            typeset(table.columns[index].unit),
            "bars" if index == bar_index else _align(table, index),
        )
        for index in indexes
    )
    rows = tuple(
        tuple(
            ShownCell(
                typeset(notes.text(row[index].span, row[index].shown), row[index].value),
                _align(table, index),
                header=index == named and len(indexes) > 1,
                bar=_bar(row[index], longest) if index == bar_index else None,
                heat=_heat(row[index]) if heat else None,
                sign=notes.sign(row[index].span),
                value=_shown_value(row[index]) if heat or index == bar_index else None,
            )
            for index in indexes
        )
        for row in table.rows
    )
    rows = tuple(zip(*map(_aligned, zip(*rows, strict=True)), strict=True))
    if heat:
        columns = _equally_wide(columns, rows)
    note = typeset(table.note)
    return TableBlock(table.title, columns, rows, table.computed, note, _source(table), footnotes=notes.notes)


def _aligned(column: Sequence[ShownCell]) -> list[ShownCell]:
    """A column with its figures under each other: those behind bars stand left, and those on heat in the middle."""
    align = column[0].align
    if align == "start":
        return list(column)
    if any(cell.heat is not None for cell in column):
        align = "center"
    if any(cell.bar is not None for cell in column):
        align = "start"
    rooms = under_each_other([cell.text for cell in column], align, semibold=column[0].header)
    return [
        replace(cell, before=room.before, after=room.after) if room.before or room.after else cell
        for cell, room in zip(column, rooms, strict=True)
    ]


def _equally_wide(columns: Sequence[ShownColumn], rows: Sequence[Sequence[ShownCell]]) -> tuple[ShownColumn, ...]:
    """The columns of a heat table, those of figures equally wide, so that heat is seen to rise evenly."""
    cells = list(zip(*rows, strict=True))
    heated = [any(cell.heat is not None for cell in column) for column in cells]
    if not any(heated) or any(column.align == "bars" for column in columns):
        return tuple(columns)
    held = [
        ((head.title, head.under), [cell.text for cell in column]) for head, column in zip(columns, cells, strict=True)
    ]
    share = equal_share(
        [column for column, hot in zip(held, heated, strict=True) if hot],
        [column for column, hot in zip(held, heated, strict=True) if not hot],
    )
    return tuple(replace(head, share=share) if hot else head for head, hot in zip(columns, heated, strict=True))


def _source(table: Table) -> str:
    return f"{table.span.file}:{table.span.line}" if table.span else ""


def _naming_column(table: Table, indexes: Sequence[int]) -> int:
    """The column that names its row: the first with short words or levels, else the first shown."""
    return next((index for index in indexes if _names_rows(table, index)), indexes[0])


def _names_rows(table: Table, index: int) -> bool:
    return _is_wordy(table.columns[index]) and all(len(row[index].shown) <= LONGEST_NAME for row in table.rows)


def _is_wordy(column: Column) -> bool:
    return column.type not in _NUMERIC


def _align(table: Table, index: int) -> str:
    column = table.columns[index]
    if _is_wordy(column):
        return "start"
    return "end" if column.type in ("number", "percent") else "center"


def _longest(table: Table, index: int | None) -> Fraction:
    if index is None:
        return Fraction(1)
    chances = [chance.value for row in table.rows if (chance := as_chance(row[index].value)) is not None]
    return max(chances, default=Fraction(1)) or Fraction(1)


def _shown_value(cell: Cell) -> Fraction | None:
    chance = as_chance(cell.value)
    return chance.value if chance is not None else None


def _bar(cell: Cell, longest: Fraction) -> int | None:
    chance = as_chance(cell.value)
    return round(100 * chance.value / longest) if chance is not None else None


def _heat(cell: Cell) -> int | None:
    return min(round(cell.value.value * HEAT_STEPS), HEAT_STEPS) if isinstance(cell.value, Percent) else None
