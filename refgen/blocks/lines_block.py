"""Free lines to write on: notes at the table.

In: the number of lines that an author wants. Out: a LinesBlock. The lines say nothing: they are artifacts in PDFs, and
have no words to read back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from pydantic import Field

from refgen.blocks.block import Block, BlockContents, BlockContext, BlockKeys
from refgen.blocks.measure import BlockStyles, MeasuredContent
from refgen.layout.lengths import MILLIMETRE
from refgen.layout.pieces import Piece

LINE = 8.0
"""The height of a line in millimetres, which a hand needs whatever the size of the type."""


class LinesKeys(BlockKeys):
    """The key of a block of free lines: how many lines there are."""

    lines: int = Field(0, ge=1, le=60)


@dataclass(frozen=True, slots=True)
class LinesBlock(Block):
    """So many free lines, each ``height`` millimetres high, as wide as the column."""

    kind: ClassVar = "lines"
    key: ClassVar = "lines"

    lines: int
    height: float = field(default=LINE, kw_only=True)

    @classmethod
    def make(cls, spec: LinesKeys, context: BlockContext) -> LinesBlock:
        """The lines, under their title."""
        return cls(context.title, spec.lines, note=context.note, footnotes=context.footnotes.notes)

    def content_pieces(self, where: str) -> Iterator[Piece]:  # noqa: ARG002
        """Nothing: free lines say nothing."""
        return iter(())

    def measured_content(self, styles: BlockStyles) -> Iterator[MeasuredContent]:  # noqa: ARG002
        """The lines."""
        yield MeasuredLines(self.lines * self.height * MILLIMETRE)

    def contents(self) -> BlockContents:
        """No texts."""
        return BlockContents()


@dataclass(frozen=True, slots=True)
class MeasuredLines:
    """Free lines that are ``points`` high together, in any width and type size."""

    points: float

    def min_content(self, size: float) -> float:  # noqa: ARG002
        """0: free lines are as wide as their column."""
        return 0.0

    def widest_words(self, size: float) -> str:  # noqa: ARG002
        """No words."""
        return ""

    def height(self, width: float, size: float) -> float:  # noqa: ARG002
        """The height in points."""
        return self.points
