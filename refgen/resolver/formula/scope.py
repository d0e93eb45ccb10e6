"""The values of names in one row and column while a cell is worked out, and arithmetic with numbers that may be bounds.

In: the cells or numbers for which names stand. Out: a Scope, which remembers the place of every printed thing that was
used; and functions from a Scope to a number. 100 less "more than 8" is "less than 92".
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from refgen.errors import ResolverError
from refgen.notation.formula_parser import parse_dice
from refgen.notation.formula_tree import Formula
from refgen.notation.values import DiceText, Interval, Number, Text, as_number
from refgen.resolver.dice.arithmetic import SIGNS, Rational, simplify
from refgen.resolver.dice.cost import Work
from refgen.resolver.dice.distribution import DEFAULT_REACH
from refgen.resolver.lookup import NotPrintedError
from refgen.rules.model import Cell
from refgen.span import Span


@dataclass(slots=True, eq=False)
class NamedValue:
    """The meaning of a name: a cell, its number (None when it has none), and ">" or "<" when that is only a bound.

    ``formula`` is the formula of a roll that the name stands for.

    A NamedValue is equal to itself only and can be a key of a cache. It is not frozen, because thousands are made.
    """

    cell: Cell
    number: Rational | None
    bound: str = ""
    formula: Formula | None = None

    @classmethod
    def of(cls, cell: Cell) -> NamedValue:
        """A cell, with its number read once."""
        number = as_number(cell.value)
        bound = cell.value.bound if isinstance(cell.value, Number) else ""
        return cls(cell, number if number is None else simplify(number), bound)

    @property
    def dice(self) -> Formula | None:
        """The formula of the roll or of the printed dice; None for what is no dice."""
        value = self.cell.value
        if self.formula is None and isinstance(value, DiceText) and value.expression:
            return parse_dice(value.expression)
        return self.formula


NEGLIGIBLE = Fraction(1, 10**6)
"""So few rolls that go on are left in rolls that are shown, with a word about them."""

FAR_BEYOND_PRINT = Fraction(1, 10**20)
"""So few rolls that go on are left in figures: they change no digit that anybody prints."""

_NOWHERE = Cell("")
NOT_PRINTED = Cell("?")
"""A cell of a row that a table should have and does not print; also shown for figures that rest on such a cell."""


def named_number(number: Rational) -> NamedValue:
    """A number that a name stands for, and that is printed nowhere."""
    return NamedValue(_NOWHERE, simplify(number))


def cache_key(named: NamedValue | None) -> object:
    """By what results are kept: a number, or the cell that has none."""
    return named if named is None or named.number is None else named.number


def without_place(named: NamedValue) -> NamedValue:
    """The number without its place in the document: another row may have it from elsewhere."""
    return named if named.number is None or named.cell.span is None else NamedValue(_NOWHERE, named.number, named.bound)


@dataclass(slots=True)
class Scope:
    """The names of the current row (``named``) and column (``across``), and the sources used so far.

    ``bound`` is ">" or "<" once a bound was used: from ">500 mil" only a bound follows. ``stated`` are the sources of
    all figures where a table says which. ``reach`` is the farthest outcome from zero that open-ended rolls are followed
    to, with ``farther`` times as many re-rolls as lead there. Rolls without exact chances are followed until those that
    go on are ``negligible``. ``work`` are the steps that working out their dice has taken.
    """

    named: Mapping[str, NamedValue]
    across: Mapping[str, NamedValue] = field(default_factory=dict)
    sources_by_id: dict[int, Span] = field(default_factory=dict)
    bound: str = ""
    stated: tuple[Span, ...] = ()
    reach: int = DEFAULT_REACH
    farther: int = 1
    negligible: Fraction = NEGLIGIBLE
    work: Work = field(default_factory=Work)

    def reaching(self, reach: int) -> Scope:
        """A scope in which open-ended rolls are followed at least to an outcome."""
        return self if reach <= self.reach else replace(self, reach=reach)

    def going_on(self) -> Scope:
        """A scope in which open-ended rolls are followed for twice as many re-rolls."""
        return replace(self, farther=2 * self.farther)

    def begin_cell(self, across: Mapping[str, NamedValue]) -> None:
        """Go on to the next cell of the row, which has no sources so far."""
        self.across, self.sources_by_id, self.bound = across, {}, ""

    def find(self, name: str) -> NamedValue | None:
        """The meaning of a name of the row or column; None for a name that neither gives."""
        return self.named.get(name) or self.across.get(name)

    def given(self, names: Collection[str]) -> tuple[object, ...]:
        """The numbers that the row and the column give for some names: the key under which results are kept."""
        return tuple(
            [
                (name, cache_key(named))
                for part in (self.named, self.across)
                for name, named in part.items()
                if name in names
            ]
        )

    def bare(self, names: Collection[str]) -> Scope:
        """The numbers of some names alone, without their places."""
        row, column = (
            {name: without_place(named) for name, named in part.items() if name in names}
            for part in (self.named, self.across)
        )
        return Scope(row, column)

    def add_source(self, named: NamedValue) -> None:
        """Remember that a printed cell was used."""
        span = named.cell.span
        if span is not None:
            self.sources_by_id[id(span)] = span  # a cell has one span, and to hash spans is slow
        if named.bound:
            self.bound = named.bound

    def number_and_bound(self, evaluate: Evaluator) -> tuple[Rational, str]:
        """The value of a formula, and whether this value is a bound; ``bound`` stays as it was."""
        before, self.bound = self.bound, ""
        number = evaluate(self)
        bound, self.bound = self.bound, before
        return number, bound

    @property
    def sources(self) -> tuple[Span, ...]:
        """The places of all cells that were used, in the order of use; or the sources that the table states instead."""
        return self.stated or tuple(self.sources_by_id.values())


Evaluator = Callable[[Scope], Rational]
"""A compiled formula without dice: from a Scope to the number."""


def number_in(named: NamedValue, name: str) -> Rational:
    """The number that a name stands for. Raises ResolverError when it stands for none."""
    if named.cell is NOT_PRINTED:
        raise NotPrintedError(f"{{{name}}} is not printed")
    if named.number is None:
        where = f" at {named.cell.span}" if named.cell.span else ""
        message = f'"{named.cell.text}"{where} is no number, and a formula asks for {{{name}}}'
        raise ResolverError(message, hint=_hint_for_number(named, name))
    return named.number


def _hint_for_number(named: NamedValue, name: str) -> str:
    """A hint about a name without a number: the function that makes a number of its value."""
    match named.cell.value:
        case Interval():
            return f"Write low({{{name}}}) or high({{{name}}}) for an end of the range, or ask: … in {{{name}}}."
        case None:
            return f"Write default({{{name}}}, 0) for a blank cell."
        case Text():
            return f"Ask for a column of numbers of that row ({{{name}.…}}), or give the column or fact another type."
    return ""


def range_of(named: NamedValue, name: str) -> tuple[Rational | None, Rational | None]:
    """The ends of a printed range; a plain number is a range of its own."""
    value = named.cell.value
    if isinstance(value, Interval):
        return value.low, value.high
    number = number_in(named, name)
    return number, number


def unless_given(name: str, evaluate: Evaluator) -> Evaluator:
    """A formula with a name, or the number that a row or column gives in its place."""

    def look_up(scope: Scope) -> Rational:
        given = scope.find(name)
        if given is None:
            return evaluate(scope)
        scope.add_source(given)
        return number_in(given, name)

    return look_up


def extreme_evaluator(name: str, parts: Sequence[Evaluator]) -> Evaluator:
    """The largest or smallest of some numbers. The smaller of 5 and more than 8 is 5, but the larger is a bound."""
    choose, always = (max, ">") if name == "max" else (min, "<")

    def evaluate(scope: Scope) -> Rational:
        found = [scope.number_and_bound(part) for part in parts]
        chosen = choose(number for number, _ in found)
        bounds = [bound for number, bound in found if number == chosen]
        if always in (bound for _, bound in found):
            scope.bound = always
        elif all(bounds):
            scope.bound = bounds[0]
        return chosen

    return evaluate


_TURNED = {"": "", ">": "<", "<": ">", ">=": "<=", "<=": ">=", "~": "~"}


def _reversed_bound(evaluate: Evaluator) -> Evaluator:
    """A number that is subtracted, or divided by, turns its bound round: 100 minus more than 8 is less than 92."""

    def turned(scope: Scope) -> Rational:
        before, scope.bound = scope.bound, ""
        number = evaluate(scope)
        scope.bound = _TURNED[scope.bound] if scope.bound else before
        return number

    return turned


def total_of(signed: Sequence[tuple[int, Evaluator]]) -> Evaluator:
    """The sum of some numbers, each with its sign."""
    if not signed:
        return lambda _scope: 0
    (first_sign, first), *others = [(sign, term if sign > 0 else _reversed_bound(term)) for sign, term in signed]

    def evaluate(scope: Scope) -> Rational:
        total = first(scope) if first_sign > 0 else -first(scope)
        for sign, term in others:
            total = total + term(scope) if sign > 0 else total - term(scope)
        return total if type(total) is int else simplify(total)

    return evaluate


def binary(sign: str, left: Evaluator, right: Evaluator) -> Evaluator:
    """An operator between two numbers."""
    operate, second = SIGNS[sign], _reversed_bound(right) if sign == "/" else right
    return lambda scope: operate(left(scope), second(scope))
