"""How documents write numbers and dice, and their texts as refgen's notations have them.

In: a text, which mark stands before decimals, the letters of dice. Out: the text, character for character, with a point
before decimals, a comma between thousands and "d" for dice; and what the numbers of a column show of their marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Literal

Numbers = Literal["", "1.5", "1,5"]
"""How one and a half is written; "" where nobody says."""

_MARKED = re.compile(r"(?<![\d.,])(?P<whole>\d*)(?P<rest>(?:[.,]\d+)+)")
_NAME = r"\{[^{}]*\}"
"""What stands in braces in a sentence is the name of a value."""

_NUMBER = re.compile(rf"{_NAME}|{_MARKED.pattern}")
_SWAPPED = str.maketrans(".,", ",.")


@dataclass(frozen=True)
class NotationStyle:
    """The mark before decimals, and the letters that stand for dice besides d: of "2W6" that is W."""

    numbers: Numbers = ""
    dice_letters: tuple[str, ...] = ()

    def usual(self, text: str) -> str:
        """A text of the document as refgen's notations have it, with every character in its place."""
        if self._dice is not None:
            text = self._dice.sub(lambda die: die[0] if die[0][0] == "{" else f"{die[0][:-1]}d", text)
        return _NUMBER.sub(_swapped, text) if self.numbers == "1,5" else text

    @cached_property
    def _dice(self) -> re.Pattern[str] | None:
        letters = "|".join(map(re.escape, self.dice_letters))
        pattern = rf"{_NAME}|(?<!\w)\d*(?:{letters})(?=[\d%])"
        return re.compile(pattern, re.IGNORECASE) if letters else None

    def of_column(self, texts: Iterable[str]) -> NotationStyle:
        """The style of some texts that belong together: where nobody says it, they may show their mark."""
        return self if self.numbers else replace(self, numbers=shown_by(texts))


USUAL = NotationStyle()
"""What nobody says anything about."""


def shown_by(texts: Iterable[str]) -> Numbers:
    """How one and a half would be written beside some numbers: "" where none of them tells, or they disagree."""
    shown = {mark for text in texts for number in _MARKED.finditer(text) if (mark := _shown(number))}
    return shown.pop() if len(shown) == 1 else ""


def undecided(texts: Sequence[str]) -> list[int]:
    """Which texts have a number like "1,250", where none of them tells what the mark is."""
    if shown_by(texts):
        return []
    return [at for at, text in enumerate(texts) if any(_shown(number) is None for number in _MARKED.finditer(text))]


def _shown(number: re.Match[str]) -> Numbers | None:
    """How one and a half is written where a number stands: "" where it shows no way, None where it may be either."""
    whole, rest = number.group("whole", "rest")
    marks, groups = re.findall("[.,]", rest), re.findall(r"\d+", rest)
    thousands = bool(whole) and whole[0] != "0" and len(whole) <= 3
    if len(marks) == 1:
        return None if thousands and len(groups[0]) == 3 else _with(marks[0])
    *before, last = marks
    if len(set(marks)) == 1:
        return _with("," if last == "." else ".") if thousands and {*map(len, groups)} == {3} else ""
    return _with(last) if thousands and last not in before and {*map(len, groups[:-1])} == {3} else ""


def _with(mark: str) -> Numbers:
    return "1,5" if mark == "," else "1.5"


def _swapped(number: re.Match[str]) -> str:
    """A number with its marks exchanged; a list such as "1,2,3" is none."""
    is_none = number[0][0] == "{" or _shown(number) == ""
    return number[0] if is_none else number[0].translate(_SWAPPED)


def as_was_read(text: str, number: Fraction | None) -> str:
    """A printed number as refgen's notations have it, by the value that was read of it."""
    other = NotationStyle("1,5").usual(text)
    first = _MARKED.search(other) if other != text and number is not None else None
    if first is None or first[0].count(".") > 1:
        return text
    return other if Fraction(first[0].replace(",", "")) == abs(number or 0) else text
