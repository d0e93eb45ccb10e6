"""The odds of a game's actions in lines of text.

In: a game and a Question. Out: lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

from refgen.export.odds_text import PLACES, distribution_lines
from refgen.game.game import Game
from refgen.notation.rounding import percent
from refgen.resolver.question import ActionOdds, Question, action_odds


def action_odds_lines(game: Game, question: Question) -> Iterator[str]:
    """The chance of each action, then the distribution of the first."""
    answers = action_odds(game.ruleset, question)
    yield f"{game.title}: {question.words}"
    width = max(len(answer.action.title) for answer in answers)
    for answer in answers:
        if chances := _chances(answer, question):
            yield f"  {answer.action.title:<{width}}  {chances}"
    first = answers[0]
    degree, roll = first.degree, first.action.words(question.modifier)
    mean, deviation = float(degree.rolled.mean + degree.added), sqrt(degree.rolled.variance)
    yield f"{first.action.title}: {roll}, mean {mean:.2f}, standard deviation {deviation:.2f}"
    yield from distribution_lines(degree.rolled, degree.added, first.level)


def _chances(answer: ActionOdds, question: Question) -> str:
    if answer.success is not None:
        return f"{percent(answer.success, PLACES)} ({answer.success})"
    if answer.contest is not None:
        named = {"win": answer.contest.win, "draw": answer.contest.draw}
        named |= {"below the minimum": answer.contest.below_minimum} if question.minimum else {}
        named["lose"] = answer.contest.lose
        return ", ".join(f"{name} {percent(chance, PLACES)} ({chance})" for name, chance in named.items())
    return ", ".join(f"{name} {percent(chance, PLACES)} ({chance})" for name, chance in answer.bands.items())
