"""Dice as a table prints them.

In: "d12+5", "d12+2 (etc)", "none". Out: a DiceText, whose expression can be parsed; "" where nothing is rolled.
"""

from __future__ import annotations

import re

from refgen.errors import NotationError
from refgen.notation.formula import parse_dice
from refgen.notation.tree import Binary
from refgen.notation.values import DiceText

_NOTHING_ROLLED = {"none", "-", "–", ""}
_GLOSS = re.compile(r"\s*\([a-z ]+\)\Z")


def read_dice_cell(text: str) -> DiceText:
    """A cell with dice. Raises NotationError when it has none."""
    bare = _GLOSS.sub("", text)
    if bare.lower() in _NOTHING_ROLLED:
        return DiceText("")
    expression = re.sub(r"(?<=\dd)[f](?!\w)|(?<=\dD)[Ff](?!\w)", "F", bare).replace("D", "d")
    if isinstance(parse_dice(expression), Binary):
        raise NotationError(f'"{text}" says more than what is rolled')
    return DiceText(expression)
