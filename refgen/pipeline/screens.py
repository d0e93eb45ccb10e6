"""In which formats screens are made.

In: the ``[screen]`` of refgen.toml, and what the command line says instead. Out: the formats.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from refgen.render.page_format import Imposition, Orientation, Paper, Theme
from refgen.rules.toml import Strict

ScreenPaper = Literal[Paper.A4, Paper.LETTER, Paper.A5]


class ScreenSettings(Strict):
    """The ``[screen]`` of refgen.toml. ``files`` are screens of the project's own, by their path in it."""

    renamed: ClassVar = {"form": "imposition"}

    papers: list[ScreenPaper] = Field([Paper.A4, Paper.LETTER], min_length=1)
    orientation: Orientation = Orientation.LANDSCAPE
    imposition: Imposition = Imposition.PAGES
    theme: Theme = Theme.COLOUR
    players: bool = True
    files: list[str] = []

    def choosing(self, **chosen: Any) -> ScreenSettings:
        """The same with what was chosen instead; None and nothing leave a setting as it is."""
        given = {name: value for name, value in chosen.items() if value not in (None, ())}
        return ScreenSettings.model_validate({**self.model_dump(), **given})

    def options(self) -> dict[str, Any]:
        """How the screens of a build are made: the options of their kind."""
        return self.model_dump(exclude={"files"})
