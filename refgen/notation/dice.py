"""The dice notation: the text of an expression becomes a tree.

In: "4dF", "d%", "d12+5", "explode(d6)", "d6!", "open(4dF)", "4d6kh2", "count(6d10 >= 7)", "d10 - d10",
'map(3d6, "3-4: -4, 5: -3")', "map(d%, percentile)", "chances(odds)". Out: an ``Expression``. Nothing is rolled here;
what an expression costs is bounded before it is evaluated, in the resolver.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from refgen.errors import NotationError
from refgen.notation.grammar import Language, PartError, parse
from refgen.notation.number import read_interval
from refgen.notation.values import DiceText, Interval

if TYPE_CHECKING:
    from lark import Token

MEMORY = 1_024
"""How many expressions are remembered."""

FUDGE_FACES = (-1, 0, 1)
PERCENTILE_SIDES = 100


@dataclass(frozen=True, slots=True)
class Constant:
    """A whole number."""

    value: int


@dataclass(frozen=True, slots=True)
class Pool:
    """``count`` dice of the same faces: 3d6 has faces (1, …, 6), 4dF has faces (-1, 0, 1).

    ``sides`` is 0 for Fudge dice. The faces are not listed, so that a huge die costs nothing before it is refused.
    """

    count: int
    sides: int

    @property
    def lowest_face(self) -> int:
        """The lowest number on one die."""
        return 1 if self.sides else FUDGE_FACES[0]

    @property
    def highest_face(self) -> int:
        """The highest number on one die."""
        return self.sides or FUDGE_FACES[-1]


@dataclass(frozen=True, slots=True)
class Sum:
    """The sum of some expressions, each with its sign (+1 or -1). Rolls are cached by it, so it is hashed once."""

    terms: tuple[tuple[int, Expression], ...]
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash(self.terms))

    def __hash__(self) -> int:
        return self._hash


@dataclass(frozen=True, slots=True)
class Call:
    """A named operation on expressions; ``table`` belongs to map and chances, ``comparison`` to count. Hashed once."""

    name: str
    arguments: tuple[Expression, ...]
    table: str = ""
    comparison: str = ""
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.name, self.arguments, self.table, self.comparison)))

    def __hash__(self) -> int:
        return self._hash


Expression = Constant | Pool | Sum | Call

FUNCTIONS: dict[str, tuple[int, int]] = {
    "explode": (1, 1),
    "open": (1, 1),
    "snake": (1, 2),
    "half_away": (1, 1),
    "highest": (2, 2),
    "lowest": (2, 2),
    "lesser": (2, 2),
    "times": (2, 2),
    "top": (1, 1),
    "max": (2, 8),
    "min": (2, 8),
    "reroll": (2, 8),
    "count": (2, 2),
    "map": (1, 1),
    "chances": (0, 0),
}
"""Every function with the fewest and the most expressions it takes."""

WITH_TABLE = ("map", "chances")
"""The functions that take the name of a table as well."""

GRAMMAR = r"""
start: sum
?sum: term | sum "+" term -> add | sum "-" term -> subtract
?term: atom | "-" term -> negate | "+" term
?atom: INT -> constant
     | DICE -> dice
     | NAME "(" arguments ")" -> call
     | "(" sum ")"
     | atom "!" -> explode
arguments: argument ("," argument)*
?argument: sum | sum COMPARISON sum -> comparison | NAME -> name | STRING -> inline_table
DICE: /\d*[dD](?:\d+|[fF%])(?:k[hl]\d+)?/
NAME: /[a-z][a-z0-9_.-]*/
COMPARISON: ">=" | "<=" | "==" | ">" | "<"
STRING: /"[^"]*"/
INT: /\d+/
%ignore /\s+/
"""

_DICE_PARTS = re.compile(r"[dD]|k(?=[hl])")


LANGUAGE = Language("dice", GRAMMAR, "Write dice like 4dF, 3d6, d%, d12+5, explode(d6), highest(2, 4d6) or open(4dF).")


@lru_cache(maxsize=MEMORY)
def parse_dice(text: str) -> Expression:
    """Parse a dice expression. Raises NotationError whose message names the column of the fault."""
    return parse(LANGUAGE, text, lambda tree: _expression(tree.children[0]))


def _expression(node: Any) -> Expression:
    return _BUILDERS[node.data](node.children)


def read_dice_token(token: Token) -> Expression:
    """A token the grammar calls DICE: a count, "d", sides, and perhaps "kh" or "kl" with a number."""
    count, sides, *keep = _DICE_PARTS.split(token)
    faces = {"f": 0, "%": PERCENTILE_SIDES}.get(sides.lower())
    pool = Pool(int(count or 1), int(sides) if faces is None else faces)
    if pool.count < 1 or (faces is None and pool.sides < 1):
        raise NotationError(f'"{token}" has no dice to roll')
    if not keep:
        return pool
    return Call("highest" if keep[0][0] == "h" else "lowest", (Constant(int(keep[0][1:])), pool))


def dice_at(token: Token) -> Expression:
    """Dice, with the place of the token in the error when they are none. Raises PartError."""
    try:
        return read_dice_token(token)
    except NotationError as error:
        raise PartError(token, error.message) from error


def _join(sign: int) -> Callable[[list[Any]], Expression]:
    def build(children: list[Any]) -> Expression:
        left, right = (_expression(child) for child in children)
        terms = left.terms if isinstance(left, Sum) else ((1, left),)
        return Sum((*terms, (sign, right)))

    return build


def _call(children: list[Any]) -> Expression:
    name, arguments = children[0], children[1].children
    expressions = []
    tables = []
    comparisons = []
    for argument in arguments:
        if argument.data == "comparison":
            left, comparison, right = argument.children
            comparisons.append(comparison)
            expressions += [_expression(left), _expression(right)]
        elif argument.data in ("name", "inline_table"):
            tables.append(argument.children[0])
        else:
            expressions.append(_expression(argument))
    _check_call(name, len(expressions), tables, comparisons)
    return Call(str(name), tuple(expressions), "".join(tables), "".join(comparisons))


def _check_call(name: Token, arguments: int, tables: list[Token], comparisons: list[Token]) -> None:
    if name not in FUNCTIONS:
        raise PartError(name, f'there is no dice function "{name}"', f"Known are {', '.join(sorted(FUNCTIONS))}.")
    fewest, most = FUNCTIONS[name]
    if not fewest <= arguments <= most:
        wanted = str(fewest) if fewest == most else f"{fewest} to {most}"
        raise PartError(name, f"{name}() takes {wanted} expressions, not {arguments}")
    if len(tables) != (name in WITH_TABLE) or len(comparisons) != (name == "count"):
        raise PartError(
            name,
            f"{name}() is not written like that",
            'Write count(6d10 >= 7), map(3d6, "3-4: -4, 5: -3"), map(d%, percentile), chances(odds).',
        )
    for table in tables:
        if table.type == "STRING":
            check_inline(name, table)


def check_inline(name: Token, table: Token) -> None:
    """Refuse a string that is no table for map(). Raises PartError."""
    if name != "map":
        raise PartError(table, f"{name}() takes the name of a table")
    try:
        read_inline_table(table)
    except NotationError as error:
        raise PartError(table, error.message) from error


def read_inline_table(text: str) -> tuple[tuple[Interval, int], ...]:
    """The table in a string such as "3-4: -4, 5: -3". Raises NotationError."""
    rows = []
    for row in text.strip('"').split(","):
        outcomes, _, result = row.partition(":")
        if not re.fullmatch(r"\s*[-+]?\d+\s*", result):
            raise NotationError(f'map(): "{row.strip()}" is not "outcomes: result"')
        rows.append((read_interval(outcomes.strip()), int(result)))
    return tuple(rows)


_BUILDERS: dict[str, Callable[[list[Any]], Expression]] = {
    "constant": lambda children: Constant(int(children[0])),
    "dice": lambda children: dice_at(children[0]),
    "call": _call,
    "explode": lambda children: Call("explode", (_expression(children[0]),)),
    "negate": lambda children: Sum(((-1, _expression(children[0])),)),
    "add": _join(1),
    "subtract": _join(-1),
}

_NOTHING_ROLLED = {"none", "-", "–", ""}
_GLOSS = re.compile(r"\s*\([a-z ]+\)\Z")


def read_dice_cell(text: str) -> DiceText:
    """Dice as a table prints them: "d12+5", "d12+2 (etc)", "none". Raises NotationError when not dice."""
    bare = _GLOSS.sub("", text)
    if bare.lower() in _NOTHING_ROLLED:
        return DiceText("")
    expression = re.sub(r"(?<=\dd)[f](?!\w)|(?<=\dD)[Ff](?!\w)", "F", bare).replace("D", "d")
    parse_dice(expression)
    return DiceText(expression)
