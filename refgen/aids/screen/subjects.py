"""The subjects that referees look up on a screen, by their words in all languages.

In: the words of a table and of its section. Out: how much a referee looks the table up.
"""

from __future__ import annotations

from collections.abc import Iterable

from refgen.languages.title_words import has_word, title_words


def is_about_acting(text: str) -> bool:
    """Whether a title speaks of how actions succeed."""
    return has_word(text, title_words("").acting)


def is_about_fighting(text: str) -> bool:
    """Whether a title speaks of fights, of wounds, or of how others meet the characters."""
    return has_word(text, title_words("").fighting)


def worth(texts: Iterable[str]) -> int:
    """How much referees look a table up, by its titles: the worth of every subject that these name.

    Tables that are needed only to make characters are looked up before play, and are worth less than nothing.
    """
    joined, words = " ".join(texts), title_words("")
    subjects = ((words.acting, 3), (words.fighting, 3), (words.gear, 2), (words.starting, -3))
    return sum(value for beginnings, value in subjects if has_word(joined, beginnings))
