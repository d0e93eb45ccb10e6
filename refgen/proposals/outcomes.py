"""Outcomes of rolls as single places of a document tell of them: which dice, and when a roll succeeds.

In: the prose of a document and the phrases of its language. Out: Outcomes, each with a score of how much its sentences
read like a main rule; and the places and values of all other clues.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from refgen.proposals.phrases import Clue, ClueMatch, Phrases
from refgen.proposals.prose import PrintedValue, Prose

_DICE = re.compile(r"(\d*)d(\d+|F)")
_SENTENCES_BEFORE = 3
"""How many sentences before an outcome may name its dice."""

_MAIN = 1
"""The least score of a main rule; a special case scores less."""

_BANDS, _SUM, _STEPS = 2, 2, 2
"""What bands of results, added pools and dice of traits score for their form alone, which nothing else in rules has."""

_MOST_ADDED = 10
"""How far a target lies above the highest roll, at most."""

_PERCENT = 100
"""The result that percentile dice print as 00."""

_LIST = 30
"""Characters before a number that show whether the number is the last of a list."""

_SEVERAL = frozenset(("middle", "success", "face"))
"""The names of values that may be several numbers: "7-9", "5 or 6"."""

OUTCOMES: Sequence[Clue] = (
    "reach",
    "reach-over",
    "reach-difficulty",
    "reach-open",
    "under",
    "under-open",
    "count",
    "count-difficulty",
)
"""The clues of single sentences that say when a roll succeeds."""

CERTAIN: Sequence[Clue] = ("always", "never")
"""The clues of faces that decide a roll alone."""

_NUMBERED: frozenset[Clue] = frozenset(("reach", "reach-over"))
"""The clues of outcomes with a number to reach."""

_OF_TRAITS: Sequence[Clue] = ("trait", "test")
_OF_ROLLS: Sequence[Clue] = ("roll", "test")
_OF_RESULTS: Sequence[Clue] = ("test", "roll", "success", "trait")

_POOLED: frozenset[Clue] = frozenset(("count", "count-difficulty"))


def faces(dice: str) -> tuple[int, int | None]:
    """How many dice in refgen's notation, and their highest face; None for dice without one number of faces."""
    match = _DICE.fullmatch(dice)
    if match is None:
        return 1, None
    return int(match[1] or 1), 1 if match[2] == "F" else int(match[2])


@dataclass(frozen=True)
class Outcome:
    """A place that tells when a roll succeeds, by a clue, dice and values; the ``score`` of a main rule is high."""

    clue: Clue
    prose: Prose
    dice: PrintedValue
    values: Mapping[str, PrintedValue]
    score: int

    @property
    def is_open(self) -> bool:
        """Whether the words leave open if an equal result succeeds."""
        return self.clue.endswith("-open")

    @property
    def meaning(self) -> tuple[object, ...]:
        """The clue, dice and values in refgen's notation: outcomes with the same meaning say the same."""
        return self.clue, self.dice.meaning, *(f"{name} {value.meaning}" for name, value in sorted(self.values.items()))


@dataclass
class TextClues:
    """The clues in the prose of one document."""

    proses: Sequence[Prose]
    phrases: Phrases
    _found: dict[tuple[int, Clue], Sequence[ClueMatch]] = field(default_factory=dict)

    def outcomes(self) -> Iterator[Outcome]:
        """Every outcome of a roll whose dice are known."""
        for prose in self.rolls:
            bands = list(self._bands(prose))
            yield from bands
            for clue in OUTCOMES:
                for match in self._matches(prose, clue):
                    if not (
                        self._is_fixed(prose, match) or (clue in _NUMBERED and (bands or self._is_part(prose, match)))
                    ):
                        yield from self._outcome(prose, match)
            yield from self._sum(prose)
            yield from self._highest(prose)

    @cached_property
    def rolls(self) -> Sequence[Prose]:
        """The sections that speak of rolls or name dice."""
        return [prose for prose in self.proses if self.phrases.has("roll", prose.text) or self._dice_in(prose.text)]

    def values(self, clue: Clue, name: str) -> Iterator[tuple[PrintedValue, str]]:
        """The values with a name in the phrases of a clue, anywhere in the document, each with its sentence."""
        for prose in self.proses if clue == "range" else self.rolls:
            for match in self._matches(prose, clue):
                if name in match.values:
                    yield self._value(prose, match, name), self._sentence(prose, match.start)

    def places(self, clue: Clue, proses: Iterable[Prose] | None = None) -> Iterator[PrintedValue]:
        """The places where a clue stands in some sections, or in all that speak of rolls."""
        for prose in self.rolls if proses is None else proses:
            for match in self._matches(prose, clue):
                yield prose.value(match.start, match.end, "")

    def is_of_traits(self, prose: Prose, sentence: str) -> bool:
        """Whether a sentence adds a trait to a roll, or stands under a heading that names traits or tests."""
        headed = any(self.phrases.has(clue, prose.section.title) for clue in _OF_TRAITS)
        return headed or self.phrases.has("base-roll", sentence)

    def is_of_every_roll(self, prose: Prose) -> bool:
        """Whether the heading of a section is about rolls and their results in general."""
        title = prose.section.title
        return any(self.phrases.has(clue, title) for clue in _OF_RESULTS) and not (
            self.phrases.has("special", title) or self.phrases.has("attack", title)
        )

    def _matches(self, prose: Prose, clue: Clue) -> Sequence[ClueMatch]:
        key = id(prose), clue
        if key not in self._found:
            self._found[key] = list(self.phrases.find(clue, prose.text))
        return self._found[key]

    def _sentence(self, prose: Prose, place: int) -> str:
        start, end = prose.sentences[prose.sentence_at(place)]
        return prose.text[start:end]

    def _value(self, prose: Prose, match: ClueMatch, name: str) -> PrintedValue:
        start, end = match.values[name]
        printed = prose.text[start:end]
        if name == "dice":
            return prose.value(start, end, self.phrases.dice_meant(printed))
        numbers = self.phrases.numbers_meant(printed)
        if name == "face" and re.fullmatch(r"(.*\D)?00", printed):
            numbers = [*numbers[:-1], _PERCENT]
        return prose.value(start, end, "-".join(map(str, numbers)) if name in _SEVERAL else str(numbers[0]))

    def _outcome(self, prose: Prose, match: ClueMatch) -> Iterator[Outcome]:
        number = prose.sentence_at(match.start)
        near, window = self._dice_of(prose, match, number)
        is_pool = match.clue in _POOLED
        dice = near[0] if near else self._usual_dice(is_pool)
        is_cut = any(
            self.phrases.is_last_of_list(prose.text[max(0, start - _LIST) : start])
            for start, _ in match.values.values()
        )
        if dice is None or len(near) > 1 or is_cut or (is_pool and not self._is_pool(prose)):
            return
        values = {name: self._value(prose, match, name) for name in match.values if name != "dice"}
        if "success" in values:
            values["success"] = self._success(prose, match, values["success"], dice)
        score = self._score(prose, window, number)
        is_rule = self._is_total(match.clue, window) and self._is_whole(match.clue, prose, window, number)
        if score >= _MAIN and is_rule and _is_possible(dice, values):
            yield Outcome(match.clue, prose, dice, values, score - (not near))

    def _is_fixed(self, prose: Prose, match: ClueMatch) -> bool:
        """Whether the difficulty of a sentence is a number that the sentence names."""
        start, end = prose.sentences[prose.sentence_at(match.start)]
        reached = (one.start for clue in _NUMBERED for one in self._matches(prose, clue))
        return match.clue == "reach-difficulty" and any(start <= place < end for place in reached)

    def _is_part(self, prose: Prose, match: ClueMatch) -> bool:
        """Whether a number to reach is that of each die of a pool, or how far a total is beyond the number to reach."""
        clues: Sequence[Clue] = ("count", "margin", "reach") if match.clue == "reach-over" else ("count", "margin")
        wholes = [whole for clue in clues for whole in self._matches(prose, clue)]
        return any(whole.start < match.end and match.start < whole.end for whole in wholes)

    def _is_pool(self, prose: Prose) -> bool:
        return self.phrases.has("pool", prose.text)

    def _success(self, prose: Prose, match: ClueMatch, value: PrintedValue, dice: PrintedValue) -> PrintedValue:
        """The faces of success with "+" behind where every higher face is one as well."""
        numbers = self.phrases.numbers_meant(value.passage.text)
        _, sides = faces(dice.meaning)
        behind = prose.text[match.values["success"][1] : match.end]
        goes_up = self.phrases.has("or-more", behind.lstrip(" ,")) or behind.startswith("+") or max(numbers) == sides
        meaning = f"{min(numbers)}+" if goes_up else "-".join(map(str, numbers))
        return PrintedValue(value.prose, value.piece, value.start, value.end, meaning)

    def _dice_of(self, prose: Prose, match: ClueMatch, number: int) -> tuple[Sequence[PrintedValue], str]:
        """The different dice in the sentence of an outcome, or in the nearest sentence before; and the text from there.

        Of dice that are printed twice, the first.
        """
        end = prose.sentences[number][1]
        for before in range(number, max(-1, number - _SENTENCES_BEFORE - 1), -1):
            start, stop = prose.sentences[before]
            found = self._dice_in(prose.text[start:stop])
            window = prose.text[start:end]
            if found and not any(self.phrases.has(clue, f"{prose.section.title}\n{window}") for clue in _OF_ROLLS):
                continue
            if found:
                values = (self._dice_at(prose, start + first, start + last) for first, last in reversed(found))
                return list({value.meaning: value for value in values}.values()), window
        return (), self._sentence(prose, match.start)

    def _dice_at(self, prose: Prose, start: int, end: int) -> PrintedValue:
        return prose.value(start, end, self.phrases.dice_meant(prose.text[start:end]))

    def _dice_in(self, text: str) -> Sequence[tuple[int, int]]:
        return list(self.phrases.dice(text))

    def _usual_dice(self, is_pool: bool) -> PrintedValue | None:
        """The dice that the whole document rolls, where its sentences about them name the same."""
        clue: Clue = "usual-dice" if is_pool else "base-roll"
        found = [value for value, _ in self.values(clue, "dice")]
        if not found and is_pool:
            found = list(self._pool_dice())
        return found[0] if len({value.meaning for value in found}) == 1 else None

    def _pool_dice(self) -> Iterator[PrintedValue]:
        """The dice in sentences about pools."""
        for prose in self.rolls:
            for start, end in prose.sentences:
                text = prose.text[start:end]
                if self.phrases.has("pool", text):
                    yield from (
                        self._dice_at(prose, start + first, start + last) for first, last in self._dice_in(text)
                    )

    def _is_total(self, clue: Clue, window: str) -> bool:
        """Whether all dice together make a total, or the clue is one of pools, and no dice are chosen."""
        alone: Sequence[Clue] = ("choose",) if clue in _POOLED else ("choose", "pool", "each-die")
        return not any(self.phrases.has(one, window) for one in alone)

    def _score(self, prose: Prose, window: str, number: int) -> int:
        """How much some sentences read like a main rule."""
        has, title = self.phrases.has, prose.section.title
        behind = prose.sentences[number + 1] if number + 1 < len(prose.sentences) else (0, 0)
        with_next = window + prose.text[slice(*behind)]
        score = sum(has(clue, window) for clue in ("test", "trait", "success")) + has("failure", with_next)
        score += has("test", title) or has("roll", title)
        return score - 3 * has("special", window) - 6 * has("special", title)

    def _is_whole(self, clue: Clue, prose: Prose, window: str, number: int) -> bool:
        """Whether the sentences about an outcome say that something succeeds, and whose trait or test it is."""
        has = self.phrases.has
        around = prose.text[slice(prose.sentences[max(0, number - 1)][0], None)][: len(window) + 400]
        is_test = (
            has("trait", window) or has("modifier", window) or has("test", window) or has("test", prose.section.title)
        )
        succeeds = has("success", window) or has("failure", window) or has("success", around) or has("failure", around)
        if clue in _NUMBERED:
            return is_test and succeeds
        return succeeds if clue in _POOLED else is_test

    def _bands(self, prose: Prose) -> Iterator[Outcome]:
        """The bands of results in a section: one from the number above, one to the number below the middle band."""
        highs = {match.values["high"]: match for match in self._matches(prose, "high-band")}
        lows = {match.values["low"]: match for match in self._matches(prose, "low-band")}
        for match in self._matches(prose, "middle-band"):
            middle = self._value(prose, match, "middle")
            low, high = self.phrases.numbers_meant(middle.meaning)
            above = [m for m in highs.values() if self._value(prose, m, "high").meaning == str(high + 1)]
            below = [m for m in lows.values() if self._value(prose, m, "low").meaning == str(low - 1)]
            number = prose.sentence_at(match.start)
            text = prose.text[prose.sentences[number][0] :]
            if above and (below or self.phrases.has("failure", text)):
                near, window = self._dice_of(prose, above[0], prose.sentence_at(above[0].start))
                dice = near[0] if near else self._usual_dice(is_pool=False)
                if dice is not None and len(near) <= 1:
                    values = {"high": self._value(prose, above[0], "high"), "middle": middle}
                    yield Outcome("high-band", prose, dice, values, self._score(prose, window, number) + _BANDS)
                    return

    def banded(self, prose: Prose) -> Outcome | None:
        """The outcome of a section whose table has bands of results: of the only dice that the section rolls."""
        dice = {
            value.meaning: value
            for start, end in prose.sentences
            if self.phrases.has("roll", prose.text[start:end])
            for first, last in self._dice_in(prose.text[start:end])
            if (value := self._dice_at(prose, start + first, start + last))
        }
        score = self._score(prose, prose.text, len(prose.sentences)) + _BANDS
        if len(dice) != 1 or score < _MAIN:
            return None
        return Outcome("band-table", prose, next(iter(dice.values())), {}, score)

    def stepped(self, prose: Prose) -> Outcome | None:
        """The outcome of a section that says that traits are dice, with the number to reach of the section, if any."""
        match = next(iter(self._matches(prose, "step-die")), None)
        if match is None:
            return None
        reached = self._matches(prose, "reach")
        values = {"target": self._value(prose, reached[0], "target")} if len(reached) == 1 else {}
        score = self._score(prose, self._sentence(prose, match.start), prose.sentence_at(match.start)) + _STEPS
        return Outcome("step-die", prose, prose.value(match.start, match.end, ""), values, score)

    def _highest(self, prose: Prose) -> Iterator[Outcome]:
        """The section that says what the highest die of a pool means: its highest face, and the faces below."""
        for match in self._matches(prose, "highest-die"):
            near, window = self._dice_of(prose, match, prose.sentence_at(match.start))
            dice = near[0] if near else self._usual_dice(is_pool=True)
            count, sides = faces(dice.meaning) if dice else (1, None)
            if dice is None or len(near) > 1 or count != 1 or sides is None:
                continue
            middles = [self._value(prose, one, "middle") for one in self._matches(prose, "middle-faces")]
            tops = [self._value(prose, one, "high") for one in self._matches(prose, "top-face")]
            middle = [one for one in middles if self.phrases.numbers_meant(one.meaning)[-1:] == [sides - 1]]
            top = [one for one in tops if one.meaning == str(sides)]
            if middle and top:
                score = self._score(prose, window, prose.sentence_at(match.start)) + _BANDS
                yield Outcome("highest-die", prose, dice, {"high": top[0], "middle": middle[0]}, score)
                return

    def _sum(self, prose: Prose) -> Iterator[Outcome]:
        """A section that says how the dice of a pool are added."""
        for match in self._matches(prose, "sum"):
            near, window = self._dice_of(prose, match, prose.sentence_at(match.start))
            dice = near[0] if near else self._usual_dice(is_pool=True)
            chosen = self.phrases.has("choose", window)
            if dice is not None and not chosen and faces(dice.meaning)[0] == 1 and self._has_trait_dice:
                number = prose.sentence_at(match.start)
                yield Outcome("sum", prose, dice, {}, self._score(prose, window, number) + _SUM)
                return

    def has_other_certain_results(self, prose: Prose) -> bool:
        """Whether results always succeed or fail that no single face stands for, such as "96-00 always fails"."""
        known = [place for clue in CERTAIN for place in self._matches(prose, clue)]
        return any(
            not any(face.start <= place.start < face.end for face in known)
            for place in self._matches(prose, "certain-results")
        )

    @cached_property
    def _has_trait_dice(self) -> bool:
        """Whether traits are dice in the whole document, which reach difficulties."""
        clues: Sequence[Clue] = ("trait-dice", "reach-difficulty")
        return all(any(self._matches(prose, clue) for prose in self.rolls) for clue in clues)


def _is_possible(dice: PrintedValue, values: Mapping[str, PrintedValue]) -> bool:
    """Whether the dice may miss and may reach a target."""
    count, sides = faces(dice.meaning)
    target = values.get("target") or values.get("over")
    return target is None or sides is None or count < int(target.meaning) <= count * sides + _MOST_ADDED
