"""Words that modify dice, such as "with advantage" and "drop lowest", and the dice that they are said of.

In: the tokens of a formula, words among them. Out: the tokens, with words in the text of their dice: "d20 + 5 adv" is
"d20 adv + 5". Words that may be said of a die or of the whole sum ("d20 + d4 with advantage") are unclear.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

WORDS, UNCLEAR = "words", "unclear"
"""The kinds of tokens of words: of those that are said of dice beside them, and of those that have two meanings."""

ENDS_OPERAND = frozenset({"dice", "number", "reference", ")", "!", WORDS})

_COMPARES = frozenset({"in", "..", "vs", ">=", "<=", "==", "!=", ">", "<"})
_ENDS_SUM = _COMPARES | {"end", ",", "or", "and", "not", UNCLEAR}
_TURNS_ROUND = frozenset({"-", "/", "^", "mod", "name"})
"""Behind these the highest die need not give the highest result."""


class Token(NamedTuple):
    """A token of a formula: the kind (for an operator the operator itself), the text, and the column, from 1.

    ``start`` and ``end`` are its places in the usual text of the formula. Unclear words may be said of some ``dice`` or
    of the ``whole`` roll.
    """

    kind: str
    text: str
    column: int
    start: int
    end: int
    dice: str = ""
    whole: str = ""


def say_words_of_dice(tokens: Sequence[Token], text: str) -> Sequence[Token]:
    """The tokens of a usual text without words of their own; words without dice beside them stay."""
    found = list(tokens)
    for place, token in enumerate(tokens):
        if token.kind != WORDS:
            continue
        is_behind = place > 0 and tokens[place - 1].kind in ENDS_OPERAND
        part = _sum_beside(found, place, -1 if is_behind else 1)
        dice = list(_dice_in(found, part))
        if not dice:
            continue
        said, is_turned = dice[-1 if is_behind else 0]
        if len(dice) > 1 or is_turned:
            whole = text[found[part[0]].start : found[part[-1]].end]
            found[place] = token._replace(kind=UNCLEAR, dice=found[said].text, whole=whole)
            continue
        found[said] = found[said]._replace(text=f"{found[said].text} {token.text}")
        found[place] = token._replace(kind="")
        if is_behind:  # the token beside the words stands where they stood as well
            found[place - 1] = found[place - 1]._replace(end=token.end)
        else:
            found[place + 1] = found[place + 1]._replace(start=token.start)
    return [token for token in found if token.kind]


def _sum_beside(tokens: Sequence[Token], place: int, step: int) -> Sequence[int]:
    """The places of the tokens of the sum that ends before a place (``step`` -1) or begins behind the place (1).

    Before a number that is compared, that is the sum that is compared: in "d20+5 >= 15 with advantage" d20+5.
    """
    opens, closes = (")", "(") if step < 0 else ("(", ")")
    places: list[int] = []
    depth, place = 0, place + step
    while 0 <= place < len(tokens):
        kind = tokens[place].kind
        if not depth and (kind == closes or kind in _ENDS_SUM or (kind == WORDS and step > 0)):
            break
        depth += (kind == opens) - (kind == closes)
        places.append(place)
        place += step
    is_goal = step < 0 <= place and tokens[place].kind in _COMPARES
    if is_goal and all(tokens[at].kind in ("number", "-", "+") for at in places):
        return _sum_beside(tokens, place, step)
    return sorted(places)


def _dice_in(tokens: Sequence[Token], part: Sequence[int]) -> Iterator[tuple[int, bool]]:
    """The places of dice of which no words are said, and whether a sign or a function changes what is higher."""
    brackets: list[bool] = []
    for place in part:
        token, is_turned = tokens[place], place > 0 and tokens[place - 1].kind in _TURNS_ROUND
        if token.kind == "(":
            brackets.append(is_turned)
        elif token.kind == ")":
            brackets = brackets[:-1]
        elif token.kind == "dice" and " " not in token.text:
            yield place, is_turned or any(brackets)


def hint_of_words(token: Token) -> str:
    """How to write each of the two meanings of unclear words."""
    alone = f"Write ({token.dice} {token.text}) for {token.dice} alone"
    if token.text.startswith(("keep", "drop")):
        return f"{alone}; dice of different pools cannot be kept together."
    function, better = ("min", "worse") if "dis" in token.text else ("max", "better")
    return f"{alone}, or {function}({token.whole}, {token.whole}) for the {better} of two rolls of all."
