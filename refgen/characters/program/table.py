"""What is asked of dice, tracks and chains, worked out beforehand for a browser.

In: a Call in a formula of a sheet. Out: a table with what it comes to for all that may be chosen in the fields that it
names; of the chance of a sum, whose numbers may be any, for so many goals as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from refgen.characters.formula import BLANK, ReadyFormula
from refgen.characters.program.named import Data, named_data
from refgen.characters.reader import Values, number
from refgen.errors import RefgenError
from refgen.notation.formula import DICE_FUNCTIONS, parse_dice
from refgen.notation.tree import Call, Comparison, Constant, Formula, NamedPool, Pool, Reference, Sum
from refgen.notation.values import DiceText
from refgen.resolver.dice.evaluate import DEFAULT_REACH
from refgen.resolver.formula.scope import Named, Scope

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
class Table:
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
        if call.name != "chance" or not isinstance(asked, Comparison):
            raise NoTableError
        terms = sorted(self._terms(1, Sum(((1, asked.left), (-1, asked.right)))), key=lambda term: -term[0])
        rolled = tuple(term for term in terms if self.ready.formulas.is_rolled(term[1]))
        numbers = tuple(term for term in terms if term not in rolled)
        if not rolled or not all(self._is_whole(term) for _, term in rolled):
            raise NoTableError
        fields = self._fields(Sum(rolled))
        goals = range(1 - DEFAULT_REACH, DEFAULT_REACH)
        moved = Comparison(asked.sign, Sum((*rolled, (1, Reference(GOAL)))), Constant(0))
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
        if isinstance(formula, Reference) and formula.name in let:
            return self._terms(sign, let[formula.name])
        if isinstance(formula, Sum):
            return [part for inner, term in formula.terms for part in self._terms(sign * inner, term)]
        return [(sign, formula)]

    def _is_whole(self, formula: Formula) -> bool:
        """Whether dice show whole numbers only: a broken number can then be taken for the next whole one."""
        match formula:
            case Pool() | NamedPool():
                return True
            case Reference(name=name):
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
