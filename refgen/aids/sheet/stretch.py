"""What a column has left goes to those of its parts that stretch: whole lines first, then to areas and gaps.

In: the lines that each part of a column has at least, and how many more there is room for. Out: the lines of each.
"""

from __future__ import annotations

from collections.abc import Sequence


def shared_out(least: Sequence[int], more: int) -> list[int]:
    """So many lines more, shared out so that each part grows by about the same factor; 0 for one that does not stretch.

    Each line goes where it makes the least of what is there already.
    """
    lines = list(least)
    growing = [place for place, count in enumerate(least) if count]
    for _ in range(more if growing else 0):
        place = min(growing, key=lambda place: ((lines[place] + 1) / least[place], place))
        lines[place] += 1
    return [now - before for now, before in zip(lines, least, strict=True)]
