"""Questions about dice in formulas: a chance, a mean, a deviation, the highest or lowest outcome.

In: the Compiler of a table, and a Formula. Out: an Evaluator. A throw that a formula mentions twice is followed outcome
by outcome; all other dice are rolls.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from refgen.errors import ResolverError
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
    parts_of,
)
from refgen.resolver.dice.arithmetic import Rational, simplify
from refgen.resolver.dice.distribution import DEFAULT_REACH, Distribution
from refgen.resolver.formula.following import follow_for_chance, follow_for_mean, reach_to
from refgen.resolver.formula.scope import FAR_BEYOND_PRINT, Evaluator, Scope, number_in

if TYPE_CHECKING:
    from refgen.resolver.formula.compiler import Compiler


CHANCES: Mapping[str, Callable[[Distribution, Rational], Fraction]] = {
    ">=": lambda rolled, goal: rolled.at_least(goal),
    ">": lambda rolled, goal: rolled.at_least(goal) - rolled.exactly(goal),
    "<": lambda rolled, goal: rolled.less_than(goal),
    "<=": lambda rolled, goal: rolled.less_than(goal) + rolled.exactly(goal),
    "==": lambda rolled, goal: rolled.exactly(goal),
    "!=": lambda rolled, goal: 1 - rolled.exactly(goal),
}
"""The chance that a roll compares so with a number, by the sign of the comparison."""


def chance(compiler: Compiler, formula: Formula) -> Evaluator:
    """The chance that a condition of rolls and numbers comes true. Raises ResolverError for what is no condition."""
    compiler = _with_throws_once(compiler, formula)
    if compiler.names.is_thrown(formula):
        return _chance_over_throws(compiler, formula)
    if isinstance(formula, ComparisonTest):
        return _chance_of_comparison(compiler, formula)
    if isinstance(formula, RangeTest) and not any(compiler.is_rolled(end) for end in parts_of(formula)[1:]):
        return _chance_in_range(compiler, formula)
    evaluate, is_rolled = compiler.part(formula)
    if not is_rolled:
        raise ResolverError("there are no dice in it", hint="A comparison of numbers belongs into if().")
    if not _is_condition(compiler, formula):
        raise ResolverError("chance() takes a comparison", hint="Write chance({dice} + {trait} >= {difficulty}).")

    def ask(scope: Scope) -> Rational:
        rolled = follow_for_chance(evaluate, scope, 0)
        return simplify(_known_chance(1 - rolled.exactly(0), rolled, 0))

    find = compiler.names.remembered(formula, ask)
    return lambda scope: find(scope, DEFAULT_REACH)


def _chance_over_throws(compiler: Compiler, formula: Formula) -> Evaluator:
    """The chance of a condition over throws with a name; numbers on the right side only move the goal."""
    goal, sign = compiler.number(Constant(0)), "!="
    if isinstance(formula, ComparisonTest):
        sign, left, right = formula.sign, formula.left, formula.right
        if compiler.names.is_thrown(right):
            formula = Sum(((1, left), (-1, right)))
        else:
            formula, goal = left, compiler.number(right)
    joint, ask = compiler.throws.distribution(formula), CHANCES[sign]
    return lambda scope: simplify(ask(joint(scope).single, goal(scope)))


def _chance_of_comparison(compiler: Compiler, formula: ComparisonTest) -> Evaluator:
    """Numbers only move the goal: the same roll answers for all of them."""
    find, added = compiler.roll_and_number(Sum(((1, formula.left), (-1, formula.right))))
    ask, is_printed = CHANCES[formula.sign], _adds_printed_odds(compiler, formula)

    def evaluate(scope: Scope) -> Rational:
        goal = -added(scope)
        rolled = find(scope, reach_to(goal))
        found = ask(rolled, goal)
        return simplify(found if is_printed else _known_chance(found, rolled, goal))

    return evaluate


def _chance_in_range(compiler: Compiler, asked: RangeTest) -> Evaluator:
    """Numbers only move the range."""
    (find, added), find_ends = compiler.roll_and_number(asked.formula), compiler.ends(asked)
    is_printed = _adds_printed_odds(compiler, asked.formula)

    def evaluate(scope: Scope) -> Rational:
        number = added(scope)
        low, high = (None if end is None else end - number for end in find_ends(scope))
        if low is not None and high is not None and low > high:
            return 0
        goals = [end for end in (low, high) if end is not None]
        rolled = find(scope, reach_to(*goals))
        at_least = Fraction(1) if low is None else rolled.at_least(low)
        found = at_least - (0 if high is None else rolled.at_least(high) - rolled.exactly(high))
        return simplify(found if is_printed else _known_chance(found, rolled, *goals))

    return evaluate


def _known_chance(chance: Fraction, rolled: Distribution, *goals: Rational) -> Fraction:
    """A chance that rests on those of some numbers: exact, or off by less than is printed.

    Raises ResolverError for a chance that a roll leaves open, or that may as well be never or always.
    """
    if not rolled.is_open or all(map(rolled.is_exact, goals)):
        return chance
    if rolled.residue <= FAR_BEYOND_PRINT and rolled.residue < chance < 1 - rolled.residue:
        return chance
    hint = "Of an open-ended roll, ask one comparison; or give the roll an end, with min() and max()."
    raise ResolverError("this chance depends on how open-ended rolls go on", hint=hint)


def mean(compiler: Compiler, formula: Formula) -> Evaluator:
    """The mean of a roll; where it is not known exactly, without what is printed nowhere."""
    return _ask_dice(compiler, formula, lambda rolled: _with_mean(rolled).mean)


def deviation(compiler: Compiler, formula: Formula) -> Evaluator:
    """The standard deviation of a roll, to 50 decimals where it is irrational."""
    return _ask_dice(compiler, formula, lambda rolled: _with_mean(rolled).deviation)


def _with_mean(rolled: Distribution) -> Distribution:
    """The roll. Raises ResolverError for one whose mean is not known, not even to what is printed."""
    if rolled.moments is None and (rolled.is_nowhere_exact or rolled.residue > FAR_BEYOND_PRINT):
        hint = "Give the roll an end, with min() and max()."
        raise ResolverError("this mean depends on how open-ended rolls go on", hint=hint)
    return rolled


def end(compiler: Compiler, formula: Formula, *, highest: bool) -> Evaluator:
    """The highest or the lowest that a roll can come to, or that a column of a table prints."""
    if isinstance(formula, NameReference) and compiler.names.is_column(formula.name):
        return _end_of_column(compiler, formula.name, highest=highest)

    def ask(rolled: Distribution) -> Rational:
        if (rolled.exact_high if highest else rolled.exact_low) is not None:
            raise ResolverError(f"this roll has no {'highest' if highest else 'lowest'} outcome")
        return rolled.ends[highest]

    return _ask_dice(compiler, formula, ask)


def _ask_dice(compiler: Compiler, formula: Formula, ask: Callable[[Distribution], Rational]) -> Evaluator:
    """The answer to a question about the dice of a formula, to be asked of their distribution."""
    compiler = _with_throws_once(compiler, formula)
    if compiler.names.is_thrown(formula):
        joint = compiler.throws.distribution(formula)
        return lambda scope: simplify(ask(joint(scope).single))
    evaluate, _ = compiler.part(formula)
    find = compiler.names.remembered(formula, lambda scope: simplify(ask(follow_for_mean(evaluate, scope))))
    return lambda scope: find(scope, DEFAULT_REACH)


def _end_of_column(compiler: Compiler, name: str, *, highest: bool) -> Evaluator:
    cells = [named for named in compiler.names.column(name) if named.cell.value is not None]
    if not cells:
        raise ResolverError(f'the column "{name}" is blank')
    cells.sort(key=lambda named: number_in(named, name), reverse=highest)

    def evaluate(scope: Scope) -> Rational:
        for named in cells:
            scope.add_source(named)
        if cells[0].bound:
            scope.bound = cells[0].bound
        return number_in(cells[0], name)

    return evaluate


def _with_throws_once(compiler: Compiler, formula: Formula) -> Compiler:
    """A compiler without throws, where a formula mentions each of its throws once: such throws are plain rolls.

    Plain rolls may be open-ended; throws that are mentioned twice are followed outcome by outcome.
    """
    if not compiler.names.thrown:
        return compiler
    known: set[str] = set()
    for name in compiler.names.mentioned(formula):
        if name in known:
            return compiler
        if name in compiler.names.thrown:
            known.add(name)
    rolling = compiler.rolling_throws
    return rolling if _is_sum(rolling, formula) else compiler


def _adds_printed_odds(compiler: Compiler, formula: Formula) -> bool:
    """Whether rolls by printed odds are added up: what lies beyond the odds counts as one step beyond."""
    return _is_sum(compiler, formula) and _names_printed_odds(compiler, formula)


def _names_printed_odds(compiler: Compiler, formula: Formula) -> bool:
    named = compiler.names.let.get(formula.name) if isinstance(formula, NameReference) else None
    is_printed = isinstance(formula, Call) and formula.name == "chances"
    return is_printed or any(_names_printed_odds(compiler, part) for part in (named and (named,)) or parts_of(formula))


def _is_sum(compiler: Compiler, formula: Formula) -> bool:
    """Whether dice are but added up in a formula, and perhaps compared."""
    sides = parts_of(formula) if isinstance(formula, ComparisonTest) else (formula,)
    rolled, _ = compiler.dice_and_numbers(Sum(tuple([(1, side) for side in sides])))
    return bool(rolled) and all(_is_plain(compiler, term) for _, term in rolled)


def _is_plain(compiler: Compiler, formula: Formula) -> bool:
    """Whether dice are rolled and added up, and nothing else is done with them."""
    match formula:
        case Pool() | NamedPool() | NameReference():
            return True
        case Call(name="count"):
            return True
        case Call(name=name, arguments=arguments) if name in DICE_FUNCTIONS:
            return all(_is_plain(compiler, part) for part in arguments if compiler.is_rolled(part))
        case Sum(terms=terms):
            return all(_is_plain(compiler, term) for _, term in terms if compiler.is_rolled(term))
    return False


def _is_condition(compiler: Compiler, formula: Formula) -> bool:
    match formula:
        case ComparisonTest() | RangeTest() | BinaryOperation(sign="and" | "or") | Call(name="not" | "even"):
            return True
        case Call(name="if", arguments=(_, *sides)):
            return all(_is_condition(compiler, side) for side in sides)
        case NameReference(name=name) if name in compiler.names.let:
            return _is_condition(compiler, compiler.names.let[name])
    return False
