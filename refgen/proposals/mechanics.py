"""Mechanics of a game, found in what the sentences of its document say: dice, targets, pools, bands of results.

In: a GameDraft. Out: Mechanics, each with the printed values that it rests on and the places that say so. A mechanic
is certain where all sentences that tell of it agree, and nothing that its family does not know changes its odds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from refgen.proposals.draft import GameDraft
from refgen.proposals.mechanic_tables import (
    OddsTable,
    bands_table,
    difficulty_table,
    step_table,
    successes_table,
    target_table,
    trait_table,
)
from refgen.proposals.outcomes import CertainFaces, Outcome, OutcomeFinder
from refgen.proposals.phrases import Clue, Phrases, faces, phrases_for
from refgen.proposals.prose import PrintedValue, prose_of
from refgen.proposals.roll_traits import RollTraits
from refgen.proposals.text_clues import TextClues, doubts_of_faces, with_bare_dice
from refgen.source import plain_text


class Family(StrEnum):
    """How a roll succeeds."""

    TARGET = "target"
    DIFFICULTY = "difficulty"
    UNDER = "under"
    COUNT = "count"
    SUM = "sum"
    BANDS = "bands"
    TABLE = "table"
    HIGHEST = "highest"
    STEP = "step"


FAMILY_WORDS: Mapping[Family, str] = {
    Family.TARGET: "a total of at least the target succeeds",
    Family.DIFFICULTY: "a total of at least the difficulty succeeds",
    Family.UNDER: "a roll of at most the trait succeeds",
    Family.COUNT: "each die of a pool may succeed",
    Family.SUM: "the dice of a pool are added and reach a difficulty",
    Family.BANDS: "a total falls into one of three bands",
    Family.TABLE: "a total falls into one of the bands of a table",
    Family.HIGHEST: "the highest die of a pool falls into one of three bands",
    Family.STEP: "each trait has a die, which reaches a number",
}

_SHOWN_PLACES = 4

_UNKNOWN: Mapping[Clue, str] = {
    "explode": "Dice are rolled again",
    "cancel": "Dice or successes are taken away",
    "double": "Dice count double",
}
"""The clues of rules that no family knows, which change its odds."""

_FAMILY_OF: Mapping[Clue, Family] = {
    "reach": Family.TARGET,
    "reach-over": Family.TARGET,
    "reach-difficulty": Family.DIFFICULTY,
    "reach-open": Family.DIFFICULTY,
    "under": Family.UNDER,
    "under-open": Family.UNDER,
    "count": Family.COUNT,
    "count-difficulty": Family.COUNT,
    "high-band": Family.BANDS,
    "band-table": Family.TABLE,
    "highest-die": Family.HIGHEST,
    "step-die": Family.STEP,
}


_ADDING = frozenset((Family.TARGET, Family.DIFFICULTY, Family.BANDS, Family.TABLE))
"""The families in which a trait is added to the dice."""

_BANDED = frozenset((Family.BANDS, Family.TABLE))
_POOLED = frozenset((Family.COUNT, Family.SUM, Family.HIGHEST))


@dataclass(frozen=True)
class Mechanic:
    """A way to roll: its family, dice, and the printed values that its odds need, by role.

    Roles are "target", "over", "success", "high", "middle", "always" and "never". ``attributes`` are the dice by which
    traits are made, ``trait_range`` the lowest and highest trait, ``traits`` the table of traits. ``wild`` is the place
    that says which dice are rolled again and added. ``doubts`` say why the mechanic is not certain; ``notes`` are
    further evidence. ``more`` are the same values at further places.
    """

    family: Family
    dice: PrintedValue
    values: Mapping[str, PrintedValue] = field(default_factory=dict)
    difficulties: OddsTable | None = None
    bands: OddsTable | None = None
    traits: OddsTable | None = None
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
    def all_dice(self) -> Sequence[PrintedValue]:
        """The dice that are rolled, and the dice by which traits are made."""
        return [self.dice, *([self.attributes] if self.attributes else [])]

    @property
    def printed_values(self) -> Sequence[PrintedValue]:
        """Every printed value of the mechanic, at all its places."""
        found = [*self.all_dice, *self.values.values(), *(self.trait_range or ())]
        return [*found, *(value for place in self.more for value in place.values())]

    @property
    def evidence(self) -> Sequence[str]:
        """The printed values and their places, then what else was found, then the doubts."""
        values = {"dice": self.dice, **self.values}
        lines = ["; ".join(f"{role}: {value.words}" for role, value in values.items())]
        tables = {"difficulties": self.difficulties, "bands": self.bands, "traits": self.traits}
        lines += [f"{role}: {table.place}" for role, table in tables.items() if table is not None]
        if self.more:
            places = dict.fromkeys(str(place["dice"].passage.span) for place in self.more)
            lines.append(f"The same at {', '.join([*places][:_SHOWN_PLACES])}.")
        return [f"{FAMILY_WORDS[self.family].capitalize()}.", *lines, *self.notes, *self.doubts]


def find_mechanics(draft: GameDraft) -> Sequence[Mechanic]:
    """The mechanics of a document, the most likely first; rivals of the first make both uncertain."""
    proses = list(prose_of(draft.document))
    phrases = phrases_for(draft.language, "\n".join(prose.text for prose in proses))
    clues = TextClues(proses, with_bare_dice(phrases, proses))
    groups = _group_outcomes([*OutcomeFinder(clues).outcomes(), *_of_tables(draft, clues)])
    if not groups:
        return ()
    groups.sort(key=lambda group: (group[0].is_open, -_strength(group) + _OF_ATTACKS * group[0].of_attacks))
    rivals = [group for group in groups[1:] if _is_rival(group, groups[0])]
    finder = _Completer(draft, clues)
    found = [finder.mechanic(group) for group in (groups[0], *rivals)]
    if not rivals:
        return found
    return [
        replace(one, doubts=[*one.doubts, f"But another place says otherwise: {_mechanic_text(other)}."])
        for one, other in zip(found, [found[1], *[found[0]] * len(rivals)], strict=True)
    ]


def _titles(group: Sequence[Outcome]) -> set[str]:
    return {plain_text(outcome.prose.section.title) for outcome in group}


def _mechanic_text(mechanic: Mechanic) -> str:
    values = {"dice": mechanic.dice, **mechanic.values}
    return f"{FAMILY_WORDS[mechanic.family]}, " + ", ".join(f"{role} {value.words}" for role, value in values.items())


def _of_tables(draft: GameDraft, clues: TextClues) -> Iterator[Outcome]:
    """The outcomes of sections with a table of bands, and of those that say that traits are the dice of a table."""
    finder = OutcomeFinder(clues)
    has_steps = step_table(draft, clues.phrases) is not None
    for prose in clues.proses if has_steps else ():
        if outcome := finder.stepped(prose):
            yield outcome
    for prose in clues.rolls:
        if bands_table(draft, clues.phrases, prose.section.title) is not None and (outcome := finder.banded(prose)):
            yield outcome


def _group_outcomes(outcomes: Sequence[Outcome]) -> list[list[Outcome]]:
    """The outcomes that say the same, those that tell most first."""
    groups: dict[tuple[object, ...], list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(outcome.meaning, []).append(outcome)
    return [sorted(group, key=lambda one: -one.score) for group in groups.values()]


_RIVAL = 1
"""A rule for a special case tells less than the main rule, by more than this."""

_OF_ATTACKS = 2
"""A rule of attacks alone tells less than a rule of all rolls, by this."""

_MOST_PLACES = 4
"""So many places say that a rule is the main rule; more say no more."""


def _strength(group: Sequence[Outcome]) -> float:
    """How much some outcomes read like the main rule: the best of them, and how many there are."""
    return group[0].score + min(len({outcome.prose.section.title for outcome in group}), _MOST_PLACES) / 2


def _is_rival(group: Sequence[Outcome], main: Sequence[Outcome]) -> bool:
    """Whether outcomes tell as much as the main ones, and are not a part of those."""
    if _strength(group) < _strength(main) - _RIVAL or (group[0].of_attacks and not main[0].of_attacks):
        return False
    families = [_FAMILY_OF.get(one[0].clue, Family.SUM) for one in (group, main)]
    dice = [one[0].dice.meaning for one in (group, main)]
    if families == [Family.STEP, Family.STEP] and not group[0].values:
        return False
    if dice[0] == dice[1]:
        is_said_better = group[0].is_open and families[0] == families[1]
        return not is_said_better and not (
            _BANDED.intersection(families) and _BANDED.issuperset({*families} - {Family.TARGET})
        )
    return set(families) != {Family.SUM, Family.DIFFICULTY} or faces(dice[0])[1] != faces(dice[1])[1]


@dataclass
class _Completer:
    """Adds to the outcomes of a group what other places of the document say."""

    draft: GameDraft
    clues: TextClues

    def mechanic(self, group: Sequence[Outcome]) -> Mechanic:
        """The mechanic that a group of outcomes tells of."""
        best = group[0]
        family = _FAMILY_OF.get(best.clue, Family.SUM)
        if family is Family.TARGET and self._targets(group):
            family = Family.DIFFICULTY
        certain = CertainFaces(self.clues, group, low_succeeds=family is Family.UNDER)
        twice = next(self.clues.places("advantage"), None)
        notes = [*certain.notes, *([f"Left out, as it holds for some rolls alone: {twice.words}."] if twice else [])]
        values = {**best.values, **certain.values}
        wild, wild_doubts = self._rolled_again(family, group)
        roll_traits = RollTraits(self.draft, self.clues, group)
        difficulties = self._difficulties(family, group)
        traits = self._traits(family, roll_traits)
        if family is Family.DIFFICULTY and difficulties is None and traits is not None and traits.is_ladder:
            difficulties = roll_traits.difficulties_on(traits)
        return Mechanic(
            family,
            best.dice,
            values,
            difficulties,
            self._bands(best) if family is Family.TABLE else None,
            traits,
            roll_traits.dice(),
            roll_traits.ends(),
            wild,
            [
                *certain.doubts,
                *wild_doubts,
                *self._faces(best),
                *_find_obstacles(best, self.clues.phrases, has_goal=difficulties is not None),
            ],
            notes,
            [{"dice": one.dice, **one.values} for one in group[1:]],
        )

    def _faces(self, best: Outcome) -> Sequence[str]:
        """Why the faces of the dice are not sure."""
        document = self.draft.document
        text = "\n".join(source.text for source in (document.source, *document.others))
        return doubts_of_faces(best.dice, text, self.clues.phrases)

    def _difficulties(self, family: Family, group: Sequence[Outcome]) -> OddsTable | None:
        """The table of the difficulties that a family of rolls goes by."""
        sections = _titles(group)
        if family is Family.COUNT and "success" in group[0].values:
            return successes_table(self.draft, self.clues.phrases, sections)
        if family is Family.DIFFICULTY and (targets := self._targets(group)):
            return targets
        if family in (Family.TARGET, Family.DIFFICULTY, Family.SUM, Family.STEP):
            is_signed = faces(group[0].dice.meaning)[1] == 1
            is_added = family is Family.TARGET
            return difficulty_table(self.draft, self.clues.phrases, sections, added=is_added, signed=is_signed)
        return None

    def _targets(self, group: Sequence[Outcome]) -> OddsTable | None:
        """The table of numbers to reach with the number among its numbers that the prose names, as the usual one."""
        target = group[0].values.get("target")
        if target is None or _FAMILY_OF.get(group[0].clue) is not Family.TARGET:
            return None
        return target_table(self.draft, self.clues.phrases, _titles(group), int(target.meaning))

    def _traits(self, family: Family, roll_traits: RollTraits) -> OddsTable | None:
        """The table or the ladder of what traits add to a roll, or the table of their dice."""
        if family is Family.STEP:
            return step_table(self.draft, self.clues.phrases)
        if family not in _ADDING:
            return None
        return trait_table(self.draft, self.clues.phrases) or roll_traits.ladder()

    def _bands(self, best: Outcome) -> OddsTable | None:
        return bands_table(self.draft, self.clues.phrases, best.prose.section.title)

    def _rolled_again(self, family: Family, group: Sequence[Outcome]) -> tuple[PrintedValue | None, Sequence[str]]:
        """The place that says which dice are rolled again and added, and doubts about further such rules."""
        if family is Family.STEP and (again := next(self.clues.places("step-again"), None)):
            further = next(self.clues.places("further-die"), None)
            return again, [f"A further die is rolled: {further.words}."] if further else ()
        pooled = family in _POOLED
        places = self.clues.rolls if pooled else [outcome.prose for outcome in group]
        doubts = []
        wild = next(self.clues.places("wild-again"), None) if family is Family.SUM else None
        for clue, words in _UNKNOWN.items():
            if (clue in ("cancel", "double") and not pooled) or (clue == "explode" and wild):
                continue
            if place := next(self.clues.places(clue, places), None):
                doubts.append(f"{words}: {place.words}.")
        return wild, doubts


def _find_obstacles(outcome: Outcome, phrases: Phrases, *, has_goal: bool) -> Iterator[str]:
    """Why the words of an outcome do not settle its odds."""
    if _FAMILY_OF.get(outcome.clue) is Family.TARGET and phrases.has("partial", outcome.prose.text):
        yield "Some results succeed in part, and no bands of results were found."
    if outcome.clue == "step-die" and "target" not in outcome.values and not has_goal:
        yield "No number to reach was found."
    if outcome.is_open:
        yield "The words leave open whether an equal result succeeds."
    if (success := outcome.values.get("success")) and not success.meaning.endswith("+"):
        yield f"{success.words}: these are not the faces from one face up to the highest of {outcome.dice.meaning}."
