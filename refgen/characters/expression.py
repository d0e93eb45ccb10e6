"""The formulas of a sheet as trees of plain data, which a browser works out by itself.

In: a SheetFormula, and the values that its names may have. Out: an expression: a JSON object with the name of an
operation as ``do``, and the expressions of its operands as ``of``. Facts and printed columns are written out. A call
that asks for dice, tracks or chains becomes a table over all words that may be chosen in its fields; a formula over
numbers without limits is left to refgen (``unknown``). A value is an object with up to six keys: the number ``n``, the
sign ``b`` of a number that is only a bound, the ends of a printed range ``i`` or of a modifier ``m`` (None for an open
end), ``v`` for any other value, and the printed text ``t``. Numbers are texts: "3", "-1/2".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from refgen.blocks.typesetting import typeset
from refgen.characters.formula import BLANK, SheetFormula, Values, number_value
from refgen.errors import RefgenError
from refgen.notation.formula_parser import parse_dice
from refgen.notation.formula_tree import (
    DICE_FUNCTIONS,
    BinaryOperation,
    Call,
    ComparisonTest,
    Constant,
    Formula,
    NamedPool,
    NameReference,
    Pool,
    RangeTest,
    Sum,
)
from refgen.notation.values import DiceText, Interval, Modifier, Percent
from refgen.resolver.dice import arithmetic
from refgen.resolver.dice.distribution import DEFAULT_REACH
from refgen.resolver.formula import functions
from refgen.resolver.formula.functions import expand_at
from refgen.resolver.formula.names import Names
from refgen.resolver.formula.scope import NamedValue, Scope

JsonObject = dict[str, Any]


def named_data(named: NamedValue, *, printed: bool = False) -> JsonObject:
    """The value of a name; if ``printed``, with its text."""
    value = named.cell.value
    data: JsonObject = {}
    if named.number is not None:
        data["n"] = str(named.number)
    if named.bound:
        data["b"] = named.bound
    if isinstance(value, Interval | Modifier):
        key = "i" if isinstance(value, Interval) else "m"
        data[key] = [None if end is None else str(end) for end in (value.low, value.high)]
    elif value is not None and named.number is None:
        data["v"] = True
    if isinstance(value, Percent):
        data["p"] = value.places
    if printed:
        data["t"] = typeset(named.cell.shown, value)
    return data


MOST = 2_000
"""The most cells of a table; a formula that needs more is left to refgen."""

GOAL = "="
"""The name of the number that moves a goal: no formula can name it."""


class NoTableError(Exception):
    """A table would have no end, or more than MOST cells."""


@dataclass(frozen=True, slots=True)
class NameChoices:
    """The values that a name may have: the value of its ``ending`` for each word that may be chosen in a field.

    ``key`` is the key of the field, "" for a value that every character has in a row of a table (``by_word`` has the
    word "" alone).
    """

    key: str
    ending: str
    by_word: Mapping[str, Values]


@dataclass(frozen=True, slots=True)
class ChoiceTable:
    """Makes the tables of one formula."""

    ready: SheetFormula
    choices: Mapping[str, NameChoices]

    def of(self, formula: Formula) -> JsonObject:
        """The values of a formula, by the chosen words. Raises NoTableError if a name is a number that is typed."""
        fields = self._fields(formula)
        evaluate = self.ready.formulas.number(formula)
        cells = {}
        for words, named in self._combinations(fields, 1):
            scope = Scope(named)
            try:
                found = number_value(evaluate(scope), scope.bound)
            except RefgenError:
                continue
            cells["\n".join(words)] = named_data(found)
        return {"do": "table", "by": [*fields], "cells": cells}

    def of_goals(self, call: Call) -> tuple[JsonObject, Formula]:
        """The chances of a comparison by the chosen words and by its goal; and the formula of the number in the goal.

        The chances are in the order of the goals, which begin with ``from``. Raises NoTableError for any other formula.
        """
        asked = call.arguments[0]
        if call.name != "chance" or not isinstance(asked, ComparisonTest):
            raise NoTableError
        terms = sorted(self._terms(1, Sum(((1, asked.left), (-1, asked.right)))), key=lambda term: -term[0])
        rolled = tuple(term for term in terms if self.ready.formulas.is_rolled(term[1]))
        numbers = tuple(term for term in terms if term not in rolled)
        if not rolled or not all(self._is_whole(term) for _, term in rolled):
            raise NoTableError
        fields = self._fields(Sum(rolled))
        goals = range(1 - DEFAULT_REACH, DEFAULT_REACH)
        moved = ComparisonTest(asked.sign, Sum((*rolled, (1, NameReference(GOAL)))), Constant(0))
        evaluate = self.ready.formulas.naming([GOAL]).number(Call("chance", (moved,)))
        chances: dict[str, list[str]] = {}
        for words, named in self._combinations(fields, len(goals)):
            try:
                found = [str(evaluate(Scope({**named, GOAL: number_value(-goal)}))) for goal in goals]
            except RefgenError:
                continue
            chances["\n".join(words)] = found
        table = {"do": "chance", "sign": asked.sign, "by": [*fields], "from": goals[0], "chances": chances}
        return table, Sum(numbers)

    def _fields(self, formula: Formula) -> Mapping[str, Sequence[str]]:
        """The fields that a formula depends on, with their words. Raises NoTableError for a field without choices."""
        mentioned = {each.name: each for each in self.ready.mentioned}
        fields: dict[str, Sequence[str]] = {}
        for name in dict.fromkeys(self.ready.formulas.names.mentioned(formula)):
            if name not in mentioned:
                continue
            if name not in self.choices:
                raise NoTableError
            found = self.choices[name]
            blank = [""] if mentioned[name].optional else []
            if found.key:
                fields[found.key] = [*dict.fromkeys([*fields.get(found.key, ()), *blank, *found.by_word])]
        return fields

    def _combinations(
        self, fields: Mapping[str, Sequence[str]], each: int
    ) -> Iterator[tuple[Sequence[str], Mapping[str, NamedValue]]]:
        """All combinations of words, one for each field, with the values that the names have then."""
        if prod(map(len, fields.values())) * each > MOST:
            raise NoTableError
        for words in product(*fields.values()):
            chosen = dict(zip(fields, words, strict=True))
            yield (
                words,
                {
                    name: found.by_word.get(chosen.get(found.key, ""), {}).get(found.ending, BLANK)
                    for name, found in self.choices.items()
                },
            )

    def _terms(self, sign: int, formula: Formula) -> list[tuple[int, Formula]]:
        """The signed terms of a sum and of the sums in it."""
        let = self.ready.formulas.names.let
        if isinstance(formula, NameReference) and formula.name in let:
            return self._terms(sign, let[formula.name])
        if isinstance(formula, Sum):
            return [part for inner, term in formula.terms for part in self._terms(sign * inner, term)]
        return [(sign, formula)]

    def _is_whole(self, formula: Formula) -> bool:
        """Whether dice show whole numbers only: a broken number can then be taken for the next whole one."""
        match formula:
            case Pool() | NamedPool():
                return True
            case NameReference(name=name):
                return all(map(self._shows_whole, self._stands_for(name)))
            case Constant(value=value):
                return isinstance(value, int)
            case Call(name=name, arguments=arguments) if name in DICE_FUNCTIONS:
                return all(map(self._is_whole, arguments))
            case Sum(terms=terms):
                return all(self._is_whole(term) for _, term in terms)
        return False

    def _stands_for(self, name: str) -> Sequence[NamedValue | None]:
        """All values that a name may have."""
        found = self.choices.get(name)
        if found is None:
            return [self.ready.formulas.names.given(name)]
        return [values.get(found.ending, BLANK) for values in found.by_word.values()]

    def _shows_whole(self, named: NamedValue | None) -> bool:
        value = named.cell.value if named else None
        return isinstance(value, DiceText) and self._is_whole(parse_dice(value.expression))


UNKNOWN: JsonObject = {"do": "unknown"}
"""The expression of a formula that only refgen computes."""


@dataclass(frozen=True, slots=True)
class Expressions:
    """Turns the formulas of one field into expressions. ``choices`` are the values that its names may have."""

    ready: SheetFormula
    choices: Mapping[str, NameChoices]

    @property
    def names(self) -> Names:
        """The names that the formula may mention."""
        return self.ready.formulas.names

    def whole(self) -> JsonObject:
        """The expression of the whole formula, and those of the formulas with a name that it mentions."""
        let = {name: self.of(formula) for name, formula in self._named_numbers().items()}
        return {"is": self.of(self.ready.parsed), **({"let": let} if let else {})}

    def _named_numbers(self) -> Mapping[str, Formula]:
        """The formulas with a name that are worked out as numbers: dice are asked about, and have none."""
        known = self.names.let
        names = dict.fromkeys(self.names.mentioned(self.ready.parsed))
        return {name: known[name] for name in names if name in known and not self.ready.formulas.is_rolled(known[name])}

    def of(self, formula: Formula) -> JsonObject:
        """The expression of a formula."""
        match formula:
            case Constant(value=value):
                return {"do": "fact", "is": {"n": str(value)}}
            case NameReference(name=name):
                return {"do": "let", "name": name} if name in self.names.let else self.name(name)
            case Sum(terms=terms):
                return {"do": "sum", "signs": [sign for sign, _ in terms], "of": [self.of(term) for _, term in terms]}
            case BinaryOperation(sign=sign, left=left, right=right) | ComparisonTest(sign=sign, left=left, right=right):
                return {"do": sign, "of": [self.of(left), self.of(right)]}
            case RangeTest():
                return self._in_range(formula)
            case Call():
                return self._call(formula)
        return UNKNOWN

    def name(self, name: str) -> JsonObject:
        """The expression of a name that is no formula: a value of the character, or a fact."""
        if name in self.names.named:
            return {"do": "name", "name": name}
        given = self.names.given(name)
        return UNKNOWN if given is None else {"do": "fact", "is": named_data(given)}

    def _in_range(self, asked: RangeTest) -> JsonObject:
        if asked.printed and isinstance(asked.low, NameReference):
            return {"do": "in-printed", "of": [self.of(asked.formula), self.name(asked.low.name)]}
        ends = [None if end is None else self.of(end) for end in (asked.low, asked.high)]
        return {"do": "in", "of": [self.of(asked.formula), *ends]}

    def _call(self, call: Call) -> JsonObject:
        match call:
            case Call(name="default", arguments=(NameReference(name=name), otherwise)):
                return {"do": "default", "of": [self.name(name), self.of(otherwise)]}
            case Call(name="low" | "high", arguments=(NameReference(name=name),)):
                return {"do": call.name, "of": [self.name(name)]}
            case Call(name="at"):
                return self.of(expand_at(self.names, call))
            case Call(
                name=functions.CELL, arguments=(NameReference(name=keys), asked, NameReference(name=column), *rest)
            ):
                columns = {"keys": self._column(keys), "cells": self._column(column)}
                return {"do": "at", "of": [self.of(asked), *map(self.of, rest)], **columns}
            case Call(name="rows", arguments=(NameReference(name=column),)):
                return {"do": "fact", "is": {"n": str(len(self.names.column(column)))}}
        if call.name in SIMPLE:
            return {"do": call.name, "of": [self.of(argument) for argument in call.arguments]}
        return self._table(call)

    def _column(self, path: str) -> Sequence[JsonObject]:
        return [named_data(cell) for cell in self.names.column(path)]

    def _table(self, call: Call) -> JsonObject:
        """The table of a call that browsers cannot compute: over all choices, for a chance also over many goals."""
        table = ChoiceTable(self.ready, self.choices)
        try:
            return table.of(call)
        except NoTableError:
            pass
        try:
            chances, number = table.of_goals(call)
        except NoTableError:
            return UNKNOWN
        return {**chances, "of": [self.of(number)]}


SIMPLE = frozenset({"if", "max", "min", *arithmetic.FUNCTIONS})
"""The functions of numbers, which browsers compute."""
