"""Changes to a track as documents print them.

In: "4 Scratched boxes", "Good + 2 Hurt Boxes", "Great + Scratched[1-3], Hurt[4-6],V.Hurt[7-8] etc.",
"Great + extra Scratched, Hurt, V.Hurt box". Out: a TrackChange, its names as printed.
"""

from __future__ import annotations

import re

from refgen.errors import NotationError
from refgen.notation.number import read_interval
from refgen.notation.values import Interval, TrackChange

_LETTER = r"[^\W\d_]"
_STATUS = rf"{_LETTER}(?:{_LETTER}|[. ])*?"
_SEPARATOR = re.compile(r"\s*,\s*(?![^\[]*\])")
_CONTINUES = re.compile(r",?\s*\betc\.?\s*$", re.IGNORECASE)
_BASE = re.compile(rf"(?P<base>{_LETTER}(?:{_LETTER}| )*?)\s*\+\s*")
_RANGE = re.compile(rf"(?P<status>{_STATUS})\s*\[(?P<range>[^\[\]]+)\]")
_BOXES = re.compile(rf"(?P<count>\d+)\s+(?P<status>{_STATUS})\s+box(?:es)?", re.IGNORECASE)
_EXTRA = re.compile(rf"(?:extra\s+)?(?P<status>{_STATUS})(?:\s+box(?:es)?)?", re.IGNORECASE)


def read_track_change(text: str) -> TrackChange:
    """Read a change. Raises NotationError for words that are none of its parts."""
    base = _BASE.match(text)
    rest = text[base.end() :] if base else text
    continues = _CONTINUES.search(rest)
    boxes: list[tuple[str, int]] = []
    extra: list[str] = []
    ranges: list[tuple[str, Interval]] = []
    for part in _SEPARATOR.split(rest[: continues.start()] if continues else rest):
        if match := _RANGE.fullmatch(part):
            ranges.append((match["status"], read_interval(match["range"])))
        elif match := _BOXES.fullmatch(part):
            boxes.append((match["status"], int(match["count"])))
        elif (extra or part.lower().startswith("extra ")) and (match := _EXTRA.fullmatch(part)):
            extra.append(match["status"])
        else:
            raise NotationError(
                f'"{part}" in "{text}" is no change to a track',
                hint='Write "2 Hurt boxes", "Hurt[4-6]", "extra Hurt box", after "Good + " where it builds on another.',
            )
    return TrackChange(base["base"] if base else "", tuple(boxes), tuple(extra), tuple(ranges), continues is not None)
