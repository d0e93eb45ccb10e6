"""A card that is too full goes on on further cards.

In: the blocks of a card, and how many cards they are to take. Out: the blocks of each, cut between rows, steps, items,
terms or paragraphs, so that all are about equally full. Titles stand on the first part of a block, notes on its last.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import accumulate, groupby

from refgen.blocks.block import Block

Entry = tuple[int, int]
"""The number of a block, and of an entry in it."""


def entries(blocks: Sequence[Block]) -> list[Entry]:
    """What can be parted from the rest, in order."""
    return [(number, entry) for number, block in enumerate(blocks) for entry in range(block.entry_count)]


def split(
    blocks: Sequence[Block], parts: int, width: float, size: float, *, tidy: bool = False
) -> list[tuple[Block, ...]]:
    """The blocks in so many parts; heights are those in a column ``width`` points wide, in type of ``size`` points.

    ``tidy``: no first or last entry of a block stands alone, though parts are less even then.
    """
    found = entries(blocks)
    heights = [block.measure().height(width, size) / block.entry_count for block in blocks]
    ends = list(accumulate(heights[number] for number, _ in found))
    share = ends[-1] / parts
    part_of = [
        min(int((end - heights[number] / 2) / share), parts - 1) for end, (number, _) in zip(ends, found, strict=True)
    ]
    numbered = zip(_tidied(part_of, found) if tidy else part_of, found, strict=True)
    return [_blocks(blocks, [entry for _, entry in group]) for _, group in groupby(numbered, key=lambda each: each[0])]


def _tidied(part_of: Sequence[int], found: Sequence[Entry]) -> Sequence[int]:
    """The part of each entry, with those that stand alone beside the rest of their block."""
    tidied = list(part_of)
    for _, group in groupby(range(len(found)), key=lambda place: found[place][0]):
        places = list(group)
        if len(places) > 2:
            for alone, beside in ((places[0], places[1]), (places[-1], places[-2])):
                tidied[alone] = tidied[beside]
    return tidied if {*tidied} == {*part_of} else part_of


def filled(blocks: Sequence[Block], fits: Callable[[tuple[Block, ...]], bool]) -> list[tuple[Block, ...]]:
    """The blocks in parts that hold as much as ``fits``, one after the other; an entry that never does stands alone."""
    left, parts = entries(blocks), []
    while left:
        ends = range(2, len(left) + 1)
        end = 1 + bisect_left(ends, True, key=lambda end: not fits(_blocks(blocks, left[:end])))
        parts.append(_blocks(blocks, left[:end]))
        left = left[end:]
    return parts


def _blocks(blocks: Sequence[Block], chosen: Sequence[Entry]) -> tuple[Block, ...]:
    """The blocks with just these entries."""
    groups = [(number, [entry for _, entry in group]) for number, group in groupby(chosen, key=lambda each: each[0])]
    return tuple(blocks[number].part(places[0], places[-1] + 1) for number, places in groups)
