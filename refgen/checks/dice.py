"""Dice that a text names, such as the head of a column: "2d6", "Roll (d20)", "1D6 Result".

In: a text of a document. Out: the dice that it names, each once, and what they can come to.
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
from refgen.notation.dice_notation import DICE_WITHOUT_BLANKS
from refgen.notation.formula_parser import parse_dice, parse_formula
from refgen.notation.formula_tree import ASKED, BinaryOperation, Call, Formula, names_in, parts_of
from refgen.notation.values import DiceText, Percent, as_chance
from refgen.resolver.formula.names import thrown_names
from refgen.resolver.rolls import roll_formula
from refgen.rules.model import Cell, Ruleset
from refgen.rules.toml import KeyPath, locate
from refgen.source import SourceFile
from refgen.span import Span

_NAMED = re.compile(rf"(?<![\w.])(?P<dice>{DICE_WITHOUT_BLANKS}(?:\s?[-+]\s?\d+\b)?)(?P<more>\s?[-+/])?(?![\w])")
"""Dice, perhaps with a number; and a sign behind them, after which a modifier stands that nobody can know."""

MOST_OUTCOMES = 1_000
"""A table with more rows is rolled on by nobody."""


def dice_in(text: str) -> Sequence[str]:
    """The dice that a text names; none where it adds to them what is no number ("d6 + Level")."""
    found: dict[str, None] = {}
    for match in _NAMED.finditer(text.replace("−", "-").replace("–", "-")):
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
    outcomes: Sequence[int] = roll_formula(parse_dice(dice)).outcomes
    return outcomes


def ways_of(dice: str) -> int:
    """In how many equal ways dice fall: their sides to the power of their number. 0 for dice that go on."""
    rolled = roll_formula(parse_dice(dice))
    return 0 if rolled.is_open else rolled.denominator


@dataclass(frozen=True, slots=True)
class PrintedChance:
    """A percentage as it is printed, and its place; ``named`` are texts that may name its dice, the nearest first."""

    cell: Cell
    span: Span
    named: Sequence[str]
    table: str = ""
    title: str = ""
    row: str = ""
    column: str = ""


def chance_findings(system: str, chances: Iterable[PrintedChance]) -> Iterator[Finding]:
    """A note for each chance that its dice cannot give."""
    for printed in chances:
        chance, dice = as_chance(printed.cell.value), _dice_of(printed.named)
        ways = ways_of(dice) if chance is not None and dice else 0
        if chance is None or not ways or _is_given(printed.cell, chance, ways):
            continue
        precision = precision_of(printed.cell.text, chance)
        near = [Fraction(int(chance.value * ways) + more, ways) for more in (0, 1)]
        place = "" if printed.table else f"{printed.span.line}:{printed.span.column}"  # for tables without an id
        names = (printed.table, printed.title, printed.row, printed.column)
        name = comparison_id("chance", printed.table, printed.row, printed.column, place)
        yield Finding.about(
            CheckSubject(name, printed.cell.text, printed.span, *names),
            FindingKind.CHANCE,
            Severity.NOTE,
            system=system,
            rule=f"a chance of {dice} is a number of its {ways:,} equal ways to fall",
            computed=" or ".join(precision.shown(chance) for chance in near),
        )


def _dice_of(named: Sequence[str]) -> str:
    """The dice that the nearest text names which names some; "" where that names several."""
    found = next((dice for text in named if (dice := dice_in(text))), [])
    return found[0] if len(found) == 1 else ""


def _is_given(cell: Cell, chance: Percent, ways: int) -> bool:
    """Whether a number of ways comes to a chance, rounded in any way."""
    unit = precision_of(cell.text, chance).unit
    falls = chance.value * ways
    return any(abs(Fraction(int(falls) + more, ways) - chance.value) < unit for more in (0, 1))


def check_chances(ruleset: Ruleset, compared: Collection[Span]) -> Iterator[Finding]:
    """The chances of printed tables that nothing compares."""
    yield from chance_findings(ruleset.id, _printed_chances(ruleset, compared))


def _printed_chances(ruleset: Ruleset, compared: Collection[Span]) -> Iterator[PrintedChance]:
    for table in ruleset.printed_tables:
        if not any(as_chance(cell.value) for row in table.rows for cell in row):
            continue
        names = row_names(table)
        for name, row in zip(names, table.rows, strict=True):
            for column, cell in zip(table.columns, row, strict=True):
                if cell.span is not None and cell.span not in compared and as_chance(cell.value) is not None:
                    titles = [column.title, table.title]
                    yield PrintedChance(cell, cell.span, titles, table.id, table.title, name, column.title)


_ASKING = re.compile(rf"\b(?:{'|'.join(ASKED)})\(")


def check_rolled_anew(ruleset: Ruleset) -> Iterator[Finding]:
    """The formulas of all entries of system.toml and proof.toml, in their order there."""
    rolls = {fact.id for fact in ruleset.facts.values() if isinstance(fact.value, DiceText)} | {*ruleset.spec.rolls}
    said = ruleset.spec.model_dump(exclude_unset=True)
    shared = said.get("formulas", {})
    for section, entries in said.items():
        for entry_id, entry in entries.items() if isinstance(entries, dict) else ():
            if section == "facts" and ruleset.spec.entry_of(entry_id)[0] != section:
                continue  # a figure of an example, which says it
            rolling = _rolling(entry, shared, rolls) if isinstance(entry, dict) else rolls
            for path, text in _asking(entry, (section, entry_id)):
                for name in _named_twice(text, rolling):
                    yield _rolled_anew_finding(ruleset, path, text, name)


def _rolling(entry: Mapping[str, Any], shared: Mapping[str, Any], rolls: set[str]) -> set[str]:
    """The names that roll anew in an entry: not those of its throws, rows and columns, but formulas with dice."""
    used = [shared.get(entry.get("use", ""), {}), entry]
    bound = {name for part in used for name in part.get("throws", {})}
    axes = [*entry.get("rows", ()), entry.get("across")] if isinstance(entry.get("rows", []), list) else []
    given = {axis["id"]: "rolls" in axis for axis in axes if isinstance(axis, dict) and "id" in axis}
    rolling = (rolls - bound - {*given}) | {name for name, rolled in given.items() if rolled}
    for name, text in [item for part in used for item in part.get("let", {}).items()]:
        if name not in given and not rolling.isdisjoint(thrown_names(parse_formula(text))):
            rolling.add(name)
    return rolling


def _asking(held: object, path: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    """The texts of an entry that ask for a chance or a mean, each with the keys that lead there."""
    if isinstance(held, str) and _ASKING.search(held):
        yield path, held
    elif isinstance(held, dict):
        for key, part in held.items():
            yield from _asking(part, (*path, key))
    elif isinstance(held, list):
        for number, part in enumerate(held):
            name = part.get("id", number) if isinstance(part, dict) else number
            yield from _asking(part, (*path, name))


def _named_twice(text: str, rolling: set[str]) -> Iterator[str]:
    try:
        formula = parse_formula(text)
    except NotationError:
        return  # words
    for call in _asked(formula):
        yield from (name for name, count in _questions(call.arguments[0]).items() if count > 1 and name in rolling)


def _asked(formula: Formula) -> Iterator[Call]:
    if isinstance(formula, Call) and formula.name in ASKED:
        yield formula
    for part in parts_of(formula):
        yield from _asked(part)


def _questions(formula: Formula) -> Counter[str]:
    """In how many questions that are answered together each name stands; of the two sides of if(), one is."""
    if isinstance(formula, Call) and formula.name == "if":
        test, then, otherwise = map(_questions, formula.arguments)
        return test + (then | otherwise)
    if _is_parted(formula):
        return sum(map(_questions, parts_of(formula)), Counter[str]())
    return Counter({*names_in(formula)})


def _is_parted(formula: Formula) -> bool:
    """Whether something in a formula asks several questions."""
    match formula:
        case BinaryOperation(sign="and" | "or") | Call(name="if"):
            return True
    return any(map(_is_parted, parts_of(formula)))


def _rolled_anew_finding(ruleset: Ruleset, path: KeyPath, text: str, name: str) -> Finding:
    shown, where = f"{{{name}}}", ".".join(map(str, path))
    bound = f'throws = {{ throw = "{shown}" }} names one that is the same at each mention, and two names are two throws'
    rule = f"{where}: {shown} stands in two questions and is thrown anew for each; {bound}"
    place = _place_of_formula(ruleset.files.of(path), path, text)
    subject = CheckSubject(f"rolled-anew/{'/'.join(map(str, path))}/{name}", shown, place, column=where)
    return Finding.about(subject, FindingKind.ROLLED_ANEW, Severity.WARNING, system=ruleset.id, rule=rule)


def _place_of_formula(source: SourceFile, path: KeyPath, text: str) -> Span:
    """Where a formula stands; where it is written with escapes, its entry."""
    entry = locate(source, path[:2])
    start = source.text.find(text, entry.start)
    return entry if start < 0 else source.span(start, start + len(text))
