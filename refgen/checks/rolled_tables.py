"""The dice of a random table: a table with exactly one row for each result of some dice.

In: a printed table, and the rules of its game. Out: a TableRoll; or the dice that row numbers alone tell.

The dice are those of a check of the game, or those in the head over the row numbers. Or the row numbers alone tell:
exactly one kind of dice has these results, and a row covers several results, or the head says that they are rolled.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from refgen.checks.columns import PartitionSpec
from refgen.checks.comparison import ChecksSpec
from refgen.checks.dice import dice_in, outcomes_of, ways_of
from refgen.checks.row_cover import RowCover, RowNumber
from refgen.errors import RefgenError
from refgen.languages.title_words import TitleWords, title_words
from refgen.notation.printed_numbers import NotationStyle
from refgen.notation.values import Interval, Number, NumberList
from refgen.readers.document import RawCell
from refgen.resolver.lookup import dice_of
from refgen.rules.model import Ruleset, RuleTable
from refgen.source import plain_text

UNNAMED_DICE = ("d6", "d8", "d10", "d12", "d20", "d100", "2d6", "3d6", "d66")
"""The dice that row numbers alone can tell."""

FEWEST_ROWS = 4
"""Fewer rows tell no dice by their numbers alone."""

_LETTER = re.compile(r"[dD](?=[\d%])")


@dataclass(frozen=True, slots=True)
class TableRoll:
    """The ``dice`` of a table, ``shown`` as its document writes dice ("2W6"), and the results of each row."""

    dice: str
    shown: str
    rows: Sequence[RowNumber]

    def titled(self, title: str) -> str:
        """A title with the dice behind it, unless the title names dice itself."""
        is_named = self.shown.casefold() in title.casefold() or dice_in(title)
        return title if is_named else f"{title} ({self.shown})"


def table_roll(ruleset: Ruleset[ChecksSpec], table: RuleTable) -> TableRoll | None:
    """The dice of a random table; None for a table whose rows are not exactly the results of some dice."""
    numbers = row_numbers_of(table) if len(table.columns) > 1 else ()
    for dice in _dice_of_table(ruleset, table, numbers) if numbers else ():
        found = whole_cover(dice, numbers)
        if found and not found.is_modified and ways_of(dice):
            return TableRoll(dice, _shown_dice(dice, table.columns[0].head, ruleset.style), found.numbers)
    return None


def _shown_dice(dice: str, head: str, style: NotationStyle) -> str:
    """The dice as the head over the row numbers writes them, or with the letter of the document's language."""
    at = style.usual(head).lower().find(dice.lower())
    if at >= 0:
        return head[at : at + len(dice)]
    return _LETTER.sub(style.letters[0], dice) if style.letters else dice


def why_not_rolled(ruleset: Ruleset[ChecksSpec], table: RuleTable) -> str:
    """Why the rows of a table that is not rolled on may not be equally likely either; "" if nothing says so.

    The rows are not exactly the results of the dice that are named for the table, or have ranges without any dice.
    """
    dice, numbers = next(_named_dice(ruleset, table), ""), row_numbers_of(table)
    if not dice:
        return "its rows have ranges, and nobody names the dice" if any(row.low != row.high for row in numbers) else ""
    if not numbers:
        return f"its first column is not the results of {dice}"
    if not ways_of(dice):
        return f"{dice} may go on without end, so that no weight is exact"
    cover = RowCover.of(numbers, outcomes_of(dice))
    if cover.missing:
        return f"no row has {', '.join(map(str, cover.missing))} of {dice}"
    if cover.twice:
        return f"several rows have {', '.join(map(str, sorted(cover.twice)))} of {dice}"
    return f"its rows go beyond {dice}, as for a roll with a modifier"


def whole_cover(dice: str, numbers: Sequence[RowNumber]) -> RowCover | None:
    """How row numbers cover the results of some dice; None unless each result has one row."""
    try:
        cover = RowCover.of(numbers, outcomes_of(dice))
    except RefgenError:
        return None
    return cover if cover.is_whole else None


def row_numbers_of(table: RuleTable) -> Sequence[RowNumber]:
    """The numbers and ranges in the first column of a printed table; () if a cell there is something else."""
    found = []
    for first, *_ in table.rows:
        match first.value:
            case Number(value=number, bound="") if number.denominator == 1:
                held: Interval | NumberList = Interval(int(number), int(number))
            case Interval() | NumberList():
                held = first.value
            case _:
                return ()
        if first.span is None:
            return ()
        found.append(RowNumber.of(RawCell(first.text, first.span), 0, held))
    return found


def _dice_of_table(ruleset: Ruleset[ChecksSpec], table: RuleTable, numbers: Sequence[RowNumber]) -> Iterator[str]:
    """The dice that may be those of a table, the surest first."""
    yield from _named_dice(ruleset, table)
    head = plain_text(table.columns[0].head).casefold()
    yield from dice_by_numbers(numbers, head, title_words(ruleset.spec.document.language))


def _named_dice(ruleset: Ruleset[ChecksSpec], table: RuleTable) -> Iterator[str]:
    """The dice in the check of the row numbers, then those in the head over the row numbers."""
    first = table.columns[0]
    for check in ruleset.spec.checks.values():
        if isinstance(check, PartitionSpec) and check.dice and (check.table, check.column) == (table.id, first.id):
            yield dice_of(ruleset, check.dice)
    yield from dice_in(ruleset.style.usual(first.head))


def dice_by_numbers(numbers: Sequence[RowNumber], head: str, words: TitleWords) -> Iterator[str]:
    """The only dice with the results of some row numbers; nothing if the numbers may count something else.

    ``head`` stands over the row numbers, in small letters.
    """
    if len(numbers) < FEWEST_ROWS or head not in words.rolled | words.numbered:
        return
    whole = [dice for dice in UNNAMED_DICE if whole_cover(dice, numbers)]
    is_telling = any(number.low != number.high for number in numbers) or whole[:1] in (["d66"], ["2d6"], ["3d6"])
    if len(whole) == 1 and (is_telling or head in words.rolled):
        yield whole[0]
