"""Find in a document the table that a TableSpec describes.

In: a Document and a TableSpec. Out: its rows of raw cells, as many in each row as the spec has columns.
Whatever does not fit is an error at its place: a table that is not there or there twice, a ragged row, words
between two rows that no row explains.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, TypeVar

from refgen.errors import RulesError
from refgen.notation.printed_numbers import USUAL, NotationStyle
from refgen.readers.document import Document, Grid, RawCell, Section, joined_heads
from refgen.rules.pattern import (
    ANYTHING,
    BLANKS,
    ValuePattern,
    compiled,
    compiled_sentence,
    folded,
    is_inside_word,
    without_groups,
)
from refgen.rules.schema import TableSpec
from refgen.rules.sentence import Sentence, certain_names, parse_sentence
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


Row = tuple[RawCell, ...]

_ORDINARY_BLANKS = " +"
"""In a ragged table a no-break blank is a cell."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """A way in which a row may be printed: its pattern with groups and without, and the readers of its groups."""

    pattern: str
    unnamed: str
    open: bool
    cells: Callable[[Passage, Any], Mapping[str, Passage]]


class RowReader:
    """Reads the rows of one table; ``forms`` says what may stand in a column."""

    def __init__(
        self, spec: TableSpec, forms: Callable[[str], ValuePattern], spec_span: Span, style: NotationStyle
    ) -> None:
        """Raises RulesError for a column that no sentence names, and for a name that is no column's."""
        self._spec, self._style = spec, style
        self._ids = [column.id for column in spec.columns]
        blanks = _ORDINARY_BLANKS if spec.laid_out == "ragged" else BLANKS
        self._loose: list[_Shape] = []
        if spec.row_pattern:
            self._shapes = [_of_pattern(pattern) for pattern in spec.row_pattern]
            named = {name.replace("_", "-") for pattern in spec.row_pattern for name in compiled(pattern).groupindex}
        else:
            texts = [
                Sentence(text, lambda name: self._form(name, forms, spec_span), blanks, style) for text in spec.row
            ]
            self._shapes = [_of_sentence(text) for text in texts]
            self._loose = [_of_sentence(Sentence(text, lambda _: ANYTHING, blanks, style)) for text in spec.row]
            named = {name for text in texts for name in text.names}
        for column in self._ids:
            if column not in named:
                hint = f"Write {{{column}}} where its cells stand; a regular expression is called row_pattern."
                raise RulesError(f'the row of "{spec.title}" does not name {column}', span=spec_span, hint=hint)
        self._ignored = [_of_sentence(Sentence(text, lambda _: ANYTHING, blanks, style)) for text in spec.ignore]
        self._unused = dict(zip(self._ignored, spec.ignore, strict=True))
        between = "|".join(Sentence(text, lambda _: ANYTHING, blanks, style).bounded for text in spec.between)
        self._between = compiled_sentence(f"(?s) *({between})") if between else None
        everything = "|".join(f"(?:{shape.unnamed})" for shape in [*self._shapes, *self._ignored])
        self._onward = rf" *(?:\z|{everything})"

    def _form(self, name: str, forms: Callable[[str], ValuePattern], spec_span: Span) -> ValuePattern:
        if name not in self._ids:
            message = f'the row of "{self._spec.title}" names {name}, which is no column'
            raise RulesError(message, span=spec_span, hint=did_you_mean(name, self._ids))
        return forms(name)

    def rows(self, text: Passage) -> Iterator[Row]:
        """Row after row of a text, parted by ``between`` or each starting where the last one ended."""
        if self._between is not None:
            yield from self.items([piece for piece in self._pieces(text) if piece.text])
            return
        printed, position = text.text if self._spec.row_pattern else folded(text.text, self._style), 0
        while position < len(printed):
            shape, match = self._next(printed, position)
            if match is None or match.end(1) == position:
                raise self._no_row(text[position:])
            if shape in self._ignored:
                self._unused.pop(shape, None)
            else:
                yield self._cells(text, shape, match)
            position = match.end(1)
            position += len(printed[position:]) - len(printed[position:].lstrip(" "))

    def items(self, items: Sequence[Passage]) -> Iterator[Row]:
        """The rows of texts that are a row each.

        Where a cell is in no notation of its column, the row is taken all the same: its cell is an error at its place.
        """
        for item in items:
            printed = item.text if self._spec.row_pattern else folded(item.text, self._style)
            for shape in [*self._ignored, *self._shapes, *self._loose]:
                if match := compiled_sentence(f"(?s)({shape.pattern})").fullmatch(printed):
                    if shape in self._ignored:
                        self._unused.pop(shape, None)
                    else:
                        yield self._cells(item, shape, match)
                    break
            else:
                raise self._no_row(item)

    def refuse_unused(self, spec_span: Span) -> None:
        """Raises RulesError for an ``ignore`` that nothing among the rows was, once they are read."""
        for text in self._unused.values():
            message = f'nothing among the rows of "{self._spec.title}" is "{text}", which is to be ignored'
            raise RulesError(message, span=spec_span, hint="Take it out of `ignore`.")

    def _pieces(self, text: Passage) -> Iterator[Passage]:
        start = 0
        for match in self._between.finditer(folded(text.text, self._style)) if self._between else ():
            if any(is_inside_word(text.text, end) for end in match.span(1)):
                continue
            yield text[start : match.start()].strip()
            start = match.end()
        yield text[start:].strip()

    def _next(self, printed: str, position: int) -> tuple[_Shape, Any]:
        """The row or ignored piece at a position; what its own sentence does not end, ends where the next can start."""
        shape = self._shapes[0]
        for shape in [*self._ignored, *self._shapes]:
            onward = self._onward if shape.open else ""
            if match := compiled_sentence(f"(?s)({shape.pattern}){onward}").match(printed, position):
                return shape, match
        for shape in self._shapes if self._spec.row_pattern else ():
            if match := compiled_sentence(f"(?s)({shape.pattern})").match(printed, position):
                return shape, match
        return shape, None

    def _cells(self, text: Passage, shape: _Shape, match: Any) -> Row:
        held = shape.cells(text, match)
        end = text[match.end(1) : match.end(1)]
        return tuple(RawCell.of(held[column]) if column in held else RawCell("", end.span) for column in self._ids)

    def _no_row(self, text: Passage) -> RulesError:
        return RulesError(
            f'this is no row of "{self._spec.title}": {text.text[:40]}…',
            span=text.span,
            hint="Mend the row, or the sentence `row` in system.toml.",
        )


def refuse_never_there(spec: TableSpec, rows: Sequence[Row], spec_span: Span) -> None:
    """Raises RulesError for a column that stands in a part which may be missing, and that is missing in every row."""
    certain = {name for text in spec.row for name in certain_names(parse_sentence(text))}
    for number, column in enumerate(spec.columns if spec.row else ()):
        if column.id not in certain and not any(row[number].text for row in rows):
            message = f'no row of "{spec.title}" has what stands in square brackets with {{{column.id}}}'
            raise RulesError(message, span=spec_span, hint="Mend the sentence `row`, or take the part out of it.")


def _of_sentence(sentence: Sentence) -> _Shape:
    def cells(text: Passage, match: Any) -> Mapping[str, Passage]:
        return {value.name: value.passage for value in sentence.values(text, match, first_group=2)}

    return _Shape(sentence.pattern, sentence.unnamed, sentence.open, cells)


def _of_pattern(pattern: str) -> _Shape:
    def cells(text: Passage, match: Any) -> Mapping[str, Passage]:
        groups = {name: number + 1 for name, number in compiled(pattern).groupindex.items()}
        held = {name: text.group(match, number) for name, number in groups.items() if match.start(number) >= 0}
        return {name.replace("_", "-"): passage for name, passage in held.items()}

    return _Shape(f"(?:{pattern})", f"(?:{without_groups(pattern)})", True, cells)
