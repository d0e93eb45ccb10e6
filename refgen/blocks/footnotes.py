"""Footnotes of a block: a sign beside each figure that a check has something to say about.

In: the places of the figures that a block shows, and the marks of the checks. Out: the sign of each, and the notes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from refgen.blocks.typeset import typeset
from refgen.checks.marks import Mark
from refgen.span import Span

SIGNS = ("*", "†", "‡", "§", "¶")
"""In the order of use; after the last one they are doubled."""


@dataclass(frozen=True, slots=True)
class Footnote:
    """A sign and what it says."""

    sign: str
    text: str


@dataclass(frozen=True, slots=True)
class Footnotes:
    """The marks of a block's figures, and its notes in the order in which their signs first appear."""

    marks: Mapping[Span, Mark] = field(default_factory=dict)
    notes: tuple[Footnote, ...] = ()

    def text(self, place: Span | None, text: str) -> str:
        """What is printed there: the text itself, unless an erratum says otherwise."""
        return self.marks[place].text if place is not None and place in self.marks else text

    def sign(self, place: Span | None) -> str:
        """The sign of a figure, "" for one without a footnote."""
        if place is None or place not in self.marks:
            return ""
        groups = list(_grouped(self.marks))
        return self.notes[groups.index(_group(self.marks[place]))].sign


def footnotes(places: Iterable[Span | None], marks: Mapping[Span, Mark]) -> Footnotes:
    """The footnotes of the figures at some places; figures with the same reason share one, which tells of them all."""
    held = {place: marks[place] for place in places if place is not None and place in marks}
    groups = _grouped(held).items()
    notes = (Footnote(_sign(number), _text(*group, others)) for number, (group, others) in enumerate(groups))
    return Footnotes(held, tuple(notes))


def _group(mark: Mark) -> tuple[str, str]:
    return mark.reason, mark.label


def _grouped(marks: Mapping[Span, Mark]) -> Mapping[tuple[str, str], Sequence[str]]:
    """The figures that are not printed, by the reason why, in the order of the page."""
    groups: dict[tuple[str, str], list[str]] = {}
    for mark in marks.values():
        groups.setdefault(_group(mark), []).append(mark.other)
    return groups


def _text(reason: str, label: str, others: Sequence[str]) -> str:
    figures = f"{label}: {typeset(', '.join(others))}." if label else ""
    return f"{typeset(reason)} {figures}".strip()


def _sign(number: int) -> str:
    return SIGNS[number % len(SIGNS)] * (number // len(SIGNS) + 1)
