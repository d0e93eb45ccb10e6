"""The few words about a system that every page carries.

Small on purpose: it travels to the worker processes with each aid, in place of the whole game.
"""

from __future__ import annotations

from dataclasses import dataclass

from refgen.game.game import GameModel
from refgen.notation.figures import USUAL_ROUNDING


@dataclass(frozen=True, slots=True)
class SystemInfo:
    """``id`` is the system's folder name, ``source`` the line that names its document, ``accent`` a CSS colour.

    ``rounding`` is what a page says of its computed figures, ``brief_rounding`` the same for a card that has some; a
    table that is rounded otherwise says so in its note.
    """

    id: str
    title: str
    about: str
    accent: str
    source: str
    rounding: str = f"Computed figures are rounded {USUAL_ROUNDING}."
    brief_rounding: str = f"computed: rounded {USUAL_ROUNDING}"

    @classmethod
    def of(cls, game: GameModel) -> SystemInfo:
        """The SystemInfo of a game."""
        spec = game.ruleset.spec
        return cls(game.id, spec.title, spec.about, spec.accent, spec.source)
