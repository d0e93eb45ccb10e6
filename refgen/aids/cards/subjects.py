"""Cards made from content: one for each row of a table, or for each section under a heading.

In: a CardSpec and a game. Out: the subjects of its cards, one a card; a card that is written out has the game itself as
its subject. Raises AidError for rows that a table does not have, and for a heading with no section under it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from refgen.aids.cards.spec import CardSpec
from refgen.blocks.block import Block
from refgen.blocks.table_block import TableBlock
from refgen.blocks.table_cells import ShownCell, ShownColumn
from refgen.blocks.text_blocks import GlossaryBlock, ListBlock, QuoteBlock, section_number, shown
from refgen.blocks.typesetting import BlockScope, NamedText, ScopeWithRow, filled_figure, typeset
from refgen.errors import AidError
from refgen.game.game import GameModel
from refgen.readers.document import Grid, Section
from refgen.rules.model import Cell, RuleTable
from refgen.source import plain
from refgen.span import Span


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a card: the names that its texts may use, and its title and blocks unless cards.toml gives others.

    ``source`` is the file and line of the subject, as printed on the card; "" for a card without a row or section.
    """

    scope: BlockScope
    title: str = ""
    blocks: tuple[Block, ...] = ()
    source: str = ""


def subjects(game: GameModel, spec: CardSpec) -> Sequence[Subject]:
    """The subjects of the cards that a spec describes, in the order of the document."""
    if spec.table is not None:
        return [_row(game, spec.table, row) for row in _rows(game.tables[spec.table], spec.row_range)]
    if spec.section:
        return [_section(game, group) for group in _groups(game.sections, spec.section)]
    return [Subject(game)]


def _rows(table: RuleTable, wanted: tuple[int, int] | None) -> Sequence[tuple[Cell, ...]]:
    first, last = wanted or (1, len(table.rows))
    if last > len(table.rows):
        raise AidError(f'table "{table.id}" has {len(table.rows)} rows, and rows {first} to {last} are wanted')
    return table.rows[first - 1 : last]


def _row(game: GameModel, table_id: str, row: Sequence[Cell]) -> Subject:
    """The subject for a row of a table: names for its cells by column id, and a glossary of all cells but the first."""
    table = game.tables[table_id]
    cells = {column.id: NamedText.of_cell(column.title, cell) for column, cell in zip(table.columns, row, strict=True)}
    scope = ScopeWithRow.of(game, cells, "column or fact")
    named = [(typeset(column.title), filled_figure(scope, column.id)) for column in table.columns]
    terms = tuple((title, text) for title, text in named[1:] if text)
    span = row[0].span or table.span
    return Subject(scope, named[0][1], (GlossaryBlock("", terms),) if terms else (), place(span) if span else "")


def place(span: Span) -> str:
    """The name of a file and the line: short enough for a card."""
    return f"{span.file.rpartition('/')[2]}:{span.line}"


def _groups(sections: Sequence[Section], title: str) -> Sequence[Sequence[Section]]:
    """The sections one level under a heading, each with its subsections."""
    number = section_number(sections, title)
    under = []
    for section in sections[number + 1 :]:
        if section.level <= sections[number].level:
            break
        under.append(section)
    if not under:
        hint = "Name the heading above them, or quote the section itself."
        raise AidError(f'no section stands under "{title}" to make cards of', hint=hint)
    top = min(section.level for section in under)
    starts = [place for place, section in enumerate(under) if section.level == top]
    return [under[start:end] for start, end in zip(starts, [*starts[1:], len(under)], strict=True)]


def _section(game: GameModel, group: Sequence[Section]) -> Subject:
    """The subject for a section: its title, and its text with all subsections."""
    title = typeset(plain(group[0].title))
    span = group[0].text.span
    text = NamedText("text", " ".join(shown(paragraph) for paragraph in group[0].paragraphs), span=span)
    scope = ScopeWithRow.of(game, {"title": NamedText("title", title, span=span), "text": text}, "word or fact")
    blocks = tuple(block for number, section in enumerate(group) for block in _shown(section, titled=number > 0))
    return Subject(scope, title, blocks, place(span))


def _shown(section: Section, *, titled: bool) -> Iterator[Block]:
    title = typeset(plain(section.title)) if titled else ""
    if section.paragraphs:
        yield QuoteBlock(title, tuple(map(shown, section.paragraphs)))
        title = ""
    for found in section.lists:
        yield ListBlock(title, tuple(map(shown, found.items)))
        title = ""
    for grid in section.grids:
        yield _table(grid, title or grid.caption)
        title = ""


def _table(grid: Grid, title: str) -> TableBlock:
    """A table block with the cells as printed."""
    width = max(map(len, grid.rows), default=0)
    heads = (*grid.header, *[""] * width)[:width]
    rows = (tuple(ShownCell(typeset(cell.text), "start") for cell in row) for row in grid.body)
    padded = ((*row, *[ShownCell("", "start")] * (width - len(row))) for row in rows)
    columns = tuple(ShownColumn(typeset(head), "", "start") for head in heads)
    return TableBlock(title, columns, tuple(padded))
