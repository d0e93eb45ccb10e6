"""Which of the printed conditions are met by whoever has some traits.

In: a ruleset, and traits, each as "TRAIT=LEVEL". Out: the level of each trait, and the answer of each condition.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from refgen.errors import NotationError, RulesError
from refgen.notation.level import Ladder, read_level
from refgen.notation.values import Level
from refgen.resolver.lookup import ladder_of
from refgen.resolver.tables.conditions import PrintedCondition, holds, missing, printed_conditions, traits_of
from refgen.rules.model import Ruleset
from refgen.source import plain
from refgen.span import Span
from refgen.suggestion import did_you_mean, find_key

EXAMPLE = "For example Power=Great, Power=+2 or, with blanks, 'Power=Very hard'."

_NUMBER = re.compile(r"[-+−]?\d{1,4}")


class Answer(StrEnum):
    """What is known of a condition."""

    HOLDS = "holds"
    FAILS = "does not hold"
    UNKNOWN = "unknown"
    UNTESTED = "no test"


@dataclass(frozen=True, slots=True)
class AnsweredCondition:
    """A printed condition, whether it holds, and the traits that are missing to know."""

    entry: PrintedCondition
    answer: Answer
    missing: tuple[str, ...] = ()

    @property
    def span(self) -> Span:
        """Where it is printed."""
        if self.entry.cell.span is None:
            raise RulesError(f'"{self.entry.cell.text}" has no place in a document')
        return self.entry.cell.span


Traits = Mapping[str, Level]
"""The level of each trait that is known."""


def answer_conditions(ruleset: Ruleset, traits: Sequence[str]) -> tuple[Traits, Sequence[AnsweredCondition]]:
    """These traits, and whether whoever has them meets each condition of a game.

    Raises RulesError for a game without conditions and for a trait that none of them names, NotationError for a
    level that the trait's ladder lacks.
    """
    entries = list(printed_conditions(ruleset, list(ruleset.tables)))
    if not entries:
        hint = 'A column with type = "condition" in its system.toml holds them.'
        raise RulesError(f"{ruleset.id} has no conditions", hint=hint)
    levels = read_traits(traits, _ladders(ruleset, entries))
    values = {name: level.value for name, level in levels.items()}
    return levels, [_answered(entry, values) for entry in entries]


def _ladders(ruleset: Ruleset, entries: Iterable[PrintedCondition]) -> Mapping[str, Ladder]:
    """The traits that conditions name, each with the ladder of the first that names it."""
    found: dict[str, tuple[str, str]] = {}
    for entry in entries:
        for name in traits_of(entry.condition) if entry.condition else ():
            _, ladder = found.setdefault(name.casefold(), (name, entry.ladder))
            if ladder != entry.ladder:
                hint = "Give all conditions on a trait the same ladder in system.toml."
                raise RulesError(f"{name} goes by two ladders, {ladder} and {entry.ladder}", hint=hint)
    return {name: ladder_of(ruleset, ladder) for name, ladder in found.values()}


def read_traits(texts: Sequence[str], ladders: Mapping[str, Ladder]) -> Traits:
    """Traits from "TRAIT=LEVEL"; a level is a name or a whole number."""
    found: dict[str, Level] = {}
    for text in texts:
        name, equals, level = (plain(part) for part in text.partition("="))
        if not (name and equals and level):
            raise RulesError(f'"{text}" is not TRAIT=LEVEL', hint=EXAMPLE)
        trait = _trait(name, list(ladders))
        if trait in found:
            raise RulesError(f"{trait} is given twice", hint="Give each trait one level.")
        found[trait] = _level(trait, level, ladders[trait])
    return found


def _trait(name: str, known: Sequence[str]) -> str:
    trait = find_key(name, known)
    if trait is None:
        raise RulesError(f'no condition names the trait "{name}"', hint=did_you_mean(name, known))
    return trait


def _level(trait: str, text: str, ladder: Ladder) -> Level:
    if _NUMBER.fullmatch(text):
        number = int(text.replace("−", "-"))
        return ladder.named(number) or Level("", number)
    try:
        return read_level(text, ladder)
    except NotationError as error:
        names = ", ".join(level.name for level in ladder.levels)
        raise NotationError(
            f"{trait}: {error.message}", hint=error.hint or f"Write a whole number, or one of {names}."
        ) from error


def _answered(entry: PrintedCondition, traits: Mapping[str, int]) -> AnsweredCondition:
    if entry.condition is None:
        return AnsweredCondition(entry, Answer.UNTESTED)
    held = holds(entry.condition, traits)
    if held is None:
        return AnsweredCondition(entry, Answer.UNKNOWN, missing(entry.condition, traits))
    return AnsweredCondition(entry, Answer.HOLDS if held else Answer.FAILS)
