"""Checks about dice: percentages that no fall of the dice gives, and rolls that one formula throws twice.

In: a ruleset, or printed percentages with the texts that name their dice. Out: a note for each percentage that its dice
cannot give; a warning for each formula that names one roll in two questions.

A chance of dice is a whole number of the equal ways in which they fall: 2d6 fall in 36 ways, so 3% and 6% are chances
of 2d6, and 10% is none. Each mention of a roll in a formula is a throw of its own, which two questions about one throw
do not mean. Two mentions in one sum or comparison are meant as two throws: "{dice} - {dice} >= 2".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refgen.checks.comparison import CheckSubject, comparison_id, precision_of, row_names
from refgen.checks.finding import Finding, FindingKind, Severity
from refgen.errors import NotationError, RefgenError
from refgen.marks import plain_marks
from refgen.notation.dice_notation import DICE_WITHOUT_BLANKS
from refgen.notation.formula_parser import parse_dice, parse_formula
from refgen.notation.formula_tree import STATISTICS, BinaryOperation, Call, Formula, names_in, parts_of
from refgen.notation.values import DiceText, Value, as_chance
from refgen.resolver.dice.distribution import Distribution
from refgen.resolver.formula.names import thrown_names
from refgen.resolver.rolls import roll_formula
from refgen.rules.model import Ruleset
from refgen.rules.places import KeyPath, locate
from refgen.source import SourceFile
from refgen.span import Span
from refgen.words import Phrase, chain_texts

_NAMED = re.compile(rf"(?<![\w.])(?P<dice>{DICE_WITHOUT_BLANKS}(?:\s?[-+]\s?\d+\b)?)(?P<more>\s?[-+/])?(?![\w])")
"""Dice, perhaps with a number added, and perhaps a sign before a modifier that is no number ("d6 + Level")."""

MOST_OUTCOMES = 1_000
"""Nobody rolls on a table with more rows."""


def dice_in(text: str) -> Sequence[str]:
    """The dice that a text names ("2d6", "Roll (d20)"), each once; none in "d6 + Level"."""
    found: dict[str, None] = {}
    for match in _NAMED.finditer(plain_marks(text)):
        if match["more"]:
            return []
        if _can_be_rolled(match["dice"]):
            found[match["dice"]] = None
    return list(found)


def _can_be_rolled(dice: str) -> bool:
    try:
        return 1 < len(outcomes_of(dice)) <= MOST_OUTCOMES
    except RefgenError:
        return False


def outcomes_of(dice: str) -> Sequence[int]:
    """The outcomes of dice, from the lowest; of open-ended dice, as far as the roll is followed."""
    outcomes: Sequence[int] = roll_dice(dice).outcomes
    return outcomes


def ways_of(dice: str) -> int:
    """The number of equal ways in which dice fall: sides to the power of dice. 0 for open-ended dice."""
    distribution = roll_dice(dice)
    return 0 if distribution.is_open else distribution.denominator


def roll_dice(dice: str) -> Distribution:
    """The distribution of dice; of open-ended dice, as far as the roll is followed."""
    return roll_formula(parse_dice(dice))


@dataclass(frozen=True, slots=True)
class PrintedChance:
    """A printed percentage and its value; ``named`` are texts that may name its dice, the nearest first."""

    subject: CheckSubject
    value: Value
    named: Sequence[str]

    @property
    def dice(self) -> str:
        """The dice of the nearest text that names dice; "" where that text names several."""
        found = next((dice for text in self.named if (dice := dice_in(text))), [])
        return found[0] if len(found) == 1 else ""


def chance_findings(system: str, chances: Iterable[PrintedChance]) -> Iterator[Finding]:
    """A note for each chance that its dice cannot give."""
    for printed in chances:
        chance, dice = as_chance(printed.value), printed.dice
        ways = ways_of(dice) if chance is not None and dice else 0
        if chance is None or not ways:
            continue
        precision = precision_of(printed.subject.printed, chance)
        near = [Fraction(int(chance.value * ways) + more, ways) for more in (0, 1)]
        if any(abs(given - chance.value) < precision.unit for given in near):
            continue  # a whole number of ways comes to the chance, rounded in any way
        yield Finding.about(
            printed.subject,
            FindingKind.CHANCE,
            Severity.QUESTION,
            system=system,
            rule=Phrase("check-ways", dice=dice, ways=f"{ways:,}"),
            computed=chain_texts("check-or", (precision.shown(given) for given in near)),
        )


def check_chances(ruleset: Ruleset, compared: Collection[Span]) -> Iterator[Finding]:
    """Notes on the percentages of printed tables that no check compares."""
    yield from chance_findings(ruleset.id, _printed_chances(ruleset, compared))


def _printed_chances(ruleset: Ruleset, compared: Collection[Span]) -> Iterator[PrintedChance]:
    for table in ruleset.printed_tables:
        if not any(as_chance(cell.value) for row in table.rows for cell in row):
            continue
        for name, row in zip(row_names(table), table.rows, strict=True):
            for column, cell in zip(table.columns, row, strict=True):
                if cell.span is None or cell.span in compared or cell.value is None or as_chance(cell.value) is None:
                    continue
                finding_id = comparison_id("chance", table.id, name, column.title)
                about = CheckSubject(finding_id, cell.text, cell.span, table.id, table.title, name, column.title)
                yield PrintedChance(about, cell.value, [column.title, table.title])


_STATISTIC = re.compile(rf"\b(?:{'|'.join(STATISTICS)})\(")


def check_rolled_anew(ruleset: Ruleset) -> Iterator[Finding]:
    """Warnings on the formulas of all entries of system.toml and proof.toml, in the order of the entries."""
    rolls = {fact.id for fact in ruleset.facts.values() if isinstance(fact.value, DiceText)} | {*ruleset.spec.rolls}
    said = ruleset.spec.model_dump(exclude_unset=True)
    shared = said.get("formulas", {})
    for section, entries in said.items():
        for entry_id, entry in entries.items() if isinstance(entries, dict) else ():
            if section == "facts" and ruleset.spec.entry_of(entry_id)[0] != section:
                continue  # a figure of an example: its formula is checked in the example
            rolling = _rolling_names(entry, shared, rolls) if isinstance(entry, dict) else rolls
            for path, text in _statistic_formulas(entry, (section, entry_id)):
                for name in _named_twice(text, rolling):
                    yield _rolled_anew_finding(ruleset, path, text, name)


def _rolling_names(entry: Mapping[str, Any], shared: Mapping[str, Any], rolls: set[str]) -> set[str]:
    """The names that are rolled separately at each mention in an entry, without its throws, rows and columns."""
    used = [shared.get(entry.get("use", ""), {}), entry]
    bound = {name for part in used for name in part.get("throws", {})}
    axes = [*entry.get("rows", ()), entry.get("across")] if isinstance(entry.get("rows", []), list) else []
    given = {axis["id"]: "rolls" in axis for axis in axes if isinstance(axis, dict) and "id" in axis}
    rolling = (rolls - bound - {*given}) | {name for name, rolled in given.items() if rolled}
    for name, text in [item for part in used for item in part.get("let", {}).items()]:
        if name not in given and not rolling.isdisjoint(thrown_names(parse_formula(text))):
            rolling.add(name)
    return rolling


def _statistic_formulas(held: object, path: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    """The formulas of an entry that ask for a chance or a mean, each with its path of keys."""
    if isinstance(held, str) and _STATISTIC.search(held):
        yield path, held
    elif isinstance(held, dict):
        for key, part in held.items():
            yield from _statistic_formulas(part, (*path, key))
    elif isinstance(held, list):
        for number, part in enumerate(held):
            name = part.get("id", number) if isinstance(part, dict) else number
            yield from _statistic_formulas(part, (*path, name))


def _named_twice(text: str, rolling: set[str]) -> Iterator[str]:
    try:
        formula = parse_formula(text)
    except NotationError:
        return  # words
    for call in _statistic_calls(formula):
        counts = _question_counts(call.arguments[0])
        yield from (name for name, count in counts.items() if count > 1 and name in rolling)


def _statistic_calls(formula: Formula) -> Iterator[Call]:
    if isinstance(formula, Call) and formula.name in STATISTICS:
        yield formula
    for part in parts_of(formula):
        yield from _statistic_calls(part)


def _question_counts(formula: Formula) -> Counter[str]:
    """In how many questions each name stands. Of the two sides of an if(), only one is asked."""
    if isinstance(formula, Call) and formula.name == "if":
        test, then, otherwise = map(_question_counts, formula.arguments)
        return test + (then | otherwise)
    if _has_several_questions(formula):
        return sum(map(_question_counts, parts_of(formula)), Counter[str]())
    return Counter({*names_in(formula)})


def _has_several_questions(formula: Formula) -> bool:
    """Whether a formula, or a part of it, asks several questions."""
    match formula:
        case BinaryOperation(sign="and" | "or") | Call(name="if"):
            return True
    return any(map(_has_several_questions, parts_of(formula)))


def _rolled_anew_finding(ruleset: Ruleset, path: KeyPath, text: str, name: str) -> Finding:
    shown, where = f"{{{name}}}", ".".join(map(str, path))
    bound = f'throws = {{ throw = "{shown}" }} names one that is the same at each mention, and two names are two throws'
    rule = f"{where}: {shown} stands in two questions and is rolled separately for each; {bound}"
    place = _place_of_formula(ruleset.files.of(path), path, text)
    subject = CheckSubject(f"rolled-anew/{'/'.join(map(str, path))}/{name}", shown, place, column=where)
    return Finding.about(subject, FindingKind.ROLLED_ANEW, Severity.WARNING, system=ruleset.id, rule=rule)


def _place_of_formula(source: SourceFile, path: KeyPath, text: str) -> Span:
    """The place of a formula; the place of its entry, if the formula is written with escapes."""
    entry = locate(source, path[:2])
    start = source.text.find(text, entry.start)
    return entry if start < 0 else source.span(start, start + len(text))
