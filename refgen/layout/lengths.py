"""The lengths that Python and the style sheets share.

In: nothing. Out: numbers for the modules that measure blocks before pages are laid out, and a style sheet that gives
the same numbers to all other style sheets as custom properties. A length is in em of the text of its element, unless
its docstring says millimetres, points or percent.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from refgen.look.look import look_in_use

MILLIMETRE = 72 / 25.4
"""Points in a millimetre."""

PIXEL = 72 / 96
"""Points in a CSS pixel."""

_CUSTOM_PROPERTIES: dict[str, str] = {}
"""The values of the custom properties of ``lengths.css`` by their names."""


def shared_length(name: str, value: float, unit: str = "") -> float:
    """A length or number that style sheets use as well, as the custom property ``--name``."""
    _CUSTOM_PROPERTIES[name] = f"{value:g}{unit}"
    return value


def lengths_css(papers: Iterable[tuple[str, tuple[float, float]]]) -> str:
    """The style sheet ``lengths.css``, which ``tokens.css`` imports; ``papers`` have short and long sides."""
    classes = [f".paper-{paper} {{ --width: {short:g}mm; --height: {long:g}mm; }}\n" for paper, (short, long) in papers]
    declarations = (f"  --{name}: {value};\n" for name, value in _CUSTOM_PROPERTIES.items())
    return "".join([":root {\n", *declarations, "}\n", *classes, *_large_print_css()])


def _large_print_css() -> Iterable[str]:
    """The rules of large print: signs are as large as the text; on A5 the smallest type stays as it is."""
    yield ".theme-large-print { --sign-font-size: 1em; }\n"
    for paper in ("a4", "letter"):
        yield f".theme-large-print.paper-{paper} {{ --small-print: {LARGE_PRINT:g}pt; }}\n"


@dataclass(frozen=True, slots=True)
class TextStyle:
    """The style of a text: ``ems``, its size in em of the block, of ``smallest`` points or more; line height in em.

    In large print a text with a ``smallest`` size has LARGE_PRINT points, or as many as the block.
    """

    ems: float
    line_height: float
    smallest: float = 0.0

    def size(self, block: float) -> float:
        """The size of the text in points, in a block in type of ``block`` points."""
        least = min(LARGE_PRINT, block) if self.smallest and look_in_use().is_large else self.smallest
        return max(self.ems * block, least)

    @property
    def widest(self) -> float:
        """The size of the text in em of the block at most: in large print it may be as large as the block."""
        return max(self.ems, 1.0) if self.smallest and look_in_use().is_large else self.ems


LARGE_PRINT = 12.0
"""The smallest type in large print, in points."""


MARGIN = shared_length("margin", 9.0, "mm")
"""Millimetres around a panel that home printers leave blank, and a little more."""

EDGE = shared_length("edge", 22.0, "mm")
"""Millimetres that the edge of a panel takes, with the space beside it; more for names that are wider."""

EDGE_SIZE = shared_length("edge-size", 9.5, "pt")
"""The type size in points of the names along the edge of a panel."""

HEADER = shared_length("header", 11.5, "mm")
"""Millimetres from the upper margin of a panel to the blocks."""

FOOTER = shared_length("footer", 4.5, "mm")
"""Millimetres from the blocks to the lower margin, for the source; more for a source of many lines."""

FOOT = shared_length("foot", 6.5, "mm")
"""Millimetres from the source to the edge of the paper."""

FOOT_GAP = 1.5
"""The least space between the blocks and the source, in millimetres."""

SMALL_PRINT = shared_length("small-print", 7.5, "pt")
"""The smallest type on a panel in points. Notes and heads shrink no further."""

BODY = TextStyle(1.0, line_height=shared_length("line-height", 1.3))
TITLE = TextStyle(shared_length("title-font-size", 1.25, "em"), line_height=shared_length("title-line-height", 1.15))
TITLE_MARGIN = shared_length("title-margin", 0.15, "em")
NOTE = TextStyle(shared_length("note-font-size", 0.84, "em"), shared_length("note-line-height", 1.25), SMALL_PRINT)
NOTE_MARGIN = shared_length("note-margin", 0.2, "em")

CARD_TITLE = TextStyle(shared_length("card-title-font-size", 1.08, "em"), line_height=TITLE.line_height)
"""The title of a block on a card."""

CARD_GAP = shared_length("card-gap", 0.55, "em")
"""Between two blocks on a card."""

CARD_LINE = shared_length("card-line-height", 1.12)
"""The line height of the title of a card."""

CARD_ICON = shared_length("card-icon", 5.2, "mm")
"""The size in millimetres of the icon beside the title of a card."""

CARD_BELOW_BAND = shared_length("card-below-band", 2.2, "mm")
"""Millimetres between the band with the title of a card and the blocks."""

CARD_ABOVE_FOOT = shared_length("card-above-foot", 1.0, "mm")
"""Millimetres between the blocks and the foot of a card."""

CARD_FOOT_SIZE = shared_length("card-foot-font-size", 5.5, "pt")
CARD_FOOT_LINE = shared_length("card-foot-line-height", 1.25)
"""The type size in points and the line height of the foot of a card."""

CARD_BACK_SIZE = shared_length("card-back-font-size", 8.0, "pt")
"""The type size in points of the words on the back of a card."""

CARD_ABOVE_WORDS = shared_length("card-above-words", 1.5, "mm")
"""Millimetres between the title and the words on the back of a card."""

CELL_PADDING_BLOCK = shared_length("cell-padding-block", 0.12, "em")
"""Above and below the text of a cell."""

CELL_PADDING_INLINE = shared_length("cell-padding-inline", 0.35, "em")
"""Left and right of the text of a cell."""

HEAD = TextStyle(shared_length("head-font-size", 0.86, "em"), shared_length("head-line-height", 1.15), SMALL_PRINT)
"""The heads of a table."""

HEAD_BORDER = shared_length("head-border", 0.8, "pt")
"""The width in points of the rule under the heads of a table, and above a list of facts."""

ROW_BORDER = shared_length("row-border", 0.4, "pt")
"""The width in points of the rule under each row."""

HEAT_BORDER = shared_length("heat-border", 0.4, "pt")
"""Points of paper between cells with heat."""

GROUP_GUTTER = shared_length("group-gutter", 9.0, "pt")
"""Points between the groups of columns of a folded table."""

BARS = shared_length("bars", 45.0, "%")
"""The width of a column with bars in percent of the table."""

SIGN = TextStyle(shared_length("sign-font-size", 0.8, "em"), line_height=0.0, smallest=SMALL_PRINT)
"""The sign of a footnote."""

CHART_TEXT = shared_length("chart-text", 0.86)
"""The size of the text of a chart that is drawn in its own size."""

CHART_ENLARGED = shared_length("chart-enlarged", 1.2, "em")
"""The most by which the size of a chart is multiplied."""

CHART = TextStyle(0.7, line_height=1.0, smallest=SMALL_PRINT)
"""The text of a chart that is drawn as small as possible."""

PART_TITLE = TextStyle(shared_length("part-title-font-size", 1.2, "em"), line_height=TITLE.line_height)
"""The title of a part of a sheet."""

PART_TITLE_BELOW = shared_length("part-title-below", 0.3, "em")
"""Between the title of a part and its rows."""

PART_RULE = shared_length("part-rule", 0.8, "pt")
"""The width in points of the rule under the title of a part."""

PART_NOTE_ABOVE = shared_length("part-note-above", 0.35, "em")
"""Between the rows of a part and its note, in em of the note."""

SHEET_LINE = shared_length("sheet-line", 1.75, "em")
"""The height of a line to write on."""

FIELD_GAP = shared_length("field-gap", 0.6, "em")
"""Between a label and a field, and between two fields."""

FIELD = shared_length("field-height", 1.5, "em")
"""The height of a field."""

FIELD_PADDING = shared_length("field-padding", 0.2, "em")
"""Between the border of a field and the text in the field."""

FIELD_BORDER = shared_length("field-border", 0.5, "pt")
"""The width in points of the border of an area, and of the rule under a field."""

BOX = shared_length("box", 1.1, "em")
"""The size of a box to tick."""

BOX_BORDER = shared_length("box-border", 0.7, "pt")
"""The width in points of the border of a box to tick."""

BOX_GAP = shared_length("box-gap", 0.35, "em")
"""The space after a box."""

STEP_INDENT = shared_length("step-indent", 1.25, "em")
STEP_MARGIN = shared_length("step-margin", 0.12, "em")

QUOTE_INDENT = shared_length("quote-indent", 0.6, "em")
"""Between the rule beside a quotation and its words."""

QUOTE_BORDER = shared_length("quote-border", 0.15, "em")
"""The width of the rule beside a quotation."""

TICK_WIDTH = 1.1
"""The stroke of a tick, in tenths of the box inside its border."""

TICK = ((2, 2, 8, 8), (2, 8, 8, 2))
"""The lines of a tick, each from one point to another, in tenths of the box inside its border."""

TICK_PATH = "".join(f"M{x1} {y1}L{x2} {y2}" for x1, y1, x2, y2 in TICK)
"""The lines of a tick as the path of an SVG."""


class TypeSizes:
    """The type sizes of a page that follow from ``size``, the type size of its text in points."""

    __slots__ = ()
    size: float

    @property
    def note_size(self) -> float:
        """The type size of notes, in points."""
        return NOTE.size(self.size)

    @property
    def head_size(self) -> float:
        """The type size of the heads of tables, in points."""
        return HEAD.size(self.size)

    @property
    def chart_size(self) -> float:
        """The smallest type size that a chart may be drawn with, in points."""
        return CHART.size(self.size)
