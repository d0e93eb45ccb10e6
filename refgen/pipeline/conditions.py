"""Conditions on the command line: which of them a society meets.

In: a project, a system, and traits of a society, each as "TRAIT=LEVEL". Out: the text to print.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from itertools import groupby
from typing import Any

from refgen.errors import NotationError, RulesError
from refgen.game.spec import SystemSpec
from refgen.notation.condition import in_words, signed
from refgen.notation.level import Ladder, read_level
from refgen.notation.values import Level
from refgen.pipeline.project import Project
from refgen.render.data import json_text
from refgen.resolver.lookup import ladder_of
from refgen.resolver.tables.conditions import PrintedCondition, holds, missing, printed_conditions, traits_of
from refgen.rules.load import load_ruleset
from refgen.rules.model import Ruleset
from refgen.source import plain
from refgen.span import Span

SCHEMA = "refgen/conditions/1"
EXAMPLE = "For example Power=Great, Power=+2 or, with blanks, 'Power=Very hard'."

_NUMBER = re.compile(r"[-+−]?\d{1,4}")


class Answer(StrEnum):
    """What is known of a condition."""

    HOLDS = "holds"
    FAILS = "does not hold"
    UNKNOWN = "unknown"
    UNTESTED = "no test"


@dataclass(frozen=True, slots=True)
class Answered:
    """A printed condition, whether it holds, and the traits that are missing to know."""

    entry: PrintedCondition
    answer: Answer
    missing: tuple[str, ...] = ()


def show_conditions(project: Project, system: str, traits: Sequence[str], form: str) -> str:
    """Every condition of a system, and whether a society with these traits meets it.

    Raises RulesError for a system without conditions and for a trait that none of them names, NotationError for a
    level that the trait's ladder lacks.
    """
    ruleset = load_ruleset(project.systems[system], SystemSpec, project.documents.get(system))
    entries = list(printed_conditions(ruleset, list(ruleset.tables)))
    if not entries:
        hint = 'A column with type = "condition" in its system.toml holds them.'
        raise RulesError(f"{system} has no conditions", hint=hint)
    society = read_society(traits, _ladders(ruleset, entries))
    values = {name: level.value for name, level in society.items()}
    answered = [_answered(entry, values) for entry in entries]
    if form == "json":
        return json_text(_data(system, society, answered))
    return "".join(f"{line}\n" for line in _lines(ruleset, society, answered))


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


def read_society(texts: Sequence[str], ladders: Mapping[str, Ladder]) -> Mapping[str, Level]:
    """The traits of a society from "TRAIT=LEVEL"; a level is a name or a whole number."""
    society: dict[str, Level] = {}
    for text in texts:
        name, equals, level = (plain(part) for part in text.partition("="))
        if not (name and equals and level):
            raise RulesError(f'"{text}" is not TRAIT=LEVEL', hint=EXAMPLE)
        trait = _trait(name, list(ladders))
        if trait in society:
            raise RulesError(f"{trait} is given twice", hint="Give each trait one level.")
        society[trait] = _level(trait, level, ladders[trait])
    return society


def _trait(name: str, known: Sequence[str]) -> str:
    folded = {own.casefold(): own for own in known}
    if name.casefold() in folded:
        return folded[name.casefold()]
    close = [folded[found] for found in get_close_matches(name.casefold(), folded, n=3, cutoff=0.5)]
    hint = f"Did you mean {' or '.join(close)}?" if close else f"They name {', '.join(known)}."
    raise RulesError(f'no condition names the trait "{name}"', hint=hint)


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


def _answered(entry: PrintedCondition, society: Mapping[str, int]) -> Answered:
    if entry.condition is None:
        return Answered(entry, Answer.UNTESTED)
    held = holds(entry.condition, society)
    if held is None:
        return Answered(entry, Answer.UNKNOWN, missing(entry.condition, society))
    return Answered(entry, Answer.HOLDS if held else Answer.FAILS)


def _data(system: str, society: Mapping[str, Level], answered: Iterable[Answered]) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "system": system,
        "society": [{"trait": name, "level": level.name, "value": level.value} for name, level in society.items()],
        "conditions": [_condition_data(one) for one in answered],
    }


def _condition_data(one: Answered) -> dict[str, Any]:
    entry, span = one.entry, _place(one.entry)
    return {
        "table": entry.table.id,
        "label": entry.label.shown,
        "test": entry.cell.text if entry.condition else "",
        "in_words": in_words(entry.condition) if entry.condition else "",
        "answer": one.answer.value,
        "missing": list(one.missing),
        "source": {"file": span.file, "line": span.line, "column": span.column},
    }


def _place(entry: PrintedCondition) -> Span:
    span = entry.cell.span
    if span is None:
        raise RulesError(f'"{entry.cell.text}" has no place in a document')
    return span


def _lines(ruleset: Ruleset, society: Mapping[str, Level], answered: Iterable[Answered]) -> Iterator[str]:
    given = ", ".join(_trait_in_words(name, level) for name, level in society.items())
    yield f"{ruleset.title}: {given or 'no traits given'}"
    width = max(len(answer) for answer in Answer)
    for title, group in groupby(answered, key=lambda one: one.entry.table.title):
        yield title
        for one in group:
            yield f"  {one.answer:<{width}}  {_line(one)}  {_place(one.entry)}"


def _trait_in_words(name: str, level: Level) -> str:
    return f"{name} {level.name} ({signed(level.value)})" if level.name else f"{name} {signed(level.value)}"


def _line(one: Answered) -> str:
    test = f" ({one.entry.cell.text})" if one.entry.condition else ""
    lacking = f": {' and '.join(one.missing)} missing" if one.missing else ""
    return one.entry.label.shown + test + lacking
