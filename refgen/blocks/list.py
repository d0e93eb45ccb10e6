"""A list of texts in no order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from refgen.blocks.block import Block, BlockContext, BlockKeys, Contents
from refgen.blocks.measure import BlockStyles, MeasuredContent, measure_text
from refgen.blocks.pieces import Piece
from refgen.layout.lengths import STEP_INDENT


class ListKeys(BlockKeys):
    """What an author writes of a list: its items."""

    items: list[str] = []


@dataclass(frozen=True, slots=True)
class ListBlock(Block):
    """A list of texts in no order."""

    kind: ClassVar = "list"
    key: ClassVar = "items"
    entries: ClassVar = "items"

    items: tuple[str, ...]

    @classmethod
    def make(cls, spec: ListKeys, context: BlockContext) -> Self:
        """Items that name nothing but what is blank are left out."""
        items = context.said(spec.items)
        return cls(context.title, items, note=context.note, footnotes=context.footnotes.notes)

    @classmethod
    def texts(cls, spec: ListKeys) -> Iterable[str]:
        """The items."""
        return spec.items

    def content_pieces(self, where: str) -> Iterator[Piece]:
        """Each item, and its dash."""
        for number, item in enumerate(self.items, start=1):
            yield Piece(item, f"{where}, item {number}")
            yield Piece("–", f"{where}, item {number}", painted=True)

    def measured_parts(self, styles: BlockStyles) -> Iterator[MeasuredContent]:  # noqa: ARG002
        """The items, beside their dashes."""
        return (measure_text(item, STEP_INDENT) for item in self.items)

    def contents(self) -> Contents:
        """The items."""
        return Contents(texts=self.items)

    @staticmethod
    def markdown(texts: Sequence[str]) -> Iterator[str]:
        """A list with dashes."""
        yield "\n".join(f"- {text}" for text in texts)
