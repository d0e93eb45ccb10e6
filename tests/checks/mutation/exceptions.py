"""Changes that need not be caught, each with its reason; docs/checks.md prints this list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.checks.mutation.change import Change


@dataclass(frozen=True, slots=True)
class Exempt:
    """A figure of a game by the name of its token, the changes of it that pass ("" for any), and why."""

    game: str
    name: str
    new: str
    reason: str


TIE = "the exact number is half-way, and the other rounding agrees as well"
SAME = "4.00% is 4.0%"
RIGHT = '"< -7" is read as -7 and less, with a note, and "< -6" says just that'

SAME_MEANING = "swapped, the two say the same as before"
KEPT = "what follows from the two comes out as before"
WHICH = "each stands there once, and no other words say which"

EXCEPTIONS: Sequence[Exempt] = (
    Exempt("atari-isev", "ogre-factor", "2.2", TIE),
    Exempt("fudge-1995", "success-rates/0/3d6", "63", TIE),
    Exempt("interactive-history", "success-cover/<--7", "6", RIGHT),
    Exempt("harmonies", "odds-rise/-11", "00%", SAME),
    Exempt("harmonies", "bargain-margin", "2 … 5", KEPT),
    Exempt("interactive-history", "army-populations/fair/population", "1.5 … 2", KEPT),
    Exempt("fudge-1995", "die-colors/value", "-1 … +1", WHICH),
    Exempt("fudge-1995", "die-colors/value", "0 … -1", WHICH),
    Exempt("fudge-1995", "color-values/green", "0 … 1", WHICH),
    Exempt("fudge-1995", "npc-d6/rolled", "1 … 2-5", WHICH),
    Exempt("fudge-1995", "npc-d6/rolled", "6 … 1", WHICH),
)


def reason(game: str, change: Change) -> str:
    """Why a change need not be caught; "" when it must."""
    names = change.name.split(" … ")
    for one in EXCEPTIONS:
        if one.game == game and one.name in names and one.new in ("", change.new):
            return one.reason
    return ""
