"""The odds of a game's actions as JSON.

In: a game and a Question. Out: plain data.
"""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from refgen.export.model import Chance, Deviation, Exact, chance
from refgen.export.odds import OutcomeChance, ReachChance, distribution
from refgen.game.game import Game
from refgen.resolver.action import Contest
from refgen.resolver.question import ActionOdds, action_odds
from refgen.resolver.question import Question as Question


class ContestData(TypedDict):
    """The chances of an opposed action; with a minimum, also that of being no worse, but below the minimum."""

    win: Chance
    draw: Chance
    lose: Chance
    below_minimum: NotRequired[Chance]


class NamedOutcomeChance(OutcomeChance):
    """The chance of one outcome, and the level it stands for ("" in a game without a ladder)."""

    level: str


class BandChance(Chance):
    """The chance of a band of results."""

    name: str


class AskedAction(TypedDict):
    """The odds of one way to act; ``success`` and ``contest`` where they were asked for, ``bands`` of named results."""

    id: str
    title: str
    roll: str
    success: Chance | None
    contest: ContestData | None
    bands: NotRequired[list[BandChance]]
    pmf: list[NamedOutcomeChance]
    at_least: list[ReachChance]
    mean: Exact
    sd: Deviation
    residue: Exact


class ActionOddsData(TypedDict):
    """What ``refgen odds --system … --format json`` prints."""

    schema: Literal["refgen/action-odds/1"]
    system: str
    trait: str
    modifier: int
    difficulty: str | None
    against: str | None
    minimum: str | None
    actions: list[AskedAction]


def action_odds_data(game: Game, question: Question) -> ActionOddsData:
    """The answers of all actions."""
    answers = action_odds(game.ruleset, question)
    return ActionOddsData(
        schema="refgen/action-odds/1",
        system=game.id,
        trait=question.trait,
        modifier=question.modifier,
        difficulty=question.difficulty or None,
        against=question.against or None,
        minimum=question.minimum or None,
        actions=[_action(answer, question) for answer in answers],
    )


def _action(answer: ActionOdds, question: Question) -> AskedAction:
    odds = distribution(answer.degree.rolled, answer.degree.added)
    found = AskedAction(
        id=answer.id,
        title=answer.action.title,
        roll=answer.action.words(question.modifier),
        success=None if answer.success is None else chance(answer.success),
        contest=None if answer.contest is None else _contest(answer.contest, question),
        pmf=[NamedOutcomeChance(**outcome, level=answer.level(outcome["outcome"])) for outcome in odds["pmf"]],
        at_least=odds["at_least"],
        mean=odds["mean"],
        sd=odds["sd"],
        residue=odds["residue"],
    )
    if answer.bands:
        found["bands"] = [BandChance(name=name, **chance(band)) for name, band in answer.bands.items()]
    return found


def _contest(contest: Contest, question: Question) -> ContestData:
    found = ContestData(win=chance(contest.win), draw=chance(contest.draw), lose=chance(contest.lose))
    if question.minimum:
        found["below_minimum"] = chance(contest.below_minimum)
    return found
