"""The syntax tree of formulas: dice, numbers, names, operations, and the functions that a formula may call.

In: the parts of a formula. Out: a ``Formula``, a tree. A formula without names is a dice expression; nothing is rolled.
Also how names are written in all texts with a grammar (formulas, conditions), and the errors for such texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from refgen.errors import NotationError
from refgen.limits import limit_hint, limits

LETTER = r"[^\x00-,./:-`{-\u00bf×÷\u2000-\u2bff\u3000-\u3003\u3008-\u3020\s-]"
"""A letter or figure of a name: a class that means the same in expressions of Python, Rust and JavaScript.

None of their own classes of letters does. This class leaves out blanks, signs and the capitals of ASCII.
"""

NAME = rf"{LETTER}+(?:-{LETTER}+)*"
"""A name in small letters of any script: words joined by hyphens."""

PATH = rf"{LETTER}+(?:[-.]{LETTER}+)*"
"""Names joined by dots: "{wounds.penalty}"."""

MEMORY = 4_096
"""How many formulas, at most, a cache keeps."""

FUDGE_FACES = (-1, 0, 1)


@dataclass(frozen=True, slots=True)
class Grammar:
    """A notation with a grammar: the name for messages, and a hint how to write texts in this notation."""

    name: str
    hint: str

    def refused(self, text: str, column: int, reason: str, hint: str = "") -> NotationError:
        """The error for a text that goes wrong at a column."""
        message = f'cannot read the {self.name} "{text}" at column {column}: {reason}'
        return NotationError(message, hint=hint or self.hint)

    def check_length(self, text: str) -> None:
        """Raises NotationError for a text that nobody wrote by hand."""
        if len(text) > (most := limits().formula_letters):
            message = f"the {self.name} of {len(text)} characters is too long (at most {most})"
            raise NotationError(message, hint=limit_hint("formula_letters"))


@dataclass(frozen=True, slots=True)
class Constant:
    """A number; in a formula as written, a whole number."""

    value: int | Fraction


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
class NameReference:
    """A name in braces: "{dice}", "{type.force}"."""

    name: str


@dataclass(frozen=True, slots=True)
class NamedPool:
    """As many dice of a kind as the number of a name: "{trait}d10". ``sides`` is 0 for Fudge dice."""

    count: NameReference
    sides: int


@dataclass(frozen=True, slots=True)
class Sum:
    """The sum of formulas, each with its sign (+1 or -1)."""

    terms: tuple[tuple[int, Formula], ...]


@dataclass(frozen=True, slots=True)
class BinaryOperation:
    """Two formulas and the operator between them: "*", "/", "^", "mod", "and" or "or"."""

    sign: str
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class ComparisonTest:
    """A comparison of two formulas: 1 if it holds, else 0."""

    sign: str
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class RangeTest:
    """Whether a formula lies in a range, its ends included: 1 if it does, else 0. None is an open end.

    If ``printed``, ``low`` is the name of a range that the document prints.
    """

    formula: Formula
    low: Formula | None
    high: Formula | None
    printed: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function; ``table`` is the table, track or chain that some functions name (WITH_NAME)."""

    name: str
    arguments: tuple[Formula, ...]
    table: str = ""


Formula = Constant | Pool | NameReference | NamedPool | Sum | BinaryOperation | ComparisonTest | RangeTest | Call


def parts_of(formula: Formula) -> tuple[Formula, ...]:
    """The formulas right inside a formula, from left to right."""
    match formula:
        case Call(arguments=arguments):
            return arguments
        case Sum(terms=terms):
            return tuple([term for _, term in terms])
        case BinaryOperation(left=left, right=right) | ComparisonTest(left=left, right=right):
            return (left, right)
        case RangeTest(formula=inner, low=low, high=high):
            return tuple(part for part in (inner, low, high) if part is not None)
        case NamedPool(count=count):
            return (count,)
    return ()


def rebuild_formula(formula: Formula, parts: Sequence[Formula]) -> Formula:
    """A formula with ``parts`` in place of the formulas that ``parts_of`` gives, as many of them."""
    match formula:
        case Call():
            return Call(formula.name, tuple(parts), formula.table)
        case Sum(terms=terms):
            return Sum(tuple([(sign, part) for (sign, _), part in zip(terms, parts, strict=True)]))
        case BinaryOperation(sign=sign):
            return BinaryOperation(sign, *parts)
        case ComparisonTest(sign=sign):
            return ComparisonTest(sign, *parts)
        case RangeTest(low=low, high=high):
            inner, *ends = parts
            first = None if low is None else ends.pop(0)
            return RangeTest(inner, first, None if high is None else ends.pop(0), formula.printed)
    return formula


@lru_cache(maxsize=MEMORY)
def names_in(formula: Formula) -> Sequence[str]:
    """Every name in a formula, from left to right; a name that stands there twice comes twice."""
    if isinstance(formula, NameReference):
        return (formula.name,)
    return tuple([name for part in parts_of(formula) for name in names_in(part)])


def depth_of(formula: Formula, named: Mapping[str, int] | None = None) -> int:
    """How many formulas stand inside one another; ``named`` has the depth of the formulas that have a name."""
    depth = named.get(formula.name, 0) if named and isinstance(formula, NameReference) else 0
    return max([depth, *(1 + depth_of(part, named) for part in parts_of(formula))])


_Arity = tuple[int, int]
"""The fewest and the most formulas that a function takes."""

DICE_FUNCTIONS: dict[str, _Arity] = {
    "explode": (1, 2),
    "open": (1, 1),
    "snake": (1, 2),
    "half_away": (1, 1),
    "highest": (1, 2),
    "lowest": (1, 2),
    "lesser": (2, 2),
    "times": (2, 2),
    "max": (2, 8),
    "min": (2, 8),
    "reroll": (2, 8),
    "without": (2, 8),
    "repeat": (2, 2),
    "count": (1, 1),
    "map": (1, 1),
    "chances": (0, 0),
}
"""The functions that roll; the formula of count() is a comparison."""

NUMBER_FUNCTIONS: dict[str, _Arity] = {
    "chance": (1, 1),
    "mean": (1, 1),
    "deviation": (1, 1),
    "if": (3, 3),
    "sign": (1, 1),
    "abs": (1, 1),
    "floor": (1, 1),
    "ceiling": (1, 1),
    "nearest": (1, 1),
    "even": (1, 1),
    "clamp": (3, 3),
    "combinations": (2, 2),
    "power": (2, 2),
    "powers": (2, 2),
    "preferred": (2, 25),
}
"""The functions that give a number: of numbers, or a statistic of dice."""

NAME_FUNCTIONS: dict[str, _Arity] = {
    "at": (3, 4),
    "low": (1, 1),
    "high": (1, 1),
    "default": (2, 2),
    "rows": (1, 1),
    "dice_count": (1, 1),
    "box": (1, 2),
    "steps": (0, 0),
    "within": (1, 1),
    "after": (2, 2),
    "finally": (1, 1),
}
"""The functions of names, tracks and chains, which dice without a game do not have."""

CHAIN_FUNCTIONS = ("steps", "within", "after", "finally")
"""The functions that ask a chain, and take its name."""

END_FUNCTIONS: Mapping[str, str] = {"highest": "highest_of", "lowest": "lowest_of"}
"""The functions by which highest() and lowest() of a single formula are called: they give an end, and keep no dice."""

KEEPING_HINT = "Of two to eight rolls, max() is the highest and min() the lowest: max(3d6, d20)."
"""What to do where highest() or lowest() cannot keep the dice."""

FIRST_COLUMN = "*"
"""The name of the first column of a table, by which a look-up finds its row."""

STATISTICS = ("chance", "mean", "deviation", *END_FUNCTIONS.values())
"""The functions that make a number of dice, and are no part of a roll."""

INTEGRATING = (*STATISTICS, *CHAIN_FUNCTIONS, "dice_count")
"""The functions that give the same number whatever the throws in their formulas come to."""

WITH_NAME = ("map", "chances", "box", *CHAIN_FUNCTIONS)
"""The functions that take the name of a table, a track or a chain besides formulas."""
