"""The answers of a game to questions: the odds of actions, and the printed conditions that given traits meet.

In: a game, and a Question or traits ("TRAIT=LEVEL"). Out: plain data for JSON, or lines of text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Literal, NotRequired

from typing_extensions import TypedDict

from refgen.export.model import Chance, Deviation, Exact, Place, chance, data_of, place
from refgen.export.odds import PLACES, OutcomeChance, ReachChance, distribution, distribution_lines, mean_words
from refgen.game import GameModel
from refgen.notation.figures import percent, scientific
from refgen.notation.levels import in_words, signed_text
from refgen.notation.values import Level
from refgen.resolver.action import Contest
from refgen.resolver.action_reader import ActionOdds, action_odds
from refgen.resolver.action_reader import Question as Question
from refgen.resolver.tables.conditions import AnsweredCondition, ConditionStatus, answer_conditions


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


class ActionChances(TypedDict):
    """The odds of one way to act; ``success`` and ``contest`` where they were asked for, ``bands`` of named results.

    No chance of these is farther off than ``off_by``, "0" where all are exact; for the rest see the odds of dice.
    """

    id: str
    title: str
    roll: str
    success: Chance | None
    contest: ContestData | None
    bands: NotRequired[list[BandChance]]
    off_by: Exact
    pmf: list[NamedOutcomeChance]
    at_least: list[ReachChance]
    mean: Exact
    sd: Deviation
    mean_exact: bool
    residue: Exact
    exact_from: int | None
    exact_to: int | None


class ActionOddsData(TypedDict):
    """The output of ``refgen odds --system … --format json``."""

    schema: Literal["refgen/action-odds/2"]
    system: str
    trait: str
    modifier: int
    difficulty: str | None
    against: str | None
    minimum: str | None
    actions: list[ActionChances]


def action_odds_data(game: GameModel, question: Question) -> ActionOddsData:
    """The answers of all actions."""
    answers = action_odds(game.ruleset, question)
    asked = {name: getattr(question, name) or None for name in ("difficulty", "against", "minimum")}
    actions = [_action(answer, question) for answer in answers]
    return data_of(ActionOddsData, question, schema="refgen/action-odds/2", system=game.id, actions=actions, **asked)


def _action(answer: ActionOdds, question: Question) -> ActionChances:
    odds = distribution(answer.degree.rolled, answer.degree.added)
    found = ActionChances(
        id=answer.id,
        title=answer.action.title,
        roll=answer.action.words(question.modifier),
        success=None if answer.success is None else chance(answer.success),
        contest=None if answer.contest is None else _contest(answer.contest, question),
        off_by=str(answer.off_by),
        pmf=[NamedOutcomeChance(**outcome, level=answer.level(outcome["outcome"])) for outcome in odds["pmf"]],
        at_least=odds["at_least"],
        mean=odds["mean"],
        sd=odds["sd"],
        mean_exact=odds["mean_exact"],
        residue=odds["residue"],
        exact_from=odds["exact_from"],
        exact_to=odds["exact_to"],
    )
    if answer.bands:
        found["bands"] = [BandChance(name=name, **chance(band)) for name, band in answer.bands.items()]
    return found


def _contest(contest: Contest, question: Question) -> ContestData:
    found = ContestData(win=chance(contest.win), draw=chance(contest.draw), lose=chance(contest.lose))
    if question.minimum:
        found["below_minimum"] = chance(contest.below_minimum)
    return found


def action_odds_lines(game: GameModel, question: Question) -> Iterator[str]:
    """The chance of each action, then the distribution of the first."""
    answers = action_odds(game.ruleset, question)
    yield f"{game.title}: {question.words}"
    width = max(len(answer.action.title) for answer in answers)
    for answer in answers:
        if chances := _chances(answer, question):
            left_out = f", off by at most {scientific(answer.off_by)}" if answer.off_by else ""
            yield f"  {answer.action.title:<{width}}  {chances}{left_out}"
    first = answers[0]
    degree, roll = first.degree, first.action.words(question.modifier)
    yield f"{first.action.title}: {roll}, {mean_words(degree.rolled, degree.added)}"
    at_most = first.action.target is not None and first.action.target.at_most
    yield from distribution_lines(degree.rolled, degree.added, first.level, at_most)


def _chances(answer: ActionOdds, question: Question) -> str:
    if answer.contest is not None:
        named = {"win": answer.contest.win, "draw": answer.contest.draw}
        named |= {"below the minimum": answer.contest.below_minimum} if question.minimum else {}
        named["lose"] = answer.contest.lose
        return ", ".join(f"{name} {percent(chance, PLACES)} ({chance})" for name, chance in named.items())
    success = [] if answer.success is None else [f"{percent(answer.success, PLACES)} ({answer.success})"]
    bands = [f"{name} {percent(chance, PLACES)} ({chance})" for name, chance in answer.bands.items()]
    return ", ".join(success + bands)


class TraitLevel(TypedDict):
    """A trait; ``level`` is empty where its number is no level of the ladder."""

    trait: str
    level: str
    value: int


class ConditionData(TypedDict):
    """A printed condition, and whether it is met; ``missing`` are the traits still needed to know."""

    table: str
    label: str
    test: str
    in_words: str
    answer: ConditionStatus
    missing: list[str]
    source: Place


class ConditionsData(TypedDict):
    """The output of ``refgen conditions --format json``."""

    schema: Literal["refgen/conditions/3"]
    system: str
    traits: list[TraitLevel]
    conditions: list[ConditionData]


def conditions_data(game: GameModel, traits: Sequence[str]) -> ConditionsData:
    """The given traits ("TRAIT=LEVEL"), and the answer of each condition."""
    levels, answers = answer_conditions(game.ruleset, traits)
    return ConditionsData(
        schema="refgen/conditions/3",
        system=game.id,
        traits=[TraitLevel(trait=name, level=level.name, value=level.value) for name, level in levels.items()],
        conditions=[_condition(answer) for answer in answers],
    )


def _condition(answer: AnsweredCondition) -> ConditionData:
    entry = answer.entry
    return ConditionData(
        table=entry.table.id,
        label=entry.label.shown,
        test=entry.cell.text if entry.condition else "",
        in_words=in_words(entry.condition) if entry.condition else "",
        answer=answer.answer,
        missing=list(answer.missing),
        source=place(answer.span),
    )


def conditions_lines(game: GameModel, traits: Sequence[str]) -> Iterator[str]:
    """A line of the given traits ("TRAIT=LEVEL"), then each condition under the title of its table."""
    levels, answers = answer_conditions(game.ruleset, traits)
    given = ", ".join(_trait(name, level) for name, level in levels.items())
    yield f"{game.title}: {given or 'no traits given'}"
    width = max(len(answer) for answer in ConditionStatus)
    for title, group in groupby(answers, key=lambda answer: answer.entry.table.title):
        yield title
        for answer in group:
            yield f"  {answer.answer:<{width}}  {_condition_lines(answer)}  {answer.span}"


def _trait(name: str, level: Level) -> str:
    return f"{name} {level.name} ({signed_text(level.value)})" if level.name else f"{name} {signed_text(level.value)}"


def _condition_lines(answer: AnsweredCondition) -> str:
    test = f" ({answer.entry.cell.text})" if answer.entry.condition else ""
    missing = f": {' and '.join(answer.missing)} missing" if answer.missing else ""
    return answer.entry.label.shown + test + missing
