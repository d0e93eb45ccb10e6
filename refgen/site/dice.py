"""Any dice, to be typed in a browser, which works their odds out itself.

In: the letters for dice besides d of a project. Out: DicePage.
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
    ("4d6kh3", "the best three of four; also 4d6 drop lowest, and highest(3, 4d6)"),
    ("2d20 advantage", "the better of two; disadvantage is the worse"),
    ("d20 vs 2d10", "who rolls higher"),
    ("2d6+1 vs 8", "the chance of 8 or more"),
    ("3d6!", "each die rolls again on its best face, and adds; d6!>5 does so from 5 up"),
    ("open(4dF)", "on the best or worst result roll again, in the same direction"),
    ("max(d8, d6)", "the higher of two rolls; min is the lower one"),
    ("6d10cs>=7", "how many dice show 7 or more"),
    ("3d6r1", "a 1 is rolled again, until none shows; once: 3d6ro1"),
    ("1d6 x 10", "ten times a die"),
    ("repeat(3, max(d6, d8))", "a roll three times, added up"),
    ("snake(explode(d8))", "the lowest face twice running is a fumble, one below it"),
    ("floor(3d6 / 2)", "half of the sum, rounded down; also ceiling and nearest"),
    ("if(d20 >= 12, 2d6, 0)", "damage where the attack hits"),
    ('map(2d6, "..6: 0, 7-9: 1, 10..: 2")', "the sum looked up in a table"),
)
"""Dice as they may be written, and what they are."""


@dataclass(frozen=True, slots=True)
class DicePage:
    """A field to type dice in, with examples; ``letters`` stand for dice besides d."""

    template: ClassVar[str] = "dice"
    head: Head
    letters: Sequence[str] = ()
    examples: Sequence[tuple[str, str]] = EXAMPLES


def make_dice(letters: Sequence[str] = ()) -> DicePage:
    """The page of any dice, which takes these letters for dice besides d."""
    about = "Type any dice, and see the chance of each result: worked out exactly, not rolled."
    return DicePage(Head(address.DICE, "Any dice", about), letters)
