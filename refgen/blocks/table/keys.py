"""What an author writes of a table, and of a chart that draws one.

In: the keys, and a table of a game. Out: the rows and the heads that are wanted. Raises AidError for rows and columns
that the table does not have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Self

from pydantic import Field, model_validator

from refgen.blocks.block import BlockContext, BlockKeys
from refgen.blocks.names import column_index
from refgen.blocks.words import words
from refgen.errors import AidError
from refgen.rules.field_types import Identifier
from refgen.rules.model import Table


class TableKeys(BlockKeys):
    """What an author writes of a table.

    ``rows`` takes those from one to another (counted from 1), ``part`` one of so many equal ``parts`` of them, and
    ``fold`` sets them in so many groups side by side.
    """

    table: Identifier | None = None
    columns: list[Identifier] = []
    heads: dict[Identifier, str] = {}
    bars: Identifier | None = None
    heat: bool = False
    rows: tuple[int, int] | None = None
    parts: int = Field(1, ge=1, le=12)
    part: int = Field(1, ge=1)
    fold: int = Field(1, ge=1, le=8)

    @model_validator(mode="after")
    def _check_rows(self) -> Self:
        if self.part > self.parts:
            raise ValueError(f"part {self.part} of {self.parts}")
        if self.rows and not 1 <= self.rows[0] <= self.rows[1]:
            raise ValueError(f"rows from {self.rows[0]} to {self.rows[1]}")
        return self


def wanted_table(spec: TableKeys, context: BlockContext) -> Table:
    """The table with the rows that are wanted: from one to another, and of these a part (the last may be shorter)."""
    table = context.scope.tables[spec.table or ""]
    first, last = spec.rows or (1, len(table.rows))
    if last > len(table.rows):
        raise AidError(f'table "{table.id}" has {len(table.rows)} rows, and rows {first} to {last} are wanted')
    rows = table.rows[first - 1 : last]
    height = -(-len(rows) // spec.parts)
    return replace(table, rows=rows[(spec.part - 1) * height : spec.part * height])


def wanted_heads(spec: TableKeys, table: Table, context: BlockContext) -> Mapping[str, str]:
    """Other heads for columns."""
    for column in spec.heads:
        column_index(table, column)
    return {column: words(context.scope, head) for column, head in spec.heads.items()}
