"""The syntax tree of formulas: dice, numbers, names, and operations on these.

In: the parts. Out: a ``Formula``, a tree. A formula without names is a dice expression. Nothing is rolled here. And for
texts with a grammar (formulas, conditions): how names in them are written, and the error of a text that goes wrong,
which names the column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from refgen.errors import NotationError

MAX_LENGTH = 400
"""Longer than anything of the kind that a person writes down; bounds the parser's work and the depth of its tree."""


LETTER = r"[^\x00-,./:-`{-\u00bf×÷\u2000-\u2bff\u3000-\u3003\u3008-\u3020\s-]"
"""A letter or figure of a name, for regular expressions of Python, Rust and JavaScript alike.

They share no class of all letters with their marks: this one leaves out blanks, signs and the capitals of ASCII.
"""

NAME = rf"{LETTER}+(?:-{LETTER}+)*"
"""A name in small letters of any script: words joined by hyphens."""

PATH = rf"{LETTER}+(?:[-.]{LETTER}+)*"
"""Names joined by dots: "{wounds.penalty}"."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """The name of a notation in messages, and the hint how to write a text of this notation."""

    name: str
    hint: str

    def refused(self, text: str, column: int, reason: str, hint: str = "") -> NotationError:
        """The error for a text that goes wrong at a column."""
        message = f'cannot read the {self.name} "{text}" at column {column}: {reason}'
        return NotationError(message, hint=hint or self.hint)

    def check_length(self, text: str) -> None:
        """Refuse a text that nobody wrote by hand."""
        if len(text) > MAX_LENGTH:
            raise NotationError(f"the {self.name} of {len(text)} characters is too long (at most {MAX_LENGTH})")


MEMORY = 4_096
"""How many parts of formulas are remembered."""

FUDGE_FACES = (-1, 0, 1)


@dataclass(frozen=True, slots=True)
class Constant:
    """A number; in what is written down, a whole one."""

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
    """As many dice of a kind as a number says: "{trait}d10". ``sides`` is 0 for Fudge dice."""

    count: NameReference
    sides: int


@dataclass(frozen=True, slots=True)
class Sum:
    """The sum of some formulas, each with its sign (+1 or -1). Rolls are cached by it, so it is hashed once."""

    terms: tuple[tuple[int, Formula], ...]
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash(self.terms))

    def __hash__(self) -> int:
        return self._hash


@dataclass(frozen=True, slots=True)
class BinaryOperation:
    """Two formulas and the operator between them: "*", "/", "^", "mod", "and" or "or"."""

    sign: str
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class ComparisonTest:
    """A comparison of two formulas: 1 where it holds, else 0."""

    sign: str
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class RangeTest:
    """Whether a formula lies in a range, its ends included: 1 or 0. None is an open end.

    ``low`` alone, as a name, may be a range that the document prints: then ``printed`` is set.
    """

    formula: Formula
    low: Formula | None
    high: Formula | None
    printed: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """A named function; ``table`` is the name that map() and chances(), box() and the functions of chains take.

    Hashed once.
    """

    name: str
    arguments: tuple[Formula, ...]
    table: str = ""
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.name, self.arguments, self.table)))

    def __hash__(self) -> int:
        return self._hash


Formula = Constant | Pool | NameReference | NamedPool | Sum | BinaryOperation | ComparisonTest | RangeTest | Call


def parts_of(formula: Formula) -> tuple[Formula, ...]:
    """The formulas that a formula is made of."""
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


def rebuilt(formula: Formula, parts: Sequence[Formula]) -> Formula:
    """A formula with its parts replaced by others, as many as ``parts_of`` gives."""
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
    """Every name that stands in a formula, from left to right; at each mention again."""
    if isinstance(formula, NameReference):
        return (formula.name,)
    return tuple([name for part in parts_of(formula) for name in names_in(part)])


def depth_of(formula: Formula, named: Mapping[str, int] | None = None) -> int:
    """How many formulas stand inside one another; ``named`` is the depth of those that have a name."""
    depth = named.get(formula.name, 0) if named and isinstance(formula, NameReference) else 0
    return max([depth, *(1 + depth_of(part, named) for part in parts_of(formula))])


DICE_FUNCTIONS: dict[str, tuple[int, int]] = {
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
"""The functions that roll, with the fewest and the most formulas they take; what count() counts is a comparison."""

NUMBER_FUNCTIONS: dict[str, tuple[int, int]] = {
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
"""The functions that give a number for numbers, or for what is asked of dice."""

NAME_FUNCTIONS: dict[str, tuple[int, int]] = {
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
"""The functions of names, tracks and chains: not of dice alone."""

OF_CHAINS = ("steps", "within", "after", "finally")
"""The functions that ask a chain; they take its name as well."""

OF_ONE: Mapping[str, str] = {"highest": "highest_of", "lowest": "lowest_of"}
"""With two formulas highest() and lowest() keep dice; with one they ask for an end, and are other functions."""

FIRST_COLUMN = "*"
"""Of a table, the column that a look-up goes by."""

ASKED = ("chance", "mean", "deviation", *OF_ONE.values())
"""The functions that make a number of dice, and are no part of a roll."""

INTEGRATING = (*ASKED, *OF_CHAINS)
"""The functions that go through all outcomes of the throws in them."""

WITH_NAME = ("map", "chances", "box", *OF_CHAINS)
"""The functions that take the name of a table, a track or a chain as well."""
