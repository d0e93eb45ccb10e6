"""Blocks: the pieces that panels, cards and sheets are made of.

In: a BlockSpec and a game. Out: a Block with every word and figure in place.
Raises AidError for a table, column or fact that does not exist, with the nearest names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from typing import TypeVar

from refgen.aids.chart import ChartBlock, ChartRequest, make_chart
from refgen.aids.figures import equal_share, under_each_other
from refgen.aids.footnotes import Footnote, Footnotes, footnotes
from refgen.aids.names import column_index
from refgen.aids.quotation import quotation
from refgen.aids.schema import BlockSpec
from refgen.aids.stated import Scope
from refgen.aids.system_info import USUAL_ROUNDING
from refgen.aids.typeset import typeset
from refgen.aids.words import figure, footnotes_of, says_something, words
from refgen.checks.marks import Mark
from refgen.errors import AidError
from refgen.notation.level import Ladder
from refgen.notation.read import FIGURES
from refgen.notation.values import Percent, as_chance
from refgen.rules.model import Cell, Column, Table
from refgen.span import Span
from refgen.suggestion import folded

HEAT_STEPS = 8
"""How many tints a heat table has: enough to see, few enough to tell apart in grey print."""

LONGEST_NAME = 24
"""Characters; a longer text in a cell explains, it does not name its row."""

_NUMERIC = FIGURES | {"dice"}


@dataclass(frozen=True, slots=True)
class ShownColumn:
    """A column on the page: ``under`` stands below its title; ``align`` is "start", "end", "center" or "bars".

    ``share`` is how many percent of the table it takes (0: what its words need); one with a ``gutter`` begins another
    group of columns.
    """

    title: str
    under: str
    align: str
    share: float = 0.0
    gutter: bool = False


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell on the page.

    ``bar`` is the length of a bar behind the figure in percent of the longest; ``heat`` a tint from 0 to 8; ``sign``
    refers to a footnote. ``before`` and ``after`` are the room beside the text, in ems of its type, that brings a
    figure under the others of its column. A ``gutter`` is that of its column. ``value`` is what bar or heat show: they
    can be checked against it.
    """

    text: str
    align: str
    header: bool = False
    bar: int | None = None
    heat: int | None = None
    sign: str = ""
    before: float = 0.0
    after: float = 0.0
    gutter: bool = False
    value: Fraction | None = field(default=None, compare=False)

    @property
    def is_long(self) -> bool:
        """Whether its text may break into lines though it names its row: it explains rather than names."""
        return self.header and self.align == "start" and len(self.text) > LONGEST_NAME


@dataclass(frozen=True, slots=True)
class TableBlock:
    """A table on the page. ``computed`` ones wear a tag and state their rule."""

    title: str
    columns: tuple[ShownColumn, ...]
    rows: tuple[tuple[ShownCell, ...], ...]
    computed: bool
    note: str
    source: str
    heat: bool = False
    footnotes: tuple[Footnote, ...] = ()
    kind: str = "table"

    @property
    def is_list(self) -> bool:
        """Whether it is one column without a head, which is a list to the eye and when it is read aloud."""
        return len(self.columns) == 1 and not (self.columns[0].title or self.columns[0].under)


@dataclass(frozen=True, slots=True)
class StepsBlock:
    """A procedure, step by step. ``first`` is the number of its first step: another block may go on from one."""

    title: str
    steps: tuple[str, ...]
    note: str
    footnotes: tuple[Footnote, ...] = ()
    kind: str = "steps"
    first: int = 1


@dataclass(frozen=True, slots=True)
class FactsBlock:
    """Facts: what each is, and its figure."""

    title: str
    facts: tuple[tuple[str, str], ...]
    note: str
    footnotes: tuple[Footnote, ...] = ()
    kind: str = "facts"


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A short text."""

    title: str
    text: str
    note: str
    footnotes: tuple[Footnote, ...] = ()
    kind: str = "text"


@dataclass(frozen=True, slots=True)
class ListBlock:
    """A list of texts in no order."""

    title: str
    items: tuple[str, ...]
    note: str
    footnotes: tuple[Footnote, ...] = ()
    kind: str = "list"


@dataclass(frozen=True, slots=True)
class GlossaryBlock:
    """Terms, each with what it says."""

    title: str
    terms: tuple[tuple[str, str], ...]
    note: str
    footnotes: tuple[Footnote, ...] = ()
    kind: str = "glossary"


@dataclass(frozen=True, slots=True)
class QuoteBlock:
    """Paragraphs of the rule document in its own words."""

    title: str
    paragraphs: tuple[str, ...]
    note: str
    footnotes: tuple[Footnote, ...] = ()
    kind: str = "quote"


Block = TableBlock | ChartBlock | StepsBlock | FactsBlock | TextBlock | ListBlock | GlossaryBlock | QuoteBlock


def make_block(game: Scope, spec: BlockSpec, *, titled: bool = True, within: str = "") -> Block:
    """Make the block that a spec describes; a table without a title of its own takes the table's, if ``titled``.

    ``within`` is the title that it stands under: a table of one column does not repeat it as its head. Steps, items and
    terms that name nothing but what is blank are left out.
    """
    notes = footnotes_of(game, *texts_of(spec))
    title, note = words(game, spec.title), words(game, spec.note or "", notes)
    if spec.table is not None:
        table = game.tables[spec.table]
        make = _chart_block if spec.chart else _table_block
        block = make(game, spec, _part(table, spec), title or (table.title if titled else ""), note)
        return _without_repeated_head(block, title or within) if isinstance(block, TableBlock) else block
    if spec.steps:
        return StepsBlock(title, _filled(game, spec.steps, notes), note, notes.notes)
    if spec.items:
        return ListBlock(title, _filled(game, spec.items, notes), note, notes.notes)
    if spec.glossary:
        entries = [entry for entry in spec.glossary if says_something(game, entry.text)]
        terms = tuple((words(game, entry.term, notes), words(game, entry.text, notes)) for entry in entries)
        return GlossaryBlock(title, terms, note, notes.notes)
    if spec.quote:
        return QuoteBlock(title, quotation(game.sections, spec.quote).paragraphs, note)
    if spec.facts:
        shown = tuple(
            (game.facts[fact_id].title, figure(game, fact_id, notes))
            for fact_id in spec.facts
            if game.facts[fact_id].text
        )
        return FactsBlock(title, shown, note, notes.notes)
    return TextBlock(title, words(game, spec.text, notes), note, notes.notes)


def texts_of(spec: BlockSpec) -> list[str]:
    """The texts of a block in which facts may be named, and for each of its facts one that names it."""
    terms = (text for entry in spec.glossary for text in (entry.term, entry.text))
    named = (f"{{{fact_id}}}" for fact_id in spec.facts)
    return [spec.note or "", spec.text, *spec.steps, *spec.items, *terms, *named]


def _filled(game: Scope, texts: Sequence[str], notes: Footnotes) -> tuple[str, ...]:
    return tuple(words(game, text, notes) for text in texts if says_something(game, text))


def _without_repeated_head(block: TableBlock, title: str) -> TableBlock:
    """A table of one column without its head, where that says no more than the title above it."""
    if len(block.columns) == 1 and folded(block.columns[0].title) == folded(title) and not block.columns[0].under:
        return replace(block, columns=(replace(block.columns[0], title=""),))
    return block


def _table_block(game: Scope, spec: BlockSpec, table: Table, title: str, note: str) -> TableBlock:
    heads = _heads(game, spec, table)
    block = show_table(table, spec.columns, heads, bars=spec.bars, heat=spec.heat, marks=game.marks)
    note = _with_rounding(typeset(table.note) if spec.note is None else note, table)
    return _folded(replace(block, title=title, note=note, heat=spec.heat), spec.fold)


def _heads(game: Scope, spec: BlockSpec, table: Table) -> Mapping[str, str]:
    """Other heads for columns. Raises AidError for a column that the table does not have."""
    for column in spec.heads:
        column_index(table, column)
    return {column: words(game, head) for column, head in spec.heads.items()}


def _with_rounding(note: str, table: Table) -> str:
    """A note that also names the rounding of a table, where that is not the one the page tells of."""
    if table.rounding in ("", USUAL_ROUNDING):
        return note
    return f"{note} Rounded {table.rounding}.".strip()


def _chart_block(game: Scope, spec: BlockSpec, table: Table, title: str, note: str) -> ChartBlock:
    heads = _heads(game, spec, table)
    request = ChartRequest(spec.chart or "", spec.across, spec.columns, heads, spec.width, spec.height)
    return make_chart(table, request, title, note)


def _part(table: Table, spec: BlockSpec) -> Table:
    """The rows of a table that are wanted: from one to another, and of these a part (the last may be shorter).

    Raises AidError for rows that are not there.
    """
    first, last = spec.rows or (1, len(table.rows))
    if last > len(table.rows):
        raise AidError(f'table "{table.id}" has {len(table.rows)} rows, and rows {first} to {last} are wanted')
    rows = table.rows[first - 1 : last]
    height = -(-len(rows) // spec.parts)
    return replace(table, rows=rows[(spec.part - 1) * height : spec.part * height])


def _folded(block: TableBlock, groups: int) -> TableBlock:
    """A long table with its rows in ``groups`` side by side; the last group may be shorter."""
    height = -(-len(block.rows) // groups)
    blank = tuple(ShownCell("", column.align) for column in block.columns)
    lines = (block.rows[line::height] for line in range(height))
    rows = (_side_by_side((*line, *[blank] * (groups - len(line)))) for line in lines)
    columns = tuple(replace(column, share=round(column.share / groups, 2)) for column in block.columns)
    return replace(block, columns=_side_by_side((columns,) * groups), rows=tuple(rows))


_Held = TypeVar("_Held", ShownColumn, ShownCell)


def _side_by_side(groups: Sequence[Sequence[_Held]]) -> tuple[_Held, ...]:
    """Columns or cells of all groups, each group but the first behind a gutter."""
    held = list(groups[0])
    for group in groups[1:]:
        held.append(replace(group[0], gutter=True))
        held += group[1:]
    return tuple(held)


def show_table(
    table: Table,
    wanted: Sequence[str] = (),
    heads: Mapping[str, str] | None = None,
    *,
    bars: str | None = None,
    heat: bool = False,
    marks: Mapping[Span, Mark] | None = None,
) -> TableBlock:
    """A table as it is shown: all its columns, or the wanted ones in that order, under their own heads or others."""
    indexes = [column_index(table, column) for column in wanted] or list(range(len(table.columns)))
    bar_index = column_index(table, bars) if bars else None
    longest = _longest(table, bar_index)
    named = _naming_column(table, indexes)
    notes = footnotes((row[index].span for row in table.rows for index in indexes), marks or {})
    columns = tuple(
        ShownColumn(
            (heads or {}).get(table.columns[index].id, typeset(table.columns[index].title)),
            typeset(table.columns[index].unit),
            "bars" if index == bar_index else _align(table, index),
        )
        for index in indexes
    )
    rows = tuple(
        tuple(
            ShownCell(
                typeset(notes.text(row[index].span, row[index].shown), row[index].value),
                _align(table, index),
                header=index == named and len(indexes) > 1,
                bar=_bar(row[index], longest) if index == bar_index else None,
                heat=_heat(row[index]) if heat else None,
                sign=notes.sign(row[index].span),
                value=_shown_value(row[index]) if heat or index == bar_index else None,
            )
            for index in indexes
        )
        for row in table.rows
    )
    rows = tuple(zip(*map(_aligned, zip(*rows, strict=True)), strict=True))
    if heat:
        columns = _equally_wide(columns, rows)
    note = typeset(table.note)
    return TableBlock(table.title, columns, rows, table.computed, note, _source(table), footnotes=notes.notes)


def _aligned(column: Sequence[ShownCell]) -> list[ShownCell]:
    """A column with its figures under each other: those behind bars stand left, and those on heat in the middle."""
    align = column[0].align
    if align == "start":
        return list(column)
    if any(cell.heat is not None for cell in column):
        align = "center"
    if any(cell.bar is not None for cell in column):
        align = "start"
    rooms = under_each_other([cell.text for cell in column], align, semibold=column[0].header)
    return [
        replace(cell, before=room.before, after=room.after) if room.before or room.after else cell
        for cell, room in zip(column, rooms, strict=True)
    ]


def _equally_wide(columns: Sequence[ShownColumn], rows: Sequence[Sequence[ShownCell]]) -> tuple[ShownColumn, ...]:
    """The columns of a heat table, those of figures equally wide, so that heat is seen to rise evenly."""
    cells = list(zip(*rows, strict=True))
    heated = [any(cell.heat is not None for cell in column) for column in cells]
    if not any(heated) or any(column.align == "bars" for column in columns):
        return tuple(columns)
    held = [
        ((head.title, head.under), [cell.text for cell in column]) for head, column in zip(columns, cells, strict=True)
    ]
    share = equal_share(
        [column for column, hot in zip(held, heated, strict=True) if hot],
        [column for column, hot in zip(held, heated, strict=True) if not hot],
    )
    return tuple(replace(head, share=share) if hot else head for head, hot in zip(columns, heated, strict=True))


def _source(table: Table) -> str:
    return f"{table.span.file}:{table.span.line}" if table.span else ""


def _naming_column(table: Table, indexes: Sequence[int]) -> int:
    """The column that names its row: the first with short words or levels, else the first shown."""
    return next((index for index in indexes if _names_rows(table, index)), indexes[0])


def _names_rows(table: Table, index: int) -> bool:
    return _is_wordy(table.columns[index]) and all(len(row[index].shown) <= LONGEST_NAME for row in table.rows)


def _is_wordy(column: Column) -> bool:
    return column.type not in _NUMERIC


def _align(table: Table, index: int) -> str:
    column = table.columns[index]
    if _is_wordy(column):
        return "start"
    return "end" if column.type in ("number", "percent") else "center"


def _longest(table: Table, index: int | None) -> Fraction:
    if index is None:
        return Fraction(1)
    chances = [chance.value for row in table.rows if (chance := as_chance(row[index].value)) is not None]
    return max(chances, default=Fraction(1)) or Fraction(1)


def _shown_value(cell: Cell) -> Fraction | None:
    chance = as_chance(cell.value)
    return chance.value if chance is not None else None


def _bar(cell: Cell, longest: Fraction) -> int | None:
    chance = as_chance(cell.value)
    return round(100 * chance.value / longest) if chance is not None else None


def _heat(cell: Cell) -> int | None:
    return min(round(cell.value.value * HEAT_STEPS), HEAT_STEPS) if isinstance(cell.value, Percent) else None


def ladder_steps(ladder: Ladder) -> tuple[tuple[str, str], ...]:
    """The levels of a ladder from best to worst: their numbers, signed as the document prints them, and their names."""
    sign = "+" if ladder.signed else ""
    return tuple((typeset(f"{level.value:{sign if level.value else ''}d}"), level.name) for level in ladder.levels)


def shares(widths: Sequence[int]) -> list[tuple[int, int]]:
    """Relative widths as whole percents: where each column starts, and how wide it is."""
    ends = [0, *(round(100 * sum(widths[:number]) / sum(widths)) for number in range(1, len(widths) + 1))]
    return [(start, end - start) for start, end in pairwise(ends)]
