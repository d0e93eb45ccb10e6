"""A block of any kind is made.

In: a BlockSpec and a game. Out: a Block with every word and figure in place.
Raises AidError for a table, column or fact that does not exist, with the nearest names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from refgen.aids.block.model import (
    Block,
    FactsBlock,
    GlossaryBlock,
    ListBlock,
    QuoteBlock,
    ShownCell,
    ShownColumn,
    StepsBlock,
    TableBlock,
    TextBlock,
)
from refgen.aids.block.table import show_table
from refgen.aids.chart.make import make_chart
from refgen.aids.chart.model import ChartBlock, ChartRequest
from refgen.aids.footnotes import Footnotes
from refgen.aids.names import column_index
from refgen.aids.quotation import quotation
from refgen.aids.schema import BlockSpec
from refgen.aids.stated import Scope
from refgen.aids.system_info import USUAL_ROUNDING
from refgen.aids.typeset import typeset
from refgen.aids.words import figure, footnotes_of, says_something, words
from refgen.errors import AidError
from refgen.rules.model import Table
from refgen.suggestion import folded


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
    return folded_table(replace(block, title=title, note=note, heat=spec.heat), spec.fold)


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


def folded_table(block: TableBlock, groups: int) -> TableBlock:
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
