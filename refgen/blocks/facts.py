"""Facts: what each is, and its figure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from refgen.blocks.block import Block, BlockContext, BlockKeys, Contents
from refgen.blocks.measure import BlockStyles, MeasuredContent
from refgen.blocks.pieces import Piece
from refgen.layout import lengths
from refgen.layout.grid import Cell, make_grid
from refgen.layout.lengths import BODY
from refgen.layout.metrics import Face
from refgen.layout.words import words
from refgen.rules.field_types import Identifier


class FactsKeys(BlockKeys):
    """What an author writes of facts: their ids."""

    facts: list[Identifier] = []


@dataclass(frozen=True, slots=True)
class FactsBlock(Block):
    """Facts: what each is, and its figure."""

    kind: ClassVar = "facts"
    key: ClassVar = "facts"
    entries: ClassVar = "facts"
    ruled: ClassVar = True

    facts: tuple[tuple[str, str], ...]

    @classmethod
    def make(cls, spec: FactsKeys, context: BlockContext) -> Self:
        """Facts that are blank are left out."""
        stated = [(fact_id, context.scope.facts[fact_id]) for fact_id in spec.facts]
        facts = tuple((fact.title, context.words(_named(fact_id))) for fact_id, fact in stated if fact.text)
        return cls(context.title, facts, note=context.note, footnotes=context.footnotes.notes)

    @classmethod
    def texts_of(cls, spec: FactsKeys) -> Iterable[str]:
        """For each fact a text that names it."""
        return map(_named, spec.facts)

    @property
    def figures(self) -> Sequence[str]:
        """The figures of the facts."""
        return [figure for _, figure in self.facts]

    def content_pieces(self, where: str) -> Iterator[Piece]:
        """What each fact is, and its figure."""
        for title, figure in self.facts:
            yield Piece(title, f'{where}, fact "{title}"')
            yield Piece(figure, f'{where}, fact "{title}"')

    def measured_content(self, styles: BlockStyles) -> Iterator[MeasuredContent]:
        """A table of two columns."""
        paddings = 2 * lengths.CELL_PADDING_BLOCK, 2 * lengths.CELL_PADDING_INLINE
        rows = [
            (
                Cell((words(title, Face.REGULAR),), True, BODY, *paddings),
                Cell((words(figure, Face.SEMIBOLD),), styles.names_wrap, BODY, *paddings),
            )
            for title, figure in self.facts
        ]
        yield make_grid(rows, lengths.HEAD_BORDER + len(rows) * lengths.ROW_BORDER, (0.0, 0.0))

    def contents(self) -> Contents:
        """The facts, each with its figure."""
        return Contents(pairs=self.facts)


def _named(fact_id: str) -> str:
    """A text that is nothing but the figure of a fact."""
    return f"{{{fact_id}}}"
