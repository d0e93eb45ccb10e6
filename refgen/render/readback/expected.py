"""What must be read on a part of an aid: a panel, a page, a face of a card.

In: nothing; these are values and what every kind of aid says alike. Out: an ExpectedPart, of which each kind of aid
makes its own (refgen/aids/<kind>/expected.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from refgen.blocks.typesetting import Piece
from refgen.characters.sheet import Field
from refgen.game.system_info import SystemInfo
from refgen.render.readback.places import Fault


@dataclass(frozen=True, slots=True)
class ExpectedPart:
    """A part of an aid: what it is called, the pieces on it, and the fields to fill in.

    ``holders`` are the boxes of the part that must hold each field, by the names of the fields.
    """

    name: str
    pieces: tuple[Piece, ...]
    fields: tuple[Field, ...] = ()
    holders: Mapping[str, int] = field(default_factory=dict)


def header(title: str, system: SystemInfo, *rest: str) -> Iterator[Piece]:
    """The pieces at the head of a page."""
    for text in (title, system.title, *rest):
        yield Piece(text, "header")


def boxed(box: int, pieces: Sequence[Piece]) -> Iterator[Piece]:
    """The pieces of a box: what is painted last comes last."""
    for painted in (False, True):
        for piece in pieces:
            if piece.painted == painted:
                yield piece._replace(box=box)


def named_once(wanted: Iterable[str], found: Sequence[str]) -> Iterator[Fault]:
    """The fields that are not there once, and those that should not be there."""
    counts = Counter(found)
    for name in wanted:
        if counts[name] != 1:
            yield f'field "{name}"', "is not there" if not counts[name] else f"is there {counts[name]} times"
        del counts[name]
    yield from ((f'field "{name}"', "is there, which the model does not have") for name in counts)
