"""Mechanics of a game, found in what the sentences of its document say: dice, targets, pools, bands of results.

In: a GameDraft. Out: Mechanics, each with the printed values that it rests on and the places that say so. A mechanic
is certain where all sentences that tell of it agree, and nothing that its family does not know changes its odds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from refgen.proposals.draft import GameDraft
from refgen.proposals.mechanic_tables import DifficultyTable, difficulty_table
from refgen.proposals.outcomes import Outcome, TextClues, faces
from refgen.proposals.phrases import Clue, phrases_of
from refgen.proposals.prose import PrintedValue, prose_of


class Family(StrEnum):
    """How a roll succeeds."""

    TARGET = "target"
    DIFFICULTY = "difficulty"
    UNDER = "under"
    COUNT = "count"
    SUM = "sum"
    BANDS = "bands"


FAMILY_WORDS: Mapping[Family, str] = {
    Family.TARGET: "a total of at least the target succeeds",
    Family.DIFFICULTY: "a total of at least the difficulty succeeds",
    Family.UNDER: "a roll of at most the trait succeeds",
    Family.COUNT: "each die of a pool may succeed",
    Family.SUM: "the dice of a pool are added and reach a difficulty",
    Family.BANDS: "a total falls into one of three bands",
}

_FAMILY_OF: Mapping[Clue, Family] = {
    "reach": Family.TARGET,
    "reach-difficulty": Family.DIFFICULTY,
    "under": Family.UNDER,
    "count": Family.COUNT,
    "count-difficulty": Family.COUNT,
    "high-band": Family.BANDS,
}


@dataclass(frozen=True)
class Mechanic:
    """A way to roll: its family, dice, and the printed values that its odds need, by role.

    Roles are "target", "success", "high", "middle", "always" and "never". ``attributes`` are the dice by which traits
    are made, ``low`` and ``high`` of ``trait_range`` the numbers that traits have. ``doubts`` say why the mechanic is
    not certain; ``notes`` are further evidence. ``more`` are the same values at further places.
    """

    family: Family
    dice: PrintedValue
    values: Mapping[str, PrintedValue] = field(default_factory=dict)
    difficulties: DifficultyTable | None = None
    attributes: PrintedValue | None = None
    trait_range: tuple[PrintedValue, PrintedValue] | None = None
    wild: PrintedValue | None = None
    doubts: Sequence[str] = ()
    notes: Sequence[str] = ()
    more: Sequence[Mapping[str, PrintedValue]] = ()

    @property
    def certain(self) -> bool:
        """Whether the evidence is whole."""
        return not self.doubts

    @property
    def evidence(self) -> Sequence[str]:
        """The printed values and their places, then what else was found, then the doubts."""
        values = {"dice": self.dice, **self.values}
        lines = ["; ".join(f"{role}: {value.words}" for role, value in values.items())]
        if self.more:
            lines.append(f"The same at {', '.join(str(place['dice'].passage.span) for place in self.more[:4])}.")
        return [f"{FAMILY_WORDS[self.family].capitalize()}.", *lines, *self.notes, *self.doubts]


def find_mechanics(draft: GameDraft) -> Sequence[Mechanic]:
    """The mechanics of a document, the most likely first; rivals of the first make both uncertain."""
    clues = TextClues(list(prose_of(draft.document)), phrases_of(draft.language))
    groups = _grouped(clues)
    if not groups:
        return ()
    groups.sort(key=lambda group: -group[0].score)
    best = groups[0][0]
    rivals = [group for group in groups[1:] if _is_rival(group[0], best)]
    finder = _Completer(draft, clues)
    found = [finder.mechanic(group) for group in (groups[0], *rivals)]
    if not rivals:
        return found
    return [
        replace(one, doubts=[*one.doubts, f"But another place says otherwise: {_said(other)}."])
        for one, other in zip(found, [found[1], *[found[0]] * len(rivals)], strict=True)
    ]


def _said(mechanic: Mechanic) -> str:
    values = {"dice": mechanic.dice, **mechanic.values}
    return f"{FAMILY_WORDS[mechanic.family]}, " + ", ".join(f"{role} {value.words}" for role, value in values.items())


def _grouped(clues: TextClues) -> list[list[Outcome]]:
    """The outcomes that say the same, those that tell most first."""
    groups: dict[tuple[object, ...], list[Outcome]] = {}
    for outcome in clues.outcomes():
        groups.setdefault(outcome.meaning, []).append(outcome)
    return [sorted(group, key=lambda one: -one.score) for group in groups.values()]


_RIVAL = 1
"""A rule for a special case tells less than the main rule, by more than this score."""


def _is_rival(outcome: Outcome, best: Outcome) -> bool:
    """Whether an outcome tells as much as the best, and is not a part of the best."""
    if outcome.score < best.score - _RIVAL:
        return False
    families = {_FAMILY_OF.get(outcome.clue, Family.SUM), _FAMILY_OF.get(best.clue, Family.SUM)}
    same_dice = outcome.dice.meaning == best.dice.meaning
    if same_dice and families == {Family.BANDS, Family.TARGET}:
        return False
    return not (families == {Family.SUM, Family.DIFFICULTY} and faces(outcome.dice.meaning) == faces(best.dice.meaning))


@dataclass
class _Completer:
    """Adds to the outcomes of a group what other places of the document say."""

    draft: GameDraft
    clues: TextClues

    def mechanic(self, group: Sequence[Outcome]) -> Mechanic:
        """The mechanic that a group of outcomes tells of."""
        best = group[0]
        family = _FAMILY_OF.get(best.clue, Family.SUM)
        always, never, notes, doubts = self._certain_faces(group)
        values = dict(best.values)
        values |= {"always": always} if always else {}
        values |= {"never": never} if never else {}
        difficulties = difficulty_table(self.draft, self.clues.phrases, added=family is Family.TARGET, signed=faces(best.dice.meaning)[1] == 1)
        wild, wild_doubts = self._rolled_again(family, group)
        has_table = family in (Family.TARGET, Family.DIFFICULTY, Family.SUM)
        return Mechanic(
            family,
            best.dice,
            values,
            difficulties if has_table else None,
            self._attribute_dice(),
            self._trait_range(),
            wild,
            [*doubts, *wild_doubts, *_impossible(family, best)],
            notes,
            [{"dice": one.dice, **one.values} for one in group[1:]],
        )

    def _certain_faces(
        self, group: Sequence[Outcome]
    ) -> tuple[PrintedValue | None, PrintedValue | None, Sequence[str], Sequence[str]]:
        """The faces that always succeed and always fail, with notes and doubts about further such faces."""
        sections = [outcome.prose for outcome in group]
        is_denied = any(self.clues.phrases.has("no-certain-faces", prose.text) for prose in self.clues.rolls)
        found: dict[Clue, PrintedValue] = {}
        notes, doubts = [], []
        for clue in ("always", "never"):
            for value, sentence in self.clues.values(clue, "face"):
                words = f"{clue.replace('never', 'never a success').replace('always', 'always a success')}: {value.words}"
                if clue in found and found[clue].meaning == value.meaning:
                    continue
                if is_denied or (self.clues.phrases.has("attack", sentence) and value.prose not in sections):
                    notes.append(f"Not of every roll, {words}.")
                elif value.prose in sections and clue not in found:
                    found[clue] = value
                else:
                    doubts.append(f"Elsewhere, {words}.")
        return found.get("always"), found.get("never"), notes, doubts

    def _rolled_again(self, family: Family, group: Sequence[Outcome]) -> tuple[PrintedValue | None, Sequence[str]]:
        """The wild die of a pool that is added, and doubts about dice that are rolled again or taken away."""
        if family is Family.SUM and (wild := next(self.clues.places("wild-again"), None)):
            return wild, ()
        pooled = family in (Family.COUNT, Family.SUM)
        places = self.clues.rolls if pooled else [outcome.prose for outcome in group]
        doubts = []
        for clue, words in (("explode", "Dice are rolled again"), ("cancel", "Successes are taken away")):
            if place := next(self.clues.places(clue, places), None):
                doubts.append(f"{words}: {place.words}.")
        return None, doubts

    def _attribute_dice(self) -> PrintedValue | None:
        """The dice by which traits are made, where all sentences name the same and no dice are dropped."""
        found = [
            value
            for value, sentence in self.clues.values("attributes", "dice")
            if not self.clues.phrases.has("special", sentence)
        ]
        kept = any(
            self.clues.phrases.has("keep", sentence) for _, sentence in self.clues.values("attributes", "dice")
        )
        return found[0] if found and not kept and len({value.meaning for value in found}) == 1 else None

    def _trait_range(self) -> tuple[PrintedValue, PrintedValue] | None:
        """The lowest and highest number of traits, where all sentences name the same."""
        lows, highs = (
            [value for value, _ in self.clues.values("range", end) if self.clues.is_of_traits(value.prose)]
            for end in ("low", "high")
        )
        meanings = {(low.meaning, high.meaning) for low, high in zip(lows, highs, strict=True)}
        if len(meanings) != 1 or not int(lows[0].meaning) < int(highs[0].meaning) <= int(lows[0].meaning) + 20:
            return None
        return lows[0], highs[0]


def _impossible(family: Family, outcome: Outcome) -> Iterator[str]:
    """Why the values of an outcome do not fit its dice."""
    if (success := outcome.values.get("success")) and not success.meaning.endswith("+"):
        yield f"{success.words} is not the highest face of {outcome.dice.meaning}."
