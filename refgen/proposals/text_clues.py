"""Clues in the prose of a document: the places and values that phrases of its language find, and the dice near them.

In: the prose of a document and the phrases of its language. Out: TextClues, which say where each clue stands, which
dice belong to a place, and how much sentences read like a main rule. "2D" are 2d6 where the document speaks of
six-sided dice alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from refgen.proposals.phrases import Clue, ClueMatch, Phrases, faces
from refgen.proposals.prose import PrintedValue, Prose
from refgen.rules.pattern import fold_text

_SENTENCES_BEFORE = 3
"""How many sentences before an outcome may name its dice."""

_JOINT = 12
"""The letters between two dice that are rolled together, at most: "and another"."""

_PERCENT = 100
"""The result that percentile dice print as 00."""

_SEVERAL = frozenset(("middle", "success", "face"))
"""The names of values that may be several numbers: "7-9", "5 or 6"."""

CERTAIN: Sequence[Clue] = ("always", "never")
"""The clues of faces that decide a roll alone."""

_OF_ROLLS: Sequence[Clue] = ("roll", "test")
_OF_RESULTS: Sequence[Clue] = ("test", "roll", "success", "trait")


@dataclass
class TextClues:
    """The clues in the prose of one document."""

    proses: Sequence[Prose]
    phrases: Phrases
    _found: dict[tuple[int, Clue], Sequence[ClueMatch]] = field(default_factory=dict)
    _usual: dict[bool, PrintedValue | None] = field(default_factory=dict)

    @cached_property
    def rolls(self) -> Sequence[Prose]:
        """The sections that speak of rolls or name dice."""
        return [
            prose for prose in self.proses if self.phrases.has("roll", prose.text) or any(self.phrases.dice(prose.text))
        ]

    def values(self, clue: Clue, name: str) -> Iterator[tuple[PrintedValue, str]]:
        """The values with a name in the phrases of a clue, anywhere in the document, each with its sentence."""
        for prose in self.rolls:
            for match in self.matches(prose, clue):
                if name in match.values:
                    yield self.value(prose, match, name), self.sentence(prose, match.start)

    def places(self, clue: Clue, proses: Iterable[Prose] | None = None) -> Iterator[PrintedValue]:
        """The places where a clue stands in some sections, or in all that speak of rolls."""
        for prose in self.rolls if proses is None else proses:
            for match in self.matches(prose, clue):
                yield prose.value(match.start, match.end, "")

    def is_of_every_roll(self, prose: Prose) -> bool:
        """Whether the heading of a section is about rolls and their results in general."""
        title = prose.section.title
        return any(self.phrases.has(clue, title) for clue in _OF_RESULTS) and not (
            self.phrases.has("special", title) or self.phrases.has("attack", title)
        )

    def has_other_certain_results(self, prose: Prose) -> bool:
        """Whether results always succeed or fail that no single face stands for, in more than attacks alone."""
        known = [place for clue in CERTAIN for place in self.matches(prose, clue)]
        return any(
            not any(face.start <= place.start < face.end or face.start < place.end <= face.end for face in known)
            and not self.phrases.has("of-attacks", self.sentence(prose, place.start))
            for place in self.matches(prose, "certain-results")
        )

    @cached_property
    def has_trait_dice(self) -> bool:
        """Whether traits are dice in the whole document, which reach difficulties."""
        clues: Sequence[Clue] = ("trait-dice", "reach-difficulty")
        return all(any(self.matches(prose, clue) for prose in self.rolls) for clue in clues)

    def matches(self, prose: Prose, clue: Clue) -> Sequence[ClueMatch]:
        """The places of a clue in the text of a section."""
        key = id(prose), clue
        if key not in self._found:
            self._found[key] = list(self.phrases.find(clue, prose.text))
        return self._found[key]

    def sentence(self, prose: Prose, place: int) -> str:
        """The sentence in which a place of the text lies."""
        start, end = prose.sentences[prose.sentence_at(place)]
        return prose.text[start:end]

    def value(self, prose: Prose, match: ClueMatch, name: str) -> PrintedValue:
        """A value of a match, with its meaning."""
        start, end = match.values[name]
        printed = prose.text[start:end]
        if name == "dice":
            return prose.value(start, end, self.phrases.dice_meant(printed))
        numbers = self.phrases.numbers_meant(printed)
        if name == "face" and re.fullmatch(r"(.*\D)?00", printed):
            numbers = [*numbers[:-1], _PERCENT]
        if name == "middle":
            numbers = [numbers[0], numbers[-1]]
        return prose.value(start, end, "-".join(map(str, numbers)) if name in _SEVERAL else str(numbers[0]))

    def dice_of(self, prose: Prose, match: ClueMatch, *, is_pool: bool) -> tuple[PrintedValue | None, int, str]:
        """The dice of an outcome, how many different dice stand near the outcome, and the text from these dice on.

        The dice stand in the sentence of the outcome or in the nearest sentence before; else they are the usual dice of
        the document, None where it names none.
        """
        near, window = self._dice_near(prose, match)
        return (near[0] if near else self.usual_dice(is_pool=is_pool)), len(near), window

    def _dice_near(self, prose: Prose, match: ClueMatch) -> tuple[Sequence[PrintedValue], str]:
        """Of dice that are printed twice, the first; but all of those that are joined, as in "d6 - d6"."""
        number = prose.sentence_at(match.start)
        end = prose.sentences[number][1]
        for start, stop in reversed(prose.sentences[max(0, number - _SENTENCES_BEFORE) : number + 1]):
            found, window = self.dice_in(prose, start, stop), prose.text[start:end]
            if found and any(self.phrases.has(clue, f"{prose.section.title}\n{window}") for clue in _OF_ROLLS):
                different = {value.meaning: value for value in reversed(found)}
                return found if self._are_joined(prose.text[start:stop]) else list(different.values()), window
        return (), self.sentence(prose, match.start)

    def _are_joined(self, text: str) -> bool:
        """Whether two of the dice in a text stand side by side, with one short word or mark between them."""
        between = (text[end:start].strip() for (_, end), (start, _) in pairwise(self.phrases.dice(text)))
        return any(0 < len(words) <= _JOINT and "(" not in words and "," not in words for words in between)

    def has_number_before(self, dice: PrintedValue) -> bool:
        """Whether a number stands one word before some dice, as in "two ordinary d6": it may be their number."""
        words = re.search(r"([^\W_]+) ([^\W\d_]{4,}) $", fold_text(dice.piece.text)[: dice.start])
        if words is None or self.phrases.has("roll", words[2]):
            return False
        return any(number > 1 for number in self.phrases.numbers_meant(words[1]))

    def dice_in(self, prose: Prose, start: int, end: int) -> Sequence[PrintedValue]:
        """The dice between two places of the text."""
        text = prose.text[start:end]
        return [
            prose.value(start + first, start + last, self.phrases.dice_meant(text[first:last]))
            for first, last in self.phrases.dice(text)
        ]

    def usual_dice(self, *, is_pool: bool) -> PrintedValue | None:
        """The dice that the whole document rolls, where its sentences about them name the same."""
        if is_pool not in self._usual:
            self._usual[is_pool] = self._find_usual_dice(is_pool=is_pool)
        return self._usual[is_pool]

    def _find_usual_dice(self, *, is_pool: bool) -> PrintedValue | None:
        clue: Clue = "usual-dice" if is_pool else "base-roll"
        found = [value for value, _ in self.values(clue, "dice")]
        if not found and is_pool:
            found = [value for prose in self.rolls for value in self.dice_in_sentences(prose, "pool")]
        return found[0] if len({value.meaning for value in found}) == 1 else None

    def dice_in_sentences(self, prose: Prose, clue: Clue) -> Iterator[PrintedValue]:
        """The dice in the sentences of a section that have a clue."""
        for start, end in prose.sentences:
            if self.phrases.has(clue, prose.text[start:end]):
                yield from self.dice_in(prose, start, end)

    def score(self, prose: Prose, window: str, number: int) -> int:
        """How much some sentences read like a main rule."""
        has, title = self.phrases.has, prose.section.title
        behind = prose.sentences[number + 1] if number + 1 < len(prose.sentences) else (0, 0)
        with_next = window + prose.text[slice(*behind)]
        score = sum(has(clue, window) for clue in ("test", "trait", "success")) + has("failure", with_next)
        score += has("test", title) or has("roll", title)
        return score - 3 * has("special", window) - 6 * has("special", title)


_BARE = re.compile(r"(?<![\w.,/-])([1-9])D(?![\w/-])")
_SIDES = 6
_SIX_SIDED = frozenset((_SIDES, 66, 666))
"""The faces of six-sided dice, and of those that are read as digits: D66."""


def with_bare_dice(phrases: Phrases, proses: Iterable[Prose]) -> Phrases:
    """Phrases that read "2D" as 2d6, where sentences about rolls print such dice."""
    found = {match[0]: f"{match[1]}d{_SIDES}".removeprefix("1") for match in _bare_dice(phrases, proses)}
    return phrases.with_dice(found) if found else phrases


def _bare_dice(phrases: Phrases, proses: Iterable[Prose]) -> Iterator[re.Match[str]]:
    for prose in proses:
        for start, end in prose.sentences:
            sentence = prose.text[start:end]
            if phrases.has("roll", sentence):
                yield from _BARE.finditer(sentence)


def doubts_of_faces(dice: PrintedValue, text: str, phrases: Phrases) -> Sequence[str]:
    """Why the faces of printed dice are not sure: a document with bare dice prints no six-sided ones, or others too."""
    if not _BARE.fullmatch(dice.passage.text):
        return ()
    printed = {text[start:end] for start, end in phrases.dice(text)}
    sides = {faces(phrases.dice_meant(one))[1] for one in printed if not _BARE.fullmatch(one)}
    if sides and sides <= _SIX_SIDED:
        return ()
    others = " alone" if sides & _SIX_SIDED else ""
    return [f"The document does not say that {dice.passage.text} are six-sided dice{others}."]
