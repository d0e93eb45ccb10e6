"""Cells of a document are read as typed values, and fit the column that they stand in.

In: raw cells, and how they are printed. Out: values, and the cells of a column with the values of its blanks. Every
error has the place of its cell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

from refgen.errors import NotationError, RulesError
from refgen.notation.level import Ladder
from refgen.notation.quantity import one_unit
from refgen.notation.read import NotationName, in_usual_style, is_blank, read_value
from refgen.notation.style import USUAL, Style
from refgen.notation.values import Percent, Quantity, Value
from refgen.readers.document import RawCell
from refgen.rules.model import Cell
from refgen.rules.readings import read_in_place
from refgen.rules.schema import ColumnSpec

_Read = TypeVar("_Read")


def cell_value(
    cell: RawCell,
    notation: NotationName,
    readings: Mapping[str, str],
    ladder: Ladder | None = None,
    hint: Callable[[], str] = str,
    style: Style = USUAL,
) -> Value | None:
    """What a cell says in a notation; None for a blank. Raises NotationError, with one ``hint`` more."""
    text = in_usual_style(notation, read_in_place(readings, cell.text), style)
    if is_blank(notation, text):
        return None
    return with_place(cell, lambda read: read_value(notation, read, ladder), text, hint)


def with_place(cell: RawCell, read: Callable[[str], _Read], text: str, hint: Callable[[], str] = str) -> _Read:
    """``read(text)``, with the cell's place on any NotationError, and one hint more."""
    try:
        return read(text)
    except NotationError as error:
        raise NotationError(error.message, span=cell.span, hint=f"{error.hint} {hint()}".strip()) from error


def refuse_two_units(cells: Sequence[Cell]) -> None:
    """Numbers of one column are compared and added: 5 gp and 5 sp would be equal."""
    quantities = [(cell, cell.value) for cell in cells if isinstance(cell.value, Quantity)]
    for cell, value in quantities:
        if one_unit(value.unit) != one_unit(quantities[0][1].unit):
            raise RulesError(
                f'"{cell.text}" has another unit than "{quantities[0][0].text}" above it',
                span=cell.span,
                hint="Say what it is in one unit (read = { … }), or make the column text.",
            )


def with_blanks(cells: Sequence[Cell], column: ColumnSpec) -> Sequence[Cell]:
    """The cells of a column, its blanks given the value that the column says they have."""
    printed = [number for number, cell in enumerate(cells) if cell.value is not None]
    if column.blank == "nothing" or not printed:
        return cells
    never, always = Percent(Fraction(0)), Percent(Fraction(1))
    return [
        replace(cell, value=never)
        if number < printed[0]
        else replace(cell, value=always)
        if number > printed[-1]
        else cell
        for number, cell in enumerate(cells)
    ]
