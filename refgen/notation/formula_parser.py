"""The parser of formulas: dice, arithmetic over the numbers of a ruleset, and chances.

In: "4dF", "explode(d6) + 2", "{type.force} + {orientation.force}", "chance({dice} + {trait} >= {difficulty})".
Out: a ``Formula``. A name in braces is a fact, a row or column of the table that the formula fills, or a column of a
printed table: the resolver finds out which. Dice are a formula without names. Nothing is rolled, and the cost of a
formula is bounded before it is computed, in the resolver.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NoReturn

from refgen.errors import NotationError
from refgen.limits import limit_hint, limits
from refgen.notation.dice_notation import read_die, tokens
from refgen.notation.dice_words import UNCLEAR, Token, hint_of_words
from refgen.notation.formula_tree import (
    DICE_FUNCTIONS,
    END_FUNCTIONS,
    FIRST_COLUMN,
    KEEPING_HINT,
    NAME_FUNCTIONS,
    NUMBER_FUNCTIONS,
    STATISTICS,
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

MEMORY = 2_048  # parsed formulas are kept: a system has some hundred
MAX_BRACKETS = 200  # may stand inside one another: the calls of the parser stay within Python's limit

_COMPARED = 3
_BINDING = {"or": 1, "and": 2, "in": _COMPARED, "+": 4, "-": 4, "*": 5, "/": 5, "mod": 5}
_BINDING |= dict.fromkeys((">=", "<=", "==", "!=", ">", "<", "vs"), _COMPARED)
"""How closely each operator binds. A comparison is not compared again."""

_AFTER_RANGE = frozenset({"end", ")", ",", "and", "or"})

FORMULAS = Grammar("formula", "Write formulas like chance({dice} + {trait} >= {difficulty}).")
DICE = Grammar("dice", "Write dice like 4dF, 3d6, d%, d12+5, explode(d6), highest(2, 4d6) or open(4dF).")


@lru_cache(maxsize=MEMORY)
def parse_formula(text: str) -> Formula:
    """Parse a formula. Raises NotationError whose message names the column of the fault."""
    return _Parser(text).parse()


@lru_cache(maxsize=MEMORY)
def parse_dice(text: str) -> Formula:
    """Parse a formula without names. Raises NotationError whose message names the column of the fault."""
    return _DiceParser(text).parse()


class _Parser:
    """Reads one text from left to right, by precedence climbing. Every method raises NotationError."""

    grammar = FORMULAS
    functions = DICE_FUNCTIONS | NUMBER_FUNCTIONS | NAME_FUNCTIONS
    argument_word, function_word = "formulas", "function"

    def __init__(self, text: str) -> None:
        self.grammar.check_length(text)
        self.text = text
        self.tokens = tokens(text)
        self.place = 0

    def parse(self) -> Formula:
        brackets = accumulate((token.kind == "(") - (token.kind == ")") for token in self.tokens)
        self.check_depth(max(brackets), MAX_BRACKETS, "")
        formula = self.formula(0)
        self.take("end")
        self.check_depth(depth_of(formula), limits().formula_depth, limit_hint("formula_depth"))
        return formula

    def check_depth(self, levels: int, most: int, hint: str) -> None:
        if levels > most:
            message = f"a {self.grammar.name} is nested too deeply (at most {most} levels)"
            raise NotationError(message, hint=f"Name parts in `let`. {hint}".strip())

    @property
    def next(self) -> Token:
        """The token that comes next."""
        return self.tokens[self.place]

    def take(self, kind: str = "") -> Token:
        """The next token, which must be of the kind; go on to the token after it."""
        token = self.next
        if kind and token.kind != kind:
            self.refuse_next()
        self.place += 1
        return token

    def refuse_next(self) -> NoReturn:
        token = self.next
        if token.kind == UNCLEAR:
            reason = f'"{token.text}" may be said of {token.dice} alone or of all of {token.whole}'
            raise self.refused(token, reason, hint_of_words(token))
        raise self.refused(token, "it ends too early" if token.kind == "end" else "this is not expected here")

    def refused(self, token: Token, reason: str, hint: str = "") -> NotationError:
        """The error for a wrong token."""
        return self.grammar.refused(self.text, token.column, reason, hint)

    def formula(self, least: int) -> Formula:
        """A formula whose operators bind at least as closely as ``least``."""
        left, compared = self.operand(least), False
        while (binding := _BINDING.get(self.next.kind, -1)) >= least:
            if binding == _COMPARED and compared:
                self.refuse_next()
            compared = binding == _COMPARED
            sign = self.take().kind
            if sign == "in":
                left = self.range_test(left)
            elif sign == "vs":
                left = self.versus(left)
            elif compared:
                left = ComparisonTest(sign, left, self.formula(binding + 1))
            else:
                left = _join_terms(sign, left, self.formula(binding + 1))
        return left

    def operand(self, least: int) -> Formula:
        """An operand with the signs before it; a power binds before a sign."""
        if self.next.kind == "not" and least <= _COMPARED:
            self.take()
            return Call("not", (self.formula(_COMPARED),))
        minus = self.minus_signs()
        formula = self.atom()
        if self.next.kind == "^":
            self.take()
            below = self.minus_signs()
            formula = BinaryOperation("^", formula, _negate(self.atom(), below))
        return _negate(formula, minus)

    def minus_signs(self) -> int:
        """How many minus signs come next, with plus signs among them or not."""
        minus = 0
        while self.next.kind in ("-", "+"):
            minus += self.take().kind == "-"
        return minus

    def atom(self) -> Formula:
        """A number, a name, dice, a call or a bracket; "!" behind the operand makes dice explode."""
        token = self.take()
        match token.kind:
            case "number":
                found: Formula = Constant(int(token.text))
            case "dice":
                found = self.dice(token)
            case "reference":
                found = self.name_or_pool(token)
            case "look_up":
                found = self.look_up(token)
            case "name":
                found = self.call(token)
            case "(":
                found = self.formula(0)
                self.take(")")
            case _:
                self.place -= 1
                self.refuse_next()
        while self.next.kind == "!":
            self.take()
            found = Call("explode", (found,))
        return found

    def name(self, token: Token) -> NameReference:
        """A name in braces."""
        return NameReference(token.text[1:-1])

    def name_or_pool(self, token: Token) -> Formula:
        """A name, or as many dice as the name says: "{trait}d10"."""
        name = self.name(token)
        if self.next.kind == "dice" and not self.next.text[0].isdigit():
            return self.dice(self.take(), name)
        return name

    def look_up(self, token: Token) -> Formula:
        """A cell of a column: {armies.nominal at {size}} stands in the row of that number."""
        path = token.text[1:].split()[0]
        column = self.name(token._replace(text=f"{{{path}}}"))
        number = self.formula(0)
        self.take("}")
        return Call("at", (NameReference(f"{path.partition('.')[0]}.{FIRST_COLUMN}"), number, column))

    def dice(self, token: Token, count: NameReference | None = None) -> Formula:
        """Dice, perhaps with a modifier behind them."""
        try:
            return read_die(token.text, count).formula
        except NotationError as error:
            raise self.refused(token, error.message, error.hint) from error

    def versus(self, formula: Formula) -> Formula:
        """A comparison with the number behind "vs": 2d6+1 vs 8 is at least 8."""
        token = self.next
        goal = self.formula(_COMPARED + 1)
        if _rolls(goal):
            hint = "Of two rolls ask chance(one > other); refgen odds takes one vs other."
            raise self.refused(token, "a number to reach stands after vs, not dice", hint)
        return ComparisonTest(">=", formula, goal)

    def range_test(self, formula: Formula) -> Formula:
        """The range behind "in": "3..5", "3..", "..5", or the name of a printed range."""
        if self.next.kind == "reference" and self.tokens[self.place + 1].kind in _AFTER_RANGE:
            return RangeTest(formula, self.name(self.take()), None, printed=True)
        low = None if self.next.kind == ".." else self.formula(_COMPARED + 1)
        self.take("..")
        if low is not None and self.next.kind in _AFTER_RANGE:
            return RangeTest(formula, low, None)
        return RangeTest(formula, low, self.formula(_COMPARED + 1))

    def call(self, name: Token) -> Formula:
        """A call of a function: formulas in brackets, and perhaps a table."""
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
        called = END_FUNCTIONS.get(name.text, name.text) if len(formulas) == 1 else name.text
        return Call(called, tuple(formulas), "".join(table.text for table in tables))

    def check_call(self, name: Token, formulas: Sequence[Formula], tables: Sequence[Token]) -> None:
        """Refuse an unknown function, and wrong arguments."""
        if name.text not in self.functions:
            known = ", ".join(sorted(self.functions))
            hint = "It is called highest now." if name.text == "top" else f"Known are {known}."
            raise self.refused(name, f'there is no {self.function_word} "{name.text}"', hint)
        fewest, most = self.functions[name.text]
        if not fewest <= len(formulas) <= most:
            wanted = str(fewest) if fewest == most else f"{fewest} to {most}"
            hint = KEEPING_HINT if name.text in END_FUNCTIONS else ""
            raise self.refused(name, f"{name.text}() takes {wanted} {self.argument_word}, not {len(formulas)}", hint)
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

    grammar = DICE
    functions = {name: arity for name, arity in (DICE_FUNCTIONS | NUMBER_FUNCTIONS).items() if name not in STATISTICS}
    functions |= dict.fromkeys(END_FUNCTIONS, (2, 2))
    argument_word, function_word = "expressions", "dice function"

    def name(self, token: Token) -> NameReference:
        raise self.refused(token, "names in braces stand for what a game says")


def _rolls(formula: Formula) -> bool:
    return isinstance(formula, Pool | NamedPool) or any(map(_rolls, parts_of(formula)))


def _join_terms(sign: str, left: Formula, right: Formula) -> Formula:
    if sign in ("+", "-"):
        terms = left.terms if isinstance(left, Sum) else ((1, left),)
        return Sum((*terms, (1 if sign == "+" else -1, right)))
    return BinaryOperation(sign, left, right)


def _negate(formula: Formula, times: int) -> Formula:
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
