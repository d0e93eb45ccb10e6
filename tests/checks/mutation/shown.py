"""What play aids can show of a game: all its tables and facts.

In: a Game. Out: every number that they show, by its place in them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from refgen.errors import ResolverError
from refgen.game.game import Game
from refgen.rules.model import Cell, Column

Shown = Counter[tuple[object, ...]]
"""Facts, and rows of tables; the order of rows makes no difference."""


def shown(game: Game) -> Shown:
    """The numbers of all tables, printed and computed, and of all facts."""
    facts = (("fact", fact.id, fact.value) for fact in game.facts.values())
    return Counter([*facts, *_rows(game)])


def _rows(game: Game) -> Iterator[tuple[object, ...]]:
    for name in game.tables:
        try:
            table = game.tables[name]
        except ResolverError:
            continue  # it is not shown, and the report says so
        for cells in table.rows:
            yield table.id, *(_number(cell, column) for column, cell in zip(table.columns, cells, strict=True))


def _number(cell: Cell, column: Column) -> object:
    """What a cell says in numbers; of a cell of words, the numbers in it."""
    return (tuple(re.findall(r"\d+", cell.text)) if column.type == "text" else cell.value), cell.exact


def says_the_same(before: Game, after: Game) -> bool:
    """Whether two documents have the same facts and the same rows, in whatever order and however they are printed."""
    return _said(before) == _said(after)


def _said(game: Game) -> Counter[object]:
    facts = ((fact.id, fact.value) for fact in (*game.facts.values(), *game.ruleset.again))
    rows = ((table.id, *(cell.value for cell in row)) for table in game.printed.values() for row in table.rows)
    return Counter([*facts, *rows])


def difference(before: Shown, after: Shown) -> list[str]:
    """The facts and tables that two games show with other numbers."""
    changed = (before - after) | (after - before)
    return list(dict.fromkeys("/".join(map(str, one[: 2 if one[0] == "fact" else 1])) for one in changed))
