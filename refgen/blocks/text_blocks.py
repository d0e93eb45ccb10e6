"""Blocks of texts: steps, lists, short texts and quotations, and pairs of texts: facts and glossaries.

In: the texts that an author writes, or the passage of a rule document that an author wants to quote. Out: a TextsBlock
or a PairsBlock. Raises AidError for a section, paragraph or sentence that does not exist, with the nearest names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from pydantic import Field

from refgen.blocks.block import Block, BlockContents, BlockContext, BlockKeys
from refgen.blocks.measure import BlockStyles, MeasuredContent, MeasuredText, measure_text
from refgen.blocks.typesetting import BlockScope, has_content, typeset
from refgen.catalog import did_you_mean, find_key
from refgen.errors import AidError
from refgen.layout import lengths
from refgen.layout.lengths import BODY, QUOTE_BORDER, QUOTE_INDENT, STEP_INDENT
from refgen.layout.metrics import Face
from refgen.layout.pieces import Piece
from refgen.layout.sizing import MeasuredCell, breakable_text, measure_rows, run_in
from refgen.look.look import look_in_use
from refgen.readers.document import Section
from refgen.rules.field_types import Identifier
from refgen.rules.toml import Strict
from refgen.source import Passage, plain_text
from refgen.span import Span


class TermSpec(Strict):
    """An entry of a glossary: a term and its explanation."""

    term: str
    text: str


class QuoteSpec(Strict):
    """A passage of the rule document, in its own words: the paragraphs of a section, or a single one (from 1).

    ``sentence`` has a few words of a sentence, to quote only this sentence.
    """

    section: str
    paragraph: int | None = Field(None, ge=1)
    sentence: str = ""


class TextKeys(BlockKeys):
    """The keys of blocks of texts, one for each kind: texts of an author, ids of facts, or a passage to quote."""

    steps: list[str] = []
    items: list[str] = []
    glossary: list[TermSpec] = []
    facts: list[Identifier] = []
    text: str = ""
    quote: QuoteSpec | None = None


@dataclass(frozen=True, slots=True)
class TextsBlock(Block):
    """A column of texts. ``first`` is the number of the first text, since a block may continue another block."""

    entries: ClassVar = "texts"

    entry: ClassVar[str]
    """The word for one of the texts."""

    indent: ClassVar[float] = 0.0
    """The indent on the left, in em."""

    marker: ClassVar[str] = ""
    """The marker painted before a text, "{}" for its number."""

    markdown_marker: ClassVar[str] = ""
    """The marker of a text in Markdown; "": each text is a paragraph."""

    texts: tuple[str, ...]
    first: int = field(default=1, kw_only=True)

    @classmethod
    def make(cls, spec: Any, context: BlockContext) -> Self:
        """The block, without texts that name only blank facts."""
        texts = context.filled_texts(cls.texts_of(spec))
        return cls(context.title, texts, note=context.note, footnotes=context.footnotes.notes)

    @classmethod
    def texts_of(cls, spec: Any) -> Iterable[str]:
        """The texts under the key of the kind."""
        texts: Iterable[str] = getattr(spec, cls.key)
        return texts

    def content_pieces(self, where: str) -> Iterator[Piece]:
        """The piece of each text, and of the number or bullet painted before the text."""
        for number, text in enumerate(self.texts, start=self.first):
            yield Piece(text, f"{where}, {self.entry} {number}")
            if self.marker:
                yield Piece(self.marker.format(number), f"{where}, {self.entry} {number}", painted=True)

    def measured_content(self, styles: BlockStyles) -> Iterator[MeasuredContent]:  # noqa: ARG002
        """The texts."""
        return (measure_text(text, self.indent) for text in self.texts)

    def contents(self) -> BlockContents:
        """The texts."""
        return BlockContents(texts=self.texts)

    @classmethod
    def markdown(cls, texts: Sequence[str]) -> Iterator[str]:
        """A list, or paragraphs."""
        if cls.markdown_marker:
            yield "\n".join(
                f"{cls.markdown_marker.format(number)} {text}" for number, text in enumerate(texts, start=1)
            )
        else:
            yield from texts

    def fields_of_entries(self, first: int, end: int) -> Mapping[str, Any]:
        """Some texts, and the number of the first of these."""
        return {"texts": self.texts[first:end], "first": self.first + first}


@dataclass(frozen=True, slots=True)
class StepsBlock(TextsBlock):
    """A procedure, step by step."""

    kind: ClassVar = "steps"
    key: ClassVar = "steps"
    entry: ClassVar = "step"
    indent: ClassVar = STEP_INDENT
    marker: ClassVar = "{}."
    markdown_marker: ClassVar = "{}."


@dataclass(frozen=True, slots=True)
class ListBlock(TextsBlock):
    """A list of texts in no order."""

    kind: ClassVar = "list"
    key: ClassVar = "items"
    entry: ClassVar = "item"
    indent: ClassVar = STEP_INDENT
    marker: ClassVar = "–"
    markdown_marker: ClassVar = "-"


@dataclass(frozen=True, slots=True)
class TextBlock(TextsBlock):
    """A short text."""

    kind: ClassVar = "text"
    key: ClassVar = "text"
    entry: ClassVar = "text"

    @classmethod
    def texts_of(cls, spec: TextKeys) -> Iterable[str]:
        """The text."""
        return (spec.text,)

    @property
    def is_plain_text(self) -> bool:
        """Whether the text has no title, note or footnote."""
        return not (self.title or self.note or self.footnotes)


@dataclass(frozen=True, slots=True)
class PairsBlock(Block):
    """Pairs of texts: facts with figures, terms with explanations."""

    entries: ClassVar = "pairs"

    entry: ClassVar[str]
    """The word for a pair."""

    pairs: tuple[tuple[str, str], ...]

    def content_pieces(self, where: str) -> Iterator[Piece]:
        """The pieces of each pair: both texts."""
        for first, second in self.pairs:
            yield Piece(first, f'{where}, {self.entry} "{first}"')
            yield Piece(second, f'{where}, {self.entry} "{first}"')

    def contents(self) -> BlockContents:
        """The pairs."""
        return BlockContents(pairs=self.pairs)


@dataclass(frozen=True, slots=True)
class FactsBlock(PairsBlock):
    """Facts: the title and the figure of each."""

    kind: ClassVar = "facts"
    key: ClassVar = "facts"
    entry: ClassVar = "fact"
    ruled: ClassVar = True

    @classmethod
    def make(cls, spec: TextKeys, context: BlockContext) -> Self:
        """The facts that are not blank."""
        named = [(fact_id, context.scope.facts[fact_id]) for fact_id in spec.facts]
        pairs = tuple((fact.title, context.words(f"{{{fact_id}}}")) for fact_id, fact in named if fact.text)
        return cls(context.title, pairs, note=context.note, footnotes=context.footnotes.notes)

    @classmethod
    def texts_of(cls, spec: TextKeys) -> Iterable[str]:
        """For each fact a text that consists of the name of the fact in braces."""
        return (f"{{{fact_id}}}" for fact_id in spec.facts)

    @property
    def figures(self) -> Sequence[str]:
        """The figures of the facts."""
        return [figure for _, figure in self.pairs]

    def measured_content(self, styles: BlockStyles) -> Iterator[MeasuredContent]:
        """A table of two columns."""
        paddings = 2 * lengths.CELL_PADDING_BLOCK * look_in_use().spacing, 2 * lengths.CELL_PADDING_INLINE
        rows = [
            (
                MeasuredCell((breakable_text(title, Face.REGULAR),), True, BODY, *paddings),
                MeasuredCell((breakable_text(figure, Face.SEMIBOLD),), styles.names_wrap, BODY, *paddings),
            )
            for title, figure in self.pairs
        ]
        yield measure_rows(rows, lengths.HEAD_BORDER + len(rows) * lengths.ROW_BORDER, (0.0, 0.0))


@dataclass(frozen=True, slots=True)
class GlossaryBlock(PairsBlock):
    """Terms, each with its explanation."""

    kind: ClassVar = "glossary"
    key: ClassVar = "glossary"
    entry: ClassVar = "term"

    @classmethod
    def make(cls, spec: TextKeys, context: BlockContext) -> Self:
        """The glossary, without terms whose explanation names only blank facts."""
        wanted = (entry for entry in spec.glossary if has_content(context.scope, entry.text))
        pairs = tuple((context.words(entry.term), context.words(entry.text)) for entry in wanted)
        return cls(context.title, pairs, note=context.note, footnotes=context.footnotes.notes)

    @classmethod
    def texts_of(cls, spec: TextKeys) -> Iterable[str]:
        """The texts of the glossary: each term, then its explanation."""
        return (text for entry in spec.glossary for text in (entry.term, entry.text))

    def measured_content(self, styles: BlockStyles) -> Iterator[MeasuredContent]:  # noqa: ARG002
        """The lines of the glossary: a term and its explanation stand on the same line."""
        for term, text in self.pairs:
            both = run_in(breakable_text(term, Face.SEMIBOLD), breakable_text(text, Face.REGULAR))
            yield MeasuredText(both, BODY)


_SENTENCE_END = re.compile(r"(?:(?<=[.!?])|(?<=[.!?][\"”’)]))\s+(?=[\"“‘(]*[^\Wa-z_])")


@dataclass(frozen=True, slots=True)
class QuoteBlock(TextsBlock):
    """Paragraphs of the rule document in its own words."""

    kind: ClassVar = "quote"
    key: ClassVar = "quote"
    entry: ClassVar = "paragraph"
    indent: ClassVar = QUOTE_INDENT + QUOTE_BORDER

    @classmethod
    def make(cls, spec: TextKeys, context: BlockContext) -> Self:
        """The paragraphs of the passage."""
        paragraphs = tuple(map(quoted_text, _quoted_passages(context.scope.sections, spec.quote)))
        return cls(context.title, paragraphs, note=context.note, footnotes=context.footnotes.notes)

    @classmethod
    def texts_of(cls, spec: TextKeys) -> Iterable[str]:  # noqa: ARG003
        """Nothing: the words are those of the document and name no facts."""
        return ()

    @classmethod
    def printed_at(cls, spec: TextKeys, scope: BlockScope) -> Span | None:
        """Where the first paragraph stands."""
        return next((passage.span for passage in _quoted_passages(scope.sections, spec.quote)), None)

    @classmethod
    def markdown(cls, texts: Sequence[str]) -> Iterator[str]:
        """A quotation."""
        yield "\n>\n".join(f"> {text}" for text in texts)


def quoted_text(passage: Passage) -> str:
    """A passage as it is quoted."""
    return typeset(plain_text(passage.text))


def section_number(sections: Sequence[Section], title: str) -> int:
    """The number of the section with a title, from 0; of several, the first that has paragraphs."""
    titles = [plain_text(section.title) for section in sections]
    key = find_key(plain_text(title), dict.fromkeys(titles))
    if key is None:
        hint = did_you_mean(title, dict.fromkeys(filter(None, titles)))
        raise AidError(f'the document has no section "{title}"', hint=hint)
    found = [number for number, known in enumerate(titles) if known == key]
    return next((number for number in found if sections[number].paragraphs), found[0])


def _quoted_passages(sections: Sequence[Section], spec: QuoteSpec | None) -> Sequence[Passage]:
    """The wanted passages."""
    if spec is None:
        return ()
    number = section_number(sections, spec.section)
    paragraphs = _paragraphs(sections[number], spec)
    return [_sentence(sections[number], paragraphs, spec.sentence)] if spec.sentence else paragraphs


def _paragraphs(section: Section, spec: QuoteSpec) -> Sequence[Passage]:
    paragraphs = section.paragraphs
    if not paragraphs:
        raise AidError(f'the section "{section.title}" has no paragraph', hint="Quote another, or write a text.")
    if spec.paragraph is None:
        return paragraphs
    if spec.paragraph > len(paragraphs):
        there = f"{len(paragraphs)} paragraph" + ("s" if len(paragraphs) > 1 else "")
        raise AidError(f'the section "{section.title}" has {there}, and number {spec.paragraph} is wanted')
    return [paragraphs[spec.paragraph - 1]]


def _sentence(section: Section, paragraphs: Sequence[Passage], words: str) -> Passage:
    wanted = plain_text(words).casefold()
    sentences = (sentence for paragraph in paragraphs for sentence in paragraph.collapsed().split(_SENTENCE_END))
    for sentence in sentences:
        if wanted in plain_text(sentence.text).casefold():
            return sentence.strip()
    hint = "Copy a few words of it from the document."
    raise AidError(f'no sentence of the section "{section.title}" has the words "{words}"', hint=hint)
