"""A table that can be written down: a table of the rules with the formats of the export stage.

In: a RuleTable. Out: the same, with CSV, JSON, Markdown and HTML.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from refgen.rules import model

# What writes tables is imported where one is written: most tables are only looked into.


@dataclass(frozen=True, slots=True, repr=False)
class Table(model.RuleTable):
    """A table, printed or computed. ``table[row, column]`` is a cell; ``game`` is the id of its game."""

    game: str = ""

    @classmethod
    def of(cls, table: model.RuleTable, game: str) -> Table:
        """A Table that can be written down."""
        return cls(**{field.name: getattr(table, field.name) for field in fields(table)}, game=game)

    def __str__(self) -> str:
        """Its title, its place, and its cells in aligned columns."""
        from refgen.export.table_text import plain_text

        return plain_text(self)

    def to_csv(self) -> str:
        """The titles of its columns, then its cells as printed (RFC 4180)."""
        from refgen.export.table_text import csv_text

        return csv_text(self)

    def to_json(self) -> str:
        """The table as ``refgen tables GAME/TABLE --format json`` prints it."""
        from refgen.export.model import json_text
        from refgen.export.tables import table_data

        return json_text(table_data(self.game, self))

    def to_markdown(self) -> str:
        """A pipe table."""
        from refgen.export.table_text import markdown_text

        return markdown_text(self)

    def _repr_html_(self) -> str:
        from refgen.export.tables import table_html

        return table_html(self)
