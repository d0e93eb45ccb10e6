"""The pages on which readers ask for the odds of a game's actions, and for the answers of its explorers.

In: a game. Out: OddsPage and ExplorersPage, with the data of their scripts: every chance and every answer is worked out
here. The script of the odds looks chances up, adds and takes away whole numbers, and rounds once; the script of the
explorers looks rounded answers up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from math import gcd
from typing import ClassVar, NotRequired, TypedDict

from refgen.errors import ResolverError
from refgen.game import GameModel
from refgen.notation.levels import Ladder
from refgen.resolver.action import Action, Degree, number_of_entry
from refgen.resolver.action_reader import ladder_of_results
from refgen.resolver.computed import Explorer
from refgen.resolver.dice.distribution import Distribution
from refgen.resolver.formula.axis import Axis, AxisEntry
from refgen.rules.model import Cell
from refgen.site import address
from refgen.site.address import SitePart
from refgen.site.attempts import AttemptData, AttemptRules, DegreeData, added_step, attempt_rules, attempts_of
from refgen.site.page import Head, Link
from refgen.words import Words

MODIFIERS = range(-10, 11)
"""The modifiers that may be chosen."""


class RollWeights(TypedDict):
    """A roll: ``at_least[i]`` is the weight of ``low + i`` or more, a share of ``denominator``.

    Both are whole numbers as text. ``exact`` are the outcomes between which every chance is exact, None for no limit.
    """

    low: int
    at_least: list[str]
    denominator: str
    exact: tuple[int | None, int | None]


class TraitData(TypedDict):
    """A trait: its name, and its roll with each modifier (with "0" alone where modifiers are simply added).

    The traits of an action with attempts have these in place of rolls.
    """

    name: str
    degrees: dict[str, DegreeData]
    attempts: NotRequired[dict[str, dict[str, AttemptData]]]


class NamedNumber(TypedDict):
    """A difficulty, or a level of a ladder."""

    name: str
    number: int


class BandData(TypedDict):
    """A degree of success: its name, its lowest and its highest result (None for an open end)."""

    name: str
    low: int | None
    high: int | None


class ActionData(TypedDict):
    """A way to act. ``difficulties`` is None in a game without them, where 0 or more succeeds.

    ``attempts`` are the rules of an action with attempts.
    """

    id: str
    title: str
    roll: str
    modifiers: bool
    traits: list[TraitData]
    difficulties: list[NamedNumber] | None
    levels: list[NamedNumber]
    bands: list[BandData]
    attempts: NotRequired[AttemptRules]


class OddsPageData(TypedDict):
    """The data of the page's script.

    ``contests`` has the distribution of the first roll less the second, by the numbers of both rolls ("0-1"), for the
    margins that readers may ask for.
    """

    actions: list[ActionData]
    rolls: list[RollWeights]
    contests: dict[str, RollWeights]


@dataclass(frozen=True, slots=True)
class OddsPage:
    """A form to ask for odds; ``data`` is looked up by its script."""

    template: ClassVar[str] = "odds"
    head: Head
    data: OddsPageData
    explorers: Link | None
    modifiers: range = MODIFIERS


def make_odds(head: Head, game: GameModel) -> OddsPage:
    """The page of a game's odds."""
    rolls = _Rolls()
    actions = [_action(game, name, action, rolls) for name, action in game.actions.items()]
    data = OddsPageData(actions=actions, rolls=rolls.data(), contests=_contests(actions, rolls))
    explorers = address.part_page(game.id, SitePart.EXPLORE)
    return OddsPage(head, data, next((link for link in head.navigation if link.path == explorers), None))


@dataclass(slots=True)
class _Rolls:
    """The rolls of all actions, each once."""

    known: dict[tuple[object, ...], int] = field(default_factory=dict)
    rolls: list[Distribution] = field(default_factory=list)

    def number(self, roll: Distribution) -> int:
        """The number of a roll."""
        key = (roll.outcomes, roll.weights, roll.exact_low, roll.exact_high)
        if key not in self.known:
            self.known[key] = len(self.rolls)
            self.rolls.append(roll)
        return self.known[key]

    def data(self) -> list[RollWeights]:
        """Each roll by its number."""
        return [_roll(roll, range(roll.outcomes[0], roll.outcomes[-1] + 1)) for roll in self.rolls]


def _roll(roll: Distribution, outcomes: range) -> RollWeights:
    weights = list(map(roll.weight_at_least, outcomes))
    shared, low, high = gcd(roll.denominator, *weights), roll.exact_low, roll.exact_high
    return RollWeights(
        low=outcomes.start,
        at_least=[str(weight // shared) for weight in weights],
        denominator=str(roll.denominator // shared),
        exact=(low if low is None else int(low), high if high is None else int(high)),
    )


def _contests(actions: Sequence[ActionData], rolls: _Rolls) -> dict[str, RollWeights]:
    """Each trait against each other trait of an action: the margins that decide, with every modifier."""
    margins: dict[tuple[int, int], set[int]] = defaultdict(set)
    for action in actions:
        for trait, other in product(action["traits"], repeat=2):
            for degree, against in _sides(action, trait, other):
                ahead = against["added"] - degree["added"]
                margins[degree["roll"], against["roll"]] |= {ahead, ahead + 1}
    return {
        f"{one}-{other}": _roll(rolls.rolls[one].less(rolls.rolls[other]), range(min(asked), max(asked) + 1))
        for (one, other), asked in sorted(margins.items())
    }


def _sides(action: ActionData, trait: TraitData, other: TraitData) -> Iterator[tuple[DegreeData, DegreeData]]:
    """The rolls that two traits compare, for each modifier that the first may have, and for each difficulty."""
    modifiers = MODIFIERS if action["modifiers"] else range(1)
    rules = action.get("attempts")
    if rules is None:
        yield from ((_degree(trait, modifier), _degree(other, 0)) for modifier in modifiers)
        return
    against = other["attempts"]
    for difficulty, attempts in trait["attempts"].items():
        for modifier in modifiers:
            yield _side(attempts, modifier, rules), _side(against[difficulty], 0, rules)


def _degree(trait: TraitData, modifier: int) -> DegreeData:
    plain = trait["degrees"]["0"]
    return trait["degrees"].get(str(modifier), DegreeData(roll=plain["roll"], added=plain["added"] + modifier))


def _side(attempts: Mapping[str, AttemptData], modifier: int, rules: AttemptRules) -> DegreeData:
    attempt = attempts.get(str(modifier), attempts["0"])
    side, step = (attempt["margin" if rules["margins"] else "degree"], attempt["steps"][rules["margins"]])
    return DegreeData(roll=side["roll"], added=side["added"] + step * modifier)


def _action(game: GameModel, name: str, action: Action, rolls: _Rolls) -> ActionData:
    ladder, rules = ladder_of_results(game.ruleset, name), attempt_rules(action)
    data = ActionData(
        id=name,
        title=action.title,
        roll=action.words(words=game.words),
        modifiers=action.knows_modifiers,
        traits=[trait for entry in action.trait.entries for trait in _trait(action, entry, rolls)],
        difficulties=None if action.difficulty is None else list(_difficulties(action, action.difficulty)),
        levels=_levels(ladder),
        bands=[BandData(name=band, low=ends.low, high=ends.high) for band, ends in action.bands.items()],
    )
    if rules is not None:
        data["attempts"] = rules
    return data


def _trait(action: Action, entry: AxisEntry, rolls: _Rolls) -> Iterator[TraitData]:
    """The data of a trait; nothing where the game does not say which roll the trait makes."""
    try:
        if attempt_rules(action) is not None:
            modifiers = MODIFIERS if action.knows_modifiers else range(1)
            attempts = attempts_of(action, entry, modifiers, rolls.number)
            yield TraitData(name=entry.shown.text, degrees={}, attempts=attempts)
            return
        degrees = _degrees(action, entry)
    except ResolverError:
        return
    found = {
        str(modifier): DegreeData(roll=rolls.number(degree.rolled), added=degree.added)
        for modifier, degree in degrees.items()
    }
    yield TraitData(name=entry.shown.text, degrees=found)


def _degrees(action: Action, entry: AxisEntry) -> Mapping[int, Degree]:
    """The roll of a trait with each modifier; the roll without modifiers alone where modifiers are only added."""
    plain = action.degree(entry)
    if not action.knows_modifiers:
        return {0: plain}
    degrees = {modifier: action.degree(entry, modifier) for modifier in MODIFIERS}
    return {0: plain} if added_step(degrees) == 1 else degrees


def _difficulties(action: Action, axis: Axis) -> Iterator[NamedNumber]:
    """The difficulties, each with the number to reach; 0 where a difficulty is no number to reach."""
    for entry in axis.entries:
        number = 0 if action.uses_difficulty else number_of_entry(axis, entry)
        yield NamedNumber(name=entry.shown.text, number=number)


def _levels(ladder: Ladder | None) -> list[NamedNumber]:
    return [NamedNumber(name=level.name, number=level.value) for level in ladder.levels] if ladder else []


LONGEST = 20
"""The most characters of an exact number that is shown: longer numbers are not readable."""


class AxisData(TypedDict):
    """A choice: its id and title, the words of each entry, and the place of the entry that is chosen at first."""

    id: str
    title: str
    entries: list[str]
    start: int


class AcrossData(TypedDict):
    """The axis whose entries stand side by side: its title, its entries, and the titles of each entry's figures."""

    title: str
    entries: list[str]
    cells: list[str]


class ExplorerData(TypedDict):
    """An explorer.

    ``figures`` are pairs of a rounded and an exact number ("" where rounding loses nothing). ``rows`` are answers, by
    the places of their figures: the figures of ``columns``, then the figures across. ``answers`` has the place of the
    row of each combination, the last axis fastest; None for a combination without an answer.
    """

    id: str
    title: str
    rule: str
    note: str
    axes: list[AxisData]
    columns: list[str]
    across: AcrossData
    figures: list[tuple[str, str]]
    rows: list[list[int]]
    answers: list[int | None]


@dataclass(frozen=True)
class ExplorersPage:
    """A form to ask explorers; ``data`` is looked up by its script, and worked out when the page is made."""

    template: ClassVar[str] = "explorers"
    head: Head
    explorers: Sequence[Explorer]

    @cached_property
    def data(self) -> Sequence[ExplorerData]:
        """Every explorer with all its answers."""
        return [_explorer(explorer, self.head.words) for explorer in self.explorers]


def _explorer(explorer: Explorer, words: Words) -> ExplorerData:
    figures: dict[tuple[str, str], int] = {}
    rows: dict[tuple[int, ...], int] = {}
    answers: list[int | None] = []
    for entries in product(*(axis.entries for axis in explorer.grid.axes)):
        cells = explorer.answer(entries)
        if cells is not None:
            row = tuple([figures.setdefault(figure, len(figures)) for figure in map(_figure, cells)])
            answers.append(rows.setdefault(row, len(rows)))
        else:
            answers.append(None)
    return ExplorerData(
        id=explorer.id,
        title=explorer.title,
        rule=words.said(explorer.rule),
        note=explorer.note,
        axes=list(_axes(explorer)),
        columns=[" ".join(filter(None, (column.title, column.unit))) for column in explorer.columns],
        across=AcrossData(title=explorer.across_title, entries=list(explorer.across), cells=list(explorer.cells)),
        figures=list(figures),
        rows=[list(row) for row in rows],
        answers=answers,
    )


def _axes(explorer: Explorer) -> Iterator[AxisData]:
    for axis, chosen in zip(explorer.grid.axes, explorer.start, strict=True):
        shown = [entry.shown.text for entry in axis.entries]
        title = axis.column.title or axis.column.id
        yield AxisData(id=axis.column.id, title=title, entries=shown, start=shown.index(chosen.shown.text))


def _figure(cell: Cell) -> tuple[str, str]:
    """A figure as it is shown, and exactly: "" for a whole number, and for one that is too long to be read."""
    exact = "" if cell.exact is None or cell.exact.denominator == 1 else str(cell.exact)
    return cell.shown, exact if len(exact) <= LONGEST else ""
