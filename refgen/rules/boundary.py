"""Where words begin and end, in any script.

In: a place in a text, a pattern in RE2's notation. Out: whether the place is inside a word; the pattern, bounded.

RE2 knows the boundaries of ASCII's words alone, and a pattern with a class of all letters takes forty times as long to
make. So a pattern is bounded by ASCII's words, what it finds is looked at again, and ``NO_LETTER`` is for what is left.
"""

from __future__ import annotations

import re
from unicodedata import category

_WITHOUT_BLANKS = "\u0e00-\u109f\u1780-\u17ff\u2e80-\u312f\u31a0-\ua4cf\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
"""The scripts that part no words by blanks: Thai, Lao, Tibetan, Burmese, Khmer, Chinese, Japanese."""

_IN_A_RUN = re.compile(f"[{_WITHOUT_BLANKS}]")

NO_LETTER = rf"[^\pL\pM\p{{Nd}}_]|[{_WITHOUT_BLANKS}]"
"""What may stand beside a word."""


def is_letter(character: str) -> bool:
    """Whether a character makes one word with another that stands beside it."""
    if character.isascii():
        return character.isalnum() or character == "_"
    return category(character) in ("Ll", "Lu", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd") and not _IN_A_RUN.match(
        character
    )


def is_inside_word(text: str, place: int) -> bool:
    """Whether one word stands on both sides of a place."""
    return 0 < place < len(text) and is_letter(text[place - 1]) and is_letter(text[place])


def bounded(pattern: str, first: str, last: str) -> str:
    """A pattern that is not inside a word of ASCII, where ``first`` and ``last`` are the characters at its ends."""
    return f"{_edge(first)}{pattern}{_edge(last)}"


def _edge(character: str) -> str:
    return r"\b" if character.isascii() and character.isalnum() else ""
