"""Names that people write in the file of an aid.

In: a name, and the names there are. Out: where it is, or an AidError with the nearest ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from refgen.errors import AidError
from refgen.rules.model import Table


def nearest(name: str, names: Iterable[str]) -> str:
    """A hint: the names most like one that does not exist, or all there are."""
    known = sorted(names)
    close = get_close_matches(name, known, n=3, cutoff=0.4)
    return f"Did you mean {' or '.join(close)}?" if close else f"There are {', '.join(known)}."


def column_index(table: Table, column: str) -> int:
    """The position of a column. Raises AidError for one that the table does not have."""
    index = table.index(column)
    if index is None:
        ids = [own.id for own in table.columns]
        raise AidError(f'table "{table.id}" has no column "{column}"', hint=nearest(column, ids))
    return index
