"""The formulas of a sheet as trees of plain data, which a browser works out by itself.

In: a ReadyFormula, and what the names in it may stand for. Out: an expression: an object whose key ``do`` says what is
done with those ``of`` it. Facts and printed columns stand in it as they are. What is asked of dice, tracks and chains
comes as a table over all that may be chosen; what goes by numbers without end is left to refgen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from refgen.characters.formula import ReadyFormula
from refgen.characters.program.named import Data, named_data
from refgen.characters.program.table import Choices, NoTableError, Table
from refgen.notation.tree import Binary, Call, Comparison, Constant, Formula, InRange, Reference, Sum
from refgen.resolver.dice import arithmetic
from refgen.resolver.formula.scope import Names

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
            case Reference(name=name):
                return {"do": "let", "name": name} if name in self.names.let else self.name(name)
            case Sum(terms=terms):
                return {"do": "sum", "signs": [sign for sign, _ in terms], "of": [self.of(term) for _, term in terms]}
            case Binary(sign=sign, left=left, right=right) | Comparison(sign=sign, left=left, right=right):
                return {"do": sign, "of": [self.of(left), self.of(right)]}
            case InRange():
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

    def _in_range(self, asked: InRange) -> Data:
        if asked.printed and isinstance(asked.low, Reference):
            return {"do": "in-printed", "of": [self.of(asked.formula), self.name(asked.low.name)]}
        ends = [None if end is None else self.of(end) for end in (asked.low, asked.high)]
        return {"do": "in", "of": [self.of(asked.formula), *ends]}

    def _call(self, call: Call) -> Data:
        match call:
            case Call(name="default", arguments=(Reference(name=name), otherwise)):
                return {"do": "default", "of": [self.name(name), self.of(otherwise)]}
            case Call(name="low" | "high", arguments=(Reference(name=name),)):
                return {"do": call.name, "of": [self.name(name)]}
            case Call(name="at", arguments=(Reference(name=keys), asked, Reference(name=column), *rest)):
                columns = {"keys": self._column(keys), "cells": self._column(column)}
                return {"do": "at", "of": [self.of(asked), *map(self.of, rest)], **columns}
            case Call(name="rows", arguments=(Reference(name=column),)):
                return {"do": "fact", "is": {"n": str(len(self.names.column(column)))}}
        if call.name in SIMPLE:
            return {"do": call.name, "of": [self.of(argument) for argument in call.arguments]}
        return self._table(call)

    def _column(self, path: str) -> Sequence[Data]:
        return [named_data(cell) for cell in self.names.column(path)]

    def _table(self, call: Call) -> Data:
        """What the browser cannot do itself, for all that may be chosen; of a chance, also for many goals."""
        table = Table(self.ready, self.choices)
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
