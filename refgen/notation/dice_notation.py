"""How dice are written: modifiers behind a die, the tokens of formulas, and one spelling for all dice.

In: dice with at most one modifier, such as "4d6kh3", "4d6 drop lowest", "d6!>5", "3d6r1" or "6d6cs>=5". Out: their
formula and the one spelling in which refgen prints dice. A modifier is a row of ``MODIFIERS``.
In: the text of a formula. Out: the tokens, or the text with all dice in one spelling: "4D6 drop lowest" and "4d6k3" are
"4d6kh3", "1d6 × 10" is "1d6*10", "2d6 vs 8" is "2d6 >= 8", "2d6−1" is "2d6-1"; everything else stays as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from refgen.errors import NotationError
from refgen.notation.dice_words import ENDS_OPERAND, WORDS, Token, say_words_of_dice
from refgen.notation.formula_tree import (
    LETTER,
    PATH,
    BinaryOperation,
    Call,
    ComparisonTest,
    Constant,
    Formula,
    NamedPool,
    NameReference,
    Pool,
    Sum,
)
from refgen.notation.usual_text import usual_text

PERCENTILE_SIDES = 100
MOST_REROLLED = 100
"""How many faces of a die, at most, may be rolled again."""

HINT = "Modifiers of dice are kh3, kl1, dh1, dl1, !, !>5, r1, r<2, ro1 and cs>=5: one behind the dice."

NOT_YET = "Dice that explode or are rolled again cannot be kept, dropped or counted yet: take one modifier."


class SpelledDice(NamedTuple):
    """Dice as a formula, and in refgen's spelling."""

    formula: Formula
    text: str


@dataclass(frozen=True, slots=True)
class _Dice:
    """Equal dice, their number a constant or a name; ``written`` is that number, and ``faces`` the die, as written."""

    count: Constant | NameReference
    sides: int
    written: str
    faces: str

    @property
    def pool(self) -> Pool | NamedPool:
        if isinstance(self.count, NameReference):
            return NamedPool(self.count, self.sides)
        return Pool(int(self.count.value), self.sides)

    @property
    def die(self) -> Pool:
        return Pool(1, self.sides)

    @property
    def text(self) -> str:
        return f"{self.written}d{self.faces}"

    def each(self, die: Formula) -> Formula:
        """The sum of what is done with each die."""
        return die if self.count == Constant(1) else Call("repeat", (self.count, die))


_Read = Callable[[_Dice, re.Match[str]], SpelledDice]


def _keep_dice(dice: _Dice, end: str, number: int) -> SpelledDice:
    formula = Call("highest" if end == "h" else "lowest", (Constant(number), dice.pool))
    return SpelledDice(formula, f"{dice.text}k{end}{number}")


def _keep(dice: _Dice, match: re.Match[str]) -> SpelledDice:
    return _keep_dice(dice, match[1] or "h", int(match[2] or 1))


def _without_lowest(dice: _Dice, end: str, number: int) -> SpelledDice:
    """Dice without the lowest ``number`` of them ("l"), or without the highest ("h")."""
    other = "h" if end == "l" else "l"
    if isinstance(dice.count, NameReference):
        rest = Sum(((1, dice.count), (-1, Constant(number))))
        formula = Call("highest" if other == "h" else "lowest", (rest, dice.pool))
        return SpelledDice(formula, f"{dice.text}d{end}{number}")
    if number >= dice.count.value:
        raise NotationError(f'of "{dice.text}" no die is left when {number} are dropped', hint=HINT)
    return _keep_dice(dice, other, int(dice.count.value) - number)


def _drop(dice: _Dice, match: re.Match[str]) -> SpelledDice:
    return _without_lowest(dice, match[1].rstrip("0123456789") or "l", int(match[1].lstrip("hl") or 1))


def _keep_or_drop(dice: _Dice, match: re.Match[str]) -> SpelledDice:
    end, number = match[2][0].lower(), int(match[3] or 1)
    return (_keep_dice if match[1].lower() == "keep" else _without_lowest)(dice, end, number)


def _advantage(dice: _Dice, match: re.Match[str]) -> SpelledDice:
    """The best of two dice, or of the pool if it has more; with disadvantage the worst."""
    two = replace(dice, count=Constant(2), written="2") if dice.count == Constant(1) else dice
    return _keep_dice(two, "l" if match[1] or match[2] else "h", 1)


def _explode(dice: _Dice, match: re.Match[str]) -> SpelledDice:
    """Each die that shows its highest face, or the given number or more, is rolled again and added."""
    sign, number = match[1], match[2]
    die = dice.die
    if sign and (sign != ">" or not number):
        reason = f'"!{sign}{number}" may be part of the dice or a comparison'
        raise NotationError(reason, hint=f"Write {dice.text}!>5 (explodes from 5 up), or {dice.text}! {sign} 5.")
    least = int(number or die.highest_face)
    if not die.lowest_face < least <= die.highest_face:
        raise NotationError(f'"{dice.text}" cannot explode from {least} up', hint=HINT)
    if least == die.highest_face:
        return SpelledDice(dice.each(Call("explode", (die,))), f"{dice.text}!")
    return SpelledDice(dice.each(Call("explode", (die, Constant(least)))), f"{dice.text}!>{least}")


def _reroll(dice: _Dice, match: re.Match[str]) -> SpelledDice:
    """Each die that shows one of the faces is rolled again: once, or until it shows another face."""
    name, sign, number = match[1], match[2][:1], int(match[3])
    die = dice.die
    low = die.lowest_face if sign == "<" else number
    high = die.highest_face if sign == ">" else number
    faces = range(max(low, die.lowest_face), min(high, die.highest_face) + 1)
    if not faces or (name == "r" and len(faces) == die.highest_face - die.lowest_face + 1):
        shows = "always" if faces else "never"
        raise NotationError(f'"{dice.text}" {shows} shows what is rolled again', hint=HINT)
    if len(faces) > MOST_REROLLED:
        raise NotationError(f"{len(faces):,} faces are rolled again (at most {MOST_REROLLED})", hint=HINT)
    formula = Call("without" if name == "r" else "reroll", (die, *map(Constant, faces)))
    spelled = str(number) if len(faces) == 1 else f"{sign}={number}"
    return SpelledDice(dice.each(formula), f"{dice.text}{name}{faces[0] if len(faces) == 1 else spelled}")


def _successes(dice: _Dice, match: re.Match[str]) -> SpelledDice:
    sign = match[1].replace("=", "==") if match[1] in ("", "=") else match[1]
    formula = Call("count", (ComparisonTest(sign or "==", dice.pool, Constant(int(match[2]))),))
    return SpelledDice(formula, f"{dice.text}cs{match[1] or '='}{int(match[2])}")


MODIFIERS: Sequence[tuple[str, _Read]] = (
    (r"k([hl]?)(\d*)", _keep),
    (r"d([hl]\d*|\d+)", _drop),
    (r"!(?:([<>]=?)(\d*))?", _explode),
    (r"(ro?)([<>]?=?)(\d+)", _reroll),
    (r"cs([<>]?=?)(\d+)", _successes),
)
"""The modifiers right behind the dice, without a blank, each as an expression and the function that reads it."""

_ADVANTAGE = r"(?:with\s+)?(?:(dis)?adv(?:antage)?|(dis))"
MODIFIERS_IN_WORDS: Sequence[tuple[str, _Read]] = (
    (rf"{_ADVANTAGE}\b", _advantage),
    (r"(keep|drop)\s+(?:the\s+)?(highest|lowest)(?:\s+(\d+)\b)?\b", _keep_or_drop),
)
"""The modifiers in words, each as an expression and the function that reads it."""

_DIE = r"\d*[dD](?:\d+|[fF%])"
_BEHIND = "|".join(pattern for pattern, _ in MODIFIERS)
_IN_WORDS = "|".join(pattern for pattern, _ in MODIFIERS_IN_WORDS)

DICE_WITHOUT_BLANKS = rf"{_DIE}(?:(?!!=)(?i:{_BEHIND}))*"
"""A regular expression, with groups, for dice and the modifiers right behind them. "d6!=5" is a comparison."""

MODIFIER = re.sub(r"\((?!\?)", "(?:", rf"(?i:{_BEHIND}|\s+(?:{_IN_WORDS}))")
"""A regular expression for a modifier alone, without groups, in RE2's notation."""

_PARTS = re.compile(r"(?P<count>\d*)[dD](?P<faces>\d+|[fF%])(?P<modifier>.*)", re.DOTALL)
_READERS = [(re.compile(pattern), read) for pattern, read in (*MODIFIERS, *MODIFIERS_IN_WORDS)]

_DIGITS = re.compile(r"44+|66+|88+")
"""The sides of dice that are read as digits: d66 is 11 to 16, 21 to 26, … 66. With a count they are sides: 1d66."""


def read_die(text: str, count: NameReference | None = None) -> SpelledDice:
    """Dice with at most one modifier; ``count`` is a name that gives their number. Raises NotationError."""
    parts = _PARTS.fullmatch(text)
    assert parts is not None  # noqa: S101
    number, faces, modifier = parts["count"], parts["faces"].upper(), parts["modifier"]
    if not number and count is None and _DIGITS.fullmatch(faces):
        if modifier:
            hint = f"Write 1d{faces} for a die with {faces} sides."
            raise NotationError(f'the dice of "d{faces}" are read as digits', hint=hint)
        return SpelledDice(_digit_dice(faces), f"d{faces}")
    sides = {"F": 0, "%": PERCENTILE_SIDES}.get(faces)
    dice = _Dice(count or Constant(int(number or 1)), int(faces) if sides is None else sides, number, faces)
    if dice.count == Constant(0) or (sides is None and not dice.sides):
        raise NotationError(f'"{text}" has no dice to roll')
    return _modify_dice(dice, modifier.strip()) if modifier else SpelledDice(dice.pool, dice.text)


def _modify_dice(dice: _Dice, modifier: str) -> SpelledDice:
    for pattern, read in _READERS:
        if match := pattern.fullmatch(modifier):
            return read(dice, match)
    rolls_more = re.search(r"!|ro?[\d<>=]", modifier) and re.search(r"[kd]|cs", modifier)
    raise NotationError(f'"{modifier}" is more than one modifier of dice', hint=NOT_YET if rolls_more else HINT)


def _digit_dice(sides: str) -> Formula:
    """A die for each digit, the first for the highest place."""
    die, last = Pool(1, int(sides[0])), len(sides) - 1
    tens = [(1, BinaryOperation("*", Constant(10**place), die)) for place in range(last, 0, -1)]
    return Sum((*tens, (1, die)))


_TOKEN = re.compile(
    rf"""\s*(?:(?P<dice>{DICE_WITHOUT_BLANKS})|(?P<number>\d+)|(?P<name>(?![\d_.-])(?:{LETTER}|[_.-])+)
    |(?P<reference>\{{{PATH}\}})|(?P<look_up>\{{{PATH}\s+at\b)|(?P<table>"[^"]*")
    |(?P<sign>[><=!]=|\.\.|[-+*/^()!,<>}}])|(?P<end>\Z)|(?P<no>.))""",
    re.VERBOSE | re.DOTALL,
)
_BEHIND_OPERAND = re.compile(rf"\s*(?:(?P<times>×|x(?=\s*(?:[\d({{]|d[\d%f]|[a-z_]+\()))|(?P<{WORDS}>{_IN_WORDS}))")
"""A multiplication sign or words behind an operand: 1d6 x 10, 6×d4, d20 with advantage."""

_BEFORE_OPERAND = re.compile(rf"\s*(?P<{WORDS}>{_ADVANTAGE})(?:\s+on)?(?=\s+(?:[\d(]|d[\d%f]))")
"""Words before an operand: advantage d20."""

_OPERATORS = {"or": "or", "and": "and", "in": "in", "mod": "mod", "not": "not", "vs": "vs", "vs.": "vs"}


def tokens(text: str) -> Sequence[Token]:
    """The tokens of a formula and an "end" behind them; the kind of a character that fits nowhere is "no"."""
    usual, places = usual_text(text)
    found: list[Token] = []
    place = 0
    while not found or found[-1].kind != "end":
        beside = _BEHIND_OPERAND if found and found[-1].kind in ENDS_OPERAND else _BEFORE_OPERAND
        match = beside.match(usual, place) or _TOKEN.match(usual, place)
        assert match is not None  # noqa: S101
        kind = str(match.lastgroup)
        piece, start, place = match[kind], match.start(kind), match.end()
        kind = {"sign": piece, "times": "*"}.get(kind, _OPERATORS.get(piece, kind))
        found.append(Token(kind, piece, places[start] + 1, start, place))
    return say_words_of_dice(found, usual)


_VERSUS = re.compile(r"(?<!\s)\s+(?:vs\.?|versus|against)\s+", re.IGNORECASE)
_GOAL = re.compile(rf"(?P<number>[-+]?\d{{1,9}})(?P<words>\s+{_ADVANTAGE})?")


class Sides(NamedTuple):
    """The two sides of a roll: the dice, and the dice against them, or the number that they must reach or keep to."""

    dice: str
    against: str | None
    at_least: int | None
    at_most: int | None = None


def sides_of(text: str) -> Sides:
    """The two sides of "d20 vs 2d10", "2d6+1 vs 8" or "d20 vs 15 with advantage".

    A text without "vs" is rolled against nothing.
    """
    parts = _VERSUS.split(text, maxsplit=1)
    if len(parts) == 1:
        return Sides(text, None, None)
    dice, against = parts
    if goal := _GOAL.fullmatch(usual_text(against.strip()).text):
        return Sides(dice + (goal["words"] or ""), None, int(goal["number"]))
    return Sides(dice, against, None)


def in_one_spelling(text: str) -> str:
    """A formula with all dice in refgen's spelling. Raises NotationError for dice that cannot be read."""
    usual = usual_text(text).text
    written, end, before = "", 0, None
    for token in tokens(text):
        is_times = any(sign is not None and sign.text in ("x", "×") and sign.kind == "*" for sign in (token, before))
        written += ("" if is_times else usual[end : token.start]) + _spell_token(token, before)
        end, before = token.end, token
    return written


def _spell_token(token: Token, before: Token | None) -> str:
    if token.kind == "dice":
        counted = before is not None and before.kind == "reference" and not token.text[0].isdigit()
        return read_die(token.text, NameReference("count") if counted else None).text
    if token.kind == "vs":
        return ">="
    return "*" if token.kind == "*" else token.text
