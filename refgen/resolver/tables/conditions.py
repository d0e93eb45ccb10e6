"""Conditions on traits: whether they hold, and from which level of a trait on.

In: the conditions that a document prints in its tables, and the values of traits. Out: for one set of traits, the
answer of each condition; for every pair of levels, a computed table of thresholds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from operator import eq, ge, gt, itemgetter, le, lt
from typing import Literal

from pydantic import Field

from refgen.catalog import did_you_mean, find_key
from refgen.errors import NotationError, ResolverError, RulesError
from refgen.marks import DASHES, TO_HYPHENS
from refgen.notation.levels import Ladder, in_words, read_level, signed_text
from refgen.notation.values import Condition, Level, TraitComparison
from refgen.resolver.formula.axis import level_cells
from refgen.resolver.lookup import ComputedSpec, column_id, computed_table, ladder_of, table_of
from refgen.rules.field_types import Identifier
from refgen.rules.model import Cell, Column, Ruleset, RuleTable
from refgen.source import plain_text
from refgen.span import Span
from refgen.words import Phrase, chain_texts

_RELATIONS = {">=": ge, "<=": le, ">": gt, "<": lt, "=": eq}

ALWAYS, NEVER = Phrase("condition-always"), Phrase("condition-never")


class ConditionsSpec(ComputedSpec):
    """The conditions of some tables: for each level of the first trait, the levels of the other that bring them."""

    kind: Literal["conditions"]
    tables: list[Identifier] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class PrintedCondition:
    """A row of a table with a column of conditions; ``condition`` is None where the document prints no test.

    ``cell`` is the printed test (of a row without one, the ``label``); ``ladder`` is the id of the column's ladder.
    """

    table: RuleTable
    label: Cell
    cell: Cell
    condition: Condition | None
    ladder: str


def printed_conditions(ruleset: Ruleset, table_ids: Sequence[str]) -> Iterator[PrintedCondition]:
    """Every row of every column of conditions in some tables; its label is the first cell that is no condition."""
    for table_id in table_ids:
        table = table_of(ruleset, table_id)
        columns = () if table.computed else ruleset.spec.tables[table_id].columns
        labels = [index for index, spec in enumerate(columns) if spec.type != "condition"]
        for index, spec in enumerate(columns):
            for row in table.rows if spec.type == "condition" else ():
                label, tested = row[labels[0] if labels else index], row[index].value
                condition = tested if isinstance(tested, Condition) else None
                yield PrintedCondition(table, label, row[index] if condition else label, condition, spec.ladder or "")


def traits_of(condition: Condition) -> tuple[str, ...]:
    """The traits that a condition names, in the order they are printed, each once."""
    names: dict[str, str] = {}
    for name in (name for clause in condition.clauses for part in clause for name, _ in part.traits):
        names.setdefault(name.casefold(), name)
    return tuple(names.values())


def is_met(condition: Condition, traits: Mapping[str, int]) -> bool | None:
    """Whether these traits meet a condition; None while others could still decide. Names are without case.

    A clause that fails decides, and so does one alternative that is met, whatever else is unknown.
    """
    return _all_hold(_clause_holds(clause, _fold_names(traits)) for clause in condition.clauses)


def missing_traits(condition: Condition, traits: Mapping[str, int]) -> tuple[str, ...]:
    """The traits that ``is_met`` lacks to answer; none when it does."""
    known = _fold_names(traits)
    if is_met(condition, traits) is not None:
        return ()
    undecided = (clause for clause in condition.clauses if _clause_holds(clause, known) is None)
    lacking = Condition(
        tuple(tuple(part for part in clause if _compare_trait(part, known) is None) for clause in undecided)
    )
    return tuple(name for name in traits_of(lacking) if name.casefold() not in known)


def _fold_names(traits: Mapping[str, int]) -> Mapping[str, int]:
    return {name.casefold(): value for name, value in traits.items()}


def _all_hold(answers: Iterator[bool | None]) -> bool | None:
    found = set(answers)
    return False if False in found else None if None in found else True


def _clause_holds(clause: Sequence[TraitComparison], traits: Mapping[str, int]) -> bool | None:
    """Any of its comparisons is enough: not all of them fail."""
    fails = _all_hold(None if met is None else not met for met in (_compare_trait(part, traits) for part in clause))
    return None if fails is None else not fails


def _compare_trait(part: TraitComparison, traits: Mapping[str, int]) -> bool | None:
    values = [(traits.get(name.casefold()), count) for name, count in part.traits]
    if any(value is None for value, _ in values):
        return None
    total = sum(value * count for value, count in values if value is not None)
    return bool(_RELATIONS[part.relation](total, part.number))


def conditions(ruleset: Ruleset, table_id: str, spec: ConditionsSpec) -> RuleTable:
    """For each condition (rows) and level of the first trait (columns): the levels of the second trait that meet it.

    Every pair of levels is tried. Raises ResolverError for a condition of more than two traits, and for tables whose
    conditions go by different ladders.
    """
    printed = list(printed_conditions(ruleset, spec.tables))
    tested = [(entry, entry.condition) for entry in printed if entry.condition is not None]
    ladder_id = _only_ladder(printed, spec)
    ladder = ladder_of(ruleset, ladder_id)
    places = {level.name: cell.span for level, cell in level_cells(ruleset, ladder_id) if cell.span is not None}
    labels = (column.title for column in printed[0].table.columns if column.type != "condition")
    columns = [
        Column("label", next(labels, Phrase("condition"))),
        Column("condition", Phrase("condition-comes-with")),
        Column("trait", Phrase("condition-level-of")),
        Column("other", Phrase("condition-needs")),
        *(
            Column(
                column_id(level.name), level.name, unit=signed_text(level.value) if ladder.signed else str(level.value)
            )
            for level in ladder.levels
        ),
    ]
    rows = [_row(entry, condition, ladder, places) for entry, condition in tested]
    untested = len(printed) - len(tested)
    rule = Phrase("condition-rule")
    if untested:
        rule = Phrase("condition-left-out", rule=rule, number=untested)
    return computed_table(table_id, spec, columns, rows, rule)


def _only_ladder(printed: Sequence[PrintedCondition], spec: ConditionsSpec) -> str:
    ladders = {entry.ladder for entry in printed}
    if len(ladders) == 1:
        return ladders.pop()
    names = ", ".join(spec.tables)
    if not ladders:
        raise ResolverError(f"no column of {names} holds conditions", hint='Give one type = "condition" and a ladder.')
    raise ResolverError(f"the conditions of {names} go by several ladders", hint="Make a table for each ladder.")


def _row(entry: PrintedCondition, condition: Condition, ladder: Ladder, places: Mapping[str, Span]) -> tuple[Cell, ...]:
    first, *others = traits_of(condition)
    if len(others) > 1:
        raise ResolverError(
            f'"{entry.cell.text}" at {entry.cell.span} names {len(others) + 1} traits; a table has room for two',
            hint="Leave its table out of `tables`.",
        )
    other = others[0] if others else ""
    place = (entry.cell.span,) if entry.cell.span else ()
    tried = [level.name for level in ladder.levels] if other else []
    named = [part.level for clause in condition.clauses for part in clause if part.level]
    cells = []
    for level in ladder.levels:
        used = dict.fromkeys([level.name, *tried, *named])
        sources = (*place, *(places[name] for name in used if name in places))
        cells.append(Cell(_needed_level(condition, first, level, other, ladder), sources=sources))
    return (
        Cell(entry.label.shown, sources=(entry.label.span,) if entry.label.span else ()),
        Cell(in_words(condition), sources=place),
        Cell(first),
        Cell(other or "–"),
        *cells,
    )


def _needed_level(condition: Condition, first: str, level: Level, other: str, ladder: Ladder) -> str:
    """The level that the other trait must have for the condition to hold when the first is at ``level``."""
    levels = ladder.levels
    answers = [is_met(condition, {first: level.value, **({other: tried.value} if other else {})}) for tried in levels]
    return levels_in_words([tried.name for tried in levels], [bool(answer) for answer in answers])


def levels_in_words(names: Sequence[str], marked: Sequence[bool]) -> str:
    """The marked ones of levels, best first: "Fair or lower", "Great to Fair", "Great; Poor", "always", "never"."""
    if all(marked) or not any(marked):
        return ALWAYS if all(marked) else NEVER
    runs = [[number for number, _ in run] for mark, run in groupby(enumerate(marked), itemgetter(1)) if mark]
    return chain_texts("check-rules", [_run_in_words(names, run[0], run[-1]) for run in runs])


def _run_in_words(names: Sequence[str], start: int, end: int) -> str:
    if start == end:
        return names[start]
    if start == 0:
        return Phrase("condition-or-higher", level=names[end])
    if end == len(names) - 1:
        return Phrase("condition-or-lower", level=names[start])
    return Phrase("condition-to", first=names[start], last=names[end])


EXAMPLE = "For example Power=Great, Power=+2 or, with blanks, 'Power=Very hard'."

_NUMBER = re.compile(rf"[-+{DASHES}]?\d{{1,4}}")


class ConditionStatus(StrEnum):
    """The answer to a condition so far."""

    HOLDS = "holds"
    FAILS = "does not hold"
    UNKNOWN = "unknown"
    UNTESTED = "no test"


@dataclass(frozen=True, slots=True)
class AnsweredCondition:
    """A printed condition, whether it holds, and the traits that are missing to know."""

    entry: PrintedCondition
    answer: ConditionStatus
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
    """The traits by name, and for each condition of a game whether a character with these traits meets the condition.

    Raises RulesError for a game without conditions and for a trait that none of them names, NotationError for a
    level that the trait's ladder lacks.
    """
    entries = list(printed_conditions(ruleset, list(ruleset.tables)))
    if not entries:
        hint = 'A column with type = "condition" in its system.toml holds them.'
        raise RulesError(f"{ruleset.id} has no conditions", hint=hint)
    levels = read_traits(traits, _ladders(ruleset, entries))
    values = {name: level.value for name, level in levels.items()}
    return levels, [_answer_condition(entry, values) for entry in entries]


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
        name, equals, level = (plain_text(part) for part in text.partition("="))
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
        number = int(text.translate(TO_HYPHENS))
        return ladder.named(number) or Level("", number)
    try:
        return read_level(text, ladder)
    except NotationError as error:
        names = ", ".join(level.name for level in ladder.levels)
        raise NotationError(
            f"{trait}: {error.message}", hint=error.hint or f"Write a whole number, or one of {names}."
        ) from error


def _answer_condition(entry: PrintedCondition, traits: Mapping[str, int]) -> AnsweredCondition:
    if entry.condition is None:
        return AnsweredCondition(entry, ConditionStatus.UNTESTED)
    held = is_met(entry.condition, traits)
    if held is None:
        return AnsweredCondition(entry, ConditionStatus.UNKNOWN, missing_traits(entry.condition, traits))
    return AnsweredCondition(entry, ConditionStatus.HOLDS if held else ConditionStatus.FAILS)
