"""The notation of formulas: arithmetic over what a ruleset states, and chances of dice.

In: "{type.force} + {orientation.force}", "chance({dice} + {trait} >= {difficulty})", "1 - (1 - {chance})^{years}".
Out: a ``Formula`` tree. A name in braces is a fact, a row or column of the table that the formula fills, or a column
of a printed table; what it stands for is settled in the resolver. Dice are written as in the dice notation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from refgen.errors import NotationError
from refgen.notation.dice import FUNCTIONS as DICE_FUNCTIONS
from refgen.notation.dice import WITH_TABLE, Expression, Pool, check_inline, dice_at
from refgen.notation.grammar import Language, PartError, parse

if TYPE_CHECKING:
    from lark import Token

MEMORY = 1_024
"""How many formulas are remembered: a system has some hundred."""

MAX_DEPTH = 50
"""More functions and brackets inside one another than anybody can read."""


@dataclass(frozen=True, slots=True)
class Literal:
    """A whole number."""

    value: int


@dataclass(frozen=True, slots=True)
class Reference:
    """A name in braces: "{dice}", "{type.force}"."""

    name: str


@dataclass(frozen=True, slots=True)
class Rolled:
    """Dice without a name in them."""

    expression: Expression


@dataclass(frozen=True, slots=True)
class RolledPool:
    """As many dice of a kind as a number says: "{trait}d10". ``sides`` is 0 for Fudge dice."""

    count: Reference
    sides: int


@dataclass(frozen=True, slots=True)
class Total:
    """The sum of some formulas, each with its sign (+1 or -1)."""

    terms: tuple[tuple[int, Formula], ...]


@dataclass(frozen=True, slots=True)
class Binary:
    """A product, a quotient or a power; ``sign`` is "*", "/" or "^"."""

    sign: str
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison, as chance() and if() take it."""

    sign: str
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class Function:
    """A named function; ``table`` is the name that map() and chances(), box() and the functions of chains take."""

    name: str
    arguments: tuple[Formula, ...]
    table: str = ""


Formula = Literal | Reference | Rolled | RolledPool | Total | Binary | Comparison | Function

NUMBER_FUNCTIONS: dict[str, tuple[int, int]] = {
    "chance": (1, 1),
    "mean": (1, 1),
    "if": (3, 3),
    "at": (3, 4),
    "low": (1, 1),
    "high": (1, 1),
    "default": (2, 2),
    "sign": (1, 1),
    "abs": (1, 1),
    "floor": (1, 1),
    "ceiling": (1, 1),
    "nearest": (1, 1),
    "clamp": (3, 3),
    "combinations": (2, 2),
    "powers": (2, 2),
    "rows": (1, 1),
    "box": (1, 2),
    "steps": (0, 0),
    "within": (1, 1),
    "after": (2, 2),
    "finally": (1, 1),
}
"""The functions that give numbers, with the fewest and the most formulas they take."""

OF_CHAINS = ("steps", "within", "after", "finally")
"""The functions that ask a chain; they take its name as well."""

INTEGRATING = ("chance", "mean", *OF_CHAINS)
"""The functions that go through all falls of the throws in them."""

_WITH_NAME = (*WITH_TABLE, "box", *OF_CHAINS)

_FUNCTIONS = DICE_FUNCTIONS | NUMBER_FUNCTIONS | {"count": (1, 1), "repeat": (2, 2)}
"""All functions; what count() counts is one comparison here, and repeat(n, dice) adds up n rolls."""

GRAMMAR = r"""
start: whole
?whole: sum | sum COMPARISON sum -> comparison
?sum: product | sum "+" product -> add | sum "-" product -> subtract
?product: unary | product "*" unary -> times | product "/" unary -> divided
?unary: power | "-" unary -> negate | "+" unary
?power: atom | atom "^" exponent -> raised
?exponent: atom | "-" exponent -> negate | "+" exponent
?atom: INT -> literal
     | DICE -> dice
     | REFERENCE POOL -> pool
     | REFERENCE -> reference
     | NAME "(" arguments ")" -> call
     | "(" sum ")"
     | atom "!" -> explode
arguments: argument ("," argument)*
?argument: whole | NAME -> name | STRING -> inline_table
DICE: /\d*[dD](?:\d+|[fF%])(?:k[hl]\d+)?/
POOL: /[dD](?:\d+|[fF%])/
REFERENCE: /\{[a-z0-9]+(?:[-.][a-z0-9]+)*\}/
NAME: /[a-z][a-z0-9_-]*/
COMPARISON: ">=" | "<=" | "==" | "!=" | ">" | "<"
STRING: /"[^"]*"/
INT: /\d+/
%ignore /\s+/
"""


LANGUAGE = Language("formula", GRAMMAR, "Write formulas like chance({dice} + {trait} >= {difficulty}).")


@lru_cache(maxsize=MEMORY)
def parse_formula(text: str) -> Formula:
    """Parse a formula. Raises NotationError whose message names the column of the fault."""
    formula = parse(LANGUAGE, text, lambda tree: _formula(tree.children[0]))
    if depth_of(formula) > MAX_DEPTH:
        raise NotationError(f"a formula is nested too deeply (at most {MAX_DEPTH} levels)", hint="Name parts in `let`.")
    return formula


def _formula(node: Any) -> Formula:
    return _BUILDERS[node.data](node.children)


def _join(sign: int) -> Callable[[list[Any]], Formula]:
    def build(children: list[Any]) -> Formula:
        left, right = (_formula(child) for child in children)
        terms = left.terms if isinstance(left, Total) else ((1, left),)
        return Total((*terms, (sign, right)))

    return build


def _binary(sign: str) -> Callable[[list[Any]], Formula]:
    return lambda children: Binary(sign, _formula(children[0]), _formula(children[1]))


def _pool(children: list[Any]) -> Formula:
    match dice_at(children[1]):
        case Pool(sides=sides):
            return RolledPool(_reference(children), sides)
    raise PartError(children[1], f'"{children[1]}" is no die')


def _reference(children: list[Any]) -> Reference:
    return Reference(str(children[0])[1:-1])


def _negated(formula: Formula) -> Formula:
    if isinstance(formula, Total):
        return Total(tuple((-sign, term) for sign, term in formula.terms))
    return Total(((-1, formula),))


def _call(children: list[Any]) -> Formula:
    name, arguments = children[0], children[1].children
    tables = [argument.children[0] for argument in arguments if argument.data in ("name", "inline_table")]
    formulas = tuple(_formula(argument) for argument in arguments if argument.data not in ("name", "inline_table"))
    _check_call(name, formulas, tables)
    return Function(str(name), formulas, "".join(map(str, tables)))


def _check_call(name: Token, formulas: tuple[Formula, ...], tables: list[Token]) -> None:
    if name not in _FUNCTIONS:
        raise PartError(name, f'there is no function "{name}"', f"Known are {', '.join(sorted(_FUNCTIONS))}.")
    fewest, most = _FUNCTIONS[name]
    if not fewest <= len(formulas) <= most:
        wanted = str(fewest) if fewest == most else f"{fewest} to {most}"
        raise PartError(name, f"{name}() takes {wanted} formulas, not {len(formulas)}")
    if len(tables) != (name in _WITH_NAME) or (name == "count" and not isinstance(formulas[0], Comparison)):
        raise PartError(
            name, f"{name}() is not written like that", "Write count({trait}d10 >= 7), map(d%, percentile)."
        )
    for table in tables:
        if table.type == "STRING":
            check_inline(name, table)


_BUILDERS: dict[str, Callable[[list[Any]], Formula]] = {
    "literal": lambda children: Literal(int(children[0])),
    "dice": lambda children: Rolled(dice_at(children[0])),
    "pool": _pool,
    "reference": _reference,
    "call": _call,
    "explode": lambda children: Function("explode", (_formula(children[0]),)),
    "negate": lambda children: _negated(_formula(children[0])),
    "add": _join(1),
    "subtract": _join(-1),
    "times": _binary("*"),
    "divided": _binary("/"),
    "raised": _binary("^"),
    "comparison": lambda children: Comparison(str(children[1]), _formula(children[0]), _formula(children[2])),
}


def parts_of(formula: Formula) -> tuple[Formula, ...]:
    """The formulas that a formula is made of."""
    match formula:
        case RolledPool(count=count):
            return (count,)
        case Total(terms=terms):
            return tuple(term for _, term in terms)
        case Binary(left=left, right=right) | Comparison(left=left, right=right):
            return (left, right)
        case Function(arguments=arguments):
            return arguments
    return ()


def names_in(formula: Formula) -> Iterator[str]:
    """Every name that stands in a formula, from left to right."""
    waiting = [formula]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Reference):
            yield part.name
        else:
            waiting += reversed(parts_of(part))


def depth_of(formula: Formula, named: Mapping[str, int] | None = None) -> int:
    """How many formulas stand inside one another; ``named`` is the depth of those that have a name."""
    depth = named.get(formula.name, 0) if named and isinstance(formula, Reference) else 0
    return max([depth, *(1 + depth_of(part, named) for part in parts_of(formula))])
