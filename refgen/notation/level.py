"""Levels of a ladder and changes to a track as documents print them.

In: "Legendary +4", "Med.", "Great (expert)", "8 Legendary", "Legendary (2nd)", "Superb +1". Out: a Level, and the
ladder that gives levels their numbers. In: "4 Scratched boxes", "Good + 2 Hurt Boxes",
"Great + Scratched[1-3], Hurt[4-6],V.Hurt[7-8] etc.", "Great + extra Scratched, Hurt, V.Hurt box". Out: a TrackChange,
its names as printed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from refgen.errors import NotationError
from refgen.notation.number import read_interval
from refgen.notation.values import Interval, Level, TrackChange
from refgen.suggestion import did_you_mean

_LEVEL = re.compile(
    r"(?:(?P<before>[-+−]?\d+\+?|\*+)\s+)?\(?(?P<name>[^\W\d][^\d()+−]*?)\)?(?P<beyond>\+)?"
    r"(?:\s*\(?(?P<ordinal>\d+)(?:st|nd|rd|th)\)?)?"
    r"(?:\s+\(?(?P<after>[-+−]?\d+)\)?)?(?:\s*\((?P<gloss>[^()]+)\))?"
)


@dataclass(frozen=True, slots=True)
class Ladder:
    """The levels of one ladder from best to worst, and other names that they go by.

    ``signed`` is whether the document prints a plus before their numbers: "+2", but a difficulty of 15.
    """

    levels: tuple[Level, ...]
    aliases: Mapping[str, str] = field(default_factory=dict)
    signed: bool = True

    def find(self, name: str) -> Level | None:
        """The level of that name or alias, compared without case."""
        wanted = self.aliases.get(name, name).casefold()
        return next((level for level in self.levels if level.name.casefold() == wanted), None)

    def named(self, value: int) -> Level | None:
        """The level with that number."""
        return next((level for level in self.levels if level.value == value), None)

    @property
    def lowest(self) -> int:
        """The number of the worst level."""
        return min(level.value for level in self.levels)

    @property
    def highest(self) -> int:
        """The number of the best level."""
        return max(level.value for level in self.levels)


def level_name(text: str) -> tuple[str, str]:
    """The bare name in a printed level, and its gloss: "Good (professional)" is ("Good", "professional")."""
    match = _LEVEL.fullmatch(text)
    if match is None or not match["name"]:
        raise NotationError(f'"{text}" is not the name of a level')
    return match["name"].strip(), match["gloss"] or ""


def read_level(text: str, ladder: Ladder) -> Level:
    """A level of ``ladder``. A step beyond it ("Superb +1", "Legendary 2nd") counts from the level named.

    A number printed beside the name that is not a step must be the level's own number.
    """
    if exact := ladder.find(text):
        return exact
    match = _LEVEL.fullmatch(text)
    if match is None:
        raise NotationError(f'"{text}" is not a level')
    name = match["name"].strip()
    level = ladder.find(name)
    if level is None:
        raise _unknown(name, ladder)
    steps = int(match["ordinal"]) - 1 if match["ordinal"] else 0
    printed = match["before"] or match["after"]
    if printed and not printed.startswith("*"):
        number = int(printed.replace("−", "-").rstrip("+"))
        if number != level.value + steps:
            steps = _step_beyond(text, number, level, ladder)
    gloss = match["gloss"] or ""
    if not steps:
        return Level(level.name, level.value, gloss)
    beyond = ladder.named(level.value + steps)
    return Level(beyond.name if beyond else f"{level.name} {steps:+d}", level.value + steps, gloss)


def _step_beyond(text: str, number: int, level: Level, ladder: Ladder) -> int:
    if (number > 0 and level.value == ladder.highest) or (number < 0 and level.value == ladder.lowest):
        return number
    raise NotationError(f'"{text}" gives {level.name} the number {number:+d}; on its ladder it is {level.value:+d}')


def _unknown(name: str, ladder: Ladder) -> NotationError:
    hint = did_you_mean(name, [level.name for level in ladder.levels])
    return NotationError(f'"{name}" is not a level of the ladder', hint=hint)


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
