"""Printed conditions and which of them are met by whoever has some traits, in lines of text.

In: a game, and traits. Out: lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from refgen.game.game import Game
from refgen.notation.condition import signed
from refgen.notation.values import Level
from refgen.resolver.met_conditions import Answer, AnsweredCondition, answer_conditions


def conditions_lines(game: Game, traits: Sequence[str]) -> Iterator[str]:
    """These traits ("TRAIT=LEVEL"), then each condition under the title of its table."""
    levels, answers = answer_conditions(game.ruleset, traits)
    given = ", ".join(_trait(name, level) for name, level in levels.items())
    yield f"{game.title}: {given or 'no traits given'}"
    width = max(len(answer) for answer in Answer)
    for title, group in groupby(answers, key=lambda answer: answer.entry.table.title):
        yield title
        for answer in group:
            yield f"  {answer.answer:<{width}}  {_condition(answer)}  {answer.span}"


def _trait(name: str, level: Level) -> str:
    return f"{name} {level.name} ({signed(level.value)})" if level.name else f"{name} {signed(level.value)}"


def _condition(answer: AnsweredCondition) -> str:
    test = f" ({answer.entry.cell.text})" if answer.entry.condition else ""
    missing = f": {' and '.join(answer.missing)} missing" if answer.missing else ""
    return answer.entry.label.shown + test + missing
