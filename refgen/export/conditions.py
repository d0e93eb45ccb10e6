"""Printed conditions and which of them are met by whoever has some traits, as JSON and in lines of text.

In: a game, and traits. Out: plain data, or lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Literal

from typing_extensions import TypedDict

from refgen.export.model import Place, place
from refgen.game.game import GameModel
from refgen.notation.levels import in_words, signed
from refgen.notation.values import Level
from refgen.resolver.tables.conditions import AnsweredCondition, ConditionStatus, answer_conditions


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

    schema: Literal["refgen/conditions/2"]
    system: str
    traits: list[TraitLevel]
    conditions: list[ConditionData]


def conditions_data(game: GameModel, traits: Sequence[str]) -> ConditionsData:
    """These traits ("TRAIT=LEVEL"), and the answer of each condition."""
    levels, answers = answer_conditions(game.ruleset, traits)
    return ConditionsData(
        schema="refgen/conditions/2",
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
    """These traits ("TRAIT=LEVEL"), then each condition under the title of its table."""
    levels, answers = answer_conditions(game.ruleset, traits)
    given = ", ".join(_trait(name, level) for name, level in levels.items())
    yield f"{game.title}: {given or 'no traits given'}"
    width = max(len(answer) for answer in ConditionStatus)
    for title, group in groupby(answers, key=lambda answer: answer.entry.table.title):
        yield title
        for answer in group:
            yield f"  {answer.answer:<{width}}  {_condition_lines(answer)}  {answer.span}"


def _trait(name: str, level: Level) -> str:
    return f"{name} {level.name} ({signed(level.value)})" if level.name else f"{name} {signed(level.value)}"


def _condition_lines(answer: AnsweredCondition) -> str:
    test = f" ({answer.entry.cell.text})" if answer.entry.condition else ""
    missing = f": {' and '.join(answer.missing)} missing" if answer.missing else ""
    return answer.entry.label.shown + test + missing
