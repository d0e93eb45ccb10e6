"""The sheets of the bundled games, each made once."""

from __future__ import annotations

from functools import cache

from refgen.characters.make_sheet import make_sheet
from refgen.characters.sheet import CharacterSheet
from refgen.files import bundled
from tests.conftest import game


@cache
def sheet(system: str) -> CharacterSheet:
    """The blank sheet of a game."""
    return make_sheet(bundled("content") / system, game(system))
