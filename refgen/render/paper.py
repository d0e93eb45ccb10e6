"""Papers.

In: nothing. Out: the papers that aids are made for, and their sizes.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

MILLIMETRE = 72 / 25.4
"""In points."""


class Paper(StrEnum):
    """The papers that aids are made for; A5 is for small screens only."""

    A4 = "a4"
    LETTER = "letter"
    A5 = "a5"


USUAL = (Paper.A4, Paper.LETTER)

SIZES: Mapping[Paper, tuple[float, float]] = {
    Paper.A4: (210, 297),
    Paper.LETTER: (215.9, 279.4),
    Paper.A5: (148, 210),
}
"""Short and long side in millimetres (ISO 216; ANSI Y14.1)."""
