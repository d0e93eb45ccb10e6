"""Numbers that follow from numbers: sums, products, the largest; and what formulas with a name come to.

In: functions that give numbers. Out: one more. What is only a bound stays one: 100 less more than 8 is less than 92.
"""

from __future__ import annotations

from collections.abc import Sequence

from refgen.notation.values import Interval
from refgen.resolver.dice.arithmetic import Rational, modulo, product, quotient, raised, whole
from refgen.resolver.formula.scope import Evaluate, Named, Scope, number_in


def range_of(named: Named, name: str) -> tuple[Rational | None, Rational | None]:
    """The ends of a printed range; a plain number is a range of its own."""
    value = named.cell.value
    if isinstance(value, Interval):
        return value.low, value.high
    number = number_in(named, name)
    return number, number


def unless_given(name: str, evaluate: Evaluate) -> Evaluate:
    """A formula with a name, or the number that a row or column gives in its place."""

    def look_up(scope: Scope) -> Rational:
        given = scope.find(name)
        if given is None:
            return evaluate(scope)
        scope.add_source(given)
        return number_in(given, name)

    return look_up


def once(name: str, evaluate: Evaluate, in_cell: bool) -> Evaluate:
    """A formula with a name that is worked out once for each row, or for each cell."""

    def look_up(scope: Scope) -> Rational:
        results = scope.cell_results if in_cell else scope.row_results
        result = results.get(name)
        if result is None:
            result = results[name] = scope.keep(evaluate)
        return scope.use(result)

    return look_up


def extreme(name: str, parts: Sequence[Evaluate]) -> Evaluate:
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


def _reversed_bound(evaluate: Evaluate) -> Evaluate:
    """A number that is subtracted, or divided by, turns its bound round: 100 minus more than 8 is less than 92."""

    def turned(scope: Scope) -> Rational:
        before, scope.bound = scope.bound, ""
        number = evaluate(scope)
        scope.bound = _TURNED[scope.bound] if scope.bound else before
        return number

    return turned


def total_of(signed: Sequence[tuple[int, Evaluate]]) -> Evaluate:
    """The sum of some numbers, each with its sign."""
    if not signed:
        return lambda _scope: 0
    (first_sign, first), *others = [(sign, term if sign > 0 else _reversed_bound(term)) for sign, term in signed]
    if first_sign > 0 and len(others) == 1:
        return _of_two(first, *others[0])

    def evaluate(scope: Scope) -> Rational:
        total = first(scope) if first_sign > 0 else -first(scope)
        for sign, term in others:
            total = total + term(scope) if sign > 0 else total - term(scope)
        return total if type(total) is int else whole(total)

    return evaluate


def _of_two(first: Evaluate, sign: int, second: Evaluate) -> Evaluate:
    """The sum or difference of two numbers, the most frequent sums."""

    def evaluate(scope: Scope) -> Rational:
        total = first(scope) + second(scope) if sign > 0 else first(scope) - second(scope)
        return total if type(total) is int else whole(total)

    return evaluate


def binary(sign: str, left: Evaluate, right: Evaluate) -> Evaluate:
    """Two numbers and what is between them."""
    match sign:
        case "*":
            return lambda scope: product(left(scope), right(scope))
        case "/":
            divisor = _reversed_bound(right)
            return lambda scope: quotient(left(scope), divisor(scope))
        case "mod":
            return lambda scope: modulo(left(scope), right(scope))
        case "and":
            return lambda scope: int(bool(left(scope) and right(scope)))
        case "or":
            return lambda scope: int(bool(left(scope) or right(scope)))
    return lambda scope: raised(left(scope), right(scope))
