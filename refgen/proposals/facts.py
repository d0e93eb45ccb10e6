"""Sentences for the numbers in prose, as a first list of facts for an author to look over.

In: the draft of a game. Out: an entry for each die and each percentage in a paragraph that a sentence finds, and only
once; other numbers are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import shorten

from refgen.errors import RefgenError
from refgen.export.model import toml_string
from refgen.notation.printed_cell import NotationName
from refgen.proposals.draft import Entry, GameDraft
from refgen.readers.document import Section
from refgen.rules.fact_spec import FactPlace
from refgen.rules.guess import guess_notation, slug, unused
from refgen.rules.pattern import folded, value_pattern
from refgen.rules.statements import FactFinder, Statement
from refgen.rules.toml import unprintable
from refgen.source import Passage, plain
from refgen.span import Span

MOST_FACTS = 20
"""A list that somebody still looks over."""

_DICE = re.compile(r"\d*d(?:\d+|F|%)(?:[+-]\d+)?")
_VALUE = re.compile(
    rf"(?<![\w.,/-])(?:{_DICE.pattern}|[+-]?\d+(?:,\d\d\d)*(?:\.\d+)?%?(?: (?:to|-) \d+)?)(?![\w/]|[.,]\d)"
)
_SENTENCE = re.compile(r"[^.!?]+(?:\.(?=\w)[^.!?]*)*")
_WORD = re.compile(r"\S+")
_TITLE_LETTERS = 60
_BEFORE, _BEHIND, _BETWEEN = 3, 2, 4
"""Words of a sentence that are kept before its first value, behind its last, and between two."""


_SHOWN = frozenset({"dice", "percent"})
"""The notations of numbers that are rules wherever they stand; others may count chapters, or the days of a story."""


@dataclass(frozen=True, slots=True)
class _Fact:
    """A number that may be a fact: id, title, the printed text, and the notation of the text."""

    id: str
    title: str
    text: str
    notation: NotationName


def fact_entries(draft: GameDraft) -> Iterator[Entry]:
    """The entries of the facts: the dice and percentages in the prose of a document, as far as sentences find them."""
    proposer = _FactProposer(draft)
    for section in draft.document.sections:
        for passage in section.paragraphs:
            for match in _SENTENCE.finditer(folded(passage.text)):
                if proposer.count < MOST_FACTS:
                    yield from proposer.entries(section, passage.group(match))


@dataclass
class _FactProposer:
    """The facts of one document, each with a new name; ``count`` is how many there are so far."""

    draft: GameDraft
    count: int = 0

    def entries(self, section: Section, sentence: Passage) -> Iterator[Entry]:
        """The facts of one sentence: the first fact has the sentence as its text, which names the other facts."""
        text = folded(sentence.text)
        found = [match.span() for match in _VALUE.finditer(text)]
        taken = set(self.draft.ids)
        facts = [self._fact(section, text[start:end], taken) for start, end in found]
        kept = [number for number, fact in enumerate(facts) if fact.notation in _SHOWN]
        facts, found = [facts[number] for number in kept], [found[number] for number in kept]
        if not found:
            return
        sentence_text = _sentence(text, found, [fact.id for fact in facts])
        place = self._place(sentence_text, section, {fact.id: fact for fact in facts})
        if place is None:
            return
        self.draft.ids |= {fact.id for fact in facts}
        self.count += len(facts)
        for number, fact in enumerate(facts):
            at = sentence.span if number == 0 else None
            yield _entry(fact, place if number == 0 else None, at)

    def _fact(self, section: Section, value: str, taken: set[str]) -> _Fact:
        """A fact under the title of its section."""
        title = shorten(plain(section.title), _TITLE_LETTERS, placeholder=" …") or "Number"
        name = unused(slug(title, "number"), taken)
        taken.add(name)
        return _Fact(name, title, value, "dice" if _DICE.fullmatch(value) else guess_notation([value]))

    def _place(self, text: str, section: Section, facts: Mapping[str, _Fact]) -> FactPlace | None:
        """The section in which the sentence finds exactly the values of the facts; None where no section will do."""
        if unprintable(text + section.title):
            return None
        for title in (None, section.title or None):
            place = FactPlace(text=text, section=title)
            if self._finds(place, facts):
                return place
        return None

    def _finds(self, place: FactPlace, facts: Mapping[str, _Fact]) -> bool:
        finder = FactFinder(self.draft.document, lambda name: value_pattern(facts[name].notation, {}))
        try:
            first = self.draft.document.sections[0].text
            statement = Statement(next(iter(facts)), place, place.section, lambda: first.span)
            found = finder.find(statement)
        except RefgenError:
            return False
        return all(folded(found[name].text) == fact.text for name, fact in facts.items())


def _sentence(text: str, found: Sequence[tuple[int, int]], names: Sequence[str]) -> str:
    """The words around some values, with a name for each and … for what is far from them."""
    pieces = [_escaped(_last(text[: found[0][0]], _BEFORE))]
    for number, (name, (_, end)) in enumerate(zip(names, found, strict=True)):
        pieces.append(f"{{{name}}}")
        is_last = number == len(found) - 1
        behind = text[end:] if is_last else text[end : found[number + 1][0]]
        pieces.append(_escaped(_first(behind, _BEHIND) if is_last else _short(behind)))
    return "".join(pieces).strip()


def _last(text: str, count: int) -> str:
    words = list(_WORD.finditer(text))
    return text[words[-count].start() :] if len(words) > count else text.lstrip()


def _first(text: str, count: int) -> str:
    words = list(_WORD.finditer(text))
    return text[: words[count - 1].end()] if len(words) > count else text.rstrip()


def _short(text: str) -> str:
    words = _WORD.findall(text)
    if len(words) <= _BETWEEN:
        return text
    return f"{_first(text, _BEHIND)} … {_last(text, 1)}"


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("[", "[[")


def _entry(fact: _Fact, place: FactPlace | None, at: Span | None) -> Entry:
    lines = [f"title = {toml_string(fact.title)}"]
    if place is not None:
        lines += [f"section = {toml_string(place.section)}"] if place.section else []
        lines.append(f"text = {toml_string(place.text or '')}")
    lines.append(f'type = "{fact.notation}"')
    where = f" at {at}" if at else ", in the same sentence"
    return Entry(f"[facts.{fact.id}]", lines, [f"{fact.notation}: {toml_string(fact.text)}{where}"])
