"""Any dice, to be typed in a browser, which works their odds out itself.

In: nothing. Out: DicePage.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from refgen.site import address
from refgen.site.page import Head

EXAMPLES = (
    ("3d6 + 2", "three dice of six sides and 2, added up"),
    ("4dF", "four Fudge dice: each -1, 0 or +1"),
    ("d%", "1 to 100"),
    ("highest(3, 4d6)", "the best three of four; also 4d6kh3, and lowest(1, 2d20)"),
    ("d20 vs 2d10", "who rolls higher"),
    ("explode(d6)", "on the best face roll again and add; also d6!"),
    ("open(4dF)", "on the best or worst result roll again, in the same direction"),
    ("max(d8, d6)", "the higher of two rolls; min is the lower one"),
    ("count(6d10 >= 7)", "how many dice show 7 or more"),
    ("reroll(d6, 1)", "a 1 is rolled again, once"),
    ("repeat(3, d6!)", "a roll three times, added up"),
    ("snake(explode(d8))", "the lowest face twice running is a fumble, one below it"),
    ("floor(3d6 / 2)", "half of the sum, rounded down; also ceiling and nearest"),
    ("if(d20 >= 12, 2d6, 0)", "damage where the attack hits"),
    ('map(2d6, "..6: 0, 7-9: 1, 10..: 2")', "the sum looked up in a table"),
)
"""Dice as they may be written, and what they are."""


@dataclass(frozen=True, slots=True)
class DicePage:
    """A field to type dice in, with examples."""

    template: ClassVar[str] = "dice"
    head: Head
    examples: Sequence[tuple[str, str]] = EXAMPLES


def make_dice() -> DicePage:
    """The page of any dice."""
    about = "Type any dice, and see the chance of each result: worked out exactly, not rolled."
    return DicePage(Head(address.DICE, "Any dice", about))
