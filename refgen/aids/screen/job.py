"""A GM screen in one format.

In: a screen, the system that the screen belongs to, and a format. Out: HTML, PDF, and a preview of every page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from refgen.aids.panels.job import PanelsJob
from refgen.aids.panels.model import Panels
from refgen.aids.screen.model import GmScreen


@dataclass(frozen=True, slots=True)
class ScreenJob(PanelsJob):
    """A screen in one format."""

    called: ClassVar = "GM screen"
    aid: GmScreen

    @property
    def panels(self) -> Panels:
        """The panels of the screen."""
        return self.aid
