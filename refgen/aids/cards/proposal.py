"""The deck of a game for which nobody described one: a card for each row of its longest table of texts.

In: a game. Out: a DeckSpec, or None for a game without such a table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from refgen.aids.cards.model import CardSpec, DeckSpec
from refgen.blocks.kinds import BlockSpec
from refgen.blocks.table_shape import has_head, letter_count, longest_cell
from refgen.catalog import counted
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


def why_no_deck(game: GameModel) -> str:
    """Why no deck is proposed: what the table with most text lacks, as it reads on after "no cards:"."""
    table = max(game.printed.values(), key=letter_count, default=None)
    return "it has no tables" if table is None else f'its table with most text, "{table.title}", {_hindrance(table)}'


def _hindrance(table: RuleTable) -> str:
    """Why the rows of a table are no cards; "" if they are."""
    if not LEAST_ROWS <= len(table.rows) <= limits().cards:
        return f"has {counted(len(table.rows), 'row')}: a deck has {LEAST_ROWS} cards to {limits().cards:,}"
    if (longest := longest_cell(table)) > LONGEST_TEXT:
        return f"has a text of {longest:,} letters: a card has room for {LONGEST_TEXT}"
    names = (at for at, column in enumerate(table.columns) if column.type == "text" and _are_names(table, at))
    name = next(names, None)
    if name is None:
        return f"has no column of names: words in each row, none twice, of at most {LONGEST_NAME} letters"
    texts = max((letter_count(table, at) for at in range(name + 1, len(table.columns))), default=0)
    if texts < LEAST_LETTERS * len(table.rows):
        return f"has too few words behind its names: the text of a card has {LEAST_LETTERS} letters or more on average"
    return ""


def _name_column(table: RuleTable) -> int | None:
    """The column of names of a table whose every row is a card: a name, and texts behind the name."""
    if _hindrance(table):
        return None
    return next(at for at, column in enumerate(table.columns) if column.type == "text" and _are_names(table, at))


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
