"""The words of table_words.toml: by language, how documents call what is rolled, attributes and skills.

In: the tag of a language. Out: TableWords of that language, or of all languages where no tag is known.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources


@dataclass(frozen=True, slots=True)
class TableWords:
    """Words in small letters, as the head of table_words.toml explains each."""

    rolled: frozenset[str]
    numbered: frozenset[str]
    chances: frozenset[str]
    attributes: frozenset[str]
    abilities: frozenset[str]
    skills: frozenset[str]
    joins: frozenset[str]


@lru_cache
def table_words(language: str) -> TableWords:
    """The words of a language ("pt-BR" is "pt") and those of English; of all languages for a tag that is not known."""
    by_language = _by_language()
    primary = language.partition("-")[0].lower()
    tags = ("", "en", primary) if primary and primary in by_language else tuple(by_language)
    words = {key: frozenset(word for tag in tags for word in by_language[tag].get(key, ())) for key in _KEYS}
    return TableWords(**words)


_KEYS = ("rolled", "numbered", "chances", "attributes", "abilities", "skills", "joins")


@cache
def _by_language() -> Mapping[str, Mapping[str, Sequence[str]]]:
    text = resources.files("refgen.proposals").joinpath("table_words.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
