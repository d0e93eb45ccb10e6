"""Formulas that name a roll in two questions, as if it were one throw: each mention rolls anew.

In: a ruleset. Out: a warning for each such name, where the formula stands in system.toml. Two mentions in one sum or
comparison are two throws, as of two who roll against each other: "{dice} - {dice} >= 2" is no such formula.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from refgen.checks.finding import Finding, FindingKind, Severity
from refgen.errors import NotationError
from refgen.notation.formula_parser import parse_formula
from refgen.notation.formula_tree import STATISTICS, BinaryOperation, Call, Formula, names_in, parts_of
from refgen.notation.values import DiceText
from refgen.resolver.formula.scope import thrown_names
from refgen.rules.model import Ruleset
from refgen.rules.toml import KeyPath, locate
from refgen.source import SourceFile
from refgen.span import Span

_ASKING = re.compile(rf"\b(?:{'|'.join(STATISTICS)})\(")


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
                    yield _finding(ruleset, path, text, name)


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
    if isinstance(formula, Call) and formula.name in STATISTICS:
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


def _finding(ruleset: Ruleset, path: KeyPath, text: str, name: str) -> Finding:
    shown, where = f"{{{name}}}", ".".join(map(str, path))
    bound = f'throws = {{ throw = "{shown}" }} names one that is the same at each mention, and two names are two throws'
    return Finding(
        id=f"rolled-anew/{'/'.join(map(str, path))}/{name}",
        kind=FindingKind.ROLLED_ANEW,
        system=ruleset.id,
        column=where,
        printed=shown,
        computed="",
        rule=f"{where}: {shown} stands in two questions and is thrown anew for each; {bound}",
        severity=Severity.WARNING,
        span=_place(ruleset.files.of(path), path, text),
    )


def _place(source: SourceFile, path: KeyPath, text: str) -> Span:
    """Where a formula stands; where it is written with escapes, its entry."""
    entry = locate(source, path[:2])
    start = source.text.find(text, entry.start)
    return entry if start < 0 else source.span(start, start + len(text))
