"""A short text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

from refgen.blocks.block import Block, BlockContext, BlockKeys, Contents
from refgen.blocks.measure import BlockStyles, MeasuredContent, measure_text
from refgen.blocks.pieces import Piece


class TextKeys(BlockKeys):
    """What an author writes of a short text: the text."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class TextBlock(Block):
    """A short text."""

    kind: ClassVar = "text"
    key: ClassVar = "text"

    text: str

    @classmethod
    def make(cls, spec: TextKeys, context: BlockContext) -> Self:
        """The text with its figures in place."""
        text = context.words(spec.text)
        return cls(context.title, text, note=context.note, footnotes=context.footnotes.notes)

    @classmethod
    def texts(cls, spec: TextKeys) -> Iterable[str]:
        """The text."""
        return (spec.text,)

    @property
    def is_plain_text(self) -> bool:
        """Whether nothing stands around the text."""
        return not (self.title or self.note or self.footnotes)

    def content_pieces(self, where: str) -> Iterator[Piece]:
        """The text."""
        yield Piece(self.text, f"{where}, text")

    def measured_parts(self, styles: BlockStyles) -> Iterator[MeasuredContent]:  # noqa: ARG002
        """The text."""
        yield measure_text(self.text)

    def contents(self) -> Contents:
        """The text."""
        return Contents(texts=(self.text,))
