"""Why a panel does not fit, in words: what is too wide, what is too high, what to drop or move.

In: a panel, the lengths of its blocks, and its room. Out: the error that says so, at the block's place in screen.toml.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from refgen.aids.gm_screen import Panel, PanelBlock
from refgen.aids.schema import Importance
from refgen.errors import RenderError
from refgen.render.screen.distribute import PageRoom, Sized, arrangements, least_height
from refgen.render.units import MILLIMETRE
from refgen.span import Span

LONGEST_QUOTED = 60
"""Characters of the words that are too wide."""

_DROPPED_FIRST = (Importance.RARE, Importance.USUAL, Importance.CORE)


class Worded(Sized, Protocol):
    """A block that also knows what makes it wide."""

    @property
    def widest(self) -> str:
        """The words that need its least width."""


def overfull(
    panel: Panel, blocks: Sequence[Worded], room: PageRoom, size: float, fits: Callable[[Sequence[Sized]], bool]
) -> RenderError:
    """The error for a panel that does not fit even in type of ``size`` points; ``fits`` tries with fewer blocks."""
    for own, block in zip(panel.blocks, blocks, strict=True):
        if (excess := block.narrowest(size) - room.width) > 0:
            return _too_large(panel, own, f'too wide by {_told(excess)}: "{_excerpt(block.widest)}"', size, _WIDE_HINT)
        if (excess := least_height(block, room, size) - room.height) > 0:
            return _too_large(panel, own, f"too high by {_told(excess)}, even alone", size, _HIGH_HINT)
    return _too_full(panel, blocks, room, size, fits)


_WIDE_HINT = "Break the long word, show fewer columns, fold the table less often, or draw the chart narrower."
_HIGH_HINT = "Shorten it, show a part of the table, or fold it."


def _too_large(panel: Panel, own: PanelBlock, what: str, size: float, hint: str) -> RenderError:
    return RenderError(f'"{panel.title}": "{name_of(own)}" is {what} ({size:g} pt)', span=own.place, hint=hint)


def _too_full(
    panel: Panel, blocks: Sequence[Sized], room: PageRoom, size: float, fits: Callable[[Sequence[Sized]], bool]
) -> RenderError:
    found = [own.fullest for own in arrangements(blocks, room, room.pages, size)]
    excess = f" by {_told((min(found) - 1) * room.height)}" if found and min(found) > 1 else ""
    names, place = _to_drop(panel, blocks, fits)
    return RenderError(
        f'"{panel.title}" is too full{excess} even in the smallest type ({size:g} pt)',
        span=place or panel.place,
        hint=f"It fits without {names}: drop that, or move it to another panel.",
    )


def _to_drop(panel: Panel, blocks: Sequence[Sized], fits: Callable[[Sequence[Sized]], bool]) -> tuple[str, Span | None]:
    """The blocks without which a panel fits: the least important, the last of them first."""
    order = sorted(range(len(blocks)), key=lambda number: (_rank(panel.blocks[number]), -number))
    dropped: list[int] = []
    for number in order:
        dropped.append(number)
        if fits([block for own, block in enumerate(blocks) if own not in dropped]):
            break
    names = " and ".join(f'"{name_of(panel.blocks[number])}"' for number in sorted(dropped))
    return names, panel.blocks[dropped[-1]].place


def _rank(own: PanelBlock) -> int:
    return _DROPPED_FIRST.index(own.importance)


def name_of(own: PanelBlock) -> str:
    """What a block is called in messages."""
    return own.block.title or own.block.kind


def _excerpt(words: str) -> str:
    return words if len(words) <= LONGEST_QUOTED else f"{words[:LONGEST_QUOTED]}…"


def _told(points: float) -> str:
    return f"{points / MILLIMETRE:.1f} mm"
