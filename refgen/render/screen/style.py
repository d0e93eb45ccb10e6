"""The lengths of the style sheets that the height of a block rests on. A test holds them against the style sheets.

Lengths are in em of the text they belong to, but borders in points and ``BARS`` in percent. The rule of each stands
beside it; it is in templates/css/tokens.css unless it starts with ``.panel``, which is in templates/css/screen.css.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Type:
    """How a text is set: its size in em of the block, but at least so many points, and its line height in its ems."""

    share: float
    line: float
    least: float = 0.0

    def size(self, block: float) -> float:
        """Its size in points, in a block in type of ``block`` points."""
        return max(self.share * block, self.least)


SMALL_PRINT = 7.5
"""Points: notes and heads are not smaller, and tags just as large. .panel .tag: font-size."""

BODY = Type(share=1.0, line=1.3)  # html: line-height
TITLE = Type(share=1.25, line=1.15)  # .block > h2: font-size; h1, h2, h3: line-height
NOTE = Type(share=0.84, line=1.25, least=SMALL_PRINT)  # .note: font-size, line-height
HEAD = Type(share=0.86, line=1.15, least=SMALL_PRINT)  # thead th: font-size, line-height

TITLE_AFTER = 0.15  # .block > h2: margin-bottom
NOTE_BEFORE = 0.2  # .note: margin-top

TAG_BESIDE = 0.4  # .tag: padding, left and right
TAG_BORDER = 0.5  # .tag: border
TAG_RAISE = 0.2  # .tag: vertical-align

CELL_ABOVE = 0.12  # th, td: padding, above and below
CELL_BESIDE = 0.35  # th, td: padding, left and right
GUTTER = 9.0  # td.gutter: border-left
HEAD_BORDER = 0.8  # thead th: border-bottom
ROW_BORDER = 0.4  # tbody tr: border-bottom
HEAT_BORDER = 0.4  # td.heat: border-left
BARS = 45.0  # th.bars: width
SIGN = 0.8  # .sign: font-size

CHART = Type(share=0.7, line=1.0, least=SMALL_PRINT)  # the text of a chart that is drawn as small as it may be
CHART_TEXT = 0.86  # the text of a chart in em, as large as it is drawn; .panel .chart: min-width
CHART_MOST = 1.2  # .chart: max-width

STEP_BEFORE = 1.25  # .steps: padding-left
STEP_AFTER = 0.12  # .steps li: margin-bottom

FACT_ABOVE = 0.12  # .facts dt, .facts dd: padding, above and below
FACT_BESIDE = 0.35  # .facts dt, .facts dd: padding, left and right
FACT_BORDER = 0.4  # .facts dt, .facts dd: border-bottom
FACTS_BORDER = 0.8  # .facts: border-top
