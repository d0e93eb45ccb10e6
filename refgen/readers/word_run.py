"""The words of a paragraph or cell while a reader collects them, each stretch with its setting and its place.

In: passages in the order of the text, each in the setting that stands. Out: one passage, in which raised and lowered
words keep their sense (10², ¹⁄₂).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import groupby

from refgen.readers.word_settings import PLAIN_TEXT, Setting
from refgen.source import Passage

_SOFT_HYPHEN = re.compile("\u00ad")
_FRACTION = re.compile(r"(?<=[⁰¹²³⁴⁵⁶⁷⁸⁹])/(?=[₀₁₂₃₄₅₆₇₈₉])")


@dataclass
class WordRun:
    """Stretches of words in the order of the page, each with its setting."""

    pieces: list[tuple[Setting, Passage]] = field(default_factory=list)
    settings: list[Setting] = field(default_factory=lambda: [Setting.PLAIN])

    def add(self, words: Passage) -> None:
        """Add words in the setting that stands; words that are struck or hidden are not added."""
        if self.settings[-1] in PLAIN_TEXT:
            self.pieces.append((self.settings[-1], words))

    def add_blank(self) -> None:
        """Add a blank behind the words so far."""
        if self.pieces:
            last = self.pieces[-1][1]
            self.pieces.append((self.settings[-1], last[len(last) :].replaced(" ")))

    def passage(self) -> Passage:
        """The words as one passage without blanks at its ends; at least one stretch must have been added."""
        last = max((number for number, (_, words) in enumerate(self.pieces) if words.text.strip()), default=0)
        setting, kept = self.pieces[last]
        self.pieces[last:] = [(setting, kept[: len(kept.text.rstrip())])]
        return _without_soft_hyphens(self.words().collapsed())

    def words(self) -> Passage:
        """The words as one passage with all their blanks; at least one stretch must have been added."""
        made: list[Passage] = []
        for setting, run in groupby(self.pieces, key=lambda piece: piece[0]):
            words = Passage.joined([words for _, words in run])
            made.append(words if setting is Setting.PLAIN else words.replaced(PLAIN_TEXT[setting](words.text)))
        return with_fractions(Passage.joined(made))


def _without_soft_hyphens(words: Passage) -> Passage:
    return Passage.joined(words.split(_SOFT_HYPHEN)) if "\u00ad" in words.text else words


def with_fractions(words: Passage) -> Passage:
    """Words in which a raised figure over a lowered figure has the slash of fractions: ¹⁄₂."""
    if not (slash := _FRACTION.search(words.text)):
        return words
    before, after = words[: slash.start()], words[slash.end() :]
    return Passage.joined([before, words.group(slash).replaced("⁄"), with_fractions(after)])
