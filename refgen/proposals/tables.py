"""A first system.toml for a document, to be edited by its author.

In: a Document. Out: the text of a system.toml that loads together with the unchanged document, and holds every table
that the reader found and every list of "label: text". A table that does not load stands in a comment, with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from textwrap import shorten

from refgen.checks.documents import ABOUT
from refgen.export.model import toml_string
from refgen.layout.templates import token_colour
from refgen.limits import limits
from refgen.notation.printed_cell import WITH_DECIMALS
from refgen.notation.printed_numbers import shown_by, undecided
from refgen.proposals.facts import fact_lines
from refgen.readers.document import Document, Grid, ItemList, RawCell, Section
from refgen.rules.guess import guess_notation, is_value, ladder_columns, notation_but_for_one, slug, unused
from refgen.rules.schema import ColumnSpec, TableSpec
from refgen.rules.table_finder import FoundTable, head_key, transposed, upright
from refgen.rules.toml import unprintable
from refgen.source import plain
from refgen.span import Span

ACCENT = token_colour("accent-light")
LABELLED = "{label}: {text}"
_LABELLED = re.compile(r"(?P<label>[^:]{1,60}): (?P<text>.+)")
_MOST_TRANSPOSED = 3


@dataclass(frozen=True, slots=True)
class Proposal:
    """A table ``found`` in the document, with ``hints`` for the author; an ``obstacle`` keeps it out ("": none)."""

    id: str
    spec: TableSpec
    found: FoundTable
    hints: Sequence[str]
    obstacle: str = ""


def propose(document: Document) -> str:
    """The text of a system.toml for ``document``."""
    proposals = list(_Proposer(document).tables())
    titles = (plain(section.title) for section in document.sections if not unprintable(section.title))
    title = shorten(next(filter(None, titles), ""), limits().title_letters, placeholder=" …")
    title = title or PurePath(document.source.name).stem
    lines = [
        f"title = {toml_string(title)}",
        f"about = {toml_string(ABOUT)}  # shown on the site",
        *_document_lines(document, proposals),
        f'accent = "{ACCENT}"  # the colour of its play aids',
        f"source = {toml_string(title)}  # who wrote it, when, under which licence",
        "",
        "# Computed tables are yours to add: see docs/systems.md.",
        "",
    ]
    if all(proposal.obstacle for proposal in proposals):
        lines += ["[tables]", "# The reader found no table that can be taken as it is: describe them here.", ""]
    for proposal in proposals:
        lines += [*_table_lines(proposal), ""]
    if facts := list(fact_lines(document)):
        lines += ["# Numbers in prose: keep those that are rules.", "[facts]", *facts, ""]
    lines += _proof_lines([proposal for proposal in proposals if not proposal.obstacle])
    return "\n".join(lines)


def _proof_lines(taken: Sequence[Proposal]) -> Iterator[str]:
    """How many rows each table has, for a proof.toml."""
    if taken:
        yield "# A proof.toml beside this file says how the prose is proved, and so that a lost row is found:"
        yield "# [row_counts]"
        yield from (f"# {proposal.id} = {len(proposal.found.rows)}" for proposal in taken)
        yield ""


def _document_lines(document: Document, proposals: Sequence[Proposal]) -> Iterator[str]:
    """The name of the document, and the style of its numbers, where the tables show decimal commas or leave it open."""
    file = toml_string(PurePath(document.source.name).name)
    columns = [
        [row[at].text for row in proposal.found.rows if at < len(row)]
        for proposal in proposals
        for at, column in enumerate(proposal.spec.columns)
        if column.type in WITH_DECIMALS
    ]
    shown = {mark for column in columns if (mark := shown_by(column))}
    is_open = any(undecided(column) for column in columns)
    if len(shown) == 1 and (is_open or shown == {"1,5"}):
        yield f'document = {{ file = {file}, numbers = "{shown.pop()}" }}  # as its tables have them'
        return
    yield f"document = {file}"
    if is_open or shown == {"1,5", "1.5"}:
        yield f'# Is 1,250 more than a thousand? document = {{ file = {file}, numbers = "1.5" }}; else "1,5".'


@dataclass
class _Proposer:
    """The tables of one document, each with a new id and found by head and number as the loader finds them."""

    document: Document
    ids: set[str] = field(default_factory=set)

    def tables(self) -> Iterator[Proposal]:
        together: dict[str, list[Section]] = {}
        for section in self.document.sections:
            together.setdefault(section.title_key, []).append(section)
        for section in self.document.sections:
            namesakes = together[section.title_key]
            for grid in section.grids:
                yield self._of_grid(section, grid, [grid for other in namesakes for grid in other.grids])
            for block in section.lists:
                if (rows := _labelled(block)) is not None:
                    lists = [block for other in namesakes for block in other.lists]
                    yield self._of_list(section, rows, _position(block, lists), len(lists))

    def _of_grid(self, section: Section, grid: Grid, others: Sequence[Grid]) -> Proposal:
        turned = _is_transposed(grid)
        make = transposed if turned else upright
        found = make(grid)
        same = [other for other in others if head_key(make(other).header) == head_key(found.header)]
        columns, hints = _columns(found)
        spec = TableSpec(
            title=grid.caption or plain(section.title) or "Table",
            section=plain(section.title),
            header=list(found.header),
            nth=_position(grid, same) if len(same) > 1 else None,
            transpose=turned,
            columns=columns,
        )
        if not turned and not grid.header_rows:
            hints.append("The document prints no head: name the columns.")
        obstacle = self._fault_in(found.span) or _uneven(found) or _unshowable(spec)
        return Proposal(self._new_id(spec.title), spec, found, hints, obstacle)

    def _of_list(self, section: Section, found: FoundTable, number: int, count: int) -> Proposal:
        columns, hints = _columns(found)
        spec = TableSpec(
            title=plain(section.title) or "List",
            section=plain(section.title),
            nth=number if count > 1 else None,
            row=[LABELLED],
            columns=columns,
        )
        return Proposal(self._new_id(spec.title), spec, found, hints, self._fault_in(found.span) or _unshowable(spec))

    def _new_id(self, title: str) -> str:
        table_id = unused(slug(title, "table"), self.ids)
        self.ids.add(table_id)
        return table_id

    def _fault_in(self, span: Span) -> str:
        """The first fault inside a table: the loader refuses a table with one."""
        faults = (fault for fault in self.document.faults if span.holds(fault.span))
        return next((f"{fault.span}: {fault.message} ({fault.hint})" for fault in faults), "")


def _position(table: object, tables: Sequence[object]) -> int:
    """The number of a grid or list among others, from 1."""
    return next(number for number, other in enumerate(tables, start=1) if other is table)


def _labelled(block: ItemList) -> FoundTable | None:
    """The items of a list as rows of label and text, or None when there is one item or any has no label."""
    rows = []
    for item in block.items:
        match = _LABELLED.fullmatch(item.text)
        if match is None:
            return None
        rows.append(tuple(RawCell.of(item.group(match, part)) for part in ("label", "text")))
    if len(rows) < 2:
        return None
    first, last = block.items[0], block.items[-1]
    return FoundTable(tuple(rows), ("label", "text"), first.source.span(first.span.start, last.span.end))


def _is_transposed(grid: Grid) -> bool:
    """Whether the rows are really columns: a word in front of each, values in all that follows it."""
    lines = {row[0].text for row in grid.rows if row}
    width = min((len(row) for row in grid.rows), default=0)
    if not 1 < len(lines) <= _MOST_TRANSPOSED < width or any(is_value(line) for line in lines):
        return False
    if not all(is_value(cell.text) for row in grid.rows for cell in row[1:]):
        return False
    found = transposed(grid)
    return all(len(row) == len(found.header) for row in found.rows)


def _uneven(found: FoundTable) -> str:
    """The first row that is longer or shorter than the others: the loader refuses such a table."""
    width = _width(found)
    for row in found.rows:
        if len(row) != width:
            place = row[0].span if row else found.span
            return f"{place}: this row has {len(row)} cells, its table has {width} columns"
    return "" if width and found.rows else f"{found.span}: this table has no rows"


def _unshowable(spec: TableSpec) -> str:
    """Why no page can show the words of a table: the loader refuses them."""
    titles = [spec.title, *(column.title for column in spec.columns)]
    if any(map(unprintable, [*titles, spec.section or "", *spec.header])):
        return "It prints a character that no page can show."
    return "Its titles are too long." if max(map(len, titles)) > limits().title_letters else ""


def _width(found: FoundTable) -> int:
    return len(found.header) or max((len(row) for row in found.rows), default=0)


def _columns(found: FoundTable) -> tuple[list[ColumnSpec], list[str]]:
    """A column for each head, in the notation of its cells; hints name columns that one odd cell makes text."""
    columns: list[ColumnSpec] = []
    hints = []
    for number in range(_width(found)):
        cells = [row[number] for row in found.rows if number < len(row)]
        head = found.header[number] if number < len(found.header) else ""
        otherwise = f"column-{number + 1}"
        column = unused(slug(head, otherwise), {column.id for column in columns})
        texts = [cell.text for cell in cells]
        notation = guess_notation(texts)
        columns.append(ColumnSpec(id=column, type=notation))
        if notation == "text" and (close := notation_but_for_one(texts)):
            odd = cells[close[1]]
            hints.append(
                f"{column} would be {close[0]} but for {toml_string(odd.text)} at {odd.span}: "
                f'add type and read = {{ {toml_string(odd.text)} = "…" }}.'
            )
    return columns, hints


def _table_lines(proposal: Proposal) -> Iterator[str]:
    spec = proposal.spec
    if proposal.obstacle:
        yield _comment(f"This table cannot be taken as it is. {proposal.obstacle}")
    yield from map(_comment, proposal.hints)
    mark = "# " if proposal.obstacle else ""
    yield from (mark + line for line in _spec_lines(proposal.id, spec))
    if not proposal.obstacle:
        yield from _ladder_lines(proposal)


def _spec_lines(table_id: str, spec: TableSpec) -> Iterator[str]:
    yield f"[tables.{table_id}]"
    yield f"title = {toml_string(spec.title)}"
    yield f"section = {toml_string(spec.section or '')}"
    if spec.header:
        yield f"header = [{', '.join(toml_string(head) for head in spec.header)}]"
    if spec.nth is not None:
        yield f"nth = {spec.nth}"
    if spec.transpose:
        yield "transpose = true"
    if spec.row:
        yield f"row = {toml_string(*spec.row)}"
    yield "columns = ["
    for column in spec.columns:
        notation = "" if column.type == "text" else f', type = "{column.type}"'
        sure = "" if column.type == "text" else "  # all its cells read so"
        yield f'  {{ id = "{column.id}"{notation} }},{sure}'
    yield "]"


def _ladder_lines(proposal: Proposal) -> Iterator[str]:
    """A ladder, as a comment, where words stand beside numbers that count up or down."""
    texts = [[cell.text for cell in row] for row in proposal.found.rows]
    pair = ladder_columns([(column.id, column.type) for column in proposal.spec.columns], texts)
    if pair is None:
        return
    level, value = pair
    yield "# If these are the levels of a ladder, take this in, and give its columns their type and ladder:"
    yield f"# [ladders.{level}]"
    yield f'# table = "{proposal.id}"'
    yield f'# level = "{level}"'
    yield f'# value = "{value}"'


def _comment(text: str) -> str:
    """A text as a comment of TOML, which holds no line break and no control character."""
    return "# " + re.sub(r"[\x00-\x1f\x7f]", " ", text)
