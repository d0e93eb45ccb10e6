"""Find in a document the table that a TableSpec describes.

In: a Document and a TableSpec. Out: its rows of raw cells, as many in each row as the spec has columns.
Whatever does not fit is an error at its place: a table that is not there or there twice, a ragged row, words
between two rows that no row explains.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TypeVar

from refgen.errors import RulesError
from refgen.notation.printed_numbers import USUAL, NotationStyle
from refgen.readers.document import Document, Grid, RawCell, Section, joined_heads
from refgen.rules.pattern import ANYTHING, ValuePattern, folded
from refgen.rules.rows import Row, RowReader
from refgen.rules.schema import TableSpec
from refgen.rules.sentence import Sentence
from refgen.source import Passage, plain
from refgen.span import Span
from refgen.suggestion import did_you_mean, nearest

ROWS = "rows"
OPENINGS = 8
"""So many paragraphs are named, at most, where one is not found."""
"""The name that stands for the rows in a sentence that holds them."""

_Candidate = TypeVar("_Candidate")


@dataclass(frozen=True, slots=True)
class FoundTable:
    """The rows of a table, the words printed over its columns (if any), where it stands, and what footnotes say."""

    rows: tuple[Row, ...]
    header: tuple[str, ...]
    span: Span
    notes: tuple[str, ...] = ()


def find_table(
    document: Document,
    spec: TableSpec,
    spec_span: Span,
    forms: Callable[[str], ValuePattern],
    style: NotationStyle = USUAL,
) -> FoundTable:
    """Find the table. ``spec_span`` is the place of the spec, ``forms`` says what may stand in a column."""
    sections = find_sections(document, spec.section, spec_span)
    if spec.laid_out == "grid":
        return _find_grid(sections, spec, spec_span)
    reader = RowReader(spec, forms, spec_span, style)
    found = _find_rows(sections, spec, spec_span, reader)
    reader.refuse_unused(spec_span)
    return found


def _find_rows(sections: Sequence[Section], spec: TableSpec, spec_span: Span, reader: RowReader) -> FoundTable:
    match spec.laid_out:
        case "ragged":
            return _find_ragged(sections, spec, spec_span, reader)
        case "list":
            return _of_items(_list_items(sections, spec, spec_span), spec, reader)
        case "paragraphs":
            return _of_items(_paragraphs(sections, spec, spec_span), spec, reader)
    return _find_in_prose(sections, spec, spec_span, reader)


def find_sections(document: Document, title: str | None, spec_span: Span) -> Sequence[Section]:
    """The sections with that title, or all. Raises RulesError, with the nearest titles, when there is none."""
    if title is None:
        return document.sections
    if sections := document.titled(title):
        return sections
    titles = [section.title for section in document.sections if section.title]
    hint = did_you_mean(title, titles)
    raise RulesError(f'{document.name} has no section "{title}"', span=spec_span, hint=hint)


def _find_grid(sections: Sequence[Section], spec: TableSpec, spec_span: Span) -> FoundTable:
    grids = [grid for section in sections for grid in section.grids]
    candidates = [transposed(grid) if spec.transpose else upright(grid) for grid in grids]
    wanted = head_key(spec.header)
    found = [candidate for candidate in candidates if head_key(candidate.header) == wanted]
    if spec.head is False:
        found = [headless(grid) for grid in grids if len(grid.rows[0]) == len(spec.columns)]
    elif not found and not spec.transpose:
        found = [taller for grid in grids if head_key((taller := under_two_rows(grid)).header) == wanted]
    if not found:
        raise _no_grid(candidates, spec, spec_span)
    grid = _pick(found, " | ".join(spec.header) or "(none)", spec, spec_span)
    for row in grid.rows:
        if len(row) != len(spec.columns):
            raise RulesError(
                f"this row has {len(row)} cells, its table has {len(spec.columns)} columns",
                span=row[0].span,
                hint="Give every row a cell for each column.",
            )
    return grid


def head_key(header: Sequence[str]) -> tuple[str, ...]:
    """The head of a table as heads are compared: without case, runs of blanks as one."""
    return tuple(plain(title).casefold() for title in header)


def upright(grid: Grid) -> FoundTable:
    """A grid as it is printed."""
    return FoundTable(grid.body, grid.header, grid.span, _notes(grid))


def headless(grid: Grid) -> FoundTable:
    """A grid without a head: what its format takes for one is a row."""
    return FoundTable(grid.rows, (), grid.span, _notes(grid))


def under_two_rows(grid: Grid) -> FoundTable:
    """A grid whose head goes on in the row under it."""
    rows = grid.header_rows + 1
    return FoundTable(grid.rows[rows:], joined_heads(grid.rows[:rows]), grid.span, _notes(grid))


def _notes(grid: Grid) -> tuple[str, ...]:
    return tuple(note.text for note in grid.notes)


def transposed(grid: Grid) -> FoundTable:
    """A grid whose rows are really columns, perhaps folded into bands.

    Rows with the same first cell continue each other; that first cell is the column's head.
    """
    lines: dict[str, list[RawCell]] = {}
    for row in grid.rows:
        if row:
            lines.setdefault(row[0].text, []).extend(row[1:])
    rows = zip_longest(*lines.values())
    turned = tuple(tuple(cell for cell in row if cell is not None) for row in rows)
    return FoundTable(turned, tuple(lines), grid.span, _notes(grid))


def _no_grid(candidates: Sequence[FoundTable], spec: TableSpec, spec_span: Span) -> RulesError:
    head = " | ".join(spec.header) or f"(none), and {len(spec.columns)} columns"
    place = f' in "{spec.section}"' if spec.section else ""
    heads = [" | ".join(candidate.header) for candidate in candidates]
    hint = did_you_mean(head, heads, f"There are {len(heads)} tables{place}.")
    near = nearest(head, heads)
    if near:
        hint += f" The first of them stands at {candidates[heads.index(near[0])].span}."
    return RulesError(f"no table{place} has the head {head}", span=spec_span, hint=hint)


def _pick(found: Sequence[_Candidate], head: str, spec: TableSpec, spec_span: Span) -> _Candidate:
    """The only table with the head, or the ``nth`` where the spec picks one of several."""
    place = f' in "{spec.section}"' if spec.section else ""
    if spec.nth is None and len(found) == 1:
        return found[0]
    if spec.nth is None:
        raise RulesError(
            f"{len(found)} tables{place} have the head {head}",
            span=spec_span,
            hint="Name the section that holds it, or say which by `nth`.",
        )
    if not 1 <= spec.nth <= len(found):
        raise RulesError(
            f"there is no table number {spec.nth}{place} with the head {head}",
            span=spec_span,
            hint=f"Count from 1; the last is {len(found)}.",
        )
    return found[spec.nth - 1]


def _find_ragged(sections: Sequence[Section], spec: TableSpec, spec_span: Span, reader: RowReader) -> FoundTable:
    blocks = [block.collapsed() for section in sections for block in section.blocks]
    head = spec.head or ""
    found = [(block, rest) for block in blocks if (rest := _under_head(block, head)) is not None]
    if found:
        block, rest = _pick(found, f'"{head}"', spec, spec_span)
        return FoundTable(tuple(reader.rows(rest)), (), block.span)
    openings = [plain(block.text)[:60] for block in blocks]
    hint = did_you_mean(head, openings, "Look at the section's text.")
    raise RulesError(f'no block starts with "{head}"', span=spec_span, hint=hint)


def _find_in_prose(sections: Sequence[Section], spec: TableSpec, spec_span: Span, reader: RowReader) -> FoundTable:
    if not spec.within or Sentence(spec.within, lambda _: ANYTHING).names != (ROWS,):
        raise RulesError(f'`within` of "{spec.title}" needs {{{ROWS}}} once', span=spec_span, hint="And no other name.")
    texts = [Passage.joined(section.paragraphs, " ") for section in sections if section.paragraphs]
    within = Sentence(spec.within, lambda _: ANYTHING)
    found = [value.passage for text in texts for (value,) in within.search(text, folded(text.text))]
    if len(found) != 1:
        raise RulesError(
            f'"{spec.title}" is found {len(found)} times in the text', span=spec_span, hint="Mend `within`."
        )
    return FoundTable(tuple(reader.rows(found[0].strip())), (), found[0].span)


def _under_head(block: Passage, head: str) -> Passage | None:
    """The lines after the head and the rules (----) drawn under it, or None when the block starts with other words.

    A no-break space after the head is left: it is the first blank cell.
    """
    words = r"\s+".join(re.escape(word) for word in head.split())
    opening = re.match(rf"\s*{words} *(?:[-|]{{3,}} *)*", block.text)
    return block[opening.end() :] if opening else None


def _list_items(sections: Sequence[Section], spec: TableSpec, spec_span: Span) -> Sequence[Passage]:
    lists = [block for section in sections for block in section.lists]
    nth = 1 if spec.nth is None else spec.nth
    if not 1 <= nth <= len(lists):
        raise RulesError(f'"{spec.section}" has {len(lists)} lists, not {nth}', span=spec_span, hint="Count from 1.")
    return lists[nth - 1].items


def _paragraphs(sections: Sequence[Section], spec: TableSpec, spec_span: Span) -> Sequence[Passage]:
    paragraphs = [paragraph for section in sections for paragraph in section.paragraphs]
    bounds = []
    for opening in (spec.first, spec.last):
        numbers = [n for n, paragraph in enumerate(paragraphs) if paragraph.text.startswith(opening)]
        if not numbers or not opening:
            raise RulesError(f'no paragraph there starts with "{opening}"', span=spec_span, hint=_openings(paragraphs))
        bounds.append(numbers[0])
    first, last = bounds
    while last + 1 < len(paragraphs) and paragraphs[last + 1].text.startswith(spec.last):
        last += 1  # a last row that stands there twice is seen, not cut off
    return paragraphs[first : last + 1]


def _openings(paragraphs: Sequence[Passage]) -> str:
    """How the paragraphs of a section start, and where."""
    starts = [f'"{text.text.partition(" ")[0]}" at {text.span}' for text in paragraphs[:OPENINGS]]
    return f"They start with {', '.join(starts)}." if starts else ""


def _of_items(items: Sequence[Passage], spec: TableSpec, reader: RowReader) -> FoundTable:
    rows = tuple(reader.items(items))
    if not rows:
        raise RulesError(f'"{spec.title}" has no rows', span=items[0].span if items else None)
    return FoundTable(rows, (), items[0].source.span(items[0].span.start, items[-1].span.end))
