"""The marks of print that mean the same: dashes, signs of ranges and thousands, blanks, wide forms, raised figures.

In: a text as documents print it: "１〜３", "−5", "1’500", "10²", "¹⁄₂". Out: the text in the characters of a keyboard,
or one character of it. All signs stand in this module alone; ``usualText`` of templates/js/dice/notation.js has the
same for browsers, and a test compares the two.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

DASHES = "‐‑‒–—―−⁃˗"
"""The dashes besides the hyphen of a keyboard: a minus before a number, a range between two."""

HYPHENS = "‐‑⁃˗"
"""The dashes that look like the hyphen of a keyboard: few fonts have these, and pages print the hyphen instead."""

WAVES = "〜∼∿〰"
"""The dashes of Japanese and Chinese texts that stand in ranges alone: "2〜3", and "3〜" for 3 or more."""

DOTS = "…‥"
"""Dots in one character, which stand between the ends of a range."""

WIDE = {0xFF01 + place: 0x21 + place for place in range(0x5E)} | {0xFF5E: ord("〜")}
"""The full-width forms of the characters of a keyboard; the full-width tilde stands in ranges, as a wave does."""

INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
"""What a text copied from a page has between its letters."""

BETWEEN_THOUSANDS = "'’‘ʼ´\u00a0\u202f\u2009\u2007\u2008\u200a"
"""The apostrophes, and the blanks besides that of a keyboard, that stand between thousands: "1'500"."""

RAISED, LOWERED = "⁰¹²³⁴⁵⁶⁷⁸⁹", "₀₁₂₃₄₅₆₇₈₉"
"""Raised and lowered figures, from 0 to 9."""

VULGAR = "¼-¾⅐-⅞"
"""The fractions in one character, as a part of a class of a regular expression."""

COMPARING: Mapping[str, str] = {**dict.fromkeys("≥⩾≧", ">="), **dict.fromkeys("≤⩽≦", "<="), "≠": "!="}
TIMES = "✕✖⨯∗"
SLASHES = "∕⁄"

POWER_OF_TEN = rf"10[⁺⁻]?[{RAISED}]{{1,2}}(?![{RAISED}])"
"""An expression for a power of ten with a raised exponent. Behind other numbers a raised figure may be a footnote."""

RAISED_FRACTION = rf"[{RAISED}]{{1,3}}[⁄/][{LOWERED}]{{1,3}}"
"""An expression for a fraction of raised and lowered figures: "¹⁄₂"."""

TO_HYPHENS = dict.fromkeys(map(ord, DASHES), "-")
TO_FIGURES = {ord(sign): str(figure) for signs in (RAISED, LOWERED) for figure, sign in enumerate(signs)} | {
    ord("⁺"): "+",
    ord("⁻"): "-",
}

_TO_SHOWN = dict.fromkeys(map(ord, HYPHENS), "-")

_SIGNS: Mapping[str, str] = {
    **dict.fromkeys(DASHES, "-"),
    **dict.fromkeys(WAVES, "〜"),
    **dict.fromkeys(DOTS, ".."),
    **dict.fromkeys(TIMES, "×"),
    **dict.fromkeys("∕", "/"),
    **dict.fromkeys("、", ","),
    **dict.fromkeys(INVISIBLE, ""),
    **COMPARING,
}
_LONG_VOWEL = re.compile(r"(?<=\d)[ーｰ─━](?=\d)")
_THOUSANDS = re.compile(rf"(?<![\d.,])[1-9]\d{{0,2}}(?:[{BETWEEN_THOUSANDS}]\d{{3}}){{1,99}}(?!\d)")
_MARKS = re.compile(f"[{BETWEEN_THOUSANDS}]")


def plain_marks(text: str) -> str:
    """The text of a value with the marks of a keyboard: "１〜３" is "1〜3", "−5" is "-5", "≥ 8" is ">= 8".

    A dash is a hyphen, dots are "..", a blank of print is a blank; "1'500" is "1500".
    """
    if text.isascii() and "'" not in text:
        return text
    return _plain_value(text) if len(text) <= KEPT_LETTERS else _plain_marks(text)


KEPT_LETTERS = 400
"""The letters of a text, at most, that is kept: a column is read in one notation after another."""


@lru_cache(maxsize=4096)
def _plain_value(text: str) -> str:
    return _plain_marks(text)


def _plain_marks(text: str) -> str:
    text = _THOUSANDS.sub(lambda number: _MARKS.sub("", number[0]), text)
    plain = "".join(map(plain_character, text))
    return _LONG_VOWEL.sub("-", plain).strip()


def with_hyphens(text: str) -> str:
    """A text as pages print it, with the hyphen of a keyboard for all that look like that: "Half‑Orc"."""
    return text if text.isascii() else text.translate(_TO_SHOWN)


def plain_character(character: str) -> str:
    """A character as a keyboard has it: figures of all scripts are 0 to 9, and wide forms are narrow."""
    if character.isascii():
        return character
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    if character.isspace():
        return " "
    code = ord(character)
    if code in WIDE:
        character = chr(WIDE[code])
    elif 0xFE50 <= code <= 0xFE6F:
        character = unicodedata.normalize("NFKC", character)
    return _SIGNS.get(character, character)


def plain_fractions(text: str) -> str:
    """A text with "1/2" for "½" and "¹⁄₂", and "1 1/2" for "1½"."""
    return text if text.isascii() else _FRACTION.sub(_with_plain_figures, text)


_FRACTION = re.compile(rf"\s*(?:{RAISED_FRACTION}|[{VULGAR}])")


def _with_plain_figures(found: re.Match[str]) -> str:
    return f" {unicodedata.normalize('NFKC', found[0].strip())}".replace("⁄", "/")
