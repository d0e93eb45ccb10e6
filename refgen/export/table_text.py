"""Tables as text: aligned columns for people, CSV, Markdown; and a list of all tables of a game.

In: a RuleTable or a game. Out: text that ends with a line break.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping

from refgen.game import GameModel
from refgen.rules.model import RuleTable


def listing(game: GameModel) -> str:
    """A line for each table of a game: name, size and place."""
    printed, computed = len(game.printed), len(game.computed)
    return f"{game.title} ({printed} printed, {computed} computed)\n" + "".join(_list_tables(game))


def _list_tables(game: GameModel) -> Iterator[str]:
    width = max(map(len, game.tables), default=0)
    for table in game.tables.values():
        size = f"{len(table.rows)} × {len(table.columns)}"
        yield f"  {game.id}/{table.id:<{width}}  {size:>7}  {table.span or 'computed'}\n"


def plain_text(table: RuleTable) -> str:
    """A table under its title and place, with columns aligned by blanks."""
    rows = [_heads(table), *_texts(table)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    rule = "  ".join("─" * width for width in widths)
    lines[:1] = [lines[0], rule] if lines[0] else []
    place = str(table.span) if table.span else f"computed: {table.explained}"
    return "\n".join([f"{table.title} ({place})", *lines]) + "\n"


def csv_text(table: RuleTable) -> str:
    """A table as CSV (RFC 4180): a row of titles, then the cells as printed."""
    buffer = io.StringIO()
    csv.writer(buffer).writerows([_titles(table), *_texts(table)])
    return buffer.getvalue()


def markdown_text(table: RuleTable) -> str:
    """A table as a Markdown pipe table."""
    lines = [_heads(table), ["---"] * len(table.columns), *_texts(table)]
    return "".join("| " + " | ".join(text.replace("|", "\\|") for text in line) + " |\n" for line in lines)


TEXTS: Mapping[str, Callable[[RuleTable], str]] = {"text": plain_text, "csv": csv_text, "markdown": markdown_text}
"""The formats of a single table that are not JSON."""


def _titles(table: RuleTable) -> list[str]:
    return [column.title for column in table.columns]


def _heads(table: RuleTable) -> list[str]:
    return [column.head for column in table.columns]


def _texts(table: RuleTable) -> Iterator[list[str]]:
    for row in table.rows:
        yield [cell.text for cell in row]
