"""The odds of a game's actions that people ask for.

In: a Question, such as Good +1 against Great. Out: the ActionOdds of each action that knows the names in the question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from refgen.errors import ResolverError
from refgen.notation.levels import Ladder
from refgen.resolver.action import Action, entry_named
from refgen.resolver.action_reader import action_of
from refgen.resolver.action_spec import TRAIT, ActionsSpec
from refgen.resolver.contest import Contest, Degree
from refgen.resolver.formula.axis import level_of_number
from refgen.resolver.lookup import ladder_of
from refgen.rules.model import Ruleset


@dataclass(frozen=True, slots=True)
class Question:
    """A question about odds: names are those of the game's ladders; "" leaves a part out.

    ``action`` is the id of one action, or "" for all that know the trait. ``minimum`` is the level that an opposed
    action must reach to count.
    """

    trait: str
    difficulty: str = ""
    modifier: int = 0
    against: str = ""
    minimum: str = ""
    action: str = ""

    @property
    def words(self) -> str:
        """The question in words."""
        changed = f" {self.modifier:+d}" if self.modifier else ""
        goal = f" against {self.against or self.difficulty}" if self.difficulty or self.against else ""
        if self.difficulty and self.against:
            goal += f", difficulty {self.difficulty}"
        least = f", at least {self.minimum}" if self.minimum else ""
        return f"{self.trait}{changed}{goal}{least}"


@dataclass(frozen=True, slots=True)
class ActionOdds:
    """The answer for one action: ``success`` or ``contest`` where they were asked for, else the chance of each band."""

    id: str
    action: Action
    degree: Degree
    ladder: Ladder | None
    success: Fraction | None
    contest: Contest | None
    bands: Mapping[str, Fraction]

    def level(self, outcome: int) -> str:
        """The name of an outcome: the band, or the level on the ladder; "" in a game without bands and ladders."""
        for name, band in self.action.bands.items():
            if outcome in band:
                return name
        return level_of_number(self.ladder, outcome).name if self.ladder else ""


def action_odds(ruleset: Ruleset[ActionsSpec], question: Question) -> Sequence[ActionOdds]:
    """The odds of a game's actions. Raises ResolverError for what the game does not know."""
    names = [question.action] if question.action else list(ruleset.spec.actions)
    if not names:
        hint = "Describe how it rolls in [actions.*] of its system.toml."
        raise ResolverError(f"{ruleset.id} has no actions", hint=hint)
    return list(_answers(ruleset, names, question))


def _answers(ruleset: Ruleset[ActionsSpec], names: Sequence[str], question: Question) -> Iterator[ActionOdds]:
    """The odds of each action that knows the names in a question. Raises the first error when no action knows them."""
    lacking: list[ResolverError] = []
    for name, action in [(name, action_of(ruleset, name)) for name in names]:
        try:
            yield _answer(ruleset, name, action, question)
        except ResolverError as error:
            lacking.append(error)
    if len(lacking) == len(names):
        raise lacking[0]


def _answer(ruleset: Ruleset[ActionsSpec], action_id: str, action: Action, question: Question) -> ActionOdds:
    trait, modifier, difficulty = question.trait, question.modifier, question.difficulty
    is_band = action.difficulty is None and bool(action.bands)
    entry = entry_named(action.trait, trait, TRAIT)
    degree = action.degree(entry, modifier, None if is_band else action.difficulty_named(difficulty))
    success = contest = None
    if question.against:
        contest = action.contest(trait, question.against, modifier, question.minimum, difficulty)
    elif difficulty or (action.difficulty is None and (action.target or not action.bands)):
        success = action.chance(trait, difficulty, modifier)
    answers_all = contest is not None or (success is not None and bool(difficulty or not action.target))
    bands = {} if answers_all else action.chances_of_bands(degree)
    return ActionOdds(action_id, action, degree, ladder_of_results(ruleset, action_id), success, contest, bands)


def ladder_of_results(ruleset: Ruleset[ActionsSpec], action_id: str) -> Ladder | None:
    """The ladder on which results are read: that of the traits, else that of the difficulties.

    A roll that is held against some other number, or to which a difficulty is added, is no level.
    """
    spec = ruleset.spec.actions[action_id]
    if spec.target or spec.names_of(spec.difficulty):
        return None
    named = spec.trait.ladder or (spec.difficulty and spec.difficulty.ladder)
    return ladder_of(ruleset, named) if named else None
