"""Formulas as documents and pages print them, in the characters of a keyboard.

In: "2d6−1", "2d6 ≥ 8", "３Ｄ６＋２", "4D6KH3". Out: "2d6-1", "2d6 >= 8", "3d6+2", "4d6kh3", and where each character
was written. Names in braces stay as they are.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

_SIGNS = {
    **dict.fromkeys("‐‑‒–—―−", "-"),
    **dict.fromkeys("✕✖⨯·⋅∗", "×"),
    **dict.fromkeys("÷∕⁄", "/"),
    **dict.fromkeys("≥⩾≧", ">="),
    **dict.fromkeys("≤⩽≦", "<="),
    "≠": "!=",
    **dict.fromkeys("“”„‟", '"'),
    **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff", ""),  # what a text copied from a page has between letters
}
_PIECE = re.compile(r"\{[^\s{}]*|.", re.DOTALL)


class UsualText(NamedTuple):
    """A text in the characters of a keyboard; ``places`` has where each character, and the end, was written."""

    text: str
    places: Sequence[int]


def usual_text(text: str) -> UsualText:
    """A formula with usual signs, ASCII figures and small letters."""
    if text.isascii() and text == text.lower():
        return UsualText(text, range(len(text) + 1))
    usual = ""
    places: list[int] = []
    for piece in _PIECE.finditer(text):
        is_name = piece[0][0] == "{"
        written = piece[0] if is_name else _usual_character(piece[0])
        usual += written
        places += range(*piece.span()) if is_name else [piece.start()] * len(written)
    return UsualText(usual, [*places, len(text)])


def _usual_character(character: str) -> str:
    """Full-width and small forms of ASCII are ASCII; figures of all scripts are 0 to 9, and blanks of print a blank."""
    if character.isascii():
        return character.lower()
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    if character.isspace():
        return " "
    if "\ufe50" <= character <= "\ufe6f" or "\uff01" <= character <= "\uff5e":
        character = unicodedata.normalize("NFKC", character)
    return _SIGNS.get(character, character.lower() if character.isascii() else character)
