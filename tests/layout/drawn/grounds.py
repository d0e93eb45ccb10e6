"""The comparison of bars and tints behind the figures of tables with the figures, and the colours of the style sheet.

In: the tables of a part, and the areas painted behind their cells. Out: faults in words. The length of a bar is its
share of the longest bar in whole percent; a tint is the one of nine whose share of certainty is nearest to the chance.
In: the name of a theme. Out: its tokens as red, green and blue from 0 to 255.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from statistics import median_low
from typing import Any, NamedTuple

from refgen.blocks.table_block import TableBlock
from refgen.blocks.table_cells import ShownCell
from refgen.layout.lengths import MILLIMETRE
from refgen.layout.pieces import PageFault
from refgen.layout.readback.places import OUTSIDE, TextRun
from refgen.layout.templates import assets
from tests.layout.drawn.pdf_drawing import Colour, ColouredFill

STEPS = 8
"""The tints run from paper, 0, to this one: certainty."""

ROUNDED = 0.5
"""Percent of the longest bar that rounding to whole ones may take or add."""

_DRAWN = 0.3
"""Points by which bars on paper may be off: half a border between two cells."""

_BAND = 8
"""Points: fills are looked up by the bands of this height that they cross."""

SURPLUS = "a bar or tint is behind it, which the model does not have"

_HEAT = re.compile(r"heat-\d")
_WIDTH = re.compile(r"width: ([\d.]+)%")


class Ground(NamedTuple):
    """What is behind the text of a cell: a bar with its share of the longest of the table, or heat; else paper."""

    where: str
    table: TableBlock
    column: int
    bar: Fraction | None = None
    heat: Fraction | None = None


def grounds(table: TableBlock, where: str) -> Iterator[Ground]:
    """What is to be behind each cell of a table, row by row."""
    barred = (cell.value for row in table.rows for cell in row if cell.bar is not None and cell.value is not None)
    longest = max(barred, default=Fraction(1)) or Fraction(1)
    for number, row in enumerate(table.rows, start=1):
        for column, cell in enumerate(row, start=1):
            yield _ground(cell, Ground(f"{where}, row {number}, column {column}", table, column), longest)


def _ground(cell: ShownCell, paper: Ground, longest: Fraction) -> Ground:
    value = cell.value or Fraction(0)
    if cell.header:
        return paper
    if cell.bar is not None:
        return paper._replace(bar=value / longest)
    return paper._replace(heat=value if cell.heat is not None else None)


def steps(chance: Fraction) -> set[int]:
    """The tints that show a chance: the nearest, or both where two are equally near."""
    chance = min(chance, Fraction(1))
    below, rest = divmod(chance.numerator * STEPS, chance.denominator)
    nearest = {below} if rest * 2 <= chance.denominator else set()
    return nearest | ({below + 1} if rest * 2 >= chance.denominator else set())


# In HTML


def html_grounds(wanted: Sequence[Ground], part: Any) -> Iterator[PageFault]:
    """What is wrong with the bars and tints of a part."""
    found = part.xpath(".//tbody/tr/*")
    if len(wanted) != len(found):
        yield "", f"its tables have {len(found)} cells, but those of the model {len(wanted)}"
        return
    for ground, cell in zip(wanted, found, strict=True):
        bars = [inner for inner in cell if inner.get("class") == "bar"]
        tints = _HEAT.findall(cell.get("class") or "")
        yield from ((ground.where, what) for what in (*_tint_in_html(ground, tints), *_bar_in_html(ground, bars)))


def _tint_in_html(ground: Ground, classes: Sequence[str]) -> Iterator[str]:
    wanted = steps(ground.heat) if ground.heat is not None else set()
    found = [int(name.removeprefix("heat-")) for name in classes]
    if found and not wanted:
        yield SURPLUS
    elif len(found) != bool(wanted) or not wanted.issuperset(found):
        yield f"its tint is {_named(found)} in place of {_named(wanted)}"


def _named(tints: Iterable[object]) -> str:
    return " or ".join(sorted(map(str, tints))) or "none"


def _bar_in_html(ground: Ground, bars: Sequence[Any]) -> Iterator[str]:
    if len(bars) > (ground.bar is not None):
        yield SURPLUS
    elif ground.bar is not None:
        width = _WIDTH.fullmatch(bars[0].get("style") or "") if bars else None
        length = float(width[1]) if width else 0.0
        if abs(length - 100 * float(ground.bar)) > ROUNDED:
            yield _too_long(length, ground.bar)


def _too_long(length: float, share: Fraction) -> str:
    return f"its bar is {length:.1f}% of the longest in place of {float(100 * share):.1f}%"


# On paper


@dataclass(frozen=True, slots=True)
class _Barred:
    """A cell with a bar behind it: its place in words, the share of its bar, and the bar that is there."""

    where: str
    share: Fraction
    bar: ColouredFill | None


def paper_grounds(
    found: Sequence[tuple[Ground, TextRun]], fills: Sequence[ColouredFill], *, ink_saving: bool
) -> Iterator[PageFault]:
    """What is wrong with the bars and tints of a page on which these cells were found, each with its first run."""
    page = _Page(fills, ink_saving=ink_saving)
    used: set[int] = set()
    barred: dict[tuple[int, int], list[_Barred]] = defaultdict(list)
    before: TextRun | None = None
    for ground, run in found:
        if ground.heat is not None:
            behind = page.right_behind(run)
            used |= {behind.order} if behind else set()
            yield from ((ground.where, what) for what in page.tint_faults(behind, ground.heat))
        elif ground.bar is not None:
            beside = before.box.left if before and before.box.left < run.box.left and ground.column > 1 else 0.0
            bar = page.bar_behind(run, beside)
            used |= {bar.order} if bar else set()
            barred[id(ground.table), ground.column].append(_Barred(ground.where, ground.bar, bar))
        before = run
    for column in barred.values():
        yield from _bars_on_paper(column)
    if not ink_saving:
        yield from page.surplus(used, found)


def _bars_on_paper(column: Sequence[_Barred]) -> Iterator[PageFault]:
    """The bars of a column, which begin at one place, in the scale that most of the longer ones agree on."""
    there = [(cell.bar.box, percent) for cell in column if cell.bar and (percent := round(100 * cell.share))]
    if not there:
        yield from ((cell.where, _too_long(0, cell.share)) for cell in column if cell.share * 100 > ROUNDED)
        return
    left = median_low(box.left for box, _ in there)
    longest = max(percent for _, percent in there)
    scale = median_low(100 * (box.right - box.left) / percent for box, percent in there if percent * 2 >= longest)
    for cell in column:
        length = cell.bar.box.right - cell.bar.box.left if cell.bar else 0.0
        if abs(length - scale * float(cell.share)) > scale * ROUNDED / 100 + _DRAWN:
            yield cell.where, _too_long(100 * length / scale, cell.share)
        elif cell.bar and abs(off := cell.bar.box.left - left) > _DRAWN:
            way = "right" if off > 0 else "left"
            yield cell.where, f"its bar begins {abs(off) / MILLIMETRE:.1f} mm too far {way}"


class _Page:
    """The fills of a page, looked up by where they are."""

    def __init__(self, fills: Sequence[ColouredFill], *, ink_saving: bool) -> None:
        colours = palette(ink_saving=ink_saving)
        self.tints = [colours[f"heat-{step}"] for step in range(STEPS + 1)]
        self.bar = colours["ink" if ink_saving else "bar"]
        self.fills = fills
        self.bands: dict[int, list[ColouredFill]] = defaultdict(list)
        for fill in self.fills:
            for band in range(int(fill.box.bottom // _BAND), int(fill.box.top // _BAND) + 1):
                self.bands[band].append(fill)

    def right_behind(self, run: TextRun) -> ColouredFill | None:
        """What was painted last behind the middle of a run."""
        x, y = (run.box.left + run.box.right) / 2, (run.box.bottom + run.box.top) / 2
        for fill in reversed(self.bands.get(int(y // _BAND), ())):
            box = fill.box
            if fill.order < run.order and box.bottom <= y <= box.top and box.left <= x <= box.right:
                return fill
        return None

    def tint_faults(self, behind: ColouredFill | None, chance: Fraction) -> Iterator[str]:
        """What is wrong with the tint of a cell that shows a chance; where nothing is painted there is paper."""
        wanted = steps(chance)
        colour = behind.colour if behind else self.tints[0]
        if colour not in {self.tints[step] for step in wanted}:
            found = [self.tints.index(colour)] if colour in self.tints else []
            yield f"its tint is {_named(found)} in place of {_named(wanted)}"

    def bar_behind(self, run: TextRun, beside: float) -> ColouredFill | None:
        """The bar that begins left of a run, or where it does, and right of ``beside``."""
        low, high = run.box.bottom - (run.box.top - run.box.bottom) / 2, run.box.top
        bands = range(int(low // _BAND), int(high // _BAND) + 1)
        near = {fill.order: fill for band in bands for fill in self.bands.get(band, ())}
        bars = [
            fill
            for fill in near.values()
            if fill.colour == self.bar
            and fill.box.bottom < high
            and fill.box.top > low
            and beside < fill.box.left < run.box.left + OUTSIDE
        ]
        return max(bars, key=lambda fill: fill.box.left, default=None)

    def surplus(self, used: Collection[int], found: Sequence[tuple[Ground, TextRun]]) -> Iterator[PageFault]:
        """The bars and tints that stand behind no figure that should have one."""
        drawn = {self.bar, *self.tints[1:]}
        for fill in self.fills:
            if fill.colour in drawn and fill.order not in used:
                yield next((ground.where for ground, run in found if run.box.overlap(fill.box) > 0), ""), SURPLUS


INK_SAVING = "theme-ink-saving"
"""The class of a page in that theme."""

_TOKEN = re.compile(r"--([\w-]+): (#[0-9a-f]{6}|var\(--[\w-]+\));")


def is_ink_saving(root: Any) -> bool:
    """Whether a page, read by lxml, is in the theme that saves ink."""
    return INK_SAVING in (root.get("class") or "").split()


@cache
def palette(*, ink_saving: bool) -> Mapping[str, Colour]:
    """The tokens of a theme in print."""
    css = _style_sheet()
    tokens = dict(_TOKEN.findall(_block(css, ":root")))
    if ink_saving:
        tokens |= dict(_TOKEN.findall(_block(css, f".{INK_SAVING}")))
    return {name: _colour(value, tokens) for name, value in tokens.items()}


def _style_sheet() -> str:
    return assets()["assets/css/tokens.css"].decode()


def _block(css: str, selector: str) -> str:
    """What the first rule for a selector declares; the first is that for print."""
    start = css.index(f"\n{selector} {{")
    return css[start : css.index("}", start)]


def _colour(value: str, tokens: Mapping[str, str]) -> Colour:
    if value.startswith("var("):
        return _colour(tokens[value[6:-1]], tokens)
    return int(value[1:3], 16), int(value[3:5], 16), int(value[5:7], 16)
