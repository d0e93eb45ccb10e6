"""Quotations: passages of a rule document in its own words.

In: the sections of a document, and the wanted passage. Out: its paragraphs, set for print. Raises AidError for a
section, paragraph or sentence that does not exist, with the nearest names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from pydantic import Field

from refgen.blocks.block import BlockContext, BlockKeys
from refgen.blocks.pieces import typeset
from refgen.blocks.texts import TextsBlock
from refgen.blocks.words import BlockScope
from refgen.errors import AidError
from refgen.layout.lengths import QUOTE_BORDER, QUOTE_INDENT
from refgen.readers.document import Section
from refgen.rules.toml import Strict
from refgen.source import Passage, plain
from refgen.span import Span
from refgen.suggestion import did_you_mean, find_key

_SENTENCE_END = re.compile(r"(?:(?<=[.!?])|(?<=[.!?][\"”’)]))\s+(?=[\"“‘(]*[^\Wa-z_])")


class QuoteSpec(Strict):
    """A passage of the rule document, in its own words: the paragraphs of a section, or a single one (from 1).

    ``sentence`` takes the one sentence that contains these words.
    """

    section: str
    paragraph: int | None = Field(None, ge=1)
    sentence: str = ""


class QuoteKeys(BlockKeys):
    """The keys of a quotation: the passage."""

    quote: QuoteSpec | None = None


@dataclass(frozen=True, slots=True)
class QuoteBlock(TextsBlock):
    """Paragraphs of the rule document in its own words."""

    kind: ClassVar = "quote"
    key: ClassVar = "quote"
    entry: ClassVar = "paragraph"
    indent: ClassVar = QUOTE_INDENT + QUOTE_BORDER

    @classmethod
    def make(cls, spec: QuoteKeys, context: BlockContext) -> Self:
        """The paragraphs of the passage."""
        paragraphs = tuple(map(shown, _quoted(context.scope.sections, spec.quote)))
        return cls(context.title, paragraphs, note=context.note, footnotes=context.footnotes.notes)

    @classmethod
    def texts_of(cls, spec: QuoteKeys) -> Iterable[str]:  # noqa: ARG003
        """Nothing: the words are those of the document and name no facts."""
        return ()

    @classmethod
    def printed_at(cls, spec: QuoteKeys, scope: BlockScope) -> Span | None:
        """Where the first paragraph stands."""
        return next((passage.span for passage in _quoted(scope.sections, spec.quote)), None)

    @classmethod
    def markdown(cls, texts: Sequence[str]) -> Iterator[str]:
        """A quotation."""
        yield "\n>\n".join(f"> {text}" for text in texts)


def shown(passage: Passage) -> str:
    """A passage as it is quoted."""
    return typeset(plain(passage.text))


def section_number(sections: Sequence[Section], title: str) -> int:
    """The number of the section with a title, from 0; of several, the first that has paragraphs."""
    titles = [plain(section.title) for section in sections]
    key = find_key(plain(title), dict.fromkeys(titles))
    if key is None:
        hint = did_you_mean(title, dict.fromkeys(filter(None, titles)))
        raise AidError(f'the document has no section "{title}"', hint=hint)
    found = [number for number, known in enumerate(titles) if known == key]
    return next((number for number in found if sections[number].paragraphs), found[0])


def _quoted(sections: Sequence[Section], spec: QuoteSpec | None) -> Sequence[Passage]:
    """The wanted passages."""
    if spec is None:
        return ()
    number = section_number(sections, spec.section)
    paragraphs = _wanted(sections[number], spec)
    return [_sentence(sections[number], paragraphs, spec.sentence)] if spec.sentence else paragraphs


def _wanted(section: Section, spec: QuoteSpec) -> Sequence[Passage]:
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
    wanted = plain(words).casefold()
    sentences = (sentence for paragraph in paragraphs for sentence in paragraph.collapsed().split(_SENTENCE_END))
    for sentence in sentences:
        if wanted in plain(sentence.text).casefold():
            return sentence.strip()
    hint = "Copy a few words of it from the document."
    raise AidError(f'no sentence of the section "{section.title}" has the words "{words}"', hint=hint)
