"""Printed conditions and which of them a society meets, as JSON.

In: a game, and the traits of a society. Out: plain data.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from typing_extensions import TypedDict

from refgen.export.model import Place, place
from refgen.game.game import Game
from refgen.notation.condition import in_words
from refgen.resolver.society import Answer, AnsweredCondition, answer_conditions


class SocietyTrait(TypedDict):
    """A trait of a society; ``level`` is empty where its number is no level of the ladder."""

    trait: str
    level: str
    value: int


class ConditionData(TypedDict):
    """A printed condition, and whether the society meets it; ``missing`` are the traits still needed to know."""

    table: str
    label: str
    test: str
    in_words: str
    answer: Answer
    missing: list[str]
    source: Place


class ConditionsData(TypedDict):
    """What ``refgen conditions --format json`` prints."""

    schema: Literal["refgen/conditions/1"]
    system: str
    society: list[SocietyTrait]
    conditions: list[ConditionData]


def conditions_data(game: Game, traits: Sequence[str]) -> ConditionsData:
    """A society with these traits ("TRAIT=LEVEL"), and the answer of each condition."""
    society, answers = answer_conditions(game.ruleset, traits)
    return ConditionsData(
        schema="refgen/conditions/1",
        system=game.id,
        society=[SocietyTrait(trait=name, level=level.name, value=level.value) for name, level in society.items()],
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
