"""The texts that a page must show, as they are set in print, and the footnotes of a block.

In: texts as a rule document prints them, with their typed values; the places of the figures of a block, and the marks
of the checks. Out: texts with minus signs, en dashes in ranges and narrow spaces in large numbers; the sign and the
note of each marked figure. A kind of block gives its Pieces in the order of its template, and repeats that order on
purpose: a template that leaves out or doubles a text no longer agrees with the pieces.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from refgen.checks.finding import Mark
from refgen.notation.values import DiceText, Interval, Level, Text, TrackChange, Value
from refgen.span import Span

if TYPE_CHECKING:
    from refgen.blocks.chart_block import ChartBlock

_HYPHEN_MINUS = re.compile(r"(?<![\w-])-(?=[\d¼-¾⅐-⅞])")
_EN_DASH_MINUS = re.compile(r"(?<![\w.%)])–(?=\s?[\d.¼-¾⅐-⅞])")
_OR_LESS = re.compile(r"(?<=\d)[-–]\Z")
_TRAILING_MINUS = re.compile(r"(?<=[A-Za-z])-(?=\d+$)")
_RANGE = re.compile(r"(?<=\d)-(?=-?\d)")
_MINUS_OF_DICE = re.compile(r"-(?=\s?[\dd(])")
_MINUS_OF_DICE_IN_WORDS = re.compile(r"\b(\d*d(?:\d+|F|%))-(?=\d)")
_RANGE_IN_WORDS = re.compile(r"(?<![\w.-])(\d+)-(\d+)(?![\w-])")


def typeset(text: str, value: Value | None = None) -> str:
    """Set a text: a hyphen before a number becomes a minus, a hyphen between two numbers of a range an en dash."""
    if "-" not in text and "–" not in text:  # most texts
        return text
    if not isinstance(value, Text | Level | None):
        text = _EN_DASH_MINUS.sub("−", text)
    if isinstance(value, Interval):
        text = _OR_LESS.sub("−", _RANGE.sub("–", text))
    elif isinstance(value, Text | TrackChange):
        text = _RANGE_IN_WORDS.sub(r"\1–\2", text)
    elif isinstance(value, DiceText):
        text = _MINUS_OF_DICE.sub("−", text)
    text = text.replace("+/-", "±")
    text = _MINUS_OF_DICE_IN_WORDS.sub(r"\1−", text)
    text = _TRAILING_MINUS.sub("−", text)
    return _HYPHEN_MINUS.sub("−", text)


COMPUTED = "computed"
"""The words of the tag of a computed block."""


class Piece(NamedTuple):
    """A text that stands together: a cell, a head, a title, a step.

    ``where`` is its place in words. ``box`` is the number of the box of its part that must hold it; None: the part's
    frame. ``painted`` pieces, such as the numbers of steps, are no text in HTML; on paper they are painted after all
    other pieces of their box. A piece without text stands for each ``chart``, whose labels are pieces of their own.
    """

    text: str
    where: str
    box: int | None = None
    painted: bool = False
    chart: ChartBlock | None = None


SIGNS = ("*", "†", "‡", "§", "¶")
"""The signs of footnotes in the order of use; after the last sign they are doubled."""


@dataclass(frozen=True, slots=True)
class Footnote:
    """A footnote: its sign and its text."""

    sign: str
    text: str


@dataclass(frozen=True, slots=True)
class Footnotes:
    """The marks of a block's figures, and its notes in the order in which their signs first appear."""

    marks: Mapping[Span, Mark] = field(default_factory=dict)
    notes: tuple[Footnote, ...] = ()

    def text(self, place: Span | None, text: str) -> str:
        """The text to print at a place: the given text, or that of an erratum."""
        return self.marks[place].text if place is not None and place in self.marks else text

    def sign(self, place: Span | None) -> str:
        """The sign of a figure, "" for one without a footnote."""
        if place is None or place not in self.marks:
            return ""
        groups = list(_grouped(self.marks))
        return self.notes[groups.index(_group(self.marks[place]))].sign


def footnotes(places: Iterable[Span | None], marks: Mapping[Span, Mark]) -> Footnotes:
    """The footnotes of the figures at some places; figures with the same reason share a footnote."""
    held = {place: marks[place] for place in places if place is not None and place in marks}
    groups = _grouped(held).items()
    notes = (Footnote(_sign(number), _text(*group, others)) for number, (group, others) in enumerate(groups))
    return Footnotes(held, tuple(notes))


def _group(mark: Mark) -> tuple[str, str]:
    return mark.reason, mark.label


def _grouped(marks: Mapping[Span, Mark]) -> Mapping[tuple[str, str], Sequence[str]]:
    """The figures that are not printed, grouped by reason, in the order of the page."""
    groups: dict[tuple[str, str], list[str]] = {}
    for mark in marks.values():
        groups.setdefault(_group(mark), []).append(mark.other)
    return groups


def _text(reason: str, label: str, others: Sequence[str]) -> str:
    figures = f"{label}: {typeset(', '.join(others))}." if label else ""
    return f"{typeset(reason)} {figures}".strip()


def _sign(number: int) -> str:
    return SIGNS[number % len(SIGNS)] * (number // len(SIGNS) + 1)
