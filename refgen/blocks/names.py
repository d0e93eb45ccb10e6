"""Names that people write in the file of an aid.

In: a name, and the names there are. Out: where it is, or an AidError with the nearest ones.
"""

from __future__ import annotations

from refgen.errors import AidError
from refgen.rules.model import Table
from refgen.suggestion import did_you_mean


def column_index(table: Table, column: str) -> int:
    """The position of a column. Raises AidError for one that the table does not have."""
    index = table.index(column)
    if index is None:
        hint = did_you_mean(column, [known.id for known in table.columns])
        raise AidError(f'table "{table.id}" has no column "{column}"', hint=hint)
    return index
