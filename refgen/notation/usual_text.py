"""Formulas as documents and pages print them, in the characters of a keyboard.

In: "2d6−1", "2d6 ≥ 8", "３Ｄ６＋２", "4D6KH3", "2d6 in 7〜9", "d6 × 10²". Out: "2d6-1", "2d6 >= 8", "3d6+2", "4d6kh3",
"2d6 in 7..9", "d6 × 10^2", and where each character was written. Names in braces stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from refgen.marks import (
    DOTS,
    RAISED,
    RAISED_FRACTION,
    TO_FIGURES,
    VULGAR,
    WAVES,
    plain_character,
    plain_fractions,
)

_SIGNS = {
    **dict.fromkeys("·⋅", "×"),
    **dict.fromkeys("÷⁄", "/"),
    **dict.fromkeys("“”„‟", '"'),
    **dict.fromkeys(f"{WAVES}{DOTS}～", ".."),
}
"""The signs that mean something in formulas, and something else, or nothing, in other texts."""

_FRACTION = rf"(?:[{VULGAR}]|{RAISED_FRACTION})"
_PIECE = re.compile(rf"\{{[^\s{{}}]*|(?<![A-Za-z0-9_.])(?:\d*{_FRACTION}|\d+[⁺⁻]?[{RAISED}]+)|{_FRACTION}|.", re.DOTALL)


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
        written = piece[0] if is_name else _usual_piece(piece[0])
        usual += written
        places += range(*piece.span()) if is_name else [piece.start()] * len(written)
    return UsualText(usual, [*places, len(text)])


def _usual_piece(piece: str) -> str:
    """A character, or a number with a raised exponent or a fraction: "10²" is "10^2", and "1½" is "(1+1/2)"."""
    if (fraction := plain_fractions(piece)) != piece:
        return f"({'+'.join(fraction.split())})"
    if len(piece) == 1:
        sign = _SIGNS.get(piece)
        return plain_character(piece).lower() if sign is None else sign
    return "".join(map(plain_character, _EXPONENT.sub(lambda raised: f"^{raised[0].translate(TO_FIGURES)}", piece)))


_EXPONENT = re.compile(rf"[⁺⁻]?[{RAISED}]+")
