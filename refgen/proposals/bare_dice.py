"""Dice that are printed without their faces: "2D", which is 2d6 where the document speaks of six-sided dice alone.

In: the prose and the text of a document, and the phrases of its language. Out: phrases that read such dice, and why the
faces are not sure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from refgen.proposals.outcomes import faces
from refgen.proposals.phrases import Phrases
from refgen.proposals.prose import PrintedValue, Prose

_BARE = re.compile(r"(?<![\w.,/-])([1-9])D(?![\w/-])")
_SIDES = 6
_SIX_SIDED = frozenset((_SIDES, 66, 666))
"""The faces of six-sided dice, and of those that are read as digits: D66."""


def with_bare_dice(phrases: Phrases, proses: Iterable[Prose]) -> Phrases:
    """Phrases that read "2D" as 2d6, where sentences about rolls print such dice."""
    found = {match[0]: f"{match[1]}d{_SIDES}".removeprefix("1") for match in _bare_dice(phrases, proses)}
    return phrases.with_dice(found) if found else phrases


def _bare_dice(phrases: Phrases, proses: Iterable[Prose]) -> Iterator[re.Match[str]]:
    for prose in proses:
        for start, end in prose.sentences:
            sentence = prose.text[start:end]
            if phrases.has("roll", sentence):
                yield from _BARE.finditer(sentence)


def doubts_of_faces(dice: PrintedValue, text: str, phrases: Phrases) -> Sequence[str]:
    """Why the faces of printed dice are not sure: a document with bare dice prints no six-sided ones, or others too."""
    if not _BARE.fullmatch(dice.passage.text):
        return ()
    printed = {text[start:end] for start, end in phrases.dice(text)}
    sides = {faces(phrases.dice_meant(one))[1] for one in printed if not _BARE.fullmatch(one)}
    if sides and sides <= _SIX_SIDED:
        return ()
    others = " alone" if sides & _SIX_SIDED else ""
    return [f"The document does not say that {dice.passage.text} are six-sided dice{others}."]
