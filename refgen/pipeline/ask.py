"""The odds of an action, asked in the words of a game's ladder.

In: a project, a system, and a Question such as Good +1 against Great. Out: the text to print.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

from refgen.errors import ResolverError, RulesError
from refgen.game.spec import SystemSpec
from refgen.notation.level import Ladder
from refgen.notation.rounding import percent
from refgen.pipeline.project import Project
from refgen.render.data import json_text
from refgen.resolver.action import (
    Action,
    ActionsSpec,
    Contest,
    Degree,
    action_of,
    contest,
    entry_named,
    number_of_entry,
)
from refgen.resolver.answer import PLACES, distribution_data, distribution_lines
from refgen.resolver.formula.axis import beyond
from refgen.resolver.lookup import ladder_of
from refgen.rules.load import load_ruleset
from refgen.rules.model import Ruleset

SCHEMA = "refgen/action-odds/1"


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: names are those of the game's ladders; "" leaves a part out.

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
        goal = f" against {self.difficulty or self.against}" if self.difficulty or self.against else ""
        least = f", at least {self.minimum}" if self.minimum else ""
        return f"{self.trait}{changed}{goal}{least}"


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer for one action."""

    id: str
    action: Action
    degree: Degree
    ladder: Ladder | None
    success: Fraction | None
    contest: Contest | None


def show_action_odds(project: Project, system: str, question: Question, form: str) -> str:
    """The odds of a system's actions. Raises RulesError and ResolverError for what the game does not know."""
    ruleset = load_ruleset(project.systems[system], SystemSpec, project.documents.get(system))
    names = [question.action] if question.action else list(ruleset.spec.actions)
    if not names:
        hint = "Describe how it rolls in [actions.*] of its system.toml."
        raise RulesError(f"{system} has no actions", hint=hint)
    answered = list(_answers(ruleset, names, question))
    if form == "json":
        return json_text(_data(system, question, answered))
    return "".join(f"{line}\n" for line in _lines(ruleset, question, answered))


def _answers(ruleset: Ruleset[ActionsSpec], names: Sequence[str], question: Question) -> Iterator[Answered]:
    """The answers of the actions that know the names asked for. When none does, the first one says what it lacks."""
    lacking: list[ResolverError] = []
    for name, action in [(name, action_of(ruleset, name)) for name in names]:
        try:
            yield _answer(ruleset, name, action, question)
        except ResolverError as error:
            lacking.append(error)
    if len(lacking) == len(names):
        raise lacking[0]


def _answer(ruleset: Ruleset[ActionsSpec], action_id: str, action: Action, question: Question) -> Answered:
    degree = action.degree(entry_named(action.trait, question.trait, "trait"), question.modifier)
    opposed = _contest(action, degree, question) if question.against else None
    success = None if opposed else _success(action, degree, question.difficulty)
    return Answered(action_id, action, degree, _ladder(ruleset, action_id), success, opposed)


def _success(action: Action, degree: Degree, difficulty: str) -> Fraction | None:
    """The chance to succeed: without difficulties a degree of 0 does; with them, one must be named."""
    if action.difficulty is None:
        if difficulty:
            raise ResolverError(f"{action.title} has no difficulties", hint="Say --modifier, or --against a trait.")
        return degree.reaches(0)
    if not difficulty:
        return None
    return degree.reaches(number_of_entry(action.difficulty, entry_named(action.difficulty, difficulty, "difficulty")))


def _contest(action: Action, degree: Degree, question: Question) -> Contest:
    foe = action.degree(entry_named(action.trait, question.against, "trait"))
    if not question.minimum:
        return contest(degree, foe)
    levels = action.difficulty or action.trait
    return contest(degree, foe, number_of_entry(levels, entry_named(levels, question.minimum, "level")))


def _ladder(ruleset: Ruleset[ActionsSpec], action_id: str) -> Ladder | None:
    """The ladder on which results are read: that of the traits, else that of the difficulties."""
    spec = ruleset.spec.actions[action_id]
    named = spec.trait.ladder or (spec.difficulty and spec.difficulty.ladder)
    return ladder_of(ruleset, named) if named else None


def _level(one: Answered, outcome: int) -> str:
    return beyond(one.ladder, outcome).name if one.ladder else ""


def _data(system: str, question: Question, answered: Sequence[Answered]) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "system": system,
        "trait": question.trait,
        "modifier": question.modifier,
        "difficulty": question.difficulty or None,
        "against": question.against or None,
        "minimum": question.minimum or None,
        "actions": [_action_data(one, question) for one in answered],
    }


def _action_data(one: Answered, question: Question) -> dict[str, Any]:
    data = distribution_data(one.degree.rolled, one.degree.added)
    for outcome in data["pmf"]:
        outcome["level"] = _level(one, outcome["outcome"])
    return {
        "id": one.id,
        "title": one.action.title,
        "roll": one.action.words(question.modifier),
        "success": None if one.success is None else _chance(one.success),
        "contest": None if one.contest is None else _contest_data(one.contest),
        **data,
    }


def _contest_data(found: Contest) -> Mapping[str, Any]:
    return {"win": _chance(found.win), "draw": _chance(found.draw), "lose": _chance(found.lose)}


def _chance(chance: Fraction) -> Mapping[str, Any]:
    return {"exact": str(chance), "percent": float(chance * 100)}


def _lines(ruleset: Ruleset, question: Question, answered: Sequence[Answered]) -> Iterator[str]:
    yield f"{ruleset.title}: {question.words}"
    width = max(len(one.action.title) for one in answered)
    for one in answered:
        if said := _said(one):
            yield f"  {one.action.title:<{width}}  {said}"
    first = answered[0]
    degree, roll = first.degree, first.action.words(question.modifier)
    deviation = sqrt(degree.rolled.variance)
    yield f"{first.action.title}: {roll}, mean {_mean(degree):.2f}, standard deviation {deviation:.2f}"
    yield from distribution_lines(degree.rolled, degree.added, lambda outcome: _level(first, outcome))


def _mean(degree: Degree) -> float:
    return float(degree.rolled.mean + degree.added)


def _said(one: Answered) -> str:
    if one.success is not None:
        return f"{percent(one.success, PLACES)} ({one.success})"
    if one.contest is not None:
        named = {"win": one.contest.win, "draw": one.contest.draw, "lose": one.contest.lose}
        return ", ".join(f"{name} {percent(chance, PLACES)} ({chance})" for name, chance in named.items())
    return ""
