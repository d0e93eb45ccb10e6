"""How the text of a card is set, by estimated heights: as large as fits, its height used, or on several fronts.

In: a card, and how all cards of its deck are set. Out: its fronts, each with its type. Nothing is laid out: estimates
hold for our fonts, and ``scale`` is the factor by which a layout was found to be higher. A card that is too full is
continued on further cards: its blocks are cut between rows, steps, items, terms or paragraphs, so that all cards are
about equally full; titles stand on the first part of a block, notes on its last.
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
from refgen.game.system_info import SystemInfo
from refgen.layout.lengths import BODY, CARD_GAP, MILLIMETRE, NOTE
from refgen.layout.page_format import Theme

Entry = tuple[int, int]
"""The number of a block, and of an entry in it."""


def entries(blocks: Sequence[Block]) -> list[Entry]:
    """All entries of the blocks in order: a front ends between two entries."""
    return [(number, entry) for number, block in enumerate(blocks) for entry in range(block.entry_count)]


def split(
    blocks: Sequence[Block], parts: int, width: float, size: float, *, tidy: bool = False
) -> list[tuple[Block, ...]]:
    """The blocks in so many parts of about the same height, in a column ``width`` points wide.

    The type has ``size`` points. ``tidy``: no first or last entry of a block stands alone, though parts are less even
    then.
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
    """The part of each entry; a first or last entry that would stand alone joins its neighbour."""
    tidied = list(part_of)
    for _, group in groupby(range(len(found)), key=lambda place: found[place][0]):
        places = list(group)
        if len(places) > 2:
            for alone, beside in ((places[0], places[1]), (places[-1], places[-2])):
                tidied[alone] = tidied[beside]
    return tidied if {*tidied} == {*part_of} else part_of


def filled(blocks: Sequence[Block], fits: Callable[[tuple[Block, ...]], bool]) -> list[tuple[Block, ...]]:
    """The blocks in parts that each hold as much as ``fits``; an entry that fits nowhere is a part of its own."""
    left, parts = entries(blocks), []
    while left:
        ends = range(2, len(left) + 1)
        end = 1 + bisect_left(ends, True, key=lambda end: not fits(_blocks(blocks, left[:end])))
        parts.append(_blocks(blocks, left[:end]))
        left = left[end:]
    return parts


def _blocks(blocks: Sequence[Block], chosen: Sequence[Entry]) -> tuple[Block, ...]:
    """The blocks with only the ``chosen`` entries."""
    groups = [(number, [entry for _, entry in group]) for number, group in groupby(chosen, key=lambda each: each[0])]
    return tuple(blocks[number].part(places[0], places[-1] + 1) for number, places in groups)


SMALLEST, USUAL_LARGEST = 7.0, 11.0
"""Type sizes in points on cards held in the hand; larger cards have larger type."""

FULL = 0.98
"""The share of its height that a card is meant to fill."""

MAX_AIR, AIR_STEP = 0.6, 0.025
"""The most space between two lines, in em, beyond which they no longer belong together, and its step: cards of the same
step share their CSS rules.
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
"""A text that leaves this share of its card free begins lower, by this share of the free height (a little above the
middle), in steps of so many em.
"""

EMBLEM_ROOM, EMBLEM, EMBLEM_LEAD, EMBLEM_STEP = 0.18, 0.8, 0.2, 0.5
"""Where this share of a card stays free, the icon of the card fills this share of it, but at most a third of the width
of the words; the share of the rest above the text; and the step of the icon's size in millimetres.
"""

_LEEWAY = 0.1
"""Points by which an estimated height may be too low, or a width too small."""


@cache
def sizes(style: CardStyle) -> Sequence[float]:
    """The type sizes that cards of a style may have, from large to small, in quarters of a point."""
    most = floor(round(4 * USUAL_LARGEST * style.larger, 6))
    return [quarters / 4 for quarters in range(most, int(4 * SMALLEST) - 1, -1)]


@dataclass(frozen=True)
class _Measured:
    """A front with its blocks measured, to be set in any size."""

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

    def too_high(self, size: float) -> float:
        """By how many points the front is too high; 0 or less if it fits."""
        return self.height(size) + _LEEWAY - self.room

    def too_wide(self, size: float) -> float:
        """By how many points the longest word or the table is too wide; 0 or less if both fit."""
        return max(block.min_content(size) for block in self.blocks) - _LEEWAY - self.width

    def largest(self) -> float | None:
        """The largest type size in which the front fits; None if there is none."""
        known = sizes(self.front.style)
        if self.fits(known[0]):  # as many cards do
            return known[0]
        number = bisect_left(known, True, lo=1, key=self.fits)
        return known[number] if number < len(known) else None

    def fits(self, size: float) -> bool:
        """Whether the front fits in a type size."""
        return self.too_wide(size) <= 0 and self.too_high(size) <= 0

    def column_widths(self, size: float, *, larger: bool) -> Iterator[tuple[float, ...]]:
        """The column widths of each block in points; facts with ``larger`` figures have none."""
        for block, shown in zip(self.blocks, self.front.blocks, strict=True):
            free = larger and shown.figures
            widths = () if free else block.column_widths(self.width, size)
            yield tuple(floor(width * 100) / 100 for width in widths)


def fronts_of(
    card: Card, system: SystemInfo, style: CardStyle, name: str, *, divides: bool = True, scale: float = 1.0
) -> Sequence[SetFront]:
    """The fronts that a card takes: more than one only if the card ``divides``.

    Raises RenderError, which names the deck, if the card is too full.
    """
    as_full = cache(lambda: filled(card.blocks, lambda blocks: _fits(card, blocks, system, style, scale)))
    for parts in count(1):
        for dealt in _dealt(card, style, parts, as_full):
            fronts = [CardFront(card, blocks, part, len(dealt), system, style) for part, blocks in enumerate(dealt, 1)]
            measured = [_measured(front, scale) for front in fronts]
            largest = [each.largest() for each in measured]
            if None not in largest:
                return [_set(each, size) for each, size in zip(measured, largest, strict=True) if size]
        stuck = [each for each, size in zip(measured, largest, strict=True) if size is None]
        if not divides or parts == len(entries(card.blocks)) or any(_is_whole(each.front) for each in stuck):
            raise _too_full(card, name, stuck)
    raise AssertionError("endless")


def _dealt(
    card: Card, style: CardStyle, parts: int, as_full: Callable[[], Sequence[tuple[Block, ...]]]
) -> Iterator[Sequence[tuple[Block, ...]]]:
    """The ways to divide the blocks of a card: tidily, evenly, or each part ``as_full`` as can be.

    The last way is for tables with a wide row: a part with this row and another one is too wide, however few rows it
    has.
    """
    if parts == 1:
        yield [card.blocks]
        return
    for tidy in (True, False):
        yield split(card.blocks, parts, style.inner * MILLIMETRE, SMALLEST, tidy=tidy)
    if len(as_full()) == parts:
        yield as_full()


def _measured(front: CardFront, scale: float) -> _Measured:
    """A front with its blocks measured; a chart that does not fit otherwise is not enlarged."""
    usual = _Measured(front, scale)
    return replace(usual, enlarged=1.0) if _is_whole(front) and usual.largest() is None else usual


def _fits(card: Card, blocks: tuple[Block, ...], system: SystemInfo, style: CardStyle, scale: float) -> bool:
    """Whether some blocks fit on a front of a card that goes on."""
    return _Measured(CardFront(card, blocks, 2, 2, system, style), scale).fits(SMALLEST)


def _is_whole(front: CardFront) -> bool:
    """Whether a front holds a single entry, so that it cannot be divided further."""
    return len(entries(front.blocks)) == 1


def _too_full(card: Card, name: str, stuck: Sequence[_Measured]) -> RenderError:
    """The error for a card with ``stuck`` fronts, which fit in no size."""
    excess = {
        "full": max(each.too_high(SMALLEST) for each in stuck),
        "wide": max(each.too_wide(SMALLEST) for each in stuck),
    }
    what = max(excess, key=excess.__getitem__)
    return RenderError(
        f'{name}: "{card.title}" is too {what} by {excess[what] / MILLIMETRE:.1f} mm '
        f"even in the smallest type ({SMALLEST:g} pt)",
        span=card.place,
        hint="Take a block away, or make two cards of it." if what == "full" else "Give it fewer columns or groups.",
    )


def _set(measured: _Measured, size: float) -> SetFront:
    """A front in a type size; the height left over goes between lines, then to larger figures, opening and icon."""
    front, room = measured.front, measured.room / size
    left = FULL * room - measured.height(size) / size
    gaps = sum(map(_gaps, front.blocks)) + 2 * (len(front.blocks) - 1)
    ruled = all(block.ruled for block in front.blocks)
    air = _stepped(min(left / gaps, RULED_AIR if ruled else MAX_AIR), AIR_STEP) if gaps else 0.0
    left -= gaps * air
    rows = sum(len(block.figures) for block in front.blocks if _is_short(block))
    more = _stepped(min(left / (rows * BODY.line_height), MAX_FIGURES - 1), FIGURE_STEP) if rows else 0.0
    left -= more * rows * BODY.line_height
    opening, higher = _opening(measured, size, left * OPENING_SHARE) if left > SHORT_TEXT * room else (1.0, 0.0)
    left -= higher
    emblem = _emblem(measured, left * size) if left > EMBLEM_ROOM * room else 0.0
    left -= emblem * MILLIMETRE / size
    lead = _stepped(left * (EMBLEM_LEAD if emblem else LEAD), LEAD_STEP) if left > SHORT_TEXT * room or emblem else 0.0
    widths = tuple(measured.column_widths(size, larger=more > 0))
    return SetFront(front, size, air, 1 + more, opening, lead, emblem, widths, measured.enlarged)


def _emblem(measured: _Measured, free: float) -> float:
    """The size in millimetres of the icon under a text that leaves ``free`` points; 0 for a card without icon."""
    if not measured.front.card.icon or measured.front.style.theme is Theme.INK_SAVING:
        return 0.0
    return _stepped(min(free * EMBLEM, measured.width / 3) / MILLIMETRE, EMBLEM_STEP)


def _opening(measured: _Measured, size: float, free: float) -> tuple[float, float]:
    """How many times larger the opening text of a card is set, and how many em higher that makes the card."""
    block, first = measured.blocks[0], measured.front.blocks[0]
    if first.is_plain_text:
        for times in OPENINGS:
            higher = (block.height(measured.width, times * size) - block.height(measured.width, size)) / size
            if higher <= free and block.min_content(times * size) <= measured.width:
                return times, higher
    return 1.0, 0.0


def _stepped(length: float, step: float) -> float:
    """A length rounded down to a whole step, and at least 0."""
    return round(max(floor(length / step) * step, 0.0), 3)


def _is_short(block: Block) -> bool:
    return all(len(figure) <= SHORT for figure in block.figures)


def _gaps(block: Block) -> float:
    """How many gaps between lines a block has: in a table above and below each row; gaps above notes count for less."""
    notes = bool(block.note or block.is_tagged_in_note) + bool(block.footnotes)
    return block.entry_count - (not block.ruled) + notes * NOTE.ems
