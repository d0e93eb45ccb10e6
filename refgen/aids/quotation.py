"""Quotations: what a rule document says in its own words.

In: the sections of a document, and which passage is wanted. Out: its paragraphs, as printed and set for print.
Raises AidError for a section, paragraph or sentence that is not there, with the nearest names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from refgen.aids.schema import QuoteSpec
from refgen.aids.typeset import typeset
from refgen.errors import AidError
from refgen.readers.document import Section
from refgen.source import Passage, plain
from refgen.span import Span
from refgen.suggestion import did_you_mean, find_key

_SENTENCE_END = re.compile(r"(?:(?<=[.!?])|(?<=[.!?][\"”’)]))\s+(?=[\"“‘(]*[^\Wa-z_])")


@dataclass(frozen=True, slots=True)
class Quotation:
    """The paragraphs of a quotation, and where the first of them is printed."""

    paragraphs: tuple[str, ...]
    span: Span


def quotation(sections: Sequence[Section], spec: QuoteSpec) -> Quotation:
    """The passage that is wanted."""
    number = section_number(sections, spec.section)
    paragraphs = _wanted(sections[number], spec)
    if spec.sentence:
        paragraphs = [_sentence(sections[number], paragraphs, spec.sentence)]
    return Quotation(tuple(shown(paragraph) for paragraph in paragraphs), paragraphs[0].span)


def shown(passage: Passage) -> str:
    """A passage as it is quoted."""
    return typeset(plain(passage.text))


def section_number(sections: Sequence[Section], title: str) -> int:
    """The number of the section with a title, from 0: of several, the first that has words of its own."""
    titles = [plain(section.title) for section in sections]
    key = find_key(plain(title), dict.fromkeys(titles))
    if key is None:
        hint = did_you_mean(title, dict.fromkeys(filter(None, titles)))
        raise AidError(f'the document has no section "{title}"', hint=hint)
    found = [number for number, known in enumerate(titles) if known == key]
    return next((number for number in found if sections[number].paragraphs), found[0])


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
