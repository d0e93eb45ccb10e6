"""A card that is too full goes on on further cards.

In: the blocks of a card, and how many cards they are to take. Out: the blocks of each, cut between rows, steps, items,
terms or paragraphs, so that all are about equally full. Titles stand on the first part of a block, notes on its last.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, groupby

from refgen.aids.blocks import Block, FactsBlock, GlossaryBlock, ListBlock, QuoteBlock, StepsBlock, TableBlock
from refgen.render.screen.estimate import measure_block

Entry = tuple[int, int]
"""The number of a block, and of an entry in it."""


def entries(blocks: Sequence[Block]) -> list[Entry]:
    """What can be parted from the rest, in order."""
    return [(number, entry) for number, block in enumerate(blocks) for entry in range(_count(block))]


def split(blocks: Sequence[Block], parts: int, width: float, size: float) -> list[tuple[Block, ...]]:
    """The blocks in so many parts; heights are those in a column ``width`` points wide, in type of ``size`` points."""
    found = entries(blocks)
    heights = [measure_block(block).height(width, size) / _count(block) for block in blocks]
    ends = list(accumulate(heights[number] for number, _ in found))
    share = ends[-1] / parts
    part_of = [
        min(int((end - heights[number] / 2) / share), parts - 1) for end, (number, _) in zip(ends, found, strict=True)
    ]
    numbered = zip(part_of, found, strict=True)
    return [
        tuple(_blocks(blocks, [entry for _, entry in group]))
        for _, group in groupby(numbered, key=lambda each: each[0])
    ]


def _blocks(blocks: Sequence[Block], chosen: Sequence[Entry]) -> Iterator[Block]:
    for number, group in groupby(chosen, key=lambda entry: entry[0]):
        places = [entry for _, entry in group]
        yield _part(blocks[number], places[0], places[-1] + 1)


def _count(block: Block) -> int:
    match block:
        case TableBlock():
            return max(len(block.rows), 1)
        case StepsBlock():
            return len(block.steps)
        case ListBlock():
            return len(block.items)
        case GlossaryBlock():
            return len(block.terms)
        case QuoteBlock():
            return len(block.paragraphs)
        case FactsBlock():
            return len(block.facts)
        case _:
            return 1


def _part(block: Block, first: int, end: int) -> Block:
    """Some entries of a block."""
    count = _count(block)
    if (first, end) == (0, count):
        return block
    title, note = block.title if not first else "", block.note if end == count else ""
    match block:
        case TableBlock():
            return replace(block, title=title, note=note, rows=block.rows[first:end])
        case StepsBlock():
            return replace(block, title=title, note=note, steps=block.steps[first:end], first=block.first + first)
        case ListBlock():
            return replace(block, title=title, note=note, items=block.items[first:end])
        case GlossaryBlock():
            return replace(block, title=title, note=note, terms=block.terms[first:end])
        case QuoteBlock():
            return replace(block, title=title, note=note, paragraphs=block.paragraphs[first:end])
        case FactsBlock():
            return replace(block, title=title, note=note, facts=block.facts[first:end])
        case _:
            return block
