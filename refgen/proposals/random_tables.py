"""The dice of random tables: the check that each result has one row, and the chance of each row.

In: a GameDraft. Out: Entries of proof.toml (a check for each random table), and of system.toml (a roll and a computed
table for each random table whose rows are not equally likely).

The dice stand in words: over the column of the row numbers, in the caption of the table, in a heading above the table,
or in the text beside the table. Or the row numbers alone tell: exactly one kind of dice has these results, and a row
covers several results, or the head says that the numbers are rolled.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from refgen.checks.dice import dice_in, outcomes_of, ways_of
from refgen.checks.rolled_tables import dice_by_numbers
from refgen.checks.row_cover import RowCover, RowNumber, go_on, row_numbers
from refgen.export.model import toml_string
from refgen.languages.title_words import TitleWords, title_words
from refgen.marks import plain_marks
from refgen.proposals.draft import LIKELY, Entry, GameDraft, Proposal
from refgen.readers.document import Document, Grid, Section
from refgen.rules.guess import slug, unused_name
from refgen.source import plain_text
from refgen.span import Span

MOST_CHANCES = 40
"""A computed table with more rows is nothing to look up."""

SHORT = 40
"""Words of a row, in letters, that can stand beside its chance."""

_OTHER_LETTERS = re.compile(r"(?<!\w)(\d{0,2})[WTKNZКкwtknz](?=(?:3|4|6|8|10|12|20|30|66|88|100)(?!\w)|%)")
"""Dice with the letters of other languages: 2W6, 1T6, 1k6, 1к6, 1n6, 1z6."""

_CAPITAL = re.compile(r"(?<!\w)(\d*)D(?=[\d%])")
_DICE = re.compile(r"(?<![\w.])\d*d(?:\d+|%)(?!\w)")


@dataclass(frozen=True, slots=True)
class RandomTable:
    """A table by whose row numbers something is rolled with ``dice``; ``words`` say how that is known.

    ``likely``: words about this table alone name the dice, and a few results have no row, or several.
    """

    table: Proposal
    dice: str
    words: str
    cover: RowCover
    certain: bool
    likely: bool = False

    @property
    def key(self) -> str:
        """The id of the column with the row numbers."""
        return self.table.spec.columns[0].id


def roll_entries(draft: GameDraft, tables: Iterable[RandomTable]) -> Sequence[Entry]:
    """For each random table the check of its row numbers, and where its rows are not equally likely, their chances."""
    return [entry for rolled in tables for entry in _entries(draft, rolled)]


def random_tables(draft: GameDraft) -> Iterator[RandomTable]:
    """The random tables of a game, in the order of the document; without tables that go on in another table."""
    places, words = _places(draft.document), title_words(draft.language)
    parts = _parts_of_tables(draft)
    for table in draft.usable_tables():
        if table.id in parts:
            continue
        if table.spec.columns[0].type not in ("number", "interval") or len(table.spec.columns) < 2:
            continue
        are_results = table.spec.columns[0].type == "interval"
        numbers = row_numbers([row[0] for row in table.found.rows], style=draft.style, are_results=are_results)
        if not numbers or len(numbers) < len(table.found.rows):
            continue
        if found := _table_by_words(table, numbers, places.get(table.found.span), words) or _table_by_numbers(
            table, numbers, words
        ):
            yield found


def _parts_of_tables(draft: GameDraft) -> set[str]:
    """The ids of tables that go on in the next table, with the same dice over the row numbers, and of the next."""
    found: set[str] = set()
    for table, other in pairwise(draft.usable_tables()):
        if _head(table) == _head(other) and dice_in(_with_usual_letters(_head(table))):
            held, following = (
                row_numbers([row[0] for row in one.found.rows], style=draft.style) for one in (table, other)
            )
            found |= {table.id, other.id} if go_on(held, following, is_rolled=True) else set()
    return found


def with_dice_as_heads(draft: GameDraft) -> Sequence[Proposal]:
    """The tables of a game; over the row numbers of a random table without a head stand its dice."""
    dice = {rolled.table.id: rolled.dice for rolled in random_tables(draft)}
    return [_add_head(table, dice[table.id]) if table.id in dice else table for table in draft.tables]


def _add_head(table: Proposal, dice: str) -> Proposal:
    """A table with its dice as the head of the first column, if that column has none."""
    first, *others = table.spec.columns
    if first.title or (table.spec.header and table.spec.header[0]):
        return table
    column_id = unused_name(slug(dice, "roll"), [column.id for column in others])
    columns = [first.model_copy(update={"id": column_id, "title": dice}), *others]
    return replace(table, spec=table.spec.model_copy(update={"columns": columns}))


@dataclass(frozen=True, slots=True)
class _Place:
    """The section of a table, the sections whose headings stand above, the nearest first, and the grid itself."""

    section: Section
    above: Sequence[Section]
    grid: Grid


def _places(document: Document) -> dict[Span, _Place]:
    """The place of each grid."""
    found: dict[Span, _Place] = {}
    above: list[Section] = []
    for section in document.sections:
        above = [other for other in above if other.level < section.level]
        for grid in section.grids:
            found[grid.span] = _Place(section, above[::-1], grid)
        above.append(section)
    return found


@dataclass(frozen=True, slots=True)
class _Naming:
    """Words that may name the dice of a table, and where they stand.

    A title is about the tables under it; words that are ``near`` are about one table, whose rows may then go beyond
    the dice for rolls with a modifier. Words of the text may be about anything else.
    """

    words: str
    where: str
    is_title: bool = True
    is_near: bool = False


def _table_by_words(
    table: Proposal, numbers: Sequence[RowNumber], place: _Place | None, words: TitleWords
) -> RandomTable | None:
    """The random table by the nearest words that name dice; None if the rows do not go by these dice."""
    for naming in _namings(table, place, words):
        printed = _with_usual_letters(naming.words)
        fits = [_fit(table, dice, numbers, f"{dice} {naming.where}") for dice in dice_in(printed)]
        whole = [fit for fit in fits if fit.cover.is_whole or (naming.is_near and fit.certain)]
        if len(whole) == 1:
            return whole[0]
        if naming.is_title and len(fits) == 1 and not fits[0].certain and fits[0].cover.is_damaged:
            return replace(fits[0], likely=naming.is_near)
        if naming.is_title and _DICE.search(printed):
            return None  # other dice, or "d6 + Level"
    return None


def _namings(table: Proposal, place: _Place | None, words: TitleWords) -> Iterator[_Naming]:
    """The words that may name the dice of a table, the nearest first."""
    if place is None:
        return
    yield _Naming(_head(table), f"over the rows at {place.grid.rows[0][0].span}", is_near=True)
    yield _Naming(place.grid.caption, f"in the caption of the table at {table.found.span}", is_near=True)
    for section in (place.section, *place.above):
        where = f'in the title "{plain_text(section.title)}" at {section.text.span}'
        yield _Naming(section.title, where, is_near=section is place.section)
    for paragraph in place.section.paragraphs if _head(table) in words.rolled | words.numbered else ():
        yield _Naming(paragraph.text, f"in the text at {paragraph.span}", is_title=False)


def _head(table: Proposal) -> str:
    """The words over the row numbers, in small letters."""
    return plain_text(table.found.header[0]).casefold() if table.found.header else ""


def _with_usual_letters(words: str) -> str:
    return _CAPITAL.sub(r"\1d", _OTHER_LETTERS.sub(r"\1d", plain_marks(words)))


def _fit(table: Proposal, dice: str, numbers: Sequence[RowNumber], words: str) -> RandomTable:
    cover = RowCover.of(numbers, outcomes_of(dice))
    return RandomTable(table, dice, words, cover, not (cover.missing or cover.twice))


def _table_by_numbers(table: Proposal, numbers: Sequence[RowNumber], words: TitleWords) -> RandomTable | None:
    """The random table by its row numbers alone, where exactly one kind of dice has these results."""
    head = _head(table)
    for dice in dice_by_numbers(numbers, head, words):
        found = _fit(table, dice, numbers, dice)
        ends = f"{found.cover.outcomes[0]} to {found.cover.outcomes[-1]}"
        said = f'under the head "{head}"' if head else "and no words tell"
        certain = not found.cover.is_modified
        return RandomTable(table, dice, f"{dice} by the row numbers, {ends} {said}", found.cover, certain)
    return None


def _entries(draft: GameDraft, rolled: RandomTable) -> Iterator[Entry]:
    yield _check(draft, rolled)
    if rolled.certain and rolled.cover.is_whole and not rolled.cover.is_modified and _has_unequal_rows(rolled):
        yield from _chances(draft, rolled)


def _check(draft: GameDraft, rolled: RandomTable) -> Entry:
    """The check of the row numbers: as a partition of the results; as steps if rows go beyond the dice."""
    check_id = draft.unused_id(f"{rolled.table.id}-results")
    lines = ['kind = "partition"', f'table = "{rolled.table.id}"', f'column = "{rolled.key}"']
    if rolled.cover.is_whole or not rolled.certain:
        lines.append(f'dice = "{rolled.dice}"')
    else:
        lines[0] = 'kind = "steps"'
    if rolled.likely:
        lines.append(LIKELY)
    evidence = [f"die: {rolled.words}; {_coverage_text(rolled)}"]
    return Entry(f"[checks.{check_id}]", lines, evidence, rolled.certain or rolled.likely)


def _coverage_text(rolled: RandomTable) -> str:
    """How many results have a row, and which do not, or have several rows."""
    cover = rolled.cover
    held = len(cover.outcomes) - len(cover.missing) - len(cover.twice)
    said = f"{held} of {len(cover.outcomes)} results have {'one row' if cover.twice else 'a row'}"
    if cover.missing:
        said += f"; no row has {_list_numbers(cover.missing)}"
    if cover.twice:
        places = " and ".join(f'"{number.cell.text}" at {number.cell.span}' for number in cover.doubled[:3])
        said += f"; several rows have {_list_numbers(sorted(cover.twice))}: {places}"
    if not rolled.cover.is_whole and (beyond := cover.outside):
        said += f'; "{beyond[0].cell.text}" at {beyond[0].cell.span} goes beyond, as for a roll with a modifier'
    return said


def _list_numbers(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


def _has_unequal_rows(rolled: RandomTable) -> bool:
    """Whether some row is likelier than another, and a formula can tell by how much.

    It would take a 0 for a 0, and has no lists with gaps.
    """
    if not ways_of(rolled.dice) or len(rolled.cover.numbers) > MOST_CHANCES:
        return False
    if any(number.cell.text.strip() == "0" or number.only for number in rolled.cover.numbers):
        return False
    if len(rolled.cover.outcomes) < ways_of(rolled.dice):
        return True
    sizes = {sum(outcome in number for outcome in rolled.cover.outcomes) for number in rolled.cover.numbers}
    return len(sizes) > 1


def _chances(draft: GameDraft, rolled: RandomTable) -> Iterator[Entry]:
    """A roll with the name of the table, and a computed table with the chance of each row."""
    table = rolled.table
    roll_id = draft.unused_id(f"{table.id}-roll")
    title = table.spec.title if dice_in(table.spec.title) else f"{table.spec.title} ({rolled.dice})"
    yield Entry(f"[rolls.{roll_id}]", [f"title = {toml_string(title)}", f'roll = "{rolled.dice}"'], [rolled.words])
    shown = _shown_column(table)
    is_in = "in" if table.spec.columns[0].type == "interval" else "=="
    lines = [
        f"title = {toml_string(title)}",
        f"rule = {toml_string(draft.words('rule-rows', dice=rolled.dice))}",
        f'rows = [{{ id = "row", title = {toml_string(_heading(table, shown))}, of = "{table.id}.{shown}" }}]',
        f'columns = [{{ id = "chance", title = "%", formula = "chance({{{roll_id}}} {is_in} {{row.{rolled.key}}})" }}]',
    ]
    evidence = [f"{rolled.words}; the rows of {table.id} are not equally likely"]
    yield Entry(f"[derived.{draft.unused_id(f'{table.id}-chances')}]", lines, evidence)


def _shown_column(table: Proposal) -> str:
    """The column that names the rows beside their chances: short words, all different; else the row numbers."""
    if len(table.spec.columns) == 2:
        words = [row[1].text for row in table.found.rows]
        if all(0 < len(text) <= SHORT for text in words) and len({*words}) == len(words):
            return table.spec.columns[1].id
    return table.spec.columns[0].id


def _heading(table: Proposal, column: str) -> str:
    """The words over a column: as the document prints them, else the title of the table."""
    at = next(number for number, spec in enumerate(table.spec.columns) if spec.id == column)
    head = table.found.header[at] if at < len(table.found.header) else ""
    return plain_text(head) or table.spec.title
