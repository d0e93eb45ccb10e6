"""Numbers and words as they are set in print: real minus signs, en dashes in ranges, narrow spaces in large numbers.

In: a text as printed in a rule document, and its typed value. Out: the text to show.
"""

from __future__ import annotations

import re

from refgen.notation.values import DiceText, Interval, Level, Text, TrackChange, Value

_HYPHEN_MINUS = re.compile(r"(?<![\w-])-(?=[\d¼-¾⅐-⅞])")
_EN_DASH_MINUS = re.compile(r"(?<![\w.%)])–(?=\s?[\d.¼-¾⅐-⅞])")
_OR_LESS = re.compile(r"(?<=\d)[-–]\Z")
_TRAILING_MINUS = re.compile(r"(?<=[A-Za-z])-(?=\d+$)")
_RANGE = re.compile(r"(?<=\d)-(?=-?\d)")
_MINUS_OF_DICE = re.compile(r"-(?=\s?[\dd(])")
_MINUS_OF_DICE_IN_WORDS = re.compile(r"\b(\d*d(?:\d+|F|%))-(?=\d)")
_RANGE_IN_WORDS = re.compile(r"(?<![\w.-])(\d+)-(\d+)(?![\w-])")


def typeset(text: str, value: Value | None = None) -> str:
    """Set a text: a hyphen before a number is a minus, one between two numbers of a range is an en dash."""
    if "-" not in text and "–" not in text:  # most texts
        return text
    if not isinstance(value, Text | Level | None):
        text = _EN_DASH_MINUS.sub("−", text)
    if isinstance(value, Interval):
        text = _OR_LESS.sub("−", _RANGE.sub("–", text))
    elif isinstance(value, Text | TrackChange):
        text = _RANGE_IN_WORDS.sub(r"\1–\2", text)
    elif isinstance(value, DiceText):
        text = _MINUS_OF_DICE.sub("−", text)
    text = text.replace("+/-", "±")
    text = _MINUS_OF_DICE_IN_WORDS.sub(r"\1−", text)
    text = _TRAILING_MINUS.sub("−", text)
    return _HYPHEN_MINUS.sub("−", text)
