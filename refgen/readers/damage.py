"""Cells under a die that are no results of the die: the dates that spreadsheets make of ranges, and words.

In: a Document. Out: a Fault for each cell under the head of a die that is a date (1-2 becomes 2-Jan, 45293 or
01/02/2024), and a Note for each column whose head is a die and nothing else, where cells are words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from refgen.marks import plain_marks
from refgen.readers.document import Document, Fault, Grid, Note, RawCell
from refgen.readers.heads import is_die, words_beside_die

_MONTHS = """abr ago aoû apr ara aug avr ağu bře cze dec des dez dic dub déc eki elo ene eyl feb fev fév gen giu gru haz
hei hel huh jan jou jui jul jun kas kes kvě kwi led lip lis lok lug lut maa mag mai maj mar may mei mrt mär mrz nis nov
oca oct okt ott out paź pro sep set sie srp sty syy tam tem tou wrz zář úno čvc čvn říj şub авг апр дек июл июн май мар
мая ноя окт сен фев янв"""
"""How the short names of months begin, in the languages of spreadsheets."""

_MONTH = f"(?:{'|'.join(_MONTHS.split())})"
_PARTED = rf"(?:[-./]\s?(?={_MONTH})\w{{3,9}}| {_MONTH}\w?)\.?"
_DATE = re.compile(
    rf"\d{{1,2}}{_PARTED}(?:[-./ ]\d{{2,4}})?|{_MONTH}\w{{0,6}}\.?[-./ ]\d{{1,2}}"
    r"|\d{1,2}([-/.])\d{1,2}\1\d{4}|\d{1,2}([/.])\d{1,2}\2\d{2}|\d{4}([-/.])\d{1,2}\3\d{1,2}(?:[ T]0?0:00(?::00)?)?"
    r"|\d{1,2}\s?[月월]\s?\d{1,2}\s?[日일]|[34]\d{4}(?:[.,]0)?",
    re.IGNORECASE,
)
_LIST = re.compile(r"\d{1,2}(?:[/.]\d{1,2})+")


def find_dates(document: Document) -> Iterator[Fault]:
    """A fault for each cell under a die that a spreadsheet took for a date."""
    for grid in document.tables:
        for head, cells in _columns_under_dice(grid):
            for cell in cells:
                if _is_date(plain_marks(cell.text)):
                    message = f'"{cell.text}" under {head} is a date that a spreadsheet made of a range, such as 1-2'
                    hint = "Set the format of the column to text in the spreadsheet, and type its ranges again."
                    yield Fault(message, cell.span, hint)


def find_words_under_dice(document: Document) -> Iterator[Note]:
    """A note for each column under a die alone in which cells have no number; a dash is a blank."""
    for grid in document.tables:
        for head, cells in _columns_under_dice(grid):
            printed = [cell for cell in cells if plain_marks(cell.text).strip("-")]
            odd = [cell for cell in printed if not any(map(str.isnumeric, cell.text))]
            if odd and words_beside_die(head) <= _rolling_words():
                more = f" ({len(odd)} such cells of {len(printed)})" if len(odd) > 1 else ""
                yield Note(f'"{odd[0].text}" under the die {head} is no result{more}', odd[0].span, "read as words")


def _columns_under_dice(grid: Grid) -> Iterator[tuple[str, list[RawCell]]]:
    """Each head that names a die, and the cells under it that have words; a cell over all columns is under no head."""
    rows = [row for row in grid.body if len({*row}) > 1 or len(grid.header) == 1]
    for column, head in enumerate(grid.header):
        if is_die(head):
            yield head, [row[column] for row in rows if len(row) > column and row[column].text]


def _is_date(text: str) -> bool:
    """Whether a text is a date, and no list of results that follow each other: "10/11/12"."""
    if not _DATE.fullmatch(text):
        return False
    numbers = [int(number) for number in re.split("[/.]", text)] if _LIST.fullmatch(text) else []
    return not numbers or numbers != [*range(numbers[0], numbers[0] + len(numbers))]


@lru_cache(maxsize=1)
def _rolling_words() -> frozenset[str]:
    """The words of all languages that say that something is rolled: they may stand beside the die in a head."""
    from refgen.languages.title_words import title_words  # few documents have words under a die

    return frozenset(word for phrase in title_words("").rolled for word in phrase.split())
