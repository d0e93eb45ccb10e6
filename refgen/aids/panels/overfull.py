"""Why a panel does not fit, in words: which block is too wide or too high, and which to drop or move.

In: a panel, its measured blocks, and the page area. Out: the error, at the block's place in its file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from refgen.aids.distribute import PageArea, SizedBlock, arrangements, min_height
from refgen.aids.panels.model import Importance, Panel, PanelBlock
from refgen.errors import RenderError
from refgen.layout.lengths import MILLIMETRE
from refgen.span import Span

LONGEST_QUOTED = 60
"""An error quotes at most so many characters of the words that are too wide."""

_DROPPED_FIRST = (Importance.RARE, Importance.USUAL, Importance.CORE)


class QuotableBlock(SizedBlock, Protocol):
    """A block that also knows the words that make it wide."""

    @property
    def widest_words(self) -> str:
        """The words that make the min-content width as large as it is."""


Fits = Callable[[Sequence[SizedBlock]], bool]
"""Whether a panel with only these blocks fits."""


def overfull(panel: Panel, blocks: Sequence[QuotableBlock], area: PageArea, size: float, fits: Fits) -> RenderError:
    """The error for a panel too full for type of ``size`` points; ``fits`` tells whether fewer blocks would fit."""
    for shown, block in zip(panel.blocks, blocks, strict=True):
        if (excess := block.min_content(size) - area.width) > 0:
            what = f'too wide by {_millimetres(excess)}: "{_excerpt(block.widest_words)}"'
            return _too_large(panel, shown, what, size, _WIDE_HINT)
        if (excess := min_height(block, area, size) - area.height) > 0:
            return _too_large(panel, shown, f"too high by {_millimetres(excess)}, even alone", size, _HIGH_HINT)
    return _too_full(panel, blocks, area, size, fits)


_WIDE_HINT = "Break the long word, show fewer columns, fold the table less often, or draw the chart narrower."
_HIGH_HINT = "Shorten it, show a part of the table, or fold it."


def _too_large(panel: Panel, block: PanelBlock, what: str, size: float, hint: str) -> RenderError:
    return RenderError(f'"{panel.title}": "{name_of(block)}" is {what} ({size:g} pt)', span=block.place, hint=hint)


def _too_full(panel: Panel, blocks: Sequence[SizedBlock], area: PageArea, size: float, fits: Fits) -> RenderError:
    fills = [arrangement.fullest for arrangement in arrangements(blocks, area, area.pages, size)]
    excess = f" by {_millimetres((min(fills) - 1) * area.height)}" if fills and min(fills) > 1 else ""
    names, place = _to_drop(panel, blocks, fits)
    return RenderError(
        f'"{panel.title}" is too full{excess} even in the smallest type ({size:g} pt)',
        span=place or panel.place,
        hint=f"It fits without {names}: drop that, or move it to another panel.",
    )


def _to_drop(panel: Panel, blocks: Sequence[SizedBlock], fits: Fits) -> tuple[str, Span | None]:
    """The blocks without which a panel fits: the least important, the last of them first."""
    order = sorted(range(len(blocks)), key=lambda number: (_rank(panel.blocks[number]), -number))
    dropped: list[int] = []
    for candidate in order:
        dropped.append(candidate)
        if fits([block for number, block in enumerate(blocks) if number not in dropped]):
            break
    names = " and ".join(f'"{name_of(panel.blocks[number])}"' for number in sorted(dropped))
    return names, panel.blocks[dropped[-1]].place


def _rank(block: PanelBlock) -> int:
    return _DROPPED_FIRST.index(block.importance)


def name_of(block: PanelBlock) -> str:
    """The name of a block in messages."""
    return block.block.title or block.block.kind


def _excerpt(words: str) -> str:
    return words if len(words) <= LONGEST_QUOTED else f"{words[:LONGEST_QUOTED]}…"


def _millimetres(points: float) -> str:
    return f"{points / MILLIMETRE:.1f} mm"
