"""The deck of a game for which nobody described one: a card for each row of its longest table of texts.

In: a game. Out: a DeckSpec, or None for a game without such a table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from refgen.aids.cards.model import CardSpec, DeckSpec
from refgen.blocks.kinds import BlockSpec
from refgen.blocks.table_shape import has_head, letter_count, longest_cell
from refgen.game import GameModel
from refgen.limits import limits
from refgen.rules.model import RuleTable

LEAST_ROWS = 6
"""The least cards that are worth cutting."""

LONGEST_NAME = 40
"""The most letters of the name at the head of a card."""

LONGEST_TEXT = 600
"""The most letters of a text, which a card of the usual size has room for."""

LEAST_LETTERS = 40
"""The letters of a text, on average, from which on a card tells more than a line of a list."""


def proposed_deck(game: GameModel) -> DeckSpec | None:
    """A deck with a card for each row of the table with most text; None where no table has a name and a text a row."""
    found = [(table, name) for table in game.printed.values() if (name := _name_column(table)) is not None]
    if not found:
        return None
    table, name = max(found, key=lambda pair: letter_count(pair[0]))
    blocks = [*_blocks(table, name)]
    return DeckSpec(cards=[CardSpec(each="row", table=table.id, title=f"{{{table.columns[name].id}}}", blocks=blocks)])


def _name_column(table: RuleTable) -> int | None:
    """The column of names of a table whose every row is a card: a name, and texts behind the name."""
    if not LEAST_ROWS <= len(table.rows) <= limits().cards or longest_cell(table) > LONGEST_TEXT:
        return None
    names = (at for at, column in enumerate(table.columns) if column.type == "text" and _are_names(table, at))
    name = next(names, None)
    texts = (
        0 if name is None else max((letter_count(table, at) for at in range(name + 1, len(table.columns))), default=0)
    )
    return name if texts >= LEAST_LETTERS * len(table.rows) else None


def _are_names(table: RuleTable, column: int) -> bool:
    """Whether each cell of a column is a short name, and none comes twice."""
    names = [row[column].shown for row in table.rows]
    return all(0 < len(name) <= LONGEST_NAME for name in names) and len({*names}) == len(names)


def _blocks(table: RuleTable, name: int) -> Iterator[BlockSpec]:
    """A text for each column behind the name, under the head of the column where there are several."""
    columns: Sequence[str] = [column.id for column in islice(table.columns, name + 1, None)]
    for column in table.columns[name + 1 :]:
        title = column.title if len(columns) > 1 and has_head(column) else ""
        yield BlockSpec(title=title, text=f"{{{column.id}}}")
