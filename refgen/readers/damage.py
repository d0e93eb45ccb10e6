"""The damage that spreadsheets do to ranges: under a die, 1-2 becomes 2-Jan, 45293 or 01/02/2024.

In: a Document. Out: a Fault for each cell under the head of a die that is a date.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from refgen.readers.document import Document, Fault, Grid
from refgen.readers.heads import is_die

_MONTH = "(?:jan|feb|mar|apr|may|mai|mär|mrz|jun|jul|aug|sep|okt|oct|nov|dec|dez|déc|ene|abr|dic|fév|avr|mag|gen|ago)"
_DATE = re.compile(
    rf"\d{{1,2}}[-./ ]{_MONTH}[a-zé]*\.?(?:[-./ ]\d{{2,4}})?|{_MONTH}[a-zé]*\.?[-./ ]\d{{1,2}}"
    r"|\d{1,2}[/.]\d{1,2}[/.](?:\d{4}|\d{2})|\d{4}-\d{2}-\d{2}(?:[ T]00:00(?::00)?)?|[34]\d{4}(?:\.0)?",
    re.IGNORECASE,
)


def find_dates(document: Document) -> Iterator[Fault]:
    """A fault for each cell under a die that a spreadsheet took for a date."""
    for grid in document.tables:
        yield from _dates_in(grid)


def _dates_in(grid: Grid) -> Iterator[Fault]:
    for column, head in enumerate(grid.header):
        if not is_die(head):
            continue
        for row in grid.body:
            if len(row) > column and _DATE.fullmatch(row[column].text):
                message = f'"{row[column].text}" under {head} is a date that a spreadsheet made of a range, such as 1-2'
                hint = "Set the format of the column to text in the spreadsheet, and type its ranges again."
                yield Fault(message, row[column].span, hint)
