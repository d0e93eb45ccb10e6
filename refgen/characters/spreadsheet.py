"""Characters in a spreadsheet, one in each row.

In: a CSV file, with commas, semicolons or tabs, with or without a byte order mark. Out: the characters one by one, so
that a file of any length takes little memory. The head of a column is the key of a field ("attributes.health",
"skills.1.level"), or a label that only one field has.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO, TextIOWrapper

from refgen.catalog import counted, did_you_mean, fold_name
from refgen.characters.character import Character, Leaf, ListShape, RecordShape, Shape, WrittenValue, name_fault
from refgen.characters.form import Form
from refgen.characters.sheet import NUMBER, FieldKind
from refgen.characters.validation import CheckedCharacter, read_value
from refgen.errors import AidError, RefgenError, SourceError
from refgen.limits import limit_hint, limits
from refgen.span import Span

DELIMITERS = (",", ";", "\t")
REMEMBERED = 10_000
"""The most cells whose values are remembered, since rows share levels and numbers."""


def read_table(form: Form, raw: bytes, shown: str) -> Iterator[CheckedCharacter]:
    """Each character in the bytes of a file, with the errors of its row. Raises SourceError if no table can be read."""
    file = TextIOWrapper(BytesIO(raw), encoding="utf-8-sig", newline="")
    try:
        head = file.readline()
        file.seek(0)
        csv.field_size_limit(limits().cell_letters)
        yield from _read_rows(form, csv.reader(file, delimiter=delimiter_of(head), strict=True), shown)
    except UnicodeDecodeError as error:
        raise SourceError(f"{shown} is not UTF-8", hint="Export it as CSV UTF-8.") from error


def delimiter_of(head: str) -> str:
    """The delimiter of the cells of a file: the most frequent of the known delimiters in the ``head`` line."""
    return max(DELIMITERS, key=head.count)


class _TableReader:
    """Reads the rows of a file; each of its ``columns`` has a key and a leaf, None for a column without a head."""

    def __init__(self, form: Form, shown: str) -> None:
        self.form = form
        self.shown = shown
        self.columns: list[tuple[str, Leaf] | None] = []
        self.errors: list[RefgenError] = []
        self.first: dict[str, str] = {}
        self.known: dict[tuple[str, str], WrittenValue] = {}
        self.name = form.sheet.name_key

    def head(self, cells: Sequence[str]) -> None:
        """Find the fields of all columns; errors of the head belong to no row."""
        known = _keys_by_label(self.form.shape)
        self.first = dict(_line_keys(self.form.shape, ()))
        taken: set[str] = set()
        for number, cell in enumerate(cells, start=1):
            key = self._key(cell.strip(), known)
            leaf = self.form.leaf(key) if key else None
            if not cell.strip():
                self.columns.append(None)
                continue
            if key is None or leaf is None:
                names = [*self.form.readers, *known]
                message = f'there is no field "{cell.strip()[:60]}"'
                self.errors.append(AidError(message, span=self.span(1, number), hint=did_you_mean(cell, names)))
            elif key in taken:
                self.errors.append(AidError(f'two columns are "{key}"', span=self.span(1, number), hint="Keep one."))
                key = None
            self.columns.append((key, leaf) if key and leaf else None)
            taken.add(key or "")

    def _key(self, cell: str, known: Mapping[str, str]) -> str | None:
        """The key of a head, which is a key, the key of a line (for its first field), or a label; None for no field."""
        key = cell.casefold()
        if self.form.leaf(key) is not None:
            return key
        line = ".".join(NUMBER if part.isdigit() else part for part in key.split("."))
        if line in self.first and self.form.leaf(f"{key}.{self.first[line]}") is not None:
            return f"{key}.{self.first[line]}"
        return known.get(fold_name(cell))

    def span(self, line: int, column: int) -> Span:
        """The place of a cell, by its line and its number in the line."""
        return Span(self.shown, 0, 0, line, column, line, column)

    def row(self, line: int, cells: Sequence[str]) -> CheckedCharacter:
        """The character of a row."""
        values: dict[str, WrittenValue] = {}
        errors: list[RefgenError] = []
        if len(cells) > len(self.columns) and any(cell.strip() for cell in cells[len(self.columns) :]):
            message = f"{counted(len(cells), 'cell')}, and the head has {len(self.columns)}"
            hint = "Put a cell with a comma or semicolon into quotes."
            errors.append(AidError(message, span=self.span(line, len(self.columns) + 1), hint=hint))
        for number, (column, cell) in enumerate(zip(self.columns, cells, strict=False), start=1):
            if column is None or not cell:
                continue
            key, leaf = column
            try:
                value = self._value(leaf, cell)
            except AidError as error:
                errors.append(AidError(f"{key}: {error.message}", span=self.span(line, number), hint=error.hint))
                continue
            if value is not None:
                values[key] = value
        name = values.get(self.name)
        if not isinstance(name, str):
            hint = f'Fill in its cell under "{self.name}".'
            errors.append(AidError("a character without a name", span=self.span(line, 1), hint=hint))
            return None, errors
        if fault := name_fault(name):
            errors.append(AidError(fault, span=self.span(line, 1), hint="Files are named by it."))
        return Character(name, values, self.span(line, 1)), errors

    def _value(self, leaf: Leaf, cell: str) -> WrittenValue | None:
        """The value of a cell, remembered for other rows; None for a blank. Raises AidError."""
        value = self.known.get((leaf.key, cell))
        if value is None:
            value = read_value(leaf, cell)
            if value is not None and leaf.field.kind is not FieldKind.TEXT and len(self.known) < REMEMBERED:
                self.known[leaf.key, cell] = value
        return value


def _read_rows(form: Form, rows: Iterator[list[str]], shown: str) -> Iterator[CheckedCharacter]:
    reader = _TableReader(form, shown)
    line = 0
    try:
        first = next(rows, [])
        if not any(cell.strip() for cell in first):
            raise SourceError(
                f"{shown} has no head", hint=f'Its first row names the fields, "{reader.name}" among them.'
            )
        reader.head(first)
        if reader.errors:
            yield None, reader.errors
        line = 1
        for cells in rows:
            line, start = rows.line_num, line + 1  # type: ignore[attr-defined]
            if any(cell.strip() for cell in cells):
                yield reader.row(start, cells)
    except csv.Error as error:
        message, hint = f"not a table: {error}", "Is a quote missing?"
        if "field limit" in str(error):
            hint = f"{hint} {limit_hint('cell_letters')}"
        yield None, [AidError(message, span=reader.span(line + 1, 1), hint=hint)]


def _keys_by_label(shape: RecordShape) -> Mapping[str, str]:
    """The keys of fields by labels that only one field has ("Health", "Skills 2: Level")."""
    found: dict[str, list[str]] = {}
    for label, key in _labelled_keys(shape):
        found.setdefault(fold_name(label), []).append(key)
    return {label: keys[0] for label, keys in found.items() if len(keys) == 1}


def _labelled_keys(shape: Shape) -> Iterator[tuple[str, str]]:
    match shape:
        case Leaf():
            yield shape.title, shape.key
        case RecordShape():
            for place, entry in enumerate(shape.entries.values()):
                yield from _labelled_keys(entry)
                if shape.line and not place and isinstance(entry, Leaf):
                    yield shape.title, entry.key
        case ListShape():
            return


def _line_keys(shape: Shape, path: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The keys of lines whose first field alone may be written, each with the id of that field."""
    if isinstance(shape, ListShape):
        yield from _line_keys(shape.entry, (*path, NUMBER))
    elif isinstance(shape, RecordShape):
        if shape.line:
            yield ".".join(path), next(iter(shape.entries))
        for name, entry in shape.entries.items():
            yield from _line_keys(entry, (*path, name))
