"""Rows and cells of a document as typed values.

In: raw cells, items, paragraphs or a text with one row after the other; what system.toml says of the rows and columns
of a table. Out: the cells of each row, typed, with the values of blanks; nothing may be left over. Every error has the
place of its cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeVar

from refgen.errors import NotationError, RulesError
from refgen.notation.levels import Ladder
from refgen.notation.printed_cell import NotationName, in_usual_style, is_blank, one_unit, read_value
from refgen.notation.printed_numbers import USUAL, NotationStyle
from refgen.notation.values import Percent, Quantity, Value
from refgen.readers.document import RawCell
from refgen.rules.model import Cell
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
from refgen.rules.readings import read_in_place
from refgen.rules.schema import ColumnSpec, TableSpec
from refgen.rules.sentence import Sentence, certain_names, parse_sentence
from refgen.source import Passage
from refgen.span import Span
from refgen.suggestion import did_you_mean

_Read = TypeVar("_Read")


def cell_value(
    cell: RawCell,
    notation: NotationName,
    readings: Mapping[str, str],
    ladder: Ladder | None = None,
    hint: Callable[[], str] = str,
    style: NotationStyle = USUAL,
) -> Value | None:
    """The value of a cell in a notation; None for a blank. Raises NotationError, with one ``hint`` more."""
    text = in_usual_style(notation, read_in_place(readings, cell.text), style)
    if is_blank(notation, text):
        return None
    return with_place(cell, lambda read: read_value(notation, read, ladder), text, hint)


def with_place(cell: RawCell, read: Callable[[str], _Read], text: str, hint: Callable[[], str] = str) -> _Read:
    """``read(text)``, with the cell's place on any NotationError, and one hint more."""
    try:
        return read(text)
    except NotationError as error:
        raise NotationError(error.message, span=cell.span, hint=f"{error.hint} {hint()}".strip()) from error


def refuse_two_units(cells: Sequence[Cell]) -> None:
    """Numbers of one column are compared and added: 5 gp and 5 sp would be equal."""
    quantities = [(cell, cell.value) for cell in cells if isinstance(cell.value, Quantity)]
    for cell, value in quantities:
        if one_unit(value.unit) != one_unit(quantities[0][1].unit):
            raise RulesError(
                f'"{cell.text}" has another unit than "{quantities[0][0].text}" above it',
                span=cell.span,
                hint="Say what it is in one unit (read = { … }), or make the column text.",
            )


def with_blanks(cells: Sequence[Cell], column: ColumnSpec) -> Sequence[Cell]:
    """The cells of a column, its blanks given the value that the column says they have."""
    printed = [number for number, cell in enumerate(cells) if cell.value is not None]
    if column.blank == "nothing" or not printed:
        return cells
    never, always = Percent(Fraction(0)), Percent(Fraction(1))
    return [
        replace(cell, value=never)
        if number < printed[0]
        else replace(cell, value=always)
        if number > printed[-1]
        else cell
        for number, cell in enumerate(cells)
    ]


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
