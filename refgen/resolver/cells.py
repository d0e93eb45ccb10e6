"""Cells of computed tables (chances, numbers, labels) and the table around these cells.

In: exact numbers. Out: cells with their rounded text, and a RuleTable. ``MemoDict`` is a dictionary that works each
value out when it is first asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import TypeVar

from pydantic import Field

from refgen.notation.figures import Rounding, percent
from refgen.notation.values import Number, Percent, fraction
from refgen.rules.model import Cell, Column, RuleTable
from refgen.rules.toml import Strict
from refgen.span import Span

MEMORY = 4_096

_MINUS = re.compile(r"(?<!\S)-(?=\d)")


class ComputedSpec(Strict):
    """An entry of ``[derived.*]``, and how its figures are rounded; each kind of table has a model of its own."""

    kind: str
    title: str
    note: str = ""
    places: int = Field(0, ge=0, le=6)
    rounding: Rounding = Rounding.HALF_UP


def chance_cell(
    chance: Fraction | int, spec: ComputedSpec, sources: tuple[Span, ...] = (), places: int | None = None
) -> Cell:
    """A computed chance, rounded once; what cannot happen is shown as a dash."""
    digits = spec.places if places is None else places
    text, value = _shown(*chance.as_integer_ratio(), digits, spec.rounding)
    return Cell(text, value, None, value.value, sources)  # names of arguments would take a third longer


@lru_cache(maxsize=MEMORY)
def _shown(numerator: int, denominator: int, places: int, rounding: Rounding) -> tuple[str, Percent]:
    """The text and value of a chance: in a table of odds the same chances stand over and over."""
    chance = Fraction(numerator, denominator)
    return percent(chance, places, rounding) if numerator else "–", Percent(chance, places)


def number_cell(number: int, signed: bool = True) -> Cell:
    """A whole number, with its sign where it is a value or a modifier."""
    return Cell(f"{number:+d}" if signed and number else str(number), Number(fraction(number)))


@lru_cache(maxsize=MEMORY)
def column_id(title: str) -> str:
    """A column id made from a title: "very-hard" of "Very hard", "minus-1" of "-1"."""
    spoken = _MINUS.sub("minus ", title.lower())
    return "-".join(word for word in "".join(c if c.isalnum() else " " for c in spoken).split())


def computed(
    table_id: str, spec: ComputedSpec, columns: list[Column], rows: list[tuple[Cell, ...]], rule: str
) -> RuleTable:
    """A computed table with its rule, and the name of the rounding that its figures have."""
    rounding = spec.rounding if any(_is_rounded(cell) for row in rows for cell in row) else ""
    return RuleTable(table_id, spec.title, tuple(columns), tuple(rows), rule=rule, note=spec.note, rounding=rounding)


_FIGURE = re.compile(r"(?:1:)?([-+]?[\d,]+(?:\.(\d+))?)(%?)")


def _is_rounded(cell: Cell) -> bool:
    """Whether a computed cell shows a rounded number."""
    if cell.exact is None or cell.exact.denominator == 1:
        return False
    if isinstance(cell.value, Percent):
        last_place: int = 10 ** (2 + cell.value.places)
        return last_place % cell.exact.denominator != 0
    figure = _FIGURE.fullmatch(cell.text)
    if figure is None:
        return cell.text.startswith(("<", ">"))
    shown = int(figure[1].replace(",", "").replace(".", ""))
    one: int = 10 ** (len(figure[2] or "") + (2 if figure[3] else 0))
    return shown * cell.exact.denominator != cell.exact.numerator * one


Key = TypeVar("Key")
Value = TypeVar("Value")


class MemoDict(dict[Key, Value]):
    """A dictionary whose missing values are worked out by ``find`` when they are first asked for."""

    def __init__(self, find: Callable[[Key], Value]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, key: Key) -> Value:
        found = self[key] = self._find(key)
        return found
