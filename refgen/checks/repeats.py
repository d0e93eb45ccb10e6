"""Words that follow themselves: in a row that is read by a sentence, most likely a row that stands there twice as one.

In: the words of a row. Out: those that do, or none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

WORDS_OF_A_ROW = 3
"""So many words that follow themselves are a row that stands there twice; fewer are only so when they are all."""


def repeated(words: Sequence[str]) -> Sequence[str]:
    """The first words that stand there twice, one time after the other."""
    half = len(words) // 2
    if half and words[:half] == words[half:]:
        return words[:half]
    places: dict[str, list[int]] = defaultdict(list)
    for place, word in enumerate(words):
        for start in places[word]:
            count = place - start
            if count >= WORDS_OF_A_ROW and words[start:place] == words[place : place + count]:
                return words[start:place]
        places[word].append(place)
    return ()
