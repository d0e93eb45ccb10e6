"""The notation of formulas: dice, arithmetic over what a ruleset states, and chances.

In: "4dF", "explode(d6) + 2", "{type.force} + {orientation.force}", "chance({dice} + {trait} >= {difficulty})".
Out: a ``Formula``. A name in braces is a fact, a row or column of the table that the formula fills, or a column
of a printed table; what it stands for is settled in the resolver. Dice are a formula without names. Nothing is rolled
here; what a formula costs is bounded before it is worked out, in the resolver.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NoReturn

from refgen.errors import NotationError
from refgen.notation.dice_notation import Token, read_die, tokens
from refgen.notation.formula_tree import (
    ASKED,
    DICE_FUNCTIONS,
    FIRST_COLUMN,
    MAX_LENGTH,
    NAME_FUNCTIONS,
    NUMBER_FUNCTIONS,
    OF_ONE,
    WITH_NAME,
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
from refgen.notation.number import read_interval
from refgen.notation.values import Interval

MEMORY = 2_048
"""How many formulas are remembered: a system has some hundred."""

MAX_DEPTH = 50
"""More functions inside one another than anybody can read."""

MAX_BRACKETS = MAX_LENGTH // 2
"""So many brackets can open and close in the longest formula, and the parser's calls stay within Python's limit."""

_BINDING = {"or": 1, "and": 2, "in": 3, "+": 4, "-": 4, "*": 5, "/": 5, "mod": 5}
_BINDING |= dict.fromkeys((">=", "<=", "==", "!=", ">", "<", "vs"), 3)
"""How closely what stands between two formulas binds. A comparison is not compared again."""

_COMPARED = 3
_AFTER_RANGE = frozenset({"end", ")", ",", "and", "or"})

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


_SAME_DIGITS = re.compile(r"(?<![\w.])(?P<count>\d*)[dD](?P<sides>44+|66+|88+)(?!\w)", re.ASCII)


def readings(text: str) -> Sequence[str]:
    """What is said about dice that could be read otherwise. Raises NotationError for what is no dice."""
    found = [_digits(match["count"], match["sides"]) for match in _SAME_DIGITS.finditer(text)]
    return list(dict.fromkeys([*found, *_sums(parse_dice(text))]))


def _digits(count: str, sides: str) -> str:
    digits = f"{len(sides)} dice of {sides[0]} sides read as digits, {'1' * len(sides)} to {sides}"
    if count:
        return f"{count}d{sides} rolls dice with {sides} sides; d{sides} is {digits}"
    return f"d{sides} is {digits}; 1d{sides} is one die with {sides} sides"


def _sums(formula: Formula) -> Iterator[str]:
    """Comparisons of the sum of a pool, where the dice that meet the comparison may be meant."""
    match formula:
        case Call(name="count"):
            return
        case ComparisonTest(sign=sign, left=Pool(count=count) as pool, right=Constant(value=number)) if count > 1:
            yield _summed(pool, f"{sign} {number}")
        case RangeTest(
            formula=Pool(count=count) as pool, low=Constant() | None as low, high=Constant() | None as high
        ) if count > 1:
            yield _summed(pool, f"in {low.value if low else ''}..{high.value if high else ''}")
    for part in parts_of(formula):
        yield from _sums(part)


def _summed(pool: Pool, asked: str) -> str:
    dice = f"{pool.count}d{pool.sides or 'F'}"
    return f"{dice} {asked} asks for the sum of the dice; count({dice} {asked}) counts the dice of which that is true"
