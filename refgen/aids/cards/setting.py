"""The type of cards, by estimated heights: as large as fits, with the height used, on one front or on several.

In: a card, and the style of its deck. Out: the SetFronts of the card. Nothing is laid out: estimates hold for the fonts
of refgen, and ``scale`` is how many times higher than estimated a layout found the card. A card that is too full goes
on on further fronts: blocks are cut between rows, steps, items, terms or paragraphs, so that all fronts are about
equally full; the title of a block stands on its first part, notes on its last.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import accumulate, count, groupby
from math import floor

from refgen.aids.cards.deck_format import CardStyle
from refgen.aids.cards.faces import CardFront, SetFront
from refgen.aids.cards.model import Card
from refgen.blocks.block import Block
from refgen.blocks.measure import ON_CARDS, MeasuredBlock
from refgen.errors import RenderError
from refgen.game import SystemInfo
from refgen.layout.lengths import BODY, CARD_GAP, MILLIMETRE, NOTE
from refgen.layout.page_format import Theme

SMALLEST, USUAL_LARGEST = 7.0, 11.0
"""Type sizes in points on cards held in the hand; larger cards have larger type."""

FULL = 0.98
"""The share of its height that a card is meant to fill."""

MAX_AIR, AIR_STEP = 0.6, 0.025
"""The most space between two lines, in em (lines farther apart look unrelated), and the step of that space: cards with
the same space share their CSS rules.
"""

MAX_FIGURES, FIGURE_STEP = 3.0, 0.25
"""How many times larger than the text the figures of facts may be where a card has room, and the step of that factor.
"""

SHORT = 7
"""Only figures of at most so many characters are enlarged."""

RULED_AIR = 1.0
"""The most space between two lines, in em, where a rule stands between all lines."""

OPENING_SHARE = 0.6
"""An enlarged opening text takes at most this share of the free height."""

OPENINGS = (2.0, 1.75, 1.5, 1.25)
"""How many times larger the short text at the beginning of a card may be."""

SHORT_TEXT, LEAD, LEAD_STEP = 0.3, 0.4, 0.25
"""A text that leaves the share SHORT_TEXT of its card free begins lower, by the share LEAD of the free height (so that
the text stands a little above the middle), in steps of LEAD_STEP em.
"""

EMBLEM_ROOM, EMBLEM, EMBLEM_LEAD, EMBLEM_STEP = 0.18, 0.8, 0.2, 0.5
"""Where the share EMBLEM_ROOM of a card stays free, the icon of the card takes the share EMBLEM of the free height, but
at most a third of the width of the words, in steps of EMBLEM_STEP millimetres. Of the rest, the share EMBLEM_LEAD
stands above the text.
"""

_LEEWAY = 0.1
"""The error of an estimated height or width, in points."""


def fronts_of(
    card: Card, system: SystemInfo, style: CardStyle, name: str, *, divides: bool = True, scale: float = 1.0
) -> Sequence[SetFront]:
    """The fronts that a card takes: more than one only if the card ``divides``.

    Raises RenderError, which names the deck, if the card is too full.
    """
    as_full = cache(lambda: split_greedily(card.blocks, lambda blocks: _fits_front(card, blocks, system, style, scale)))
    for parts in count(1):
        for dealt in _divisions(card, style, parts, as_full):
            fronts = [CardFront(card, blocks, part, len(dealt), system, style) for part, blocks in enumerate(dealt, 1)]
            measured = [_measure_front(front, scale) for front in fronts]
            largest = [each.largest() for each in measured]
            if None not in largest:
                return [_set_front(each, size) for each, size in zip(measured, largest, strict=True) if size]
        stuck = [each for each, size in zip(measured, largest, strict=True) if size is None]
        if not divides or parts == len(entries(card.blocks)) or any(_is_indivisible(each.front) for each in stuck):
            raise _too_full(card, name, stuck)
    raise AssertionError("endless")


def _divisions(
    card: Card, style: CardStyle, parts: int, as_full: Callable[[], Sequence[tuple[Block, ...]]]
) -> Iterator[Sequence[tuple[Block, ...]]]:
    """The ways to divide the blocks of a card: tidily, evenly, or with each part ``as_full`` as possible.

    The last way is for tables with a wide row, which may be too wide together with any other row.
    """
    if parts == 1:
        yield [card.blocks]
        return
    for tidy in (True, False):
        yield split(card.blocks, parts, style.inner * MILLIMETRE, SMALLEST, tidy=tidy)
    if len(as_full()) == parts:
        yield as_full()


def _fits_front(card: Card, blocks: tuple[Block, ...], system: SystemInfo, style: CardStyle, scale: float) -> bool:
    """Whether some blocks fit on a front of a card that takes several fronts."""
    return _MeasuredFront(CardFront(card, blocks, 2, 2, system, style), scale).fits(SMALLEST)


def _is_indivisible(front: CardFront) -> bool:
    """Whether a front holds a single entry."""
    return len(entries(front.blocks)) == 1


def _too_full(card: Card, name: str, stuck: Sequence[_MeasuredFront]) -> RenderError:
    """The error for a card with ``stuck`` fronts, which fit in no size."""
    excess = {
        "full": max(each.excess_height(SMALLEST) for each in stuck),
        "wide": max(each.excess_width(SMALLEST) for each in stuck),
    }
    what = max(excess, key=excess.__getitem__)
    return RenderError(
        f'{name}: "{card.title}" is too {what} by {excess[what] / MILLIMETRE:.1f} mm '
        f"even in the smallest type ({SMALLEST:g} pt)",
        span=card.place,
        hint="Take a block away, or make two cards of it." if what == "full" else "Give it fewer columns or groups.",
    )


@dataclass(frozen=True)
class _MeasuredFront:
    """A front whose blocks are measured, so that the front can be set in any type size."""

    front: CardFront
    scale: float
    enlarged: float = ON_CARDS.enlarged

    @cached_property
    def blocks(self) -> Sequence[MeasuredBlock]:
        styles = replace(ON_CARDS, enlarged=self.enlarged)
        return [block.measure(styles) for block in self.front.blocks]

    @cached_property
    def room(self) -> float:
        """The height of the body in points."""
        return self.front.height * MILLIMETRE

    @property
    def width(self) -> float:
        return self.front.style.inner * MILLIMETRE

    def height(self, size: float) -> float:
        """The height of the blocks with the gaps between them, in points."""
        gaps = (len(self.blocks) - 1) * CARD_GAP * size
        return self.scale * (gaps + sum(block.height(self.width, size) for block in self.blocks))

    def excess_height(self, size: float) -> float:
        """By how many points the front is too high; 0 or less for a front that fits."""
        return self.height(size) + _LEEWAY - self.room

    def excess_width(self, size: float) -> float:
        """By how many points the longest word or the table is too wide; 0 or less for words and tables that fit."""
        return max(block.min_content(size) for block in self.blocks) - _LEEWAY - self.width

    def largest(self) -> float | None:
        """The largest type size in which the front fits; None if the front fits in no size."""
        known = sizes(self.front.style)
        if self.fits(known[0]):  # as many cards do
            return known[0]
        number = bisect_left(known, True, lo=1, key=self.fits)
        return known[number] if number < len(known) else None

    def fits(self, size: float) -> bool:
        """Whether the front fits in a type size."""
        return self.excess_width(size) <= 0 and self.excess_height(size) <= 0

    def column_widths(self, size: float, *, larger: bool) -> Iterator[tuple[float, ...]]:
        """The column widths of each block in points; facts with ``larger`` figures have none."""
        for block, shown in zip(self.blocks, self.front.blocks, strict=True):
            free = larger and shown.figures
            widths = () if free else block.column_widths(self.width, size)
            yield tuple(floor(width * 100) / 100 for width in widths)


def _measure_front(front: CardFront, scale: float) -> _MeasuredFront:
    """A front with its blocks measured; a chart is enlarged only where the front fits with the enlarged chart."""
    usual = _MeasuredFront(front, scale)
    return replace(usual, enlarged=1.0) if _is_indivisible(front) and usual.largest() is None else usual


@cache
def sizes(style: CardStyle) -> Sequence[float]:
    """The type sizes that cards of a style may have, from large to small, in quarters of a point."""
    most = floor(round(4 * USUAL_LARGEST * style.larger, 6))
    return [quarters / 4 for quarters in range(most, int(4 * SMALLEST) - 1, -1)]


def _set_front(measured: _MeasuredFront, size: float) -> SetFront:
    """A front in a type size; the height left over goes between lines, then to larger figures, opening and icon."""
    front, room = measured.front, measured.room / size
    left = FULL * room - measured.height(size) / size
    gaps = sum(map(_gap_count, front.blocks)) + 2 * (len(front.blocks) - 1)
    ruled = all(block.ruled for block in front.blocks)
    air = _rounded_down(min(left / gaps, RULED_AIR if ruled else MAX_AIR), AIR_STEP) if gaps else 0.0
    left -= gaps * air
    rows = sum(len(block.figures) for block in front.blocks if _has_short_figures(block))
    more = _rounded_down(min(left / (rows * BODY.line_height), MAX_FIGURES - 1), FIGURE_STEP) if rows else 0.0
    left -= more * rows * BODY.line_height
    opening, higher = 1.0, 0.0
    if left > SHORT_TEXT * room:
        opening, higher = _opening_enlargement(measured, size, left * OPENING_SHARE)
    left -= higher
    emblem = _emblem_size(measured, left * size) if left > EMBLEM_ROOM * room else 0.0
    left -= emblem * MILLIMETRE / size
    share = EMBLEM_LEAD if emblem else LEAD if left > SHORT_TEXT * room else 0.0
    lead = _rounded_down(left * share, LEAD_STEP)
    widths = tuple(measured.column_widths(size, larger=more > 0))
    return SetFront(front, size, air, 1 + more, opening, lead, emblem, widths, measured.enlarged)


def _emblem_size(measured: _MeasuredFront, free: float) -> float:
    """The size in millimetres of the icon under a text that leaves ``free`` points; 0 for a card without icon."""
    if not measured.front.card.icon or measured.front.style.theme is Theme.INK_SAVING:
        return 0.0
    return _rounded_down(min(free * EMBLEM, measured.width / 3) / MILLIMETRE, EMBLEM_STEP)


def _opening_enlargement(measured: _MeasuredFront, size: float, free: float) -> tuple[float, float]:
    """How many times larger the opening text of a card is set, and the height that this takes, in em."""
    block, first = measured.blocks[0], measured.front.blocks[0]
    if first.is_plain_text:
        for times in OPENINGS:
            higher = (block.height(measured.width, times * size) - block.height(measured.width, size)) / size
            if higher <= free and block.min_content(times * size) <= measured.width:
                return times, higher
    return 1.0, 0.0


def _rounded_down(length: float, step: float) -> float:
    """A length rounded down to a whole step, and at least 0."""
    return round(max(floor(length / step) * step, 0.0), 3)


def _has_short_figures(block: Block) -> bool:
    return all(len(figure) <= SHORT for figure in block.figures)


def _gap_count(block: Block) -> float:
    """The number of gaps between lines: tables have a gap above and below each row, notes have narrow gaps."""
    notes = block.has_note + bool(block.footnotes)
    return block.entry_count - (not block.ruled) + notes * NOTE.ems


Entry = tuple[int, int]
"""The number of a block, and the number of an entry of the block."""


def entries(blocks: Sequence[Block]) -> list[Entry]:
    """All entries of the blocks in order: a front ends between two entries."""
    return [(number, entry) for number, block in enumerate(blocks) for entry in range(block.entry_count)]


def split(
    blocks: Sequence[Block], parts: int, width: float, size: float, *, tidy: bool = False
) -> list[tuple[Block, ...]]:
    """The blocks in parts of about the same height, in a column ``width`` points wide and type of ``size`` points.

    Where the split is ``tidy``, no first or last entry of a block stands alone, and parts are less even.
    """
    found = entries(blocks)
    heights = [block.measure().height(width, size) / block.entry_count for block in blocks]
    ends = list(accumulate(heights[number] for number, _ in found))
    share = ends[-1] / parts
    part_of = [
        min(int((end - heights[number] / 2) / share), parts - 1) for end, (number, _) in zip(ends, found, strict=True)
    ]
    numbered = zip(_without_strays(part_of, found) if tidy else part_of, found, strict=True)
    return [
        _with_entries(blocks, [entry for _, entry in group]) for _, group in groupby(numbered, key=lambda each: each[0])
    ]


def _without_strays(part_of: Sequence[int], found: Sequence[Entry]) -> Sequence[int]:
    """The part of each entry; a first or last entry that would stand alone joins its neighbour."""
    tidied = list(part_of)
    for _, group in groupby(range(len(found)), key=lambda place: found[place][0]):
        places = list(group)
        if len(places) > 2:
            for alone, beside in ((places[0], places[1]), (places[-1], places[-2])):
                tidied[alone] = tidied[beside]
    return tidied if {*tidied} == {*part_of} else part_of


def split_greedily(blocks: Sequence[Block], fits: Callable[[tuple[Block, ...]], bool]) -> list[tuple[Block, ...]]:
    """The blocks in parts that each hold as many entries as fit; an entry that fits nowhere is a part of its own."""
    left, parts = entries(blocks), []
    while left:
        ends = range(2, len(left) + 1)
        end = 1 + bisect_left(ends, True, key=lambda end: not fits(_with_entries(blocks, left[:end])))
        parts.append(_with_entries(blocks, left[:end]))
        left = left[end:]
    return parts


def _with_entries(blocks: Sequence[Block], chosen: Sequence[Entry]) -> tuple[Block, ...]:
    """The blocks with only the ``chosen`` entries."""
    groups = [(number, [entry for _, entry in group]) for number, group in groupby(chosen, key=lambda each: each[0])]
    return tuple(blocks[number].part(places[0], places[-1] + 1) for number, places in groups)
