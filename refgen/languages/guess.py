"""The language of a text, by its commonest words.

In: a text. Out: the tag of one of the languages with a file in this folder, or "" for a text that may be in another
language. A text is sure if a fair share of its words are common words of one language, far fewer those of each other,
and if the text has most of the words that tell the language from its neighbours.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

from refgen.languages import KNOWN, data

LEAST_WORDS = 30
"""Fewer words than this show no language."""

LEAST_SHARE = 0.1
"""The share of common words that shows a language: prose has 30% (in Finnish 15%), documents full of tables less."""

LEAD = 1.5
"""How many times the share of each other language a language must have."""

LEAST_MARKS = 2
"""How many of the words that no neighbouring language has must be there."""

_WORD = re.compile(r"[^\W\d_]+")


def guess_language(text: str) -> str:
    """The tag of the language of a text; "" where the text does not show it for sure."""
    counts = Counter(_WORD.findall(text.casefold()))
    total = counts.total()
    if total < LEAST_WORDS:
        return ""
    shares = {tag: sum(counts[word] for word in words) / total for tag, words in _words("common_words").items()}
    second, best = sorted(shares, key=lambda tag: shares[tag])[-2:]
    is_sure = shares[best] >= max(LEAST_SHARE, LEAD * shares[second])
    return best if is_sure and len(_words("marks")[best] & counts.keys()) >= LEAST_MARKS else ""


@lru_cache(maxsize=2)
def _words(key: str) -> Mapping[str, frozenset[str]]:
    """The words of a key, by language, of each language whose file has the key."""
    words = {tag: frozenset(data(tag).get(key, "").split()) for tag in KNOWN}
    return {tag: found for tag, found in words.items() if found}
