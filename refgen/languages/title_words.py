"""The words by which titles, heads and sentences of rule documents show what they are about.

In: the tag of a language. Out: TitleWords of that language, from ``[titles]`` in its file; or of all languages that
have such words, where nobody says the language.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import lru_cache

from refgen.languages import KNOWN, base, data

_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class TitleWords:
    """Words in small letters.

    ``rolled``, ``numbered``: the whole head of a column of row numbers that are, or may be, rolled; ``chances``: words
    that say that percentages are chances; ``joins``: the words before the last thing of several.

    ``averages`` are the beginnings of words before the mean of dice, ``throws`` of those for somebody who rolled dice.

    All others are the beginnings of words: for ``attributes`` and ``skills``; ``abilities``, which may be attributes or
    what only some characters can do; and for subjects of tables: ``acting``, ``fighting``, ``gear``, and ``starting``,
    which is needed only to make characters.
    """

    rolled: frozenset[str]
    numbered: frozenset[str]
    chances: frozenset[str]
    attributes: frozenset[str]
    abilities: frozenset[str]
    skills: frozenset[str]
    joins: frozenset[str]
    averages: frozenset[str]
    throws: frozenset[str]
    acting: frozenset[str]
    fighting: frozenset[str]
    gear: frozenset[str]
    starting: frozenset[str]


@lru_cache
def title_words(tag: str) -> TitleWords:
    """The words of a language ("pt-BR" is "pt") and those of English; of all languages for a tag without such words."""
    files = {known: words for known in KNOWN if (words := data(known).get("titles"))}
    chosen = [files["en"], files[base(tag)]] if base(tag) in files else [*files.values()]
    return TitleWords(**{field.name: frozenset(_all_words(chosen, field.name)) for field in fields(TitleWords)})


def _all_words(files: Collection[Mapping[str, str | list[str]]], key: str) -> Iterator[str]:
    """The words of a key: a list, whose words may have blanks, or one text."""
    for words in files:
        listed = words.get(key, "")
        yield from listed.split() if isinstance(listed, str) else listed


def words_in(text: str) -> list[str]:
    """The words of a text, in small letters and without numbers and marks."""
    return _WORD.findall(text.casefold())


def has_word(text: str, beginnings: Collection[str]) -> bool:
    """Whether any word of a text begins with one of some beginnings."""
    return any(word.startswith(tuple(beginnings)) for word in words_in(text))
