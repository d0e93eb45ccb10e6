"""Where lines break, without setting them.

In: a text and a face. Out: its words and their places on an endless line, and how many lines they need in a width.
WeasyPrint has Pango break lines where UAX #14 allows it; here are the rules of it that our texts can meet.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from refgen.layout.metrics import Face, width

_SPACES = re.compile(r"[ \t\n\r\f]+")
"""What HTML takes for one space."""

_TIED = r"""\s)\]}.,:;!?/|…%‰°\-‐–—"'’”»\u00a0\u202f\u2060"""
"""What stays with the character before it (classes CL, CP, EX, IS, SY, IN, PO, HY, BA, QU, GL and WJ)."""

_IDEOGRAPH = "[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]"

_WORD = re.compile(
    r" (?=[^\s)\]}.,:;!?/])(?<![(\[{] )"  # at a space, but not before what closes or after what opens
    rf"|(?<=[–‐|!?…}}])(?=[^{_TIED}])"
    rf"|(?<=[-/])(?=[^{_TIED}\d])"  # not before a figure: 1/2, d6-1
    rf"|(?<=[^\s(\[{{—])(?=—)|(?<=—)(?=[^{_TIED}])"
    r"|(?<=[)\].,:;])(?=[(\[{])"
    rf"|(?<=[\w)])(?={_IDEOGRAPH})|(?<={_IDEOGRAPH})(?=[\w(])"
)
"""Where a line may end. A space there stands between two lines, and on neither."""

_SLACK = 1e-6
"""Ems by which a line may be too long: sums of floats are not exact."""


@dataclass(frozen=True, slots=True)
class BreakableText:
    """A text as words that are never broken, in ems of its own type.

    ``starts`` and ``ends`` are their places on an endless line, without the spaces between. ``max_content`` is the
    length of that line, ``min_content`` that of the longest word; ``space`` is that of a space.
    """

    text: str
    starts: tuple[float, ...]
    ends: tuple[float, ...]
    max_content: float
    min_content: float
    longest_word: str
    space: float

    def lines(self, width: float) -> int:
        """How many lines the words need where a line is ``width`` em long; a word that is longer overflows its line."""
        width += _SLACK
        if self.max_content <= width:
            return 1 if self.ends else 0
        return self._broken(width, 0)

    def lines_with_tag(self, width: float, before: float, after: float) -> int:
        """How many lines they need with a tag ``before`` or ``after`` them, so many ems long (0: there is none)."""
        width += _SLACK
        if before:
            beside = bisect_right(self.ends, width - before - self.space)
            return 1 + self._broken(width, beside)
        return self._broken(width, 0, after)

    @property
    def last_and_space(self) -> float:
        """The length of the last word with a space after it."""
        return self.ends[-1] - self.starts[-1] + self.space

    def _broken(self, width: float, word: int, tag: float = 0.0) -> int:
        """The number of lines from a word on; a tag, if there is one, stays on the line of the last word."""
        starts, ends, count = self.starts, self.ends, 0
        if tag:
            ends = (*ends[:-1], ends[-1] + self.space + tag)
        while word < len(ends):
            count += 1
            word = max(bisect_right(ends, starts[word] + width, word), word + 1)
        return count


def breakable_text(text: str, face: Face) -> BreakableText:
    """The words of a text."""
    text = _SPACES.sub(" ", text).strip(" ")
    starts: list[float] = []
    ends: list[float] = []
    longest, longest_word, place = 0.0, "", 0.0
    for word, length, gap in _measured(text, face):
        starts.append(place)
        ends.append(place + length)
        place += length + gap
        if length > longest:
            longest, longest_word = length, word
    whole = ends[-1] if ends else 0.0
    return BreakableText(text, tuple(starts), tuple(ends), whole, longest, longest_word, width(" ", face))


def run_in(first: BreakableText, second: BreakableText) -> BreakableText:
    """Two texts, perhaps in different faces, on one line with a space between."""
    gap = first.max_content + first.space if first.ends else 0.0
    shift = [(start + gap, end + gap) for start, end in zip(second.starts, second.ends, strict=True)]
    starts, ends = (*first.starts, *(start for start, _ in shift)), (*first.ends, *(end for _, end in shift))
    longest = max(first, second, key=lambda part: part.min_content)
    whole = ends[-1] if ends else 0.0
    text = f"{first.text} {second.text}".strip()
    return BreakableText(text, starts, ends, whole, longest.min_content, longest.longest_word, second.space)


def _measured(text: str, face: Face) -> Iterator[tuple[str, float, float]]:
    """Each word, its length, and how far from its end the next one starts on the same line."""
    start = 0
    for match in _WORD.finditer(text):
        word = text[start : match.start()]
        yield word, width(word, face), _gap(word[-1], match.group(), text[match.end()], face)
        start = match.end()
    if start < len(text):
        yield text[start:], width(text[start:], face), 0.0


def _gap(last: str, between: str, first: str, face: Face) -> float:
    """The gap between two words: a space, if there is one, and the kerning around it."""
    return width(last + between + first, face) - width(last, face) - width(first, face)
