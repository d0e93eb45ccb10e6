"""How documents write numbers and dice: the marks in numbers, the letters of dice, and numbers in running text.

In: a text, the mark before decimals, the letters of dice. Out: the text, character for character, with a point before
decimals, a comma between thousands and "d" for dice; and which marks the numbers of a column show.
In: a text. Out: where each of its numbers starts and ends: "4dF", "d12+2", "-4" and "+4" in "-4 to +4", "1,000",
"97.5%", "2nd", "1/4", "½", "three", "half". Ordinals in words ("second") put things in order and are no numbers, nor is
"once".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache

from refgen.languages import ENGLISH, Language, Numbers, any_of
from refgen.marks import BETWEEN_THOUSANDS, DASHES, POWER_OF_TEN, RAISED_FRACTION, VULGAR, WIDE
from refgen.notation.dice_notation import DICE_WITHOUT_BLANKS

_MARKED = re.compile(r"(?<![\d.,])(?P<whole>\d*)(?P<rest>(?:[.,]\d+)+)")
_THOUSANDS = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:\.\d{3})+(?![\d.,])")
_BRACED = r"\{[^{}]*\}"
"""A name in a sentence, which is left as it is."""

_MARKED_OR_BRACED = re.compile(rf"{_BRACED}|{_MARKED.pattern}")
_WIDE_OR_BRACED = re.compile(rf"{_BRACED}|[{chr(min(WIDE))}-{chr(max(WIDE))}]+")
_SWAPPED = str.maketrans(".,", ",.")


@dataclass(frozen=True)
class NotationStyle:
    """The mark before decimals, letters for dice besides d and those of the language ("W" in "2W6"), and its words."""

    numbers: Numbers = ""
    dice_letters: tuple[str, ...] = ()
    language: Language = ENGLISH

    def usual(self, text: str) -> str:
        """A text of the document with refgen's marks, narrow signs and "d" for dice; each character keeps its place."""
        text = _narrow(text)
        if self._dice is not None:
            text = self._dice.sub(lambda die: die[0] if die[0][0] == "{" else f"{die[0][:-1]}d", text)
        return _MARKED_OR_BRACED.sub(_with_swapped_marks, text) if self.numbers == "1,5" else text

    def with_commas(self, text: str) -> str:
        """A range of whole numbers with commas between thousands, where the document has points there."""
        return _THOUSANDS.sub(lambda number: number[0].replace(".", ","), text) if self.numbers == "1,5" else text

    @property
    def letters(self) -> tuple[str, ...]:
        """All letters for dice besides d."""
        return tuple(dict.fromkeys((*self.dice_letters, *self.language.dice_letters)))

    @cached_property
    def _dice(self) -> re.Pattern[str] | None:
        letters = "|".join(map(re.escape, self.letters))
        pattern = rf"{_BRACED}|(?<!\w)(?:\d*(?:{letters})(?=[\d%])|\d+(?:{letters})(?=f\b))"
        return re.compile(pattern, re.IGNORECASE) if letters else None

    def of_column(self, texts: Iterable[str]) -> NotationStyle:
        """The style of texts that belong together: where the mark is not known, the texts may show it."""
        return self if self.numbers else replace(self, numbers=shown_by(texts))


def _narrow(text: str) -> str:
    """A text with narrow forms in place of wide ones, but in braces."""
    return _WIDE_OR_BRACED.sub(lambda found: found[0] if found[0][0] == "{" else found[0].translate(WIDE), text)


USUAL = NotationStyle()
"""The style of a document of which nobody says anything."""


def shown_by(texts: Iterable[str]) -> Numbers:
    """How the numbers in texts show that one and a half is written: "" if no number shows the mark, or two disagree."""
    shown = {mark for text in texts for number in _MARKED.finditer(text) if (mark := _read_style(number))}
    return shown.pop() if len(shown) == 1 else ""


def undecided_positions(texts: Sequence[str]) -> list[int]:
    """The positions of texts with a number like "1,250", if no text shows what the mark in that number is."""
    if shown_by(texts):
        return []
    return [
        at for at, text in enumerate(texts) if any(_read_style(number) is None for number in _MARKED.finditer(text))
    ]


def _read_style(number: re.Match[str]) -> Numbers | None:
    """How a number shows that one and a half is written: "" for a list ("1,2,3"), None if it may be either way."""
    whole, rest = number.group("whole", "rest")
    marks, groups = re.findall("[.,]", rest), re.findall(r"\d+", rest)
    thousands = bool(whole) and whole[0] != "0" and len(whole) <= 3
    if len(marks) == 1:
        return None if thousands and len(groups[0]) == 3 else _with_mark(marks[0])
    *before, last = marks
    if len(set(marks)) == 1:
        return _with_mark("," if last == "." else ".") if thousands and {*map(len, groups)} == {3} else ""
    return _with_mark(last) if thousands and last not in before and {*map(len, groups[:-1])} == {3} else ""


def _with_mark(mark: str) -> Numbers:
    return "1,5" if mark == "," else "1.5"


def _with_swapped_marks(number: re.Match[str]) -> str:
    is_kept = number[0][0] == "{" or _read_style(number) == ""
    return number[0] if is_kept else number[0].translate(_SWAPPED)


def as_was_read(text: str, number: Fraction | None) -> str:
    """A printed number with refgen's marks; the value ``number`` of the text says which mark the document has."""
    other = NotationStyle("1,5").usual(text)
    first = _MARKED.search(other) if other != text and number is not None else None
    if first is None or first[0].count(".") > 1:
        return text
    return other if Fraction(first[0].replace(",", "")) == abs(number or 0) else text


_SIGN = rf"(?:(?<![\w.%)\]])(?:\+/-|[-+{DASHES}±]))?"
_DIE = rf"(?!\d*[dD][fF][a-z]){DICE_WITHOUT_BLANKS}"
_GROUPS = rf"\d{{1,3}}(?:[,{BETWEEN_THOUSANDS}]\d{{3}})+(?!\d)"
_DIGITS = rf"(?:{_GROUPS}|{POWER_OF_TEN}|\d+)(?:\.\d+)?"
_FRACTION = rf"(?:[{VULGAR}]|{RAISED_FRACTION})"
_FIGURE = rf"{_SIGN}(?:{_DIGITS}(?:[/⁄]\d+| ?{_FRACTION})?|{_FRACTION})(?:[ \xa0\u202f]?%|(?:st|nd|rd|th)\b)?"
_NOT_WORDS = rf"(?<![^\W\d]){_DIE}(?: ?[-+{DASHES}] ?(?:{_DIE}|\d+\b(?!%)))*|{_FIGURE}"

_NEXT_WORDS = r"(?=(?P<first>[a-z]+)(?: (?P<second>[a-z]+))?)"
_NO_THINGS = {"a", "an", "the", "of", "in", "on", "is", "to", "and", "or", "that", "who", "which"}
_PLURALS = {"dice": "die", "feet": "foot", "men": "man"}


@dataclass(frozen=True, slots=True)
class _Patterns:
    """The numbers of a language in running text, those of its words that may be numbers, and what is counted."""

    numbers: re.Pattern[str]
    unsure: re.Pattern[str]
    several: re.Pattern[str]


@lru_cache(maxsize=64)
def _patterns(language: Language) -> _Patterns:
    words, unsure = any_of(language.in_text) or "(?!)", any_of(language.unsure) or "(?!)"
    # The class of the first letters is found faster than a word among fifty.
    first = "".join(sorted({re.escape(word[0]) for word in language.in_text})) or "x"
    word = rf"(?i:(?<![^\W_])(?=[{first}])(?:{words})(?![^\W_]))"
    return _Patterns(
        re.compile(f"{_NOT_WORDS}|{word}"),
        re.compile(rf"(?<![^\W_])(?P<word>{unsure}) {_NEXT_WORDS}", re.IGNORECASE),
        re.compile(rf"(?<![^\W_])(?:\d+|{words}) {_NEXT_WORDS}", re.IGNORECASE),
    )


def numbers_in(text: str, counted: Collection[str] = (), language: Language = ENGLISH) -> Iterator[tuple[int, int]]:
    """Where the numbers of a text start and end.

    "One" is a number before a noun of ``counted``, and in "one line down"; elsewhere it means somebody, or a thing that
    was named before. In other languages such words are articles, and no numbers.
    """
    patterns = _patterns(language)
    text = _narrow(text)
    found = [match.span() for match in patterns.numbers.finditer(text)]
    if language.comparing:
        ones = patterns.unsure.finditer(text)
        found += [match.span("word") for match in ones if _is_number(text, match, counted, language)]
    yield from sorted(found)


def _is_number(text: str, one: re.Match[str], counted: Collection[str], language: Language) -> bool:
    """Whether "one" stands before a counted noun, or up to two words before a word that compares."""
    beside = {word.lower() for word in one.group("first", "second") if word}
    following = re.findall(r"[a-z]+", text[one.end("word") : one.end("word") + 40].lower())[:3]
    compares = following[0] not in _NO_THINGS and not language.comparing.isdisjoint(following)
    return compares or not beside.isdisjoint(counted)


def things_counted(text: str, language: Language = ENGLISH) -> set[str]:
    """The plural nouns behind numbers, in the singular: of "two rounds" and "3 Hurt boxes", "round" and "box".

    None in another language than English, in which "one" is no number before a noun.
    """
    if not language.comparing:
        return set()
    found = set()
    for match in _patterns(language).several.finditer(text):
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
