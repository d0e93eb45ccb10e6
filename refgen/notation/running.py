"""Numbers in running text: figures, dice, and words for numbers.

In: a text. Out: where each of its numbers starts and ends: "4dF", "d12+2", "-4" and "+4" in "-4 to +4", "1,000",
"97.5%", "2nd", "1/4", "½", "three", "half". Ordinals in words ("second") put things in order and are none, nor is
"once".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from refgen.notation.modifiers import DICE_WITHOUT_BLANKS

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
