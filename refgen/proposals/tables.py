"""The tables of a document, each as system.toml would describe it, with the evidence for the type of every column.

In: a Document. Out: a Proposal for every table that the reader found, and for every list of "label: text"; and the
Entries of a Proposal: the table, and a ladder where words stand beside numbers that count up or down.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import zip_longest
from typing import Literal

from refgen.catalog import counted
from refgen.export.model import toml_string
from refgen.export.toml_text import toml_lines, toml_value
from refgen.limits import limits
from refgen.marks import DASHES, plain_marks
from refgen.notation.printed_numbers import USUAL, NotationStyle
from refgen.proposals.draft import Entry, Proposal
from refgen.readers.document import Document, Grid, ItemList, RawCell, Section
from refgen.readers.grids import FoundTable
from refgen.readers.heads import is_die
from refgen.rules.guess import ColumnGuess, guess_column, ladder_columns, slug, unused_name
from refgen.rules.schema import ColumnSpec, LadderSpec, TableSpec
from refgen.rules.table_finder import matching_grids
from refgen.rules.table_shape import guess_shape, in_shape
from refgen.rules.toml import find_unprintable
from refgen.source import plain_text
from refgen.span import Span
from refgen.words import Words, words_for

LABELLED = "{label}: {text}"
_LABELLED = re.compile(r"(?P<label>[^:]{1,60}): (?P<text>.+)")
_LABEL_OF_TABLE = re.compile(
    rf"\A(?:table|tabelle|taulukko|tabela|tabla|tableau|таблица)\s*[\d.-]*\s*[:.{DASHES}-]\s*", re.IGNORECASE
)
"""The label before a caption, "Table 3:"."""

_FRACTION = re.compile(r"\d+/\d+")
_PAIR = re.compile(r"0/\d+|\d+/\d+/\d+")

_SHOWN_MISFITS = 2
_FEWEST_REPEATED = 3


def find_tables(document: Document, ids: set[str], style: NotationStyle = USUAL) -> Sequence[Proposal]:
    """The tables of a document of a style, in their order. Their new ids are added to ``ids``."""
    return list(_TableProposer(document, ids, style).tables())


@dataclass
class _TableProposer:
    """The tables of one document, each with a new id and found by head and number as the loader finds them."""

    document: Document
    ids: set[str]
    style: NotationStyle
    together: dict[str, list[Section]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for section in self.document.sections:
            self.together.setdefault(section.title_key, []).append(section)

    @property
    def _words(self) -> Words:
        return words_for(self.style.language.tag)

    @cached_property
    def heads_of_pairs(self) -> frozenset[str]:
        """The heads, in small letters, of columns with pairs that look like fractions and are none: "0/4", "1/4/10"."""
        grids = (grid for section in self.document.sections for grid in section.grids)
        columns = (column for grid in grids for column in zip_longest(*grid.rows))
        texts = ([plain_text(cell.text) for cell in column if cell] for column in columns)
        return frozenset(cells[0].casefold() for cells in texts if cells and any(map(_PAIR.fullmatch, cells[1:])))

    def tables(self) -> Iterator[Proposal]:
        for section in self.document.sections:
            namesakes = self.together[section.title_key]
            for grid in section.grids:
                yield self._of_grid(section, grid, [grid for other in namesakes for grid in other.grids])
            for block in section.lists:
                if (rows := _labelled_rows(block)) is not None:
                    lists = [block for other in namesakes for block in other.lists]
                    yield self._of_list(section, rows, _position(block, lists), len(lists))

    def _of_grid(self, section: Section, grid: Grid, others: Sequence[Grid]) -> Proposal:
        shape = guess_shape(grid)
        found = in_shape(grid, shape)
        columns, guesses = _columns(found, self.style, self.heads_of_pairs)
        spec = TableSpec(
            title=_LABEL_OF_TABLE.sub("", grid.caption) or plain_text(section.title) or self._words("table"),
            section=plain_text(section.title),
            header=list(found.header) if shape.head_rows else [],
            head="" if shape.head_rows else False,
            transpose=shape.transpose,
            fold=shape.fold,
            columns=columns,
        )
        obstacle = self._fault_in(found.span) or _uneven_row(found) or _unshowable_reason(spec)
        if not obstacle:
            same = [other.span for other in matching_grids([other for other in others if other.rows], spec)]
            spec = spec.model_copy(update={"nth": same.index(found.span) + 1 if len(same) > 1 else None})
        hints = [f"{'folded' if shape.fold else 'shape'}: {shape.evidence}"] if shape.evidence else []
        return Proposal(self._new_id(spec.title), spec, found, guesses, hints, obstacle)

    def _of_list(self, section: Section, found: FoundTable, number: int, count: int) -> Proposal:
        columns, guesses = _columns(found, self.style)
        if guesses[0].notation == "dice" and any(" " in row[0].text for row in found.rows):  # "1d8 means: …"
            columns[0] = columns[0].model_copy(update={"type": "text"})
            guesses[0] = ColumnGuess("text", "text", guesses[0].printed)
        spec = TableSpec(
            title=plain_text(section.title) or self._words("list-of-names"),
            section=plain_text(section.title),
            nth=number if count > 1 else None,
            row=[LABELLED],
            columns=columns,
        )
        obstacle = self._fault_in(found.span) or _unshowable_reason(spec)
        return Proposal(self._new_id(spec.title), spec, found, guesses, [], obstacle)

    def _new_id(self, title: str) -> str:
        table_id = unused_name(slug(title, "table"), self.ids)
        self.ids.add(table_id)
        return table_id

    def _fault_in(self, span: Span) -> str:
        """The first fault inside a table: the loader refuses a table with one."""
        faults = (fault for fault in self.document.faults if span.holds(fault.span))
        return next((f"{fault.span}: {fault.message} ({fault.hint})" for fault in faults), "")


def _position(table: object, tables: Sequence[object]) -> int:
    """The number of a grid or list among others, from 1."""
    return next(number for number, other in enumerate(tables, start=1) if other is table)


def _labelled_rows(block: ItemList) -> FoundTable | None:
    """The items of a list as rows of label and text, or None when there is one item or any has no label."""
    rows = []
    for item in block.items:
        match = _LABELLED.fullmatch(item.text)
        if match is None:
            return None
        rows.append(tuple(RawCell.of(item.group(match, part)) for part in ("label", "text")))
    if len(rows) < 2:
        return None
    return FoundTable(tuple(rows), ("label", "text"), block.span)


def _uneven_row(found: FoundTable) -> str:
    """The first row that is longer or shorter than the others: the loader refuses such a table."""
    width = _width(found)
    for row in found.rows:
        if len(row) != width:
            place = row[0].span if row else found.span
            return f"{place}: this row has {counted(len(row), 'cell')}, its table has {counted(width, 'column')}"
    return "" if width and found.rows else f"{found.span}: this table has no rows"


def _unshowable_reason(spec: TableSpec) -> str:
    """Why no page can show the words of a table: the loader refuses them."""
    titles = [spec.title, *(column.title for column in spec.columns)]
    if any(map(find_unprintable, [*titles, spec.section or "", *spec.header])):
        return "It prints a character that no page can show."
    return "Its titles are too long." if max(map(len, titles)) > limits().title_letters else ""


def _width(found: FoundTable) -> int:
    return len(found.header) or max((len(row) for row in found.rows), default=0)


def _columns(
    found: FoundTable, style: NotationStyle, heads_of_pairs: Collection[str] = ()
) -> tuple[list[ColumnSpec], list[ColumnGuess]]:
    """A column for each head, in the notation of its cells, and the guess behind each notation."""
    columns: list[ColumnSpec] = []
    guesses = []
    for number in range(_width(found)):
        head = found.header[number] if number < len(found.header) else ""
        column = unused_name(slug(head, f"column-{number + 1}"), {column.id for column in columns})
        texts = [row[number].text for row in found.rows if number < len(row)]
        guess = guess_column(texts, style, under_die=is_die(head))
        is_pair = guess.notation != "interval" and plain_text(head).casefold() in heads_of_pairs
        if is_pair and any(map(_FRACTION.fullmatch, texts)):
            guess = ColumnGuess("text", "text", guess.printed)
        order: Literal["", "none"] = "none" if guess.notation == "interval" and _starts_again(texts) else ""
        columns.append(ColumnSpec(id=column, type=guess.notation, order=order))
        guesses.append(guess)
    return columns, guesses


def _starts_again(texts: Sequence[str]) -> bool:
    """Whether ranges start again and again, as ratings of several things below each other do."""
    printed = [text for text in texts if text]
    return len(printed) - len(set(printed)) >= _FEWEST_REPEATED


def table_entries(proposal: Proposal) -> Iterator[Entry]:
    """A table, and the ladder that it may hold. A table with an obstacle is not certain."""
    ladder = None if proposal.obstacle else ladder_of(proposal)
    obstacle = [f"This table cannot be taken as it is. {proposal.obstacle}"] if proposal.obstacle else []
    evidence = [*proposal.hints, *_near_misses(proposal), *obstacle]
    lines = list(_table_lines(proposal, ladder))
    place = proposal.found.span
    yield Entry(f"[tables.{proposal.id}]", lines, evidence, not proposal.obstacle, place)
    if ladder:
        words = f"{len(proposal.found.rows)} words of their own"
        why = f"{ladder.level}: a ladder; {words} beside {ladder.value}, which has signs and goes by ones"
        lines = [*toml_lines(ladder.model_dump(exclude_unset=True))]
        yield Entry(f"[ladders.{proposal.id}]", lines, [why], place=place)


def _near_misses(proposal: Proposal) -> Iterator[str]:
    """For each column of words that all but a few cells would make a column of figures: these cells."""
    for at, (column, guess) in enumerate(zip(proposal.spec.columns, proposal.guesses, strict=True)):
        if guess.near is None:
            continue
        cells = [row[at] for row in proposal.found.rows if at < len(row)]
        shown = [f"{toml_string(cells[odd].text)} at {cells[odd].span}" for odd in guess.misfits[:_SHOWN_MISFITS]]
        more = len(guess.misfits) - len(shown)
        texts = ", ".join(f'{toml_string(cells[odd].text)} = "…"' for odd in guess.misfits[:_SHOWN_MISFITS])
        yield (
            f"{column.id}: {guess.near} in {guess.printed - len(guess.misfits)} of {guess.printed} cells; "
            f"{' and '.join(shown)}{f' and {more} more' if more else ''} {'are' if len(guess.misfits) > 1 else 'is'} "
            f'not. For the type: type = "{guess.near}", read = {{ {texts} }}.'
        )


def ladder_of(proposal: Proposal) -> LadderSpec | None:
    """The ladder of a table; None where no words stand beside numbers by ones, or where the numbers have no sign."""
    texts = [[cell.text for cell in row] for row in proposal.found.rows]
    columns = proposal.spec.columns
    pair = ladder_columns([(column.id, column.type) for column in columns], texts)
    if pair is None:
        return None
    at = next(number for number, column in enumerate(columns) if column.id == pair[1])
    has_signs = any(plain_marks(row[at])[:1] in ("+", "-") for row in texts)
    return LadderSpec(table=proposal.id, level=pair[0], value=pair[1]) if has_signs else None


def _table_lines(proposal: Proposal, ladder: LadderSpec | None) -> Iterator[str]:
    yield from _place_lines(proposal.spec)
    yield "columns = ["
    for column, guess in zip(proposal.spec.columns, proposal.guesses, strict=True):
        keys = {"title": column.title, "order": column.order}
        if ladder and column.id == ladder.level:
            keys["ladder"] = proposal.id
        elif column.type != "text":
            keys["type"] = column.type
        written = {"id": column.id, **{key: value for key, value in keys.items() if value}}
        sure = f"  # {guess.printed} of {guess.printed} cells; else {guess.next_best}" if "type" in written else ""
        yield f"  {toml_value(written if len(written) > 1 else column.id)},{sure}"
    yield "]"


def _place_lines(spec: TableSpec) -> Iterator[str]:
    """The title of a table, and where the table stands."""
    keys: dict[str, object] = {"title": spec.title, "section": spec.section or "", "header": list(spec.header)}
    keys |= {"nth": spec.nth, **({"head": False} if spec.head is False else {})}
    keys |= {"transpose": spec.transpose or None, "fold": spec.fold}
    keys |= {"first": spec.first, "last": spec.last} if spec.first or spec.last else {}
    keys |= {"row": spec.row[0] if len(spec.row) == 1 else list(spec.row)}
    return toml_lines({key: value for key, value in keys.items() if value not in (None, [])})
