"""Find in a document the table that a TableSpec describes.

In: a Document and a TableSpec. Out: the table's rows of raw cells, as many in each row as the spec has columns.
Everything that does not fit is an error at its place: a table that is missing or there twice, a ragged row, words
between two rows that no sentence explains.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from refgen.catalog import counted, did_you_mean, nearest_names
from refgen.errors import RulesError
from refgen.notation.printed_numbers import USUAL, NotationStyle
from refgen.readers.document import Document, Grid, RawCell, Section
from refgen.readers.grids import FoundTable, Row, head_key, transpose_grid, under_head, unfold_grid
from refgen.rules.pattern import (
    BLANKS,
    ValuePatterns,
    any_words,
    compile_pattern,
    compiled_sentence,
    fold_text,
    is_inside_word,
    without_groups,
)
from refgen.rules.schema import TableSpec
from refgen.rules.sentence import Sentence
from refgen.source import Passage, plain_text
from refgen.span import Span

ROWS = "rows"
"""The name that stands for the rows in the sentence ``within``."""
OPENINGS = 8
"""How many paragraphs, at most, the error for a missing paragraph names."""

_Candidate = TypeVar("_Candidate")


def find_table(
    document: Document, spec: TableSpec, spec_span: Span, value_patterns: ValuePatterns, style: NotationStyle = USUAL
) -> FoundTable:
    """Find the table of a spec; ``spec_span`` is the place of the spec, ``value_patterns`` are those of the columns."""
    sections = find_sections(document, spec.section, spec_span)
    if spec.laid_out == "grid":
        return _find_grid(sections, spec, spec_span)
    reader = RowReader(spec, value_patterns, spec_span, style)
    match spec.laid_out:
        case "ragged":
            found = _find_ragged(sections, spec, spec_span, reader)
        case "list":
            found = _of_items(_list_items(sections, spec, spec_span), spec, reader)
        case "paragraphs":
            found = _of_items(_paragraphs(sections, spec, spec_span), spec, reader)
        case _:
            found = _find_in_prose(sections, spec, spec_span, reader)
    reader.refuse_unused()
    return found


def find_sections(document: Document, title: str | None, spec_span: Span) -> Sequence[Section]:
    """The sections with that title, or all. Raises RulesError, with the nearest titles, when there is none."""
    if title is None:
        return document.sections
    if sections := document.titled(title):
        return sections
    hint = did_you_mean(title, [section.title for section in document.sections if section.title])
    raise RulesError(f'{document.name} has no section "{title}"', span=spec_span, hint=hint)


def _find_grid(sections: Sequence[Section], spec: TableSpec, spec_span: Span) -> FoundTable:
    grids = [grid for section in sections for grid in section.grids if grid.rows]
    found = matching_grids(grids, spec)
    if not found:
        raise _no_grid(
            list(_laid_out(grids, spec)) or [under_head(grid, grid.header_rows) for grid in grids], spec, spec_span
        )
    grid = _pick(found, " | ".join(spec.header) or "(none)", spec, spec_span)
    _refuse_other_widths(grid, spec, spec_span)
    return grid


def _refuse_other_widths(grid: FoundTable, spec: TableSpec, spec_span: Span) -> None:
    """Raise RulesError for ``columns`` that are not as many as all rows have cells, or for the row with other cells."""
    width, named = max(map(len, grid.rows), default=0), counted(len(spec.columns), "column")
    if grid.rows and width != len(spec.columns) and all(len(row) == width for row in grid.rows):
        message = f"`columns` names {named}, and each row of the table at {grid.span} has {counted(width, 'cell')}"
        heads = f"Its head is {' | '.join(grid.header)}." if any(grid.header) else "Name one for each cell of a row."
        raise RulesError(message, span=spec_span, hint=heads)
    for row in grid.rows:
        if len(row) != len(spec.columns):
            message = f"this row has {counted(len(row), 'cell')}, its table has {named}"
            raise RulesError(message, span=row[0].span, hint="Give every row a cell for each column.")


def matching_grids(grids: Sequence[Grid], spec: TableSpec) -> Sequence[FoundTable]:
    """The tables with the head of a spec, or with as many columns where the spec says that there is no head."""
    candidates = _laid_out(grids, spec)
    if spec.head is False:
        return [candidate for candidate in candidates if len(candidate.rows[0]) == len(spec.columns)]
    wanted = head_key(spec.header)
    found = [candidate for candidate in candidates if head_key(candidate.header) == wanted]
    if found or spec.transpose:
        return found
    return [taller for taller in _laid_out(grids, spec, 1) if head_key(taller.header) == wanted]  # heads of two rows


def _laid_out(grids: Sequence[Grid], spec: TableSpec, more_heads: int = 0) -> Iterator[FoundTable]:
    """The tables as a spec reads them; ``more_heads`` rows more than their formats mark are the head."""
    for grid in grids:
        head_rows = 0 if spec.head is False else grid.header_rows + more_heads
        if spec.transpose:
            yield transpose_grid(grid, has_heads=spec.head is not False)
        elif not spec.fold:
            yield under_head(grid, head_rows)
        elif found := unfold_grid(grid, spec.fold, head_rows):
            yield found


def _no_grid(candidates: Sequence[FoundTable], spec: TableSpec, spec_span: Span) -> RulesError:
    head = " | ".join(spec.header) or f"(none), and {counted(len(spec.columns), 'column')}"
    place = f' in "{spec.section}"' if spec.section else ""
    heads = [" | ".join(candidate.header) for candidate in candidates]
    hint = did_you_mean(
        head, heads, f"There {'is' if len(heads) == 1 else 'are'} {counted(len(heads), 'table')}{place}."
    )
    if spec.head is False and len(candidates) == 1:
        (only,) = candidates
        hint = f"The table{place}, at {only.span}, has {counted(max(map(len, only.rows)), 'column')}."
    if near := nearest_names(head, heads):
        hint += f" The first of them stands at {candidates[heads.index(near[0])].span}."
    return RulesError(f"no table{place} has the head {head}", span=spec_span, hint=hint)


def _pick(found: Sequence[_Candidate], head: str, spec: TableSpec, spec_span: Span) -> _Candidate:
    """The only table with the head, or the ``nth`` where the spec picks one of several."""
    place = f' in "{spec.section}"' if spec.section else ""
    if spec.nth is None:
        if len(found) == 1:
            return found[0]
        hint = "Name the section that holds it, or say which by `nth`."
        raise RulesError(f"{len(found)} tables{place} have the head {head}", span=spec_span, hint=hint)
    if not 1 <= spec.nth <= len(found):
        message = f"there is no table number {spec.nth}{place} with the head {head}"
        raise RulesError(message, span=spec_span, hint=f"Count from 1; the last is {len(found)}.")
    return found[spec.nth - 1]


def _find_ragged(sections: Sequence[Section], spec: TableSpec, spec_span: Span, reader: RowReader) -> FoundTable:
    """The block that starts with the head; the rules (----) drawn under a head belong to the head.

    A no-break space after the head does not: it is the first blank cell.
    """
    head = spec.head or ""
    words = r"\s+".join(re.escape(word) for word in head.split())
    opening = re.compile(rf"\s*{words} *(?:[-|]{{3,}} *)*")
    blocks = [block.collapsed() for section in sections for block in section.blocks]
    found = [(block, block[match.end() :]) for block in blocks if (match := opening.match(block.text))]
    if not found:
        hint = did_you_mean(head, [plain_text(block.text)[:60] for block in blocks], "Look at the section's text.")
        raise RulesError(f'no block starts with "{head}"', span=spec_span, hint=hint)
    block, rest = _pick(found, f'"{head}"', spec, spec_span)
    return FoundTable(tuple(reader.rows(rest)), (), block.span)


def _find_in_prose(sections: Sequence[Section], spec: TableSpec, spec_span: Span, reader: RowReader) -> FoundTable:
    within = Sentence(spec.within) if spec.within else None
    if within is None or within.names != (ROWS,):
        raise RulesError(f'`within` of "{spec.title}" needs {{{ROWS}}} once', span=spec_span, hint="And no other name.")
    texts = [Passage.joined(section.paragraphs, " ") for section in sections if section.paragraphs]
    found = [passage for text in texts for ((_, passage),) in within.search(text, fold_text(text.text))]
    if len(found) != 1:
        message = f'"{spec.title}" is found {counted(len(found), "time")} in the text'
        raise RulesError(message, span=spec_span, hint="Mend `within`.")
    return FoundTable(tuple(reader.rows(found[0].strip())), (), found[0].span)


def _list_items(sections: Sequence[Section], spec: TableSpec, spec_span: Span) -> Sequence[Passage]:
    lists = [block for section in sections for block in section.lists]
    nth = 1 if spec.nth is None else spec.nth
    if not 1 <= nth <= len(lists):
        raise RulesError(
            f'"{spec.section}" has {counted(len(lists), "list")}, not {nth}', span=spec_span, hint="Count from 1."
        )
    return lists[nth - 1].items


def _paragraphs(sections: Sequence[Section], spec: TableSpec, spec_span: Span) -> Sequence[Passage]:
    paragraphs = [paragraph for section in sections for paragraph in section.paragraphs]
    bounds = []
    for opening in (spec.first, spec.last):
        numbers = [n for n, paragraph in enumerate(paragraphs) if paragraph.text.startswith(opening)]
        if not numbers or not opening:
            starts = [f'"{text.text.partition(" ")[0]}" at {text.span}' for text in paragraphs[:OPENINGS]]
            hint = f"They start with {', '.join(starts)}." if starts else ""
            raise RulesError(f'no paragraph there starts with "{opening}"', span=spec_span, hint=hint)
        bounds.append(numbers[0])
    first, last = bounds
    while last + 1 < len(paragraphs) and paragraphs[last + 1].text.startswith(spec.last):
        last += 1  # a last row that is printed twice is kept, so that the checks see it
    return paragraphs[first : last + 1]


def _of_items(items: Sequence[Passage], spec: TableSpec, reader: RowReader) -> FoundTable:
    rows = tuple(reader.items(items))
    if not rows:
        raise RulesError(f'"{spec.title}" has no rows', span=items[0].span if items else None)
    return FoundTable(rows, (), items[0].source.span(items[0].span.start, items[-1].span.end))


@dataclass(frozen=True, slots=True)
class _RowShape:
    """A way in which a row may be printed: an expression with groups and without, and the reader of the groups."""

    pattern: str
    unnamed: str
    open: bool
    cells: Callable[[Passage, Any], Mapping[str, Passage]]

    @classmethod
    def of_sentence(cls, sentence: Sentence) -> _RowShape:
        def cells(text: Passage, match: Any) -> Mapping[str, Passage]:
            return dict(sentence.values(text, match, first_group=2))

        return cls(sentence.pattern, sentence.unnamed, sentence.open, cells)

    @classmethod
    def of_pattern(cls, pattern: str) -> _RowShape:
        groups = {name.replace("_", "-"): number + 1 for name, number in compile_pattern(pattern).groupindex.items()}

        def cells(text: Passage, match: Any) -> Mapping[str, Passage]:
            return {name: text.group(match, number) for name, number in groups.items() if match.start(number) >= 0}

        return cls(f"(?:{pattern})", f"(?:{without_groups(pattern)})", True, cells)


class RowReader:
    """Reads the rows of a table; ``value_patterns`` are those of the columns, ``spec_span`` is the place of the spec.

    Raises RulesError for a column that no sentence names, and for a name that is not a column's.
    """

    def __init__(self, spec: TableSpec, value_patterns: ValuePatterns, spec_span: Span, style: NotationStyle) -> None:
        self._spec, self._spec_span, self._style = spec, spec_span, style
        self._ids = [column.id for column in spec.columns]
        if spec.row_pattern:
            named = {
                name.replace("_", "-") for pattern in spec.row_pattern for name in compile_pattern(pattern).groupindex
            }
            self._shapes = [_RowShape.of_pattern(pattern) for pattern in spec.row_pattern]
            self._loose: list[_RowShape] = []
        else:
            named = self._column_names()
            self._shapes = [_RowShape.of_sentence(sentence) for sentence in self._sentences(spec.row, value_patterns)]
            self._loose = [_RowShape.of_sentence(sentence) for sentence in self._sentences(spec.row)]
        for column in self._ids:
            if column not in named:
                hint = f"Write {{{column}}} where its cells stand; a regular expression is called row_pattern."
                raise RulesError(f'the row of "{spec.title}" does not name {column}', span=spec_span, hint=hint)
        self._ignored = [_RowShape.of_sentence(sentence) for sentence in self._sentences(spec.ignore)]
        self._unused = dict(zip(self._ignored, spec.ignore, strict=True))
        between = "|".join(sentence.bounded for sentence in self._sentences(spec.between))
        self._between = compiled_sentence(f"(?s) *({between})") if between else None
        starts = "|".join(f"(?:{shape.unnamed})" for shape in [*self._shapes, *self._ignored])
        self._onward = rf" *(?:\z|{starts})"

    def _sentences(self, texts: Sequence[str], value_patterns: ValuePatterns = any_words) -> list[Sentence]:
        """Sentences of the spec; in a ragged table a no-break blank parts no words, for it is a cell."""
        blanks = " +" if self._spec.laid_out == "ragged" else BLANKS
        return [Sentence(text, value_patterns, blanks, self._style) for text in texts]

    def _column_names(self) -> set[str]:
        names = [name for sentence in self._sentences(self._spec.row) for name in sentence.names]
        for name in names:
            if name not in self._ids:
                message = f'the row of "{self._spec.title}" names {name}, which is no column'
                raise RulesError(message, span=self._spec_span, hint=did_you_mean(name, self._ids))
        return set(names)

    def rows(self, text: Passage) -> Iterator[Row]:
        """Row after row of a text, parted by ``between``, or each starting where the row before it ends."""
        if self._between is not None:
            yield from self.items([piece for piece in self._pieces(text, self._between) if piece.text])
            return
        printed, position = self._fold_text(text), 0
        while position < len(printed):
            shape, match = self._next_row(printed, position)
            if shape is None or match.end(1) == position:
                raise self._no_row(text[position:])
            yield from self._row(text, shape, match)
            position = match.end(1)
            position += len(printed[position:]) - len(printed[position:].lstrip(" "))

    def items(self, items: Sequence[Passage]) -> Iterator[Row]:
        """The rows of texts that are a row each.

        A cell that is not in the notation of its column does not stop the row: the cell becomes an error later.
        """
        for item in items:
            for shape in [*self._ignored, *self._shapes, *self._loose]:
                if match := compiled_sentence(f"(?s)({shape.pattern})").fullmatch(self._fold_text(item)):
                    yield from self._row(item, shape, match)
                    break
            else:
                raise self._no_row(item)

    def refuse_unused(self) -> None:
        """Raises RulesError, once the rows are read, for an ``ignore`` that matched nothing."""
        for text in self._unused.values():
            message = f'nothing among the rows of "{self._spec.title}" is "{text}", which is to be ignored'
            raise RulesError(message, span=self._spec_span, hint="Take it out of `ignore`.")

    def _fold_text(self, text: Passage) -> str:
        return text.text if self._spec.row_pattern else fold_text(text.text, self._style)

    def _pieces(self, text: Passage, between: Any) -> Iterator[Passage]:
        start = 0
        for match in between.finditer(fold_text(text.text, self._style)):
            if not any(is_inside_word(text.text, end) for end in match.span(1)):
                yield text[start : match.start()].strip()
                start = match.end()
        yield text[start:].strip()

    def _next_row(self, printed: str, position: int) -> tuple[_RowShape | None, Any]:
        """The row or ignored piece at a position; a row whose sentence has an open end reaches to the next row."""
        for shape in [*self._ignored, *self._shapes]:
            onward = self._onward if shape.open else ""
            if match := compiled_sentence(f"(?s)({shape.pattern}){onward}").match(printed, position):
                return shape, match
        for shape in self._shapes if self._spec.row_pattern else ():
            if match := compiled_sentence(f"(?s)({shape.pattern})").match(printed, position):
                return shape, match
        return None, None

    def _row(self, text: Passage, shape: _RowShape, match: Any) -> Iterator[Row]:
        """The cells of a match; a column that the row leaves out is blank. An ignored piece is no row."""
        if shape in self._ignored:
            self._unused.pop(shape, None)
            return
        cells = shape.cells(text, match)
        end = text[match.end(1) : match.end(1)]
        yield tuple(RawCell.of(cells[column]) if column in cells else RawCell("", end.span) for column in self._ids)

    def _no_row(self, text: Passage) -> RulesError:
        message = f'this is no row of "{self._spec.title}": {text.text[:40]}…'
        return RulesError(message, span=text.span, hint="Mend the row, or the sentence `row` in system.toml.")
