"""Steps of a procedure, numbered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from refgen.blocks.block import Block, BlockContext, BlockKeys, Contents
from refgen.blocks.measure import BlockStyles, MeasuredContent, measure_text
from refgen.blocks.pieces import Piece
from refgen.layout.lengths import STEP_INDENT


class StepsKeys(BlockKeys):
    """What an author writes of a procedure: its steps."""

    steps: list[str] = []


@dataclass(frozen=True, slots=True)
class StepsBlock(Block):
    """A procedure, step by step. ``first`` is the number of its first step: another block may go on from one."""

    kind: ClassVar = "steps"
    key: ClassVar = "steps"
    entries: ClassVar = "steps"

    steps: tuple[str, ...]
    first: int = field(default=1, kw_only=True)

    @classmethod
    def make(cls, spec: StepsKeys, context: BlockContext) -> Self:
        """Steps that name nothing but what is blank are left out."""
        steps = context.said(spec.steps)
        return cls(context.title, steps, note=context.note, footnotes=context.footnotes.notes)

    @classmethod
    def texts(cls, spec: StepsKeys) -> Iterable[str]:
        """The steps."""
        return spec.steps

    def content_pieces(self, where: str) -> Iterator[Piece]:
        """Each step, and its number."""
        for number, step in enumerate(self.steps, start=self.first):
            yield Piece(step, f"{where}, step {number}")
            yield Piece(f"{number}.", f"{where}, step {number}", painted=True)

    def measured_parts(self, styles: BlockStyles) -> Iterator[MeasuredContent]:  # noqa: ARG002
        """The steps, beside their numbers."""
        return (measure_text(step, STEP_INDENT) for step in self.steps)

    def contents(self) -> Contents:
        """The steps."""
        return Contents(texts=self.steps)

    @staticmethod
    def markdown(texts: Sequence[str]) -> Iterator[str]:
        """A numbered list."""
        yield "\n".join(f"{number}. {text}" for number, text in enumerate(texts, start=1))

    def taken(self, first: int, end: int) -> Mapping[str, Any]:
        """Some steps, with the number of the first of them."""
        return {"steps": self.steps[first:end], "first": self.first + first}
