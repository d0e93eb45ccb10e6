"""Outcomes of rolls as single places of a document tell of them: which dice, and when a roll succeeds.

In: TextClues. Out: Outcomes, each with a score of how much its sentences read like a main rule; and for the Outcomes of
one mechanic the CertainFaces, which succeed or fail whatever the trait: "a 20 always succeeds", "96-00 is a fumble".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from refgen.proposals.phrases import Clue, ClueMatch, faces
from refgen.proposals.prose import PrintedValue, Prose
from refgen.proposals.text_clues import CERTAIN, TextClues

_MAIN = 1
"""The least score of a main rule; a special case scores less."""

_BANDS, _SUM, _STEPS = 2, 2, 2
"""The scores of bands of results, added pools and dice of traits for their form alone, which only rules have."""

_MOST_ADDED = 10
"""How far a target lies above the highest roll, at most."""

_LIST = 30
"""Characters before a number that show whether the number is the last of a list."""

_SIGNED = re.compile(r"(?:(?<!\d)-)?\d+")
"""A number, in which a hyphen behind a digit is no sign."""

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

_NUMBERED: frozenset[Clue] = frozenset(("reach", "reach-over"))
"""The clues of outcomes with a number to reach."""

_POOLED: frozenset[Clue] = frozenset(("count", "count-difficulty"))


@dataclass(frozen=True)
class Outcome:
    """A place that tells when a roll succeeds, by a clue, dice and values; the ``score`` of a main rule is high.

    ``of_attacks``: the place is about attacks alone.
    """

    clue: Clue
    prose: Prose
    dice: PrintedValue
    values: Mapping[str, PrintedValue]
    score: int
    of_attacks: bool = False

    @property
    def is_open(self) -> bool:
        """Whether the words leave open if an equal result succeeds."""
        return self.clue.endswith("-open")

    @property
    def meaning(self) -> tuple[object, ...]:
        """The clue, dice and values in refgen's notation: outcomes with the same meaning say the same."""
        return self.clue, self.dice.meaning, *(f"{name} {value.meaning}" for name, value in sorted(self.values.items()))


@dataclass(frozen=True)
class OutcomeFinder:
    """Finds the outcomes in the prose of one document."""

    clues: TextClues

    def outcomes(self) -> Iterator[Outcome]:
        """Every outcome of a roll whose dice are known."""
        for prose in self.clues.rolls:
            is_banded = self._has_further_bands(prose)
            bands, highest = [] if is_banded else list(self._bands(prose)), list(self._highest_die(prose))
            yield from (*bands, *highest)
            for clue in OUTCOMES:
                for match in self.clues.matches(prose, clue):
                    if not (
                        self._is_fixed(prose, match)
                        or (highest and clue in _POOLED)
                        or (clue in _NUMBERED and (is_banded or bands or self._is_part(prose, match)))
                    ):
                        yield from self._outcome(prose, match)
            yield from self._sum(prose)

    def banded(self, prose: Prose) -> Outcome | None:
        """The outcome of a section whose table has bands of results: of the only dice that the section rolls."""
        dice = {value.meaning: value for value in self.clues.dice_in_sentences(prose, "roll")}
        score = self.clues.score(prose, prose.text, len(prose.sentences)) + _BANDS
        if len(dice) != 1 or score < _MAIN:
            return None
        return Outcome("band-table", prose, next(iter(dice.values())), {}, score)

    def stepped(self, prose: Prose) -> Outcome | None:
        """The outcome of a section that says that traits are dice, with the number to reach of the section, if any."""
        match = next(iter(self.clues.matches(prose, "step-die")), None)
        if match is None:
            return None
        reached = self.clues.matches(prose, "reach")
        values = {"target": self.clues.value(prose, reached[0], "target")} if len(reached) == 1 else {}
        score = (
            self.clues.score(prose, self.clues.sentence(prose, match.start), prose.sentence_at(match.start)) + _STEPS
        ) + len(values)
        return Outcome("step-die", prose, prose.value(match.start, match.end, ""), values, score)

    def _outcome(self, prose: Prose, match: ClueMatch) -> Iterator[Outcome]:
        number = prose.sentence_at(match.start)
        is_pool = match.clue in _POOLED
        dice, near, window = self.clues.dice_of(prose, match, is_pool=is_pool)
        is_cut = any(
            self.clues.phrases.is_last_of_list(prose.text[max(0, start - _LIST) : start])
            for start, _ in match.values.values()
        )
        if dice is None or near > 1 or is_cut or not self._is_counted(dice, prose, is_pool=is_pool):
            return
        values = {name: self.clues.value(prose, match, name) for name in match.values if name != "dice"}
        if "success" in values:
            values["success"] = self._success(prose, match, values["success"], dice)
        score = self.clues.score(prose, window, number)
        is_rule = self._is_total(match.clue, window) and self._is_whole(match.clue, prose, window, number)
        if score >= _MAIN and is_rule and _is_possible(dice, values):
            of_attacks = self.clues.phrases.has("of-attacks", window)
            yield Outcome(match.clue, prose, dice, values, score - (not near), of_attacks)

    def _is_fixed(self, prose: Prose, match: ClueMatch) -> bool:
        """Whether the difficulty of a sentence is a number that the sentence names."""
        start, end = prose.sentences[prose.sentence_at(match.start)]
        reached = (one.start for clue in _NUMBERED for one in self.clues.matches(prose, clue))
        return match.clue == "reach-difficulty" and any(start <= place < end for place in reached)

    def _is_part(self, prose: Prose, match: ClueMatch) -> bool:
        """Whether a number to reach is that of each die of a pool, or how far a total is beyond the number to reach."""
        clues: Sequence[Clue] = ("count", "margin", "reach") if match.clue == "reach-over" else ("count", "margin")
        if match.clue == "reach-over" and self._is_told_twice(prose, match):
            return True
        wholes = [whole for clue in clues for whole in self.clues.matches(prose, clue)]
        return any(whole.start < match.end and match.start < whole.end for whole in wholes)

    def _is_told_twice(self, prose: Prose, match: ClueMatch) -> bool:
        """Whether the number to exceed stands a second time in its sentence: "10 succeeds, above 10 succeeds well"."""
        start, end = match.values["over"]
        number = re.escape(prose.text[start:end])
        return len(re.findall(rf"(?<!\w){number}(?!\w)", self.clues.sentence(prose, start))) > 1

    def _is_counted(self, dice: PrintedValue, prose: Prose, *, is_pool: bool) -> bool:
        """Whether it is sure how many dice are rolled: of a pool one for each point, else as many as printed."""
        if is_pool:
            return faces(dice.meaning)[0] == 1 and self.clues.phrases.has("pool", prose.text)
        return not (faces(dice.meaning)[0] == 1 and self.clues.has_number_before(dice))

    def _success(self, prose: Prose, match: ClueMatch, value: PrintedValue, dice: PrintedValue) -> PrintedValue:
        """The faces of success with "+" behind where every higher face is one as well."""
        phrases, printed = self.clues.phrases, value.passage.text
        numbers = sorted({*phrases.numbers_meant(printed)})
        low, high = numbers[0], numbers[-1]
        _, sides = faces(dice.meaning)
        behind = prose.text[match.values["success"][1] : match.end]
        goes_up = phrases.has("or-more", behind.lstrip(" ,")) or behind.startswith("+") or high == sides
        is_whole = high - low < len(numbers) or not phrases.is_list(printed)
        meaning = f"{low}+" if goes_up and is_whole else str(low) if low == high else f"{low}-{high}"
        return PrintedValue(value.prose, value.piece, value.start, value.end, meaning)

    def _is_total(self, clue: Clue, window: str) -> bool:
        """Whether all dice together make a total, or the clue is one of pools, and no dice are chosen."""
        alone: Sequence[Clue] = ("choose", "count-under") if clue in _POOLED else ("choose", "pool", "each-die")
        return not any(self.clues.phrases.has(one, window) for one in alone)

    def _is_whole(self, clue: Clue, prose: Prose, window: str, number: int) -> bool:
        """Whether the sentences about an outcome say that something succeeds, and whose trait or test it is."""
        has = self.clues.phrases.has
        around = prose.text[slice(prose.sentences[max(0, number - 1)][0], None)][: len(window) + 400]
        is_headed = has("test", window) or has("test", prose.section.title)
        is_bare = clue in _NUMBERED and has("attack", window)
        is_test = has("trait", window) or has("modifier", window) or (is_headed and not is_bare)
        succeeds = has("success", window) or has("failure", window) or has("success", around) or has("failure", around)
        if clue in _NUMBERED:
            return is_test and succeeds
        return succeeds if clue in _POOLED else is_test

    def _bands(self, prose: Prose) -> Iterator[Outcome]:
        """The bands of results in a section: one from the number above, one to the number below the middle band."""
        highs = {match.values["high"]: match for match in self.clues.matches(prose, "high-band")}
        lows = {match.values["low"]: match for match in self.clues.matches(prose, "low-band")}
        for match in self.clues.matches(prose, "middle-band"):
            middle = self.clues.value(prose, match, "middle")
            low, high = self.clues.phrases.numbers_meant(middle.meaning)
            if low >= high:
                continue
            above = [m for m in highs.values() if self.clues.value(prose, m, "high").meaning == str(high + 1)]
            below = [m for m in lows.values() if self.clues.value(prose, m, "low").meaning == str(low - 1)]
            number = prose.sentence_at(match.start)
            text = prose.text[prose.sentences[number][0] :]
            if above and (below or self.clues.phrases.has("failure", text)):
                dice, near, window = self.clues.dice_of(prose, above[0], is_pool=False)
                if dice is not None and near <= 1 and low > faces(dice.meaning)[0]:
                    values = {"high": self.clues.value(prose, above[0], "high"), "middle": middle}
                    yield Outcome("high-band", prose, dice, values, self.clues.score(prose, window, number) + _BANDS)
                    return

    def _has_further_bands(self, prose: Prose) -> bool:
        """Whether two bands between the highest and the lowest meet: "15-19" and "10-14"."""
        middles = [
            self.clues.value(prose, match, "middle").meaning for match in self.clues.matches(prose, "middle-band")
        ]
        ends = {tuple(self.clues.phrases.numbers_meant(middle)) for middle in middles}
        return any(upper[0] == lower[-1] + 1 for upper in ends for lower in ends)

    def _highest_die(self, prose: Prose) -> Iterator[Outcome]:
        """The section that says what the highest die of a pool means: its highest face, and the faces below."""
        for match in self.clues.matches(prose, "highest-die"):
            dice, near, window = self.clues.dice_of(prose, match, is_pool=True)
            count, sides = faces(dice.meaning) if dice else (1, None)
            if dice is None or near > 1 or count != 1 or sides is None:
                continue
            middles = [self.clues.value(prose, one, "middle") for one in self.clues.matches(prose, "middle-faces")]
            tops = [self.clues.value(prose, one, "high") for one in self.clues.matches(prose, "top-face")]
            middle = [one for one in middles if self.clues.phrases.numbers_meant(one.meaning)[-1:] == [sides - 1]]
            top = [one for one in tops if one.meaning == str(sides)]
            if middle and top:
                score = self.clues.score(prose, window, prose.sentence_at(match.start)) + _BANDS
                yield Outcome("highest-die", prose, dice, {"high": top[0], "middle": middle[0]}, score)
                return

    def _sum(self, prose: Prose) -> Iterator[Outcome]:
        """A section that says how the dice of a pool are added."""
        for match in self.clues.matches(prose, "sum"):
            dice, _, window = self.clues.dice_of(prose, match, is_pool=True)
            chosen = self.clues.phrases.has("choose", window)
            if dice is not None and not chosen and faces(dice.meaning)[0] == 1 and self.clues.has_trait_dice:
                number = prose.sentence_at(match.start)
                yield Outcome("sum", prose, dice, {}, self.clues.score(prose, window, number) + _SUM)
                return


def _is_possible(dice: PrintedValue, values: Mapping[str, PrintedValue]) -> bool:
    """Whether the dice may miss and may reach a target."""
    count, sides = faces(dice.meaning)
    target = values.get("target") or values.get("over")
    return target is None or sides is None or count < int(target.meaning) <= count * sides + _MOST_ADDED


_TOLD: Mapping[Clue, str] = {"always": "always a success", "never": "never a success"}


@dataclass
class CertainFaces:
    """The printed faces that "always" or "never" succeed, by these words, for the rolls of some outcomes.

    Of the rolls low or high results succeed. There are notes and doubts about further faces of the document.
    """

    clues: TextClues
    outcomes: Sequence[Outcome]
    low_succeeds: bool
    values: dict[str, PrintedValue] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._proses = [outcome.prose for outcome in self.outcomes]
        self._is_denied = any(self.clues.phrases.has("no-certain-faces", prose.text) for prose in self.clues.rolls)
        for clue in CERTAIN:
            for value, sentence in self.clues.values(clue, "face"):
                self._take(clue, value, sentence)
        proses = [prose for prose in self.clues.rolls if self._is_of_every_roll(prose)]
        if not self._is_denied and any(map(self.clues.has_other_certain_results, proses)):
            self.doubts.append("Some results always succeed or fail, and no single face stands for them.")

    def _take(self, clue: Clue, value: PrintedValue, sentence: str) -> None:
        """Take a face that always succeeds, or never does. Of faces within each other, the most count."""
        words, dice = f"{_TOLD[clue]}: {value.words}", self.outcomes[0].dice.meaning
        known = _numbers(self.values[clue]) if clue in self.values else frozenset()
        if self._is_denied or self._is_of_attacks(value.prose, sentence):
            self.notes.append(f"Not of every roll, {words}.")
        elif _numbers(value) <= known:
            return
        elif not _is_at_end(value.meaning, dice, highest=(clue == "always") is not self.low_succeeds):
            self.doubts.append(f"No end of {dice} is {words}.")
        elif not (self._is_of_every_roll(value.prose) and known <= _numbers(value)):
            self.doubts.append(f"Elsewhere, {words}.")
        else:
            self.values[clue] = value

    def _is_of_every_roll(self, prose: Prose) -> bool:
        return prose in self._proses or self.clues.is_of_every_roll(prose)

    def _is_of_attacks(self, prose: Prose, sentence: str) -> bool:
        """Whether a sentence is about attacks, and the outcomes are not."""
        has = self.clues.phrases.has
        if has("of-attacks", sentence) and not self.outcomes[0].of_attacks:
            return True
        return has("attack", sentence) and prose not in self._proses


def _numbers(value: PrintedValue) -> frozenset[int]:
    """The faces in a value such as "1", "3-4" or "96-100"."""
    ends = _ends(value.meaning)
    return frozenset(range(min(ends), max(ends) + 1))


def _ends(meaning: str) -> Sequence[int]:
    """The numbers in the meaning of a face: 3 and 4 of "3-4", -1 of "-1"."""
    return [*map(int, _SIGNED.findall(meaning))]


def _is_at_end(face: str, dice: str, *, highest: bool) -> bool:
    """Whether a face, or a range of results such as "96-100", is the highest or the lowest end of dice."""
    count, sides = faces(dice)
    numbers = _ends(face)
    end = (max(numbers), count * sides) if highest and sides else (min(numbers), count)
    return sides is not None and len(numbers) <= 2 and end[0] == end[1]
