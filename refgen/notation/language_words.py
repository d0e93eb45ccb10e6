"""The words of a language as regular expressions and signs: "5 or more" is "5+", "от 1 до 3" is "1..3".

In: a language, or a text in that language. Out: expressions for its words, in a notation that both Python and RE2
know; or the text with signs in place of its words. Expressions are made once for each language.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from refgen.languages.language import Language

_LETTER = re.compile(r"[^\W\d_]")
_END = r"[-+]?\d+"
_NUMBER = re.compile(_END)


def in_signs(text: str, language: Language) -> str:
    """A range of whole numbers with signs for its words; words of another kind stay."""
    if not _LETTER.search(text):
        return text
    for pattern, sign in _ranges(language):
        if pattern.fullmatch(text):
            return sign.join(_NUMBER.findall(text)) + ("" if sign == ".." else sign)
    return joined(text, language)


def joined(text: str, language: Language) -> str:
    """A text with ".." for the words that stand alone between the two numbers of a range: "-1 to -3" is "-1..-3"."""
    return _joints(language).sub("..", text) if _LETTER.search(text) else text


@lru_cache(maxsize=64)
def _ranges(language: Language) -> Sequence[tuple[re.Pattern[str], str]]:
    words = language.ranges
    kinds = ((words.at_least, "+"), (words.at_most, "-"), (words.between, ".."))
    return [(re.compile(alternatives(forms, _END), re.IGNORECASE), sign) for forms, sign in kinds if forms]


@lru_cache(maxsize=64)
def _joints(language: Language) -> re.Pattern[str]:
    return re.compile(rf"(?<=\d){joint(language)}(?=[-+−–]? ?\d)", re.IGNORECASE)


def joint(language: Language) -> str:
    """An expression without groups for what stands between the two numbers of a range."""
    forms = [form for form in language.ranges.between if form.startswith("{low}")]
    words = (form.removeprefix("{low} ").removesuffix(" {high}").replace("(", "(?:") for form in forms)
    return "(?:" + "|".join([*(f",? +{word} +" for word in words), r" ?\.\. ?"]) + ")"


def alternatives(forms: Iterable[str], number: str) -> str:
    """An expression without groups for any of some forms of ranges, with ``number`` for each of their numbers."""
    return "|".join(_expression(form, number) for form in forms)


def _expression(form: str, number: str) -> str:
    words = form.replace("(", "(?:").replace("'", "['’]").replace("} ", "},? ").replace(" ", " +")
    before, behind = form.partition("{")[0], form.rpartition("}")[2]
    inside = re.sub(r"\{\w+\}", lambda _: number, words)
    return f"{_edge(before)}{inside}{_edge(behind)}"


def _edge(words: str) -> str:
    """The boundary of words of ASCII; RE2 knows no other."""
    return r"\b" if words and words.isascii() else ""


def whole_words(words: Collection[str], *, inside: bool = False) -> str:
    """An expression without groups for any of some words, which are not inside a longer word of ASCII.

    ``inside``: a digit may stand right before the word.
    """
    before, parts = "" if inside else r"\b", []
    if plain := [word for word in words if word[0].isascii() and word[-1].isascii()]:
        parts.append(rf"{before}(?:{any_of(plain)})\b")
    if others := set(words).difference(plain):
        parts.append(any_of(others))
    return "|".join(parts)


def any_of(words: Collection[str]) -> str:
    """An expression without groups for any of some words; longer words come first."""
    return "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))
