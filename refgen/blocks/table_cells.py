"""The columns and cells of a table as they are shown: alignment, bars and heat behind figures, room beside figures.

In: a table of a game, and its wanted columns. Out: ShownColumns and rows of ShownCells; and for the texts of a column,
the room before and after each in em of its type, so that decimals stand under decimals, digits under digits, and signs
before them. A column with words or ranges is not aligned.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from refgen.blocks.typesetting import Footnotes, typeset
from refgen.layout.lengths import CELL_PADDING_INLINE, HEAD
from refgen.look.colours import HEAT_STEPS
from refgen.notation.printed_cell import FIGURES
from refgen.notation.values import Percent, as_chance
from refgen.readers.document import RawCell
from refgen.rules.model import Cell, Column, RuleTable

_NUMERIC = FIGURES | {"dice"}

LONGEST_NAME = 24
"""The most characters of a row's name; a longer text in a cell explains rather than names its row."""


@dataclass(frozen=True, slots=True)
class ShownColumn:
    """A column on the page: ``under`` stands below its title; ``align`` is "start", "end", "center" or "bars".

    ``share`` is its width in percent of the table (0: as its words need); a column with a ``gutter`` begins another
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

    ``bar`` is the length of the bar behind the figure in percent of the longest bar; ``heat`` a tint from 0 to 8;
    ``sign`` refers to a footnote. ``before`` and ``after`` are the room beside the text, in em of the text, by which
    figures of a column are aligned. ``gutter``: the cell begins a group of columns. The cell covers so many
    ``columns``, 0 in the place of a cell that is covered. ``value`` is the exact figure of a bar or tint, against which
    the drawing can be checked.
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
    columns: int = 1
    value: Fraction | None = field(default=None, compare=False)

    @property
    def is_long(self) -> bool:
        """Whether the text may break into lines although it is a row header, since it explains rather than names."""
        return self.header and self.align == "start" and (len(self.text) > LONGEST_NAME or self.columns > 1)


def shown_columns(
    table: RuleTable, indexes: Sequence[int], heads: Mapping[str, str], bar_index: int | None
) -> tuple[ShownColumn, ...]:
    """The wanted columns of a table, with their own heads or ``heads``; the column at ``bar_index`` has bars."""
    return tuple(
        ShownColumn(
            heads.get(table.columns[index].id, typeset(table.columns[index].head)),
            typeset(table.columns[index].unit),
            "bars" if index == bar_index else _align(table, index),
        )
        for index in indexes
    )


def shown_rows(
    table: RuleTable, indexes: Sequence[int], notes: Footnotes, bar_index: int | None, decimal: str, *, heat: bool
) -> tuple[tuple[ShownCell, ...], ...]:
    """The cells of the wanted columns, row by row, figures under figures by their ``decimal`` sign."""
    named = _naming_column(table, indexes)
    rows = (
        band(typeset(notes.text(row[0].span, row[0].shown)), len(indexes), notes.sign(row[0].span))
        if is_band(row)
        else tuple(
            ShownCell(
                typeset(notes.text(row[index].span, row[index].shown), row[index].value),
                _align(table, index),
                header=index == named and len(indexes) > 1,
                bar=0 if index == bar_index and as_chance(row[index].value) is not None else None,
                heat=_heat(row[index]) if heat else None,
                sign=notes.sign(row[index].span),
                value=_shown_value(row[index]) if heat or index == bar_index else None,
            )
            for index in indexes
        )
        for row in table.rows
    )
    columns = (_align_column(column, decimal) for column in zip(*with_bars(rows), strict=True))
    return tuple(zip(*columns, strict=True))


def is_band(row: Sequence[Cell | RawCell]) -> bool:
    """Whether a row is one cell over all columns: the words of a group of rows, or a footnote within the table."""
    first, *others = row
    is_printed = first.span is not None and first.span.start < first.span.end
    return bool(others) and is_printed and all((cell.span, cell.text) == (first.span, first.text) for cell in others)


def band(text: str, columns: int, sign: str = "") -> tuple[ShownCell, ...]:
    """A row of one cell over all columns. Short words name the rows below."""
    covered = [ShownCell("", "start", columns=0)] * (columns - 1)
    is_name = columns > 1 and len(text) <= LONGEST_NAME
    return (ShownCell(text, "start", header=is_name, sign=sign, columns=columns), *covered)


def with_bars(rows: Iterable[tuple[ShownCell, ...]]) -> tuple[tuple[ShownCell, ...], ...]:
    """Rows with their bars scaled to the longest bar, which has 100 percent of its column."""
    found = tuple(rows)
    longest = max((cell.value for row in found for cell in row if cell.bar is not None and cell.value), default=None)
    return found if longest is None else tuple(tuple(_with_bar(cell, longest) for cell in row) for row in found)


def _with_bar(cell: ShownCell, longest: Fraction) -> ShownCell:
    return replace(cell, bar=round(100 * (cell.value or 0) / longest)) if cell.bar is not None else cell


def equal_heat_columns(columns: Sequence[ShownColumn], rows: Sequence[Sequence[ShownCell]]) -> tuple[ShownColumn, ...]:
    """The columns of a heat table, with columns of figures equally wide, so that heat is seen to rise evenly."""
    cells = list(zip(*rows, strict=True))
    heated = [any(cell.heat is not None for cell in column) for column in cells]
    if not any(heated) or any(column.align == "bars" for column in columns):
        return tuple(columns)
    held = [
        ((head.title, head.under), [cell.text for cell in column if cell.columns == 1])
        for head, column in zip(columns, cells, strict=True)
    ]
    share = equal_share(
        [column for column, hot in zip(held, heated, strict=True) if hot],
        [column for column, hot in zip(held, heated, strict=True) if not hot],
    )
    return tuple(replace(head, share=share) if hot else head for head, hot in zip(columns, heated, strict=True))


def _align_column(column: Sequence[ShownCell], decimal: str) -> list[ShownCell]:
    """A column with its figures aligned: behind bars at the left, on heat in the middle."""
    align = column[0].align
    if align == "start":
        return list(column)
    if any(cell.heat is not None for cell in column):
        align = "center"
    if any(cell.bar is not None for cell in column):
        align = "start"
    rooms = aligning_paddings(
        [cell.text if cell.columns == 1 else "" for cell in column], align, decimal, semibold=column[0].header
    )
    return [
        replace(cell, before=before, after=after) if before or after else cell
        for cell, (before, after) in zip(column, rooms, strict=True)
    ]


def _naming_column(table: RuleTable, indexes: Sequence[int]) -> int:
    """The index of the column that names the rows: the first with short words or levels, else the first shown."""
    return next((index for index in indexes if _names_rows(table, index)), indexes[0])


def _names_rows(table: RuleTable, index: int) -> bool:
    names = (row[index].shown for row in table.rows if not is_band(row))
    return _is_wordy(table.columns[index]) and all(len(name) <= LONGEST_NAME for name in names)


def _is_wordy(column: Column) -> bool:
    return column.type not in _NUMERIC


def _align(table: RuleTable, index: int) -> str:
    column = table.columns[index]
    if _is_wordy(column):
        return "start"
    return "end" if column.type in ("number", "percent") else "center"


def _shown_value(cell: Cell) -> Fraction | None:
    chance = as_chance(cell.value)
    return chance.value if chance is not None else None


def _heat(cell: Cell) -> int | None:
    return min(round(cell.value.value * HEAT_STEPS), HEAT_STEPS) if isinstance(cell.value, Percent) else None


SEMIBOLD = 1.03
"""The width of figures of the semibold face, relative to the regular face."""

ADVANCES = {".": 0.25, ",": 0.25, "%": 0.825, "(": 0.305, ")": 0.305, " ": 0.2, "\u00a0": 0.2, "\u202f": 0.125}
"""The widths of characters in figures, in em of the regular face, rounded; a test holds them against the fonts."""

FIGURE = 0.5
"""The width of a digit, a sign, and the dash for a missing figure."""

LETTER = 0.53
"""The approximate width of a letter of a name."""

LONGEST_NAMES = 14.0
"""The most width, in em, of columns of words beside columns of figures; longer words may break."""

_FIGURE = (
    r"(?P<whole>\(?[<>≤≥]?[+−±]?(?:\d{1,3}(?:[GROUPS]\d{3})+|\d+))"
    r"(?P<rest>(?:[DECIMAL]\d+)?[\u00a0\u202f]?%?\)?(?: \(\d+[\u00a0\u202f]?%\))?)|(?P<none>–)"
)
_FIGURES = {
    ".": re.compile(_FIGURE.replace("GROUPS", ",\\u202f").replace("DECIMAL", ".")),
    ",": re.compile(_FIGURE.replace("GROUPS", ".\\u00a0\\u202f").replace("DECIMAL", ",")),
}
"""The patterns of figures by their decimal sign."""


def aligning_paddings(
    texts: Sequence[str], align: str, decimal: str = ".", *, semibold: bool = False
) -> list[tuple[float, float]]:
    """The room before and after each text of a column aligned "end", "center", or "start" (figures with bars)."""
    found = [_FIGURES[decimal].fullmatch(text) for text in texts]
    if any(text and match is None for text, match in zip(texts, found, strict=True)):
        return [(0.0, 0.0)] * len(texts)
    wide = SEMIBOLD if semibold else 1.0
    parts = [(match["whole"] or match["none"], match["rest"] or "") if match else None for match in found]
    widths = [(_width(part[0]), _width(part[1])) if part else None for part in parts]
    whole, rest = (max((width[side] for width in widths if width), default=0.0) for side in (0, 1))
    return [
        (
            round((whole - width[0]) * wide, 3) if width and align != "end" else 0.0,
            round((rest - width[1]) * wide, 3) if width and align != "start" else 0.0,
        )
        for width in widths
    ]


SetColumn = tuple[Sequence[str], Sequence[str]]
"""The lines of a head, and the texts below it."""


def equal_share(heated: Sequence[SetColumn], others: Sequence[SetColumn]) -> float:
    """The width in percent of a table of each of the ``heated`` columns, if all are as wide as the widest.

    Each column of the ``others`` is as wide as its words on a line.
    """
    wide = max(map(_in_one_line, heated))
    beside = sum(min(_in_one_line(column), LONGEST_NAMES) for column in others)
    return round(100 * wide / (wide * len(heated) + beside), 2)


def _in_one_line(column: SetColumn) -> float:
    """The approximate width in em in which no text of a column breaks."""
    heads, texts = (max(map(len, lines), default=0) for lines in column)
    return max(heads * HEAD.ems, texts) * LETTER + 2 * CELL_PADDING_INLINE


def _width(text: str) -> float:
    return sum(ADVANCES.get(character, FIGURE) for character in text)
