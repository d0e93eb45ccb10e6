"""The levels of a ladder as they are shown."""

from __future__ import annotations

from refgen.blocks.typesetting import typeset
from refgen.notation.levels import Ladder


def ladder_steps(ladder: Ladder) -> tuple[tuple[str, str], ...]:
    """The levels of a ladder from best to worst: their numbers, signed as the document prints them, and their names."""
    sign = "+" if ladder.signed else ""
    return tuple((typeset(f"{level.value:{sign if level.value else ''}d}"), level.name) for level in ladder.levels)
