"""The ladder along the edge of a panel: its levels stand at equal distances from the top to the bottom.

In: the levels of the model, and where their numbers stand in an output. Out: those that stand elsewhere. Which levels
there are, and in which order, is told by their texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import Any

from refgen.layout.lengths import MILLIMETRE
from refgen.layout.readback.pieces import PageFault
from refgen.layout.readback.places import PageBox

_OFF = 0.25
"""The share of the distance between two levels by which one may be off: letters hang, and names of two words break."""

_STEPS = re.compile(r"--steps: (\d+)")


def rungs_in_html(levels: int, part: Any) -> Iterator[PageFault]:
    """A ladder that is set for another number of levels, and levels that a style of their own may put elsewhere."""
    for edge in part.find_class("edge"):
        if _STEPS.findall(edge.get("style") or "") != [str(levels)]:
            yield "edge", f"the ladder is not set for its {levels} levels"
        yield from (
            (f'edge, "{level[0].text}"', "it is not set as the other levels are")
            for level in edge
            if level.get("style")
        )


def rungs_on_paper(levels: Sequence[tuple[str, PageBox]]) -> Iterator[PageFault]:
    """The levels, given with their places in words, that do not stand at the distance between most of them."""
    heights = [box.top for _, box in levels]
    if len(heights) < 3:
        return
    step = median(above - below for above, below in pairwise(heights))
    top = median(height + number * step for number, height in enumerate(heights))
    for number, ((where, _), height) in enumerate(zip(levels, heights, strict=True)):
        if abs(off := top - number * step - height) > _OFF * step:
            yield where, f"it stands {abs(off) / MILLIMETRE:.1f} mm too {'low' if off > 0 else 'high'}"
