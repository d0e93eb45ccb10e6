"""Facts, each with its figure, and glossaries: terms, each with its explanation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from refgen.blocks.block import Block, BlockContents, BlockContext, BlockKeys
from refgen.blocks.measure import BlockStyles, MeasuredContent, MeasuredText
from refgen.blocks.pieces import Piece
from refgen.blocks.words import says_something
from refgen.layout import lengths
from refgen.layout.grid import MeasuredCell, measure_rows
from refgen.layout.lengths import BODY
from refgen.layout.metrics import Face
from refgen.layout.words import breakable_text, run_in
from refgen.rules.field_types import Identifier
from refgen.rules.toml import Strict


class FactsKeys(BlockKeys):
    """The keys of a block of facts: their ids."""

    facts: list[Identifier] = []


@dataclass(frozen=True, slots=True)
class FactsBlock(Block):
    """Facts, each with its title and its figure."""

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
        """The pieces of each fact: its title and its figure."""
        for title, figure in self.facts:
            yield Piece(title, f'{where}, fact "{title}"')
            yield Piece(figure, f'{where}, fact "{title}"')

    def measured_content(self, styles: BlockStyles) -> Iterator[MeasuredContent]:
        """A table of two columns."""
        paddings = 2 * lengths.CELL_PADDING_BLOCK, 2 * lengths.CELL_PADDING_INLINE
        rows = [
            (
                MeasuredCell((breakable_text(title, Face.REGULAR),), True, BODY, *paddings),
                MeasuredCell((breakable_text(figure, Face.SEMIBOLD),), styles.names_wrap, BODY, *paddings),
            )
            for title, figure in self.facts
        ]
        yield measure_rows(rows, lengths.HEAD_BORDER + len(rows) * lengths.ROW_BORDER, (0.0, 0.0))

    def contents(self) -> BlockContents:
        """The facts, each with its figure."""
        return BlockContents(pairs=self.facts)


def _named(fact_id: str) -> str:
    """A text that consists of the figure of a fact."""
    return f"{{{fact_id}}}"


class TermSpec(Strict):
    """An entry of a glossary: a term and its explanation."""

    term: str
    text: str


class GlossaryKeys(BlockKeys):
    """The keys of a glossary: its entries."""

    glossary: list[TermSpec] = []


@dataclass(frozen=True, slots=True)
class GlossaryBlock(Block):
    """Terms, each with its explanation."""

    kind: ClassVar = "glossary"
    key: ClassVar = "glossary"
    entries: ClassVar = "terms"

    terms: tuple[tuple[str, str], ...]

    @classmethod
    def make(cls, spec: GlossaryKeys, context: BlockContext) -> Self:
        """The glossary, without terms whose explanation names only blank facts."""
        said = (entry for entry in spec.glossary if says_something(context.scope, entry.text))
        terms = tuple((context.words(entry.term), context.words(entry.text)) for entry in said)
        return cls(context.title, terms, note=context.note, footnotes=context.footnotes.notes)

    @classmethod
    def texts_of(cls, spec: GlossaryKeys) -> Iterable[str]:
        """The texts of the glossary: each term, then its explanation."""
        return (text for entry in spec.glossary for text in (entry.term, entry.text))

    def content_pieces(self, where: str) -> Iterator[Piece]:
        """The pieces of each term and of its explanation."""
        for term, text in self.terms:
            yield Piece(term, f'{where}, term "{term}"')
            yield Piece(text, f'{where}, term "{term}"')

    def measured_content(self, styles: BlockStyles) -> Iterator[MeasuredContent]:  # noqa: ARG002
        """The lines of the glossary: a term and its explanation stand on the same line."""
        for term, text in self.terms:
            both = run_in(breakable_text(term, Face.SEMIBOLD), breakable_text(text, Face.REGULAR))
            yield MeasuredText(both, Face.REGULAR, BODY)

    def contents(self) -> BlockContents:
        """The terms, each with its explanation."""
        return BlockContents(pairs=self.terms)
