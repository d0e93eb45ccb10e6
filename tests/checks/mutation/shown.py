"""What play aids can show of a game: all its tables and facts.

In: a Game. Out: every number that they show, by its place in them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from refgen.game.game import Game
from refgen.rules.model import Cell

Shown = Mapping[tuple[object, ...], object]


def shown(game: Game) -> Shown:
    """The numbers of all tables, printed and computed, and of all facts."""
    return dict(_tables(game)) | {("fact", fact.id): fact.value for fact in game.facts.values()}


def _tables(game: Game) -> Iterator[tuple[tuple[object, ...], object]]:
    for table in game.tables.values():
        for row, cells in enumerate(table.rows):
            for column, cell in zip(table.columns, cells, strict=True):
                yield (table.id, row, column.id), _number(cell) if column.type == "text" else (cell.value, cell.exact)


def _number(cell: Cell) -> object:
    """The numbers in a cell of words."""
    return tuple(re.findall(r"\d+", cell.text)), cell.exact


def difference(before: Shown, after: Shown) -> list[tuple[object, ...]]:
    """The places at which two games show something else."""
    return [place for place in {**before, **after} if before.get(place) != after.get(place)]
