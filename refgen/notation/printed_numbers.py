"""How documents write numbers and dice, and their texts as refgen's notations have them.

In: a text, which mark stands before decimals, the letters of dice. Out: the text, character for character, with a point
before decimals, a comma between thousands and "d" for dice; and what the numbers of a column show of their marks.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Literal

from refgen.notation.dice_notation import DICE_WITHOUT_BLANKS

Numbers = Literal["", "1.5", "1,5"]
"""How one and a half is written; "" where nobody says."""

_MARKED = re.compile(r"(?<![\d.,])(?P<whole>\d*)(?P<rest>(?:[.,]\d+)+)")
_NAME = r"\{[^{}]*\}"
"""What stands in braces in a sentence is the name of a value."""

_NUMBER_OR_NAME = re.compile(rf"{_NAME}|{_MARKED.pattern}")
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
        return _NUMBER_OR_NAME.sub(_swapped, text) if self.numbers == "1,5" else text

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


_WORDS = (
    "seventeen|thirteen|fourteen|eighteen|nineteen|thousand|fifteen|sixteen|seventy|hundred|million|billion"
    "|eleven|twelve|twenty|thirty|eighty|ninety|dozen|forty|fifty|sixty|three|seven|eight|zero|four|five|nine|two|six|ten"
    "|tripled|triples|doubled|doubles|halved|halves|triple|double|thrice|halve|twice|half"
)
_FIRST = "".join(sorted({word[0] for word in _WORDS.split("|")}))
"""The letters that they begin with: a letter in a class is found sooner than a word among fifty."""

_SIGN = r"(?:(?<![\w.%)\]])(?:\+/-|[-+−–±]))?"
_DIE = rf"(?!\d*[dD][fF][a-z]){DICE_WITHOUT_BLANKS}"
_DIGITS = r"(?:\d{1,3}(?:[,\xa0]\d{3})+(?!\d)|\d+)(?:\.\d+)?"
_FIGURE = rf"{_SIGN}(?:{_DIGITS}(?:[/⁄]\d+| ?[¼-¾⅐-⅞])?|[¼-¾⅐-⅞])(?: ?%|(?:st|nd|rd|th)\b)?"
_WORD = rf"(?i:(?<![^\W_])(?=[{_FIRST}])(?:{_WORDS})(?![^\W_]))"
_NUMBER = re.compile(rf"(?<![^\W\d]){_DIE}(?: ?[-+−–] ?(?:{_DIE}|\d+\b(?!%)))*|{_FIGURE}|{_WORD}")

_AFTER_ONE = r"(?=(?P<first>[a-z]+)(?: (?P<second>[a-z]+))?)"
_ONE = re.compile(rf"(?<![^\W_])(?P<one>one) {_AFTER_ONE}", re.IGNORECASE)
_SEVERAL = re.compile(rf"(?<![^\W_])(?:\d+|{_WORDS}) {_AFTER_ONE}", re.IGNORECASE)
_COMPARING = {"less", "more", "fewer", "higher", "lower", "up", "down", "better", "worse", "above", "below"}
_NO_THINGS = {"a", "an", "the", "of", "in", "on", "is", "to", "and", "or", "that", "who", "which"}
_PLURALS = {"dice": "die", "feet": "foot", "men": "man"}


def numbers_in(text: str, counted: Collection[str] = ()) -> Iterator[tuple[int, int]]:
    """Where the numbers of a text start and end.

    "One" is a number before one of the things that are ``counted``, and in "one line down"; elsewhere it stands for
    somebody, or for a thing that was named before.
    """
    found = [match.span() for match in _NUMBER.finditer(text)]
    found += [match.span("one") for match in _ONE.finditer(text) if _counts(text, match, counted)]
    yield from sorted(found)


def _counts(text: str, one: re.Match[str], counted: Collection[str]) -> bool:
    """Whether "one" stands before what is counted, or up to two words before a word that compares."""
    beside = {word.lower() for word in one.group("first", "second") if word}
    following = re.findall(r"[a-z]+", text[one.end("one") : one.end("one") + 40].lower())[:3]
    compares = following[0] not in _NO_THINGS and not _COMPARING.isdisjoint(following)
    return compares or not beside.isdisjoint(counted)


def things_counted(text: str) -> set[str]:
    """The plural nouns of a text, in the singular: of "two rounds" and "3 Hurt boxes", "round" and "box"."""
    found = set()
    for match in _SEVERAL.finditer(text):
        singular = (_singular(word.lower()) for word in match.group("first", "second") if word)
        found.add(next((word for word in singular if word), ""))
    return found - {""}


def _singular(word: str) -> str:
    """The singular of a plural; "" for any other word."""
    if word in _PLURALS:
        return _PLURALS[word]
    if len(word) < 4 or not word.endswith("s") or word.endswith("ss"):
        return ""
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if re.search(r"(?:s|x|ch|sh)es\Z", word) else word[:-1]
