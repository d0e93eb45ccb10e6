"""Facts for dice and percentages in prose, as a first list for an author to look over.

In: the draft of a game, and the mechanics and random tables found in its document. Out: an entry for each die and each
percentage that a sentence says the meaning of, and that a sentence finds, as far as it is new.

A number is left out where the words around the number do not say what it is, and where something else says the number:
a table or stat block, a mechanic, the die of a table in the same section. Sentences that are examples, or lists of
numbers, are left out as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import shorten

from refgen.errors import NotationError, RefgenError
from refgen.export.model import toml_string
from refgen.languages import data
from refgen.notation.printed_cell import NotationName, read_value
from refgen.proposals.draft import Entry, GameDraft
from refgen.proposals.mechanics import Mechanic
from refgen.proposals.phrases import Phrases, phrases_for
from refgen.proposals.random_tables import RandomTable
from refgen.proposals.stat_blocks import is_stat_block
from refgen.readers.document import Inline, Section
from refgen.rules.field_types import FactPlace
from refgen.rules.guess import guess_notation, slug, unused
from refgen.rules.pattern import folded, value_pattern
from refgen.rules.schema import DocumentSettings
from refgen.rules.statements import FactFinder, Statement
from refgen.rules.toml import unprintable
from refgen.source import Passage, plain
from refgen.span import Span

MOST_FACTS = 20
"""A list that somebody still looks over."""

MOST_IN_SENTENCE = 4
"""A sentence with more dice and percentages is a list or a table."""

_SENTENCE = re.compile(r"[^.!?]+(?:\.(?=\w)[^.!?]*)*")
_WORD = re.compile(r"\S+")
_LABELLED = re.compile(
    r"(?:(?P<verb>[^\W\d_]+) )?(?<![\w.,/#-])(?P<value>\w*\d[\d.,+-]*%?) (?P<label>[^\W\d_]{2,})(?![\w-]|\.\w)"
)
"""A value, and the words right before and behind the value: "do 2d6 damage"."""

FEWEST_LABELLED = 2
"""So many different values of a document have a word behind them that says what they are."""

_OPENING = 3
"""So many characters, such as a bracket, may stand before the words that open an example."""

_TITLE_LETTERS = 60
_BEFORE, _BEHIND, _BETWEEN = 3, 2, 4
"""Words of a sentence that are kept before its first value, behind its last, and between two."""


@dataclass(frozen=True, slots=True)
class _Fact:
    """A number that may be a fact: id, title, the printed text, and the notation of the text."""

    id: str
    title: str
    text: str
    notation: NotationName


def fact_entries(
    draft: GameDraft, mechanics: Sequence[Mechanic] = (), rolled: Sequence[RandomTable] = ()
) -> Iterator[Entry]:
    """The entries of the facts: the dice and percentages in the prose of a document, as far as sentences find them."""
    proposer = _FactProposer(draft, _Known.of(draft, mechanics, rolled))
    for section in draft.document.sections:
        for passage in section.paragraphs:
            if is_stat_block(passage) or proposer.is_example(section, passage):
                continue
            for match in _SENTENCE.finditer(folded(passage.text)):
                if proposer.count < MOST_FACTS:
                    yield from proposer.entries(section, passage.group(match))


@dataclass(frozen=True, slots=True)
class _Known:
    """The numbers that other entries have: ``places`` of tables and values, ``dice`` that a mechanic rolls everywhere.

    ``rolled`` are the dice of random tables, each with the span of a section with such a table.
    """

    places: Sequence[Span]
    dice: frozenset[str]
    rolled: frozenset[tuple[str, Span]]

    @classmethod
    def of(cls, draft: GameDraft, mechanics: Sequence[Mechanic], rolled: Sequence[RandomTable]) -> _Known:
        """The numbers of the tables and mechanics of a game."""
        sections = draft.document.sections
        grids = [grid.span for section in sections for grid in section.grids]
        values = [value.passage.span for mechanic in mechanics for value in mechanic.printed_values]
        return cls(
            [*grids, *(table.found.span for table in draft.tables), *values],
            frozenset(dice.meaning for mechanic in mechanics for dice in mechanic.all_dice),
            frozenset(
                (_without_one(table.dice), section.text.span)
                for table in rolled
                for section in sections
                if section.text.span.holds(table.table.found.span)
            ),
        )

    def has(self, value: Passage, dice: str, section: Section) -> bool:
        """Whether a printed value of a section is known; ``dice`` are dice that no word behind them explains."""
        if dice in self.dice or (dice, section.text.span) in self.rolled:
            return True
        return any(place.holds(value.span) or value.span.holds(place) for place in self.places)


@dataclass
class _FactProposer:
    """The facts of one document, each with a new name; ``count`` is how many there are so far."""

    draft: GameDraft
    known: _Known
    count: int = 0
    told: set[tuple[str, str]] = field(default_factory=set)

    def __post_init__(self) -> None:
        prose = "\n".join(passage.text for section in self.draft.document.sections for passage in section.paragraphs)
        self.phrases: Phrases = phrases_for(self.draft.language, prose)
        words = data(self.phrases.language)
        function_words = frozenset(f"{words.get('common_words', '')} {words.get('changing_words', '')}".split())
        self._labels = {label for label in self._units(folded(prose)) if label not in function_words}
        self._style = DocumentSettings(language=self.draft.language).style
        letters = "|".join(map(re.escape, self.phrases.words.letters))
        self._dice = re.compile(rf"\d*(?:{letters})(?:\d+|F|%)(?:[+-]\d+)?", re.IGNORECASE)
        value = rf"(?:{self._dice.pattern}|\d+(?:[.,]\d+)?%)"
        self._value = re.compile(rf"(?<![\w.,/#-]){value}(?![\w/]|-\w|[.,]\d)", re.IGNORECASE)

    def _units(self, text: str) -> Iterator[str]:
        """The words, in small letters, that stand behind several values of a text as units do; not "roll 1d6 twice"."""
        values: dict[str, set[str]] = {}
        for match in _LABELLED.finditer(text):
            if not self.phrases.has("roll", match["verb"] or ""):
                values.setdefault(match["label"].casefold(), set()).add(match["value"])
        found = (label for label, printed in values.items() if len(printed) >= FEWEST_LABELLED)
        return (label for label in found if not self.phrases.has("roll", label))

    def is_example(self, section: Section, passage: Passage) -> bool:
        """Whether a paragraph stands under a title of examples, begins like an example, or is emphasised as a whole."""
        marks = (mark.span for mark in self.draft.document.marks if mark.kind is Inline.EMPHASIS)
        is_emphasised = any(mark.holds(passage.strip().span) for mark in marks)
        return is_emphasised or self.phrases.has("example", section.title) or self._opens_example(folded(passage.text))

    def _opens_example(self, text: str) -> bool:
        return any(match.start <= _OPENING for match in self.phrases.find("example", text))

    def entries(self, section: Section, sentence: Passage) -> Iterator[Entry]:
        """The facts of one sentence: the first fact has the sentence as its text, which names the other facts."""
        text = folded(sentence.text)
        matches = list(self._value.finditer(text))
        if not 0 < len(matches) <= MOST_IN_SENTENCE or self._opens_example(text):
            return
        taken = set(self.draft.ids)
        found = [(match.span(), fact) for match in matches if (fact := self._fact(section, sentence, match, taken))]
        if not found:
            return
        facts = {fact.id: fact for _, fact in found}
        place = self._place(_sentence(text, [at for at, _ in found], [*facts]), section, facts)
        if place is None:
            return
        self.draft.ids |= facts.keys()
        self.told |= {(fact.title, fact.text) for fact in facts.values()}
        self.count += len(facts)
        for number, fact in enumerate(facts.values()):
            at = sentence.span if number == 0 else None
            yield _entry(fact, place if number == 0 else None, at)

    def _fact(self, section: Section, sentence: Passage, match: re.Match[str], taken: set[str]) -> _Fact | None:
        """The fact of a printed value, which takes a new id; None for a value that is known or says nothing."""
        value, text = match[0], folded(sentence.text)
        is_dice = self._dice.fullmatch(value) is not None
        notation = "dice" if is_dice else guess_notation([value], self._style)
        label = self._label(text, match)
        says_nothing = is_dice and not label and not self.phrases.has("roll", text)
        dice = self.phrases.dice_meant(value) if is_dice and not label else ""
        if (
            says_nothing
            or not self._is_readable(value, notation)
            or self.known.has(sentence.group(match), dice, section)
        ):
            return None
        about = shorten(plain(section.title), _TITLE_LETTERS, placeholder=" …")
        titles = [label or about or "Number", f"{label} ({about})" if label and about else about]
        if any((title, value) in self.told for title in titles):
            return None
        title = next((title for title in titles if slug(title, "number") not in taken), titles[-1]) or titles[0]
        name = unused(slug(title, "number"), taken)
        taken.add(name)
        return _Fact(name, title, value, notation)

    def _is_readable(self, value: str, notation: NotationName) -> bool:
        """Whether the loader reads a value: "W100" only in a document whose language shows for sure."""
        try:
            read_value(notation, self._style.usual(value), language=self._style.language)
        except NotationError:
            return False
        return True

    def _label(self, text: str, value: re.Match[str]) -> str:
        """The word right behind a value, with a capital, where the word says what the value is; else ""."""
        match = _LABELLED.match(text, value.start())
        if match is None or match.end("value") != value.end() or match["label"].casefold() not in self._labels:
            return ""
        return match["label"][0].upper() + match["label"][1:]

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
        language = self._style.language
        finder = FactFinder(
            self.draft.document,
            lambda name: value_pattern(facts[name].notation, {}, language=language),
            style=self._style,
        )
        try:
            first = self.draft.document.sections[0].text
            statement = Statement(next(iter(facts)), place, place.section, lambda: first.span)
            found = finder.find(statement)
        except RefgenError:
            return False
        return all(folded(found[name].text) == fact.text for name, fact in facts.items())


def _without_one(dice: str) -> str:
    """Dice as phrases mean them: "d10" of "1d10"."""
    return dice[1:] if dice.startswith("1d") else dice


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
