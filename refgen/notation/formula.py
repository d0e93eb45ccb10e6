"""The notation of formulas: dice, arithmetic over what a ruleset states, and chances.

In: "4dF", "explode(d6) + 2", "{type.force} + {orientation.force}", "chance({dice} + {trait} >= {difficulty})".
Out: a ``Formula``. A name in braces is a fact, a row or column of the table that the formula fills, or a column
of a printed table; what it stands for is settled in the resolver. Dice are a formula without names. Nothing is rolled
here; what a formula costs is bounded before it is worked out, in the resolver.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple, NoReturn

from refgen.errors import NotationError
from refgen.notation.modifiers import DICE as DICE_PATTERN
from refgen.notation.modifiers import read_die
from refgen.notation.number import read_interval
from refgen.notation.tree import (
    LETTER,
    MAX_LENGTH,
    PATH,
    BinaryOperation,
    Call,
    ComparisonTest,
    Constant,
    Formula,
    Grammar,
    NamedPool,
    NameReference,
    Pool,
    RangeTest,
    Sum,
    depth_of,
    parts_of,
)
from refgen.notation.values import Interval

MEMORY = 2_048
"""How many formulas are remembered: a system has some hundred."""

MAX_DEPTH = 50
"""More functions inside one another than anybody can read."""

MAX_BRACKETS = MAX_LENGTH // 2
"""So many brackets can open and close in the longest formula, and the parser's calls stay within Python's limit."""

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

_TOKEN = re.compile(
    rf"""\s*(?:(?P<dice>{DICE_PATTERN})|(?P<number>\d+)|(?P<name>(?![\d_.-])(?:{LETTER}|[_.-])+)
    |(?P<reference>\{{{PATH}\}})|(?P<look_up>\{{{PATH}\s+at\b)|(?P<table>"[^"]*")
    |(?P<sign>[><=!]=|\.\.|[-+*/^()!,<>}}])|(?P<end>\Z)|(?P<no>.))""",
    re.VERBOSE | re.DOTALL,
)
_TIMES = re.compile(r"\s*([xX×])(?=\s*[\d({])")
"""A number of times behind a formula: 1d6 x 10, 2d4x100."""

_ENDS_OPERAND = frozenset({"dice", "number", "reference", ")", "!"})

_BINDING = {"or": 1, "and": 2, "in": 3, "+": 4, "-": 4, "*": 5, "/": 5, "mod": 5}
_BINDING |= dict.fromkeys((">=", "<=", "==", "!=", ">", "<", "vs"), 3)
"""How closely what stands between two formulas binds. A comparison is not compared again."""

_COMPARED = 3
_AFTER_RANGE = frozenset({"end", ")", ",", "and", "or"})
_WORDS = {"or": "or", "and": "and", "in": "in", "mod": "mod", "not": "not", "vs": "vs", "vs.": "vs"}

FORMULAS = Grammar("formula", "Write formulas like chance({dice} + {trait} >= {difficulty}).")
DICE = Grammar("dice", "Write dice like 4dF, 3d6, d%, d12+5, explode(d6), highest(2, 4d6) or open(4dF).")


@lru_cache(maxsize=MEMORY)
def parse_formula(text: str) -> Formula:
    """Parse a formula. Raises NotationError whose message names the column of the fault."""
    return _Parser(text).parsed()


@lru_cache(maxsize=MEMORY)
def parse_dice(text: str) -> Formula:
    """Parse a formula without names. Raises NotationError whose message names the column of the fault."""
    return _DiceParser(text).parsed()


class Token(NamedTuple):
    """A piece of the text: what it is (for words and signs, the sign), and where it begins, from 1."""

    kind: str
    text: str
    column: int


def tokens(text: str) -> Sequence[Token]:
    """The pieces of a formula, and an "end" behind them; "no" is a character that stands in none."""
    found: list[Token] = []
    place = 0
    while not found or found[-1].kind != "end":
        times = _TIMES.match(text, place) if found and found[-1].kind in _ENDS_OPERAND else None
        match = times or _TOKEN.match(text, place)
        assert match is not None  # noqa: S101
        group: str | int = 1 if times else match.lastgroup or 0
        kind, piece, place = "*" if times else str(group), match[group], match.end()
        if kind == "sign":
            kind = piece
        found.append(Token(_WORDS.get(piece, kind), piece, match.start(group) + 1))
    return found


class _Parser:
    """Reads one text from left to right: what binds closest is read deepest."""

    language = FORMULAS
    functions = DICE_FUNCTIONS | NUMBER_FUNCTIONS | NAME_FUNCTIONS
    part, function = "formulas", "function"

    def __init__(self, text: str) -> None:
        self.language.check_length(text)
        self.text = text
        self.tokens = tokens(text)
        self.place = 0

    def parsed(self) -> Formula:
        """The whole text. Raises NotationError."""
        brackets = accumulate((token.kind == "(") - (token.kind == ")") for token in self.tokens)
        self.check_depth(max(brackets), MAX_BRACKETS)
        formula = self.formula(0)
        self.take("end")
        self.check_depth(depth_of(formula), MAX_DEPTH)
        return formula

    def check_depth(self, levels: int, most: int) -> None:
        """Refuse brackets or functions of so many levels."""
        if levels > most:
            message = f"a {self.language.name} is nested too deeply (at most {most} levels)"
            raise NotationError(message, hint="Name parts in `let`.")

    @property
    def next(self) -> Token:
        """The token that comes next."""
        return self.tokens[self.place]

    def take(self, kind: str = "") -> Token:
        """Go on to the token after the next one, which must be of a kind."""
        token = self.next
        if kind and token.kind != kind:
            self.unexpected()
        self.place += 1
        return token

    def unexpected(self) -> NoReturn:
        """Refuse the next token."""
        ends = self.next.kind == "end"
        raise self.refused(self.next, "it ends too early" if ends else "this is not expected here")

    def refused(self, token: Token, reason: str, hint: str = "") -> NotationError:
        """The error for a token that is wrong."""
        return self.language.refused(self.text, token.column, reason, hint)

    def formula(self, least: int) -> Formula:
        """A formula of parts that bind at least so closely."""
        left, compared = self.operand(least), False
        while (binding := _BINDING.get(self.next.kind, -1)) >= least:
            if binding == _COMPARED and compared:
                self.unexpected()
            compared = binding == _COMPARED
            sign = self.take().kind
            if sign == "in":
                left = self.within(left)
            elif sign == "vs":
                left = self.versus(left)
            elif compared:
                left = ComparisonTest(sign, left, self.formula(binding + 1))
            else:
                left = _joined(sign, left, self.formula(binding + 1))
        return left

    def operand(self, least: int) -> Formula:
        """An operand with the signs before it; a power binds before a sign."""
        if self.next.kind == "not" and least <= _COMPARED:
            self.take()
            return Call("not", (self.formula(_COMPARED),))
        minus = self.signs()
        formula = self.atom()
        if self.next.kind == "^":
            self.take()
            below = self.signs()
            formula = BinaryOperation("^", formula, _negated(self.atom(), below))
        return _negated(formula, minus)

    def signs(self) -> int:
        """How many minus signs come next."""
        minus = 0
        while self.next.kind in ("-", "+"):
            minus += self.take().kind == "-"
        return minus

    def atom(self) -> Formula:
        """An operand (a number, a name, dice, a call or a bracket), with "!" where its dice explode."""
        token = self.take()
        match token.kind:
            case "number":
                found: Formula = Constant(int(token.text))
            case "dice":
                found = self.dice(token)
            case "reference":
                found = self.named(token)
            case "look_up":
                found = self.look_up(token)
            case "name":
                found = self.call(token)
            case "(":
                found = self.formula(0)
                self.take(")")
            case _:
                self.place -= 1
                self.unexpected()
        while self.next.kind == "!":
            self.take()
            found = Call("explode", (found,))
        return found

    def reference(self, token: Token) -> NameReference:
        """A name in braces."""
        return NameReference(token.text[1:-1])

    def look_up(self, token: Token) -> Formula:
        """A cell of a column: {armies.nominal at {size}} stands in the row of that number."""
        path = token.text[1:].split()[0]
        column = self.reference(token._replace(text=f"{{{path}}}"))
        asked = self.formula(0)
        self.take("}")
        return Call("at", (NameReference(f"{path.partition('.')[0]}.{FIRST_COLUMN}"), asked, column))

    def named(self, token: Token) -> Formula:
        """A name, or as many dice as it says."""
        name = self.reference(token)
        if self.next.kind == "dice" and not self.next.text[0].isdigit():
            return self.dice(self.take(), name)
        return name

    def dice(self, token: Token, count: NameReference | None = None) -> Formula:
        """Dice, perhaps with a modifier behind them."""
        try:
            return read_die(token.text, count).formula
        except NotationError as error:
            raise self.refused(token, error.message, error.hint) from error

    def versus(self, formula: Formula) -> Formula:
        """A comparison with the number after "vs": 2d6+1 vs 8 is at least 8."""
        place = self.next
        goal = self.formula(_COMPARED + 1)
        if _rolls(goal):
            hint = "Of two rolls ask chance(one > other); refgen odds takes one vs other."
            raise self.refused(place, "a number to reach stands after vs, not dice", hint)
        return ComparisonTest(">=", formula, goal)

    def within(self, formula: Formula) -> Formula:
        """The range after "in": "3..5", "3..", "..5", or a name of one that is printed."""
        if self.next.kind == "reference" and self.tokens[self.place + 1].kind in _AFTER_RANGE:
            return RangeTest(formula, self.reference(self.take()), None, printed=True)
        low = None if self.next.kind == ".." else self.formula(_COMPARED + 1)
        self.take("..")
        if low is not None and self.next.kind in _AFTER_RANGE:
            return RangeTest(formula, low, None)
        return RangeTest(formula, low, self.formula(_COMPARED + 1))

    def call(self, name: Token) -> Formula:
        """A function with what stands in its brackets: formulas, and perhaps a table."""
        formulas: list[Formula] = []
        tables: list[Token] = []
        self.take("(")
        while True:
            if self.next.kind == "table" or (self.next.kind == "name" and self.tokens[self.place + 1].kind != "("):
                tables.append(self.take())
            else:
                formulas.append(self.formula(0))
            if self.next.kind != ",":
                break
            self.take()
        self.take(")")
        self.check_call(name, formulas, tables)
        called = OF_ONE.get(name.text, name.text) if len(formulas) == 1 else name.text
        return Call(called, tuple(formulas), "".join(table.text for table in tables))

    def check_call(self, name: Token, formulas: Sequence[Formula], tables: Sequence[Token]) -> None:
        """Refuse a function that there is not, or that takes something else."""
        if name.text not in self.functions:
            known = ", ".join(sorted(self.functions))
            hint = "It is called highest now." if name.text == "top" else f"Known are {known}."
            raise self.refused(name, f'there is no {self.function} "{name.text}"', hint)
        fewest, most = self.functions[name.text]
        if not fewest <= len(formulas) <= most:
            wanted = str(fewest) if fewest == most else f"{fewest} to {most}"
            raise self.refused(name, f"{name.text}() takes {wanted} {self.part}, not {len(formulas)}")
        uncounted = name.text == "count" and not isinstance(formulas[0], ComparisonTest | RangeTest)
        if len(tables) != (name.text in WITH_NAME) or uncounted:
            hint = 'Write count(6d10 >= 7), map(3d6, "3-4: -4, 5: -3"), map(d%, percentile), chances(odds).'
            raise self.refused(name, f"{name.text}() is not written like that", hint)
        for table in tables:
            if table.kind == "table":
                self.check_table(name, table)

    def check_table(self, name: Token, table: Token) -> None:
        """Refuse a string that is no table for map()."""
        if name.text != "map":
            raise self.refused(table, f"{name.text}() takes the name of a table")
        try:
            read_inline_table(table.text)
        except NotationError as error:
            raise self.refused(table, error.message) from error


class _DiceParser(_Parser):
    """Reads dice alone: names are refused."""

    language = DICE
    functions = {name: counts for name, counts in (DICE_FUNCTIONS | NUMBER_FUNCTIONS).items() if name not in ASKED}
    functions |= dict.fromkeys(OF_ONE, (2, 2))
    part, function = "expressions", "dice function"

    def reference(self, token: Token) -> NameReference:
        """There is nothing that a name could stand for."""
        raise self.refused(token, "names in braces stand for what a game says")


def _rolls(formula: Formula) -> bool:
    return isinstance(formula, Pool | NamedPool) or any(map(_rolls, parts_of(formula)))


def _joined(sign: str, left: Formula, right: Formula) -> Formula:
    if sign in ("+", "-"):
        terms = left.terms if isinstance(left, Sum) else ((1, left),)
        return Sum((*terms, (1 if sign == "+" else -1, right)))
    return BinaryOperation(sign, left, right)


def _negated(formula: Formula, times: int) -> Formula:
    for _ in range(times):
        terms = formula.terms if isinstance(formula, Sum) else ((1, formula),)
        formula = Sum(tuple([(-sign, term) for sign, term in terms]))
    return formula


def read_inline_table(text: str) -> tuple[tuple[Interval, int], ...]:
    """The table in a string such as "3-4: -4, 5: -3". Raises NotationError."""
    rows = []
    for row in text.strip('"').split(","):
        outcomes, _, result = row.partition(":")
        if not re.fullmatch(r"\s*[-+]?\d+\s*", result):
            raise NotationError(f'map(): "{row.strip()}" is not "outcomes: result"')
        rows.append((read_interval(outcomes.strip()), int(result)))
    return tuple(rows)
