"""What play aids can show of a game: all its tables and facts.

In: a Game. Out: every number that they show, and the words beside it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

from refgen.errors import ResolverError
from refgen.game import GameModel
from refgen.rules.model import Cell, Column, RuleTable

Row = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """What a game shows, where the order of rows makes no difference.

    ``numbers`` are facts and the numbers of rows. ``words`` are the cells of words of each table, and ``rows`` its rows
    with words and numbers: where the words of a table are as before and its rows are not, some changed places.
    """

    numbers: Counter[Row]
    words: Mapping[str, Counter[Row]]
    rows: Mapping[str, Counter[Row]]


def shown(game: GameModel) -> Shown:
    """The numbers and words of all tables, printed and computed, and of all facts."""
    tables = list(_tables(game))
    return Shown(
        numbers=Counter(
            [
                *(("fact", fact.id, fact.value) for fact in game.facts.values()),
                *((table.id, *row) for table in tables for row in _rows(table, words=False)),
            ]
        ),
        words={
            table.id: Counter(
                (column.id, cell.text)
                for cells in table.rows
                for column, cell in zip(table.columns, cells, strict=True)
                if column.type == "text"
            )
            for table in tables
        },
        rows={table.id: Counter(_rows(table, words=True)) for table in tables},
    )


def _tables(game: GameModel) -> Iterator[RuleTable]:
    for name in game.tables:
        with suppress(ResolverError):  # it is not shown, and the report says so
            yield game.tables[name]


def _rows(table: RuleTable, *, words: bool) -> Iterator[Row]:
    for cells in table.rows:
        yield tuple(_shown(cell, column, words) for column, cell in zip(table.columns, cells, strict=True))


def _shown(cell: Cell, column: Column, words: bool) -> object:
    """What a cell says: a number; of a cell of words, the words or the numbers in it."""
    if column.type != "text":
        return cell.value, cell.exact
    return cell.text if words else tuple(re.findall(r"\d+", cell.text))


def says_the_same(before: GameModel, after: GameModel) -> bool:
    """Whether two documents have the same facts and the same rows, in whatever order and however they are printed."""
    return _said(before) == _said(after)


def _said(game: GameModel) -> Counter[object]:
    facts = ((fact.id, fact.value) for fact in (*game.facts.values(), *game.ruleset.restated))
    rows = ((table.id, *(cell.value for cell in row)) for table in game.printed.values() for row in table.rows)
    return Counter([*facts, *rows])


def difference(before: Shown, after: Shown) -> list[str]:
    """The facts and tables that two games show with other numbers, or with the same words beside other numbers."""
    changed = (before.numbers - after.numbers) | (after.numbers - before.numbers)
    names = ["/".join(map(str, one[: 2 if one[0] == "fact" else 1])) for one in changed]
    names += [
        table
        for table, rows in before.rows.items()
        if before.words[table] == after.words.get(table) and rows != after.rows.get(table)
    ]
    return list(dict.fromkeys(names))
