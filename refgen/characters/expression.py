"""The formulas of a sheet as trees of plain data, which a browser works out by itself.

In: a ReadyFormula, and what the names in it may stand for. Out: an expression: an object whose key ``do`` says what is
done with those ``of`` it. Facts and printed columns stand in it as they are. A call that asks dice, tracks or chains
comes as a table over all that may be chosen in the fields that it names; what goes by numbers without end is left to
refgen. A name is an object with the keys that it needs: ``n`` is its number, ``b`` says that this is only a bound,
``i`` are the ends of a printed range and ``m`` those of a modifier (None for an open one), ``v`` says that there is a
value which is none of these, ``t`` is how it is printed. Numbers are texts: "3", "-1/2".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from refgen.blocks.typesetting import typeset
from refgen.characters.formula import BLANK, ReadyFormula, Values, number
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
from refgen.notation.values import DiceText, Interval, Modifier
from refgen.resolver.dice import arithmetic
from refgen.resolver.dice.distribution import DEFAULT_REACH
from refgen.resolver.formula import functions
from refgen.resolver.formula.functions import expand_at
from refgen.resolver.formula.names import Names
from refgen.resolver.formula.scope import Named, Scope

Data = dict[str, Any]


def named_data(named: Named, *, printed: bool = False) -> Data:
    """What a name stands for; with its text where that is asked for."""
    value = named.cell.value
    data: Data = {}
    if named.number is not None:
        data["n"] = str(named.number)
    if named.bound:
        data["b"] = named.bound
    if isinstance(value, Interval | Modifier):
        key = "i" if isinstance(value, Interval) else "m"
        data[key] = [None if end is None else str(end) for end in (value.low, value.high)]
    elif value is not None and named.number is None:
        data["v"] = True
    if printed:
        data["t"] = typeset(named.cell.shown, value)
    return data


MOST = 2_000
"""Cells of a table: what goes by more is left to refgen."""

GOAL = "="
"""The name of the number that moves a goal: no formula can name it."""


class NoTableError(Exception):
    """What a table would have no end of."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What a name may stand for: the ``ending`` of each word that may be chosen in a field.

    ``key`` is the field's; "" for what is the same for every character of a row, and stands under the word "".
    """

    key: str
    ending: str
    by_word: Mapping[str, Values]


@dataclass(frozen=True, slots=True)
class ChoiceTable:
    """Makes the tables of one formula."""

    ready: ReadyFormula
    choices: Mapping[str, Choices]

    def of(self, formula: Formula) -> Data:
        """What a formula comes to, by the words chosen. Raises NoTableError for names of any number."""
        fields = self._fields(formula)
        evaluate = self.ready.formulas.number(formula)
        cells = {}
        for words, named in self._combinations(fields, 1):
            scope = Scope(named)
            try:
                found = number(evaluate(scope), scope.bound)
            except RefgenError:
                continue
            cells["\n".join(words)] = named_data(found)
        return {"do": "table", "by": [*fields], "cells": cells}

    def of_goals(self, call: Call) -> tuple[Data, Formula]:
        """The chances of a comparison by the words chosen and by its goal; and the number that moves the goal.

        Chances begin with that of the goal ``from``. Raises NoTableError for what is no such chance.
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
                found = [str(evaluate(Scope({**named, GOAL: number(-goal)}))) for goal in goals]
            except RefgenError:
                continue
            chances["\n".join(words)] = found
        table = {"do": "chance", "sign": asked.sign, "by": [*fields], "from": goals[0], "chances": chances}
        return table, Sum(numbers)

    def _fields(self, formula: Formula) -> Mapping[str, Sequence[str]]:
        """The fields that a formula goes by, each with its words. Raises NoTableError for one that takes anything."""
        wanted = {each.name: each for each in self.ready.wanted}
        fields: dict[str, Sequence[str]] = {}
        for name in dict.fromkeys(self.ready.formulas.names.mentioned(formula)):
            if name not in wanted:
                continue
            if name not in self.choices:
                raise NoTableError
            found = self.choices[name]
            blank = [""] if wanted[name].optional else []
            if found.key:
                fields[found.key] = [*dict.fromkeys([*fields.get(found.key, ()), *blank, *found.by_word])]
        return fields

    def _combinations(
        self, fields: Mapping[str, Sequence[str]], each: int
    ) -> Iterator[tuple[Sequence[str], Mapping[str, Named]]]:
        """All that may be chosen: a word for each field, and what the names stand for then."""
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
        """The signed terms of a sum, however deep."""
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

    def _stands_for(self, name: str) -> Sequence[Named | None]:
        """What a name may stand for: the same always, or as is chosen."""
        found = self.choices.get(name)
        if found is None:
            return [self.ready.formulas.names.given(name)]
        return [values.get(found.ending, BLANK) for values in found.by_word.values()]

    def _shows_whole(self, named: Named | None) -> bool:
        value = named.cell.value if named else None
        return isinstance(value, DiceText) and self._is_whole(parse_dice(value.expression))


UNKNOWN: Data = {"do": "unknown"}
"""What only refgen works out."""


@dataclass(frozen=True, slots=True)
class Expressions:
    """Turns the formulas of one field into expressions. ``choices`` are what its names may stand for."""

    ready: ReadyFormula
    choices: Mapping[str, Choices]

    @property
    def names(self) -> Names:
        """What the names of the formula are."""
        return self.ready.formulas.names

    def whole(self) -> Data:
        """The expression of the whole formula, and those of the formulas with a name that it mentions."""
        let = {name: self.of(formula) for name, formula in self._mentioned().items()}
        return {"is": self.of(self.ready.parsed), **({"let": let} if let else {})}

    def _mentioned(self) -> Mapping[str, Formula]:
        """The formulas with a name that are worked out as numbers: dice are asked about, and have none."""
        known = self.names.let
        names = dict.fromkeys(self.names.mentioned(self.ready.parsed))
        return {name: known[name] for name in names if name in known and not self.ready.formulas.is_rolled(known[name])}

    def of(self, formula: Formula) -> Data:
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

    def name(self, name: str) -> Data:
        """What a name stands for that is no formula: a value of the character, or a fact."""
        if name in self.names.named:
            return {"do": "name", "name": name}
        given = self.names.given(name)
        return UNKNOWN if given is None else {"do": "fact", "is": named_data(given)}

    def _in_range(self, asked: RangeTest) -> Data:
        if asked.printed and isinstance(asked.low, NameReference):
            return {"do": "in-printed", "of": [self.of(asked.formula), self.name(asked.low.name)]}
        ends = [None if end is None else self.of(end) for end in (asked.low, asked.high)]
        return {"do": "in", "of": [self.of(asked.formula), *ends]}

    def _call(self, call: Call) -> Data:
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

    def _column(self, path: str) -> Sequence[Data]:
        return [named_data(cell) for cell in self.names.column(path)]

    def _table(self, call: Call) -> Data:
        """What the browser cannot do itself, for all that may be chosen; of a chance, also for many goals."""
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
"""The functions of numbers, which the browser does itself."""
