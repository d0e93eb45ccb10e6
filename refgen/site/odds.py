"""The odds of a game's actions, to be asked in a browser.

In: a game. Out: OddsPage, with everything that may be asked for worked out: the page looks chances up, adds and takes
away whole numbers, and rounds once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import gcd
from typing import ClassVar, TypedDict

from refgen.errors import ResolverError
from refgen.game.game import Game
from refgen.notation.level import Ladder
from refgen.resolver.action import Action, Degree, number_of_entry
from refgen.resolver.dice.roll import Roll
from refgen.resolver.formula.axis import Axis, Entry
from refgen.resolver.question import ladder_of_results
from refgen.site.page import Head, Link, SitePart

MODIFIERS = range(-10, 11)
"""The modifiers that may be chosen."""


class RollData(TypedDict):
    """A roll: ``at_least[i]`` is the weight of ``low + i`` or more, a share of ``denominator``.

    Both are whole numbers as text. ``exact`` are the outcomes between which every chance is exact, None for no limit.
    """

    low: int
    at_least: list[str]
    denominator: str
    exact: tuple[int | None, int | None]


class DegreeData(TypedDict):
    """The roll of a trait: the number of the roll in the list of rolls, and the modifier added."""

    roll: int
    added: int


class TraitData(TypedDict):
    """A trait: its name, and what it rolls with each modifier ("0" alone where modifiers are simply added)."""

    name: str
    degrees: dict[str, DegreeData]


class NamedNumber(TypedDict):
    """A difficulty, or a level of a ladder."""

    name: str
    number: int


class BandData(TypedDict):
    """A degree of success: its name, and its results; None for an open end."""

    name: str
    low: int | None
    high: int | None


class ActionData(TypedDict):
    """A way to act. ``difficulties`` is None in a game without them, where 0 or more succeeds."""

    id: str
    title: str
    roll: str
    modifiers: bool
    traits: list[TraitData]
    difficulties: list[NamedNumber] | None
    levels: list[NamedNumber]
    bands: list[BandData]


class OddsPageData(TypedDict):
    """All that the page looks up.

    ``contests`` has, by the numbers of two rolls ("0-1"), the first less the second, as far as it may be asked for.
    """

    actions: list[ActionData]
    rolls: list[RollData]
    contests: dict[str, RollData]


@dataclass(frozen=True, slots=True)
class OddsPage:
    """A form to ask for odds; ``data`` is what its script looks up."""

    template: ClassVar[str] = "odds"
    head: Head
    data: OddsPageData
    explorers: Link | None
    modifiers: range = MODIFIERS


def make_odds(head: Head, game: Game) -> OddsPage:
    """The page of a game's odds."""
    rolls = _Rolls()
    actions = [_action(game, name, action, rolls) for name, action in game.actions.items()]
    data = OddsPageData(actions=actions, rolls=rolls.data(), contests=_contests(actions, rolls))
    return OddsPage(head, data, next((link for link in head.navigation if link.title == SitePart.EXPLORE), None))


@dataclass(slots=True)
class _Rolls:
    """The rolls of all actions, each once."""

    known: dict[tuple[object, ...], int] = field(default_factory=dict)
    rolls: list[Roll] = field(default_factory=list)

    def number(self, roll: Roll) -> int:
        """The number of a roll."""
        key = (roll.outcomes, roll.weights, roll.exact_low, roll.exact_high)
        if key not in self.known:
            self.known[key] = len(self.rolls)
            self.rolls.append(roll)
        return self.known[key]

    def data(self) -> list[RollData]:
        """Each roll by its number."""
        return [_roll(roll, range(roll.outcomes[0], roll.outcomes[-1] + 1)) for roll in self.rolls]


def _roll(roll: Roll, outcomes: range) -> RollData:
    weights = roll.weights_at_least(outcomes)
    shared = gcd(roll.denominator, *weights)
    return RollData(
        low=outcomes.start,
        at_least=[str(weight // shared) for weight in weights],
        denominator=str(roll.denominator // shared),
        exact=(roll.exact_low, roll.exact_high),
    )


def _contests(actions: Sequence[ActionData], rolls: _Rolls) -> dict[str, RollData]:
    """Each trait against each other trait of an action: the margins that decide, with every modifier."""
    margins: dict[tuple[int, int], set[int]] = defaultdict(set)
    for action in actions:
        for trait, other in product(action["traits"], repeat=2):
            against = other["degrees"]["0"]
            for degree in _with_modifiers(action, trait):
                ahead = against["added"] - degree["added"]
                margins[degree["roll"], against["roll"]] |= {ahead, ahead + 1}
    return {
        f"{one}-{other}": _roll(rolls.rolls[one].less(rolls.rolls[other]), range(min(asked), max(asked) + 1))
        for (one, other), asked in sorted(margins.items())
    }


def _with_modifiers(action: ActionData, trait: TraitData) -> Iterator[DegreeData]:
    """The rolls of a trait, one for each modifier that the trait may have."""
    plain = trait["degrees"]["0"]
    for modifier in MODIFIERS if action["modifiers"] else range(1):
        added = DegreeData(roll=plain["roll"], added=plain["added"] + modifier)
        yield trait["degrees"].get(str(modifier), added)


def _action(game: Game, name: str, action: Action, rolls: _Rolls) -> ActionData:
    ladder = ladder_of_results(game.ruleset, name)
    return ActionData(
        id=name,
        title=action.title,
        roll=action.words(),
        modifiers=action.knows_modifiers,
        traits=[trait for entry in action.trait.entries for trait in _trait(action, entry, rolls)],
        difficulties=None if action.difficulty is None else list(_numbers(action.difficulty)),
        levels=_levels(ladder),
        bands=[BandData(name=band, low=ends.low, high=ends.high) for band, ends in action.bands.items()],
    )


def _trait(action: Action, entry: Entry, rolls: _Rolls) -> Iterator[TraitData]:
    """The data of a trait; nothing where the game does not say which roll the trait makes."""
    try:
        degrees = _degrees(action, entry)
    except ResolverError:
        return
    found = {
        str(modifier): DegreeData(roll=rolls.number(degree.rolled), added=degree.added)
        for modifier, degree in degrees.items()
    }
    yield TraitData(name=entry.shown.text, degrees=found)


def _degrees(action: Action, entry: Entry) -> Mapping[int, Degree]:
    """The roll of a trait with each modifier; the roll without modifiers alone where modifiers are only added."""
    plain = action.degree(entry)
    if not action.knows_modifiers:
        return {0: plain}
    degrees = {modifier: action.degree(entry, modifier) for modifier in MODIFIERS}
    is_added = all(
        degree.rolled == plain.rolled and degree.added == plain.added + modifier for modifier, degree in degrees.items()
    )
    return {0: plain} if is_added else degrees


def _numbers(axis: Axis) -> Iterator[NamedNumber]:
    return (NamedNumber(name=entry.shown.text, number=number_of_entry(axis, entry)) for entry in axis.entries)


def _levels(ladder: Ladder | None) -> list[NamedNumber]:
    return [NamedNumber(name=level.name, number=level.value) for level in ladder.levels] if ladder else []
