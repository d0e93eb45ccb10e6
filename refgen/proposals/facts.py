"""Facts for the printed values of mechanics, and for dice and percentages in prose, which an author looks over.

In: the draft of a game, and the mechanics and random tables found in its document. Out: an entry for each value of a
mechanic; and an entry for each die and each percentage that a sentence says the meaning of, and that a sentence finds.

A number is left out where the words around the number do not say what it is, and where something else says the number:
a table or stat block, a mechanic, the die of a table in the same section. Sentences that are examples, or lists of
numbers, are left out as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from textwrap import shorten

from refgen.errors import NotationError
from refgen.export.model import toml_string
from refgen.languages import data
from refgen.notation.printed_cell import NotationName, read_value
from refgen.notation.values import DiceText, Interval, Number
from refgen.proposals.draft import Entry, GameDraft
from refgen.proposals.mechanics import Mechanic
from refgen.proposals.phrases import Phrases, phrases_for
from refgen.proposals.prose import PrintedValue, SentenceMaker, escape_braces, first_words, is_sentence, last_words
from refgen.proposals.random_tables import RandomTable
from refgen.proposals.stat_blocks import is_stat_block
from refgen.readers.document import Inline, Section
from refgen.rules.field_types import FactPlace
from refgen.rules.guess import guess_notation, slug, unused_name
from refgen.rules.pattern import fold_text
from refgen.rules.toml import find_unprintable
from refgen.source import Passage, plain_text
from refgen.span import Span, begins_within
from refgen.words import ENGLISH

MOST_FACTS = 20
"""A list that somebody still looks over."""

MOST_IN_SENTENCE = 4
"""A sentence with more dice and percentages is a list or a table."""

_SENTENCE = re.compile(r"[^.!?]+(?:\.(?=\w)[^.!?]*)*")
_LABELLED = re.compile(
    r"(?:(?<![^\W\d_])(?P<verb>[^\W\d_]+) )?(?<![\w.,/#-])(?P<value>\w{0,20}\d[\d.,+-]*%?) "
    r"(?P<label>[^\W\d_]{2,})(?![\w-]|\.\w)"
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
            for match in _SENTENCE.finditer(fold_text(passage.text)):
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
                (re.sub(r"^1(?=d)", "", table.dice), section.text.span)
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
    stated: set[tuple[str, str]] = field(default_factory=set)

    def __post_init__(self) -> None:
        prose = "\n".join(passage.text for section in self.draft.document.sections for passage in section.paragraphs)
        self.phrases: Phrases = phrases_for(self.draft.language, prose)
        words = data(self.phrases.language)
        function_words = frozenset(f"{words.get('common_words', '')} {words.get('changing_words', '')}".split())
        self._labels = {label for label in self._units(fold_text(prose)) if label not in function_words}
        self._style = self.draft.style
        self._sentences = SentenceMaker(self.draft.document, self._style)
        marks = self.draft.document.marks
        self._is_emphasised = begins_within(mark.span for mark in marks if mark.kind is Inline.EMPHASIS)
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
        return (
            self._is_emphasised(passage.strip().span.start)
            or self.phrases.has("example", section.title)
            or self._opens_example(fold_text(passage.text))
        )

    def _opens_example(self, text: str) -> bool:
        return any(match.start <= _OPENING for match in self.phrases.find("example", text))

    def entries(self, section: Section, sentence: Passage) -> Iterator[Entry]:
        """The facts of one sentence: the first fact has the sentence as its text, which names the other facts."""
        text = fold_text(sentence.text)
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
        self.stated |= {(fact.title, fact.text) for fact in facts.values()}
        self.count += len(facts)
        for number, fact in enumerate(facts.values()):
            where = ", in the same sentence" if number else f" at {sentence.span}"
            lines = fact_lines(fact.title, None if number else place, fact.notation)
            yield Entry(f"[facts.{fact.id}]", lines, [f"{fact.notation}: {toml_string(fact.text)}{where}"])

    def _fact(self, section: Section, sentence: Passage, match: re.Match[str], taken: set[str]) -> _Fact | None:
        """The fact of a printed value, which takes a new id; None for a value that is known or says nothing."""
        value, text = match[0], fold_text(sentence.text)
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
        about = shorten(plain_text(section.title), _TITLE_LETTERS, placeholder=" …")
        titles = [label or about or self.draft.words("number"), f"{label} ({about})" if label and about else about]
        if any((title, value) in self.stated for title in titles):
            return None
        title = next((title for title in titles if slug(title, "number") not in taken), titles[-1]) or titles[0]
        name = unused_name(slug(title, "number"), taken)
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
        if not is_sentence(text) or find_unprintable(section.title):
            return None
        for title in (None, section.title or None):
            place = FactPlace(text=text, section=title)
            found = self._sentences.found(place, {name: fact.notation for name, fact in facts.items()})
            if found and all(fold_text(found[name].text) == fact.text for name, fact in facts.items()):
                return place
        return None


def _sentence(text: str, found: Sequence[tuple[int, int]], names: Sequence[str]) -> str:
    """The words around some values, with a name for each and … for what is far from them."""
    pieces = [escape_braces(last_words(text[: found[0][0]], _BEFORE))]
    for number, (name, (_, end)) in enumerate(zip(names, found, strict=True)):
        pieces.append(f"{{{name}}}")
        is_last = number == len(found) - 1
        behind = text[end:] if is_last else text[end : found[number + 1][0]]
        pieces.append(escape_braces(first_words(behind, _BEHIND) if is_last else _shorten_text(behind)))
    return "".join(pieces).strip()


def _shorten_text(text: str) -> str:
    """The words between two values, without those in the middle of many."""
    if len(text.split()) <= _BETWEEN:
        return text
    return f"{first_words(text, _BEHIND)} … {last_words(text, 1)}"


def fact_lines(title: str, place: FactPlace | None, notation: NotationName) -> Sequence[str]:
    """The lines of a fact in system.toml; without a place, those of a fact that another sentence names."""
    lines = [f"title = {toml_string(title)}"]
    if place is not None:
        lines += [f"section = {toml_string(place.section)}"] if place.section else []
        lines.append(f"text = {toml_string(place.text or '')}")
        pairs = ", ".join(f"{toml_string(printed)} = {toml_string(meant)}" for printed, meant in place.read.items())
        lines += [f"read = {{ {pairs} }}"] if pairs else []
    return [*lines, *([f'type = "{notation}"'] if notation != "number" else [])]


@dataclass
class FactWriter:
    """Makes the facts of one game."""

    draft: GameDraft
    facts: list[Entry] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._style = self.draft.style
        self._sentences = SentenceMaker(self.draft.document, self._style)

    @property
    def found(self) -> bool:
        """Whether every fact so far has a sentence that finds its value."""
        return all(fact.certain for fact in self.facts)

    def fact(self, name: str, values: Sequence[PrintedValue], notation: NotationName = "number") -> str:
        """The id of a new fact for a value that is printed at one or more places: the first that a sentence finds.

        ``name`` is the id of the text that is the title; the id of the fact is the title in English.
        """
        title, fact_id = self.draft.words(name), self.draft.new_id(ENGLISH(name), "value")
        places = (
            (value, self._sentences.place(fact_id, value, notation, self._reading(value, notation))) for value in values
        )
        value, place = next(((value, place) for value, place in places if place), (values[0], None))
        evidence = [f"{title}: {value.words}"]
        if place is None:
            evidence.append("No sentence finds this value alone: write its text.")
        lines = fact_lines(title, place, notation)
        self.facts.append(Entry(f"[facts.{fact_id}]", lines, evidence, certain=place is not None))
        return fact_id

    def entries(self, *, certain: bool) -> Iterable[Entry]:
        """The entries of all facts."""
        return (replace(fact, certain=certain and fact.certain) for fact in self.facts)

    def _reading(self, value: PrintedValue, notation: NotationName) -> Mapping[str, str]:
        """The reading of a print that the notation alone does not read as it is meant, such as "two six-sided dice"."""
        printed, meaning = plain_text(value.passage.text), value.meaning
        if notation == "number":  # success on "5+" is the number 5
            meaning = meaning.rstrip("+")
        try:
            read = read_value(notation, self._style.usual(printed), language=self._style.language)
        except NotationError:
            return {printed: meaning}
        return {} if read == read_value(notation, meaning) or _has_meaning(read, meaning) else {printed: meaning}


def _has_meaning(read: object, meaning: str) -> bool:
    """Whether a value that was read is what the print means."""
    if isinstance(read, DiceText):
        return read.expression.removeprefix("1d").removeprefix("d") == meaning.removeprefix("d")
    if isinstance(read, Interval):
        return meaning.startswith(str(read.low))
    return isinstance(read, Number) and str(read.value) == meaning
