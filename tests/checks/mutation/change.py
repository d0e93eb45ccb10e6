"""A change of a text: pieces of it, and what is written in their place; and how places move with it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass

from refgen.span import Span


@dataclass(frozen=True, slots=True, order=True)
class Piece:
    """What stands at ``start`` in the unchanged text, and what is written in its place."""

    start: int
    old: str
    new: str

    @property
    def end(self) -> int:
        return self.start + len(self.old)


@dataclass(frozen=True, slots=True)
class Change:
    """A change: its kind, what it is called in reports, and its pieces from first to last, which do not overlap."""

    kind: str
    name: str
    pieces: tuple[Piece, ...]

    @classmethod
    def of(cls, kind: str, name: str, pieces: Iterable[Piece]) -> Change | None:
        """A change; None for one that would change nothing, or the same place twice."""
        ordered = tuple(sorted(piece for piece in pieces if piece.old != piece.new))
        apart = all(one.end <= other.start for one, other in itertools.pairwise(ordered))
        return cls(kind, name, ordered) if ordered and apart else None

    @property
    def old(self) -> str:
        return " … ".join(piece.old for piece in self.pieces)

    @property
    def new(self) -> str:
        return " … ".join(piece.new for piece in self.pieces)

    def applied(self, text: str) -> str:
        """The changed text."""
        for piece in reversed(self.pieces):
            if text[piece.start : piece.end] != piece.old:
                raise ValueError(f"{piece} does not stand there")
            text = text[: piece.start] + piece.new + text[piece.end :]
        return text

    def moved(self, start: int) -> int:
        """Where an offset of the unchanged text is in the changed one; inside a piece, where that begins."""
        shift = 0
        for piece in self.pieces:
            if start < piece.end:
                return min(start, piece.start) + shift if start >= piece.start else start + shift
            shift += len(piece.new) - len(piece.old)
        return start + shift

    def touches(self, span: Span) -> bool:
        """Whether a place in the changed text is at one of the changed pieces."""
        return any(
            span.start <= start + len(piece.new) and start <= span.end
            for piece, start in ((piece, self.moved(piece.start)) for piece in self.pieces)
        )
