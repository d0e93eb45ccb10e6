"""The lengths that Python and the style sheets share.

In: nothing. Out: numbers for the modules that measure blocks before pages are laid out, and a style sheet that gives
the same numbers to all other style sheets as custom properties. A length is in em of the text of its element, unless
its docstring says millimetres, points or percent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

MILLIMETRE = 72 / 25.4
"""Points in a millimetre."""

PIXEL = 72 / 96
"""Points in a CSS pixel."""


MARGIN = 9.0
"""Millimetres around a panel that home printers leave blank, and a little more."""

EDGE = 22.0
"""Millimetres that the edge of a panel takes, with the space beside it."""

HEADER = 11.5
"""Millimetres from the upper margin of a panel to the blocks."""

FOOTER = 4.5
"""Millimetres from the blocks to the lower margin: a line for the source."""


@dataclass(frozen=True, slots=True)
class TextStyle:
    """The style of a text: ``ems``, its size in em of the block, of ``smallest`` points or more; line height in em."""

    ems: float
    line_height: float
    smallest: float = 0.0

    def size(self, block: float) -> float:
        """The size of the text in points, in a block in type of ``block`` points."""
        return max(self.ems * block, self.smallest)


SMALL_PRINT = 7.5
"""The smallest type on a panel in points. Notes and heads shrink no further, and tags have this size."""

BODY = TextStyle(1.0, line_height=1.3)
TITLE = TextStyle(1.25, line_height=1.15)
NOTE = TextStyle(0.84, line_height=1.25, smallest=SMALL_PRINT)
HEAD = TextStyle(0.86, line_height=1.15, smallest=SMALL_PRINT)

CARD_TITLE = TextStyle(1.08, line_height=1.15)
"""The title of a block on a card."""

CARD_GAP = 0.55
"""Between two blocks on a card."""

TITLE_MARGIN = 0.15
NOTE_MARGIN = 0.2

TAG_IN_TITLE = 0.56
TAG_IN_NOTE = 0.86
"""The size of a tag in em of the title or note around it; on screens and sheets a tag is small print."""

TAG_PADDING = 0.4
"""Left and right."""

TAG_BORDER = 0.5
"""Points."""

TAG_RAISE = 0.2
"""How far a tag stands above the baseline."""

CELL_PADDING_BLOCK = 0.12
"""Above and below the text of a cell."""

CELL_PADDING_INLINE = 0.35
"""Left and right of the text of a cell."""

HEAD_BORDER = 0.8
"""Points: the rule under the heads of a table, and above a list of facts."""

ROW_BORDER = 0.4
"""Points: the rule under each row."""

HEAT_BORDER = 0.4
"""Points of paper between cells with heat."""

GROUP_GUTTER = 9.0
"""Points between the groups of columns of a folded table."""

BARS = 45.0
"""Percent of a table that a column with bars takes."""

SIGN = 0.8
"""The size of the sign of a footnote."""

CHART = TextStyle(0.7, line_height=1.0, smallest=SMALL_PRINT)
"""The text of a chart that is drawn as small as it may be."""

CHART_TEXT = 0.86
"""The text of a chart that is drawn in its own size."""

CHART_ENLARGED = 1.2
"""The most by which the size of a chart is multiplied."""

STEP_INDENT = 1.25
STEP_MARGIN = 0.12

QUOTE_INDENT = 0.6
"""Between the rule beside a quotation and its words."""

QUOTE_BORDER = 0.15
"""The width of the rule beside a quotation."""

PART_TITLE = TextStyle(1.2, line_height=1.15)
"""The title of a part of a sheet."""

PART_TITLE_BELOW = 0.3
"""Between the title of a part and its rows."""

PART_RULE = 0.8
"""Points: the rule under the title of a part."""

PART_NOTE_ABOVE = 0.35
"""Between the rows of a part and its note, in em of the note."""

SHEET_LINE = 1.75
"""The height of a line to write on."""

FIELD_GAP = 0.6
"""Between a label and a field, and between two fields."""

FIELD = 1.5
"""The height of a field."""

FIELD_PADDING = 0.2
"""Between the border of a field and the text in the field."""

BOX = 1.1
"""The size of a box to tick."""

BOX_GAP = 0.35
"""The space after a box."""

TICK_WIDTH = 1.1
"""The stroke of a tick, in tenths of the box inside its border."""

TICK = ((2, 2, 8, 8), (2, 8, 8, 2))
"""The lines of a tick, each from one point to another, in tenths of the box inside its border."""

TICK_PATH = "".join(f"M{x1} {y1}L{x2} {y2}" for x1, y1, x2, y2 in TICK)
"""The lines of a tick as the path of an SVG."""


def lengths_css(papers: Iterable[tuple[str, tuple[float, float]]]) -> str:
    """The style sheet ``lengths.css``, which ``tokens.css`` imports; ``papers`` have short and long sides."""
    classes = [f".paper-{paper} {{ --width: {short:g}mm; --height: {long:g}mm; }}\n" for paper, (short, long) in papers]
    declarations = (f"  --{name}: {value};\n" for name, value in _custom_properties().items())
    return "".join([":root {\n", *declarations, "}\n", *classes])


def _custom_properties() -> Mapping[str, str]:
    return {
        "margin": f"{MARGIN:g}mm",
        "edge": f"{EDGE:g}mm",
        "header": f"{HEADER:g}mm",
        "footer": f"{FOOTER:g}mm",
        "small-print": f"{SMALL_PRINT:g}pt",
        "line-height": f"{BODY.line_height:g}",
        "title-font-size": f"{TITLE.ems:g}em",
        "title-line-height": f"{TITLE.line_height:g}",
        "title-margin": f"{TITLE_MARGIN:g}em",
        "note-font-size": f"{NOTE.ems:g}em",
        "note-line-height": f"{NOTE.line_height:g}",
        "note-margin": f"{NOTE_MARGIN:g}em",
        "card-title-font-size": f"{CARD_TITLE.ems:g}em",
        "card-gap": f"{CARD_GAP:g}em",
        "tag-in-title": f"{TAG_IN_TITLE:g}em",
        "tag-in-note": f"{TAG_IN_NOTE:g}em",
        "tag-padding": f"{TAG_PADDING:g}em",
        "tag-border": f"{TAG_BORDER:g}pt",
        "tag-raise": f"{TAG_RAISE:g}em",
        "cell-padding-block": f"{CELL_PADDING_BLOCK:g}em",
        "cell-padding-inline": f"{CELL_PADDING_INLINE:g}em",
        "head-font-size": f"{HEAD.ems:g}em",
        "head-line-height": f"{HEAD.line_height:g}",
        "head-border": f"{HEAD_BORDER:g}pt",
        "row-border": f"{ROW_BORDER:g}pt",
        "heat-border": f"{HEAT_BORDER:g}pt",
        "group-gutter": f"{GROUP_GUTTER:g}pt",
        "bars": f"{BARS:g}%",
        "sign-font-size": f"{SIGN:g}em",
        "chart-text": f"{CHART_TEXT:g}",
        "chart-enlarged": f"{CHART_ENLARGED:g}em",
        "part-title-font-size": f"{PART_TITLE.ems:g}em",
        "part-title-below": f"{PART_TITLE_BELOW:g}em",
        "part-rule": f"{PART_RULE:g}pt",
        "part-note-above": f"{PART_NOTE_ABOVE:g}em",
        "sheet-line": f"{SHEET_LINE:g}em",
        "field-gap": f"{FIELD_GAP:g}em",
        "field-height": f"{FIELD:g}em",
        "field-padding": f"{FIELD_PADDING:g}em",
        "box": f"{BOX:g}em",
        "box-gap": f"{BOX_GAP:g}em",
        "step-indent": f"{STEP_INDENT:g}em",
        "step-margin": f"{STEP_MARGIN:g}em",
        "quote-indent": f"{QUOTE_INDENT:g}em",
        "quote-border": f"{QUOTE_BORDER:g}em",
    }


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
