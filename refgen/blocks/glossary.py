"""A glossary: terms, each with what it says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

from refgen.blocks.block import Block, BlockContext, BlockKeys, Contents
from refgen.blocks.measure import BlockStyles, MeasuredContent, MeasuredText
from refgen.blocks.pieces import Piece
from refgen.blocks.words import says_something
from refgen.layout.lengths import BODY
from refgen.layout.metrics import Face
from refgen.layout.words import run_in, words
from refgen.rules.toml import Strict


class TermSpec(Strict):
    """An entry of a glossary: a term, and what it says."""

    term: str
    text: str


class GlossaryKeys(BlockKeys):
    """What an author writes of a glossary: its entries."""

    glossary: list[TermSpec] = []


@dataclass(frozen=True, slots=True)
class GlossaryBlock(Block):
    """Terms, each with what it says."""

    kind: ClassVar = "glossary"
    key: ClassVar = "glossary"
    entries: ClassVar = "terms"

    terms: tuple[tuple[str, str], ...]

    @classmethod
    def make(cls, spec: GlossaryKeys, context: BlockContext) -> Self:
        """Terms of which nothing is said are left out."""
        said = (entry for entry in spec.glossary if says_something(context.scope, entry.text))
        terms = tuple((context.words(entry.term), context.words(entry.text)) for entry in said)
        return cls(context.title, terms, note=context.note, footnotes=context.footnotes.notes)

    @classmethod
    def texts_of(cls, spec: GlossaryKeys) -> Iterable[str]:
        """The terms, each before what it says."""
        return (text for entry in spec.glossary for text in (entry.term, entry.text))

    def content_pieces(self, where: str) -> Iterator[Piece]:
        """Each term, and what it says."""
        for term, text in self.terms:
            yield Piece(term, f'{where}, term "{term}"')
            yield Piece(text, f'{where}, term "{term}"')

    def measured_content(self, styles: BlockStyles) -> Iterator[MeasuredContent]:  # noqa: ARG002
        """Each term, with what it says on the same line."""
        for term, text in self.terms:
            both = run_in(words(term, Face.SEMIBOLD), words(text, Face.REGULAR))
            yield MeasuredText(both, Face.REGULAR, BODY)

    def contents(self) -> Contents:
        """The terms, each with what it says."""
        return Contents(pairs=self.terms)
