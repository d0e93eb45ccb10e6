"""What came of a build. It loads nothing that makes pages: a build with nothing to do has one too."""

from __future__ import annotations

from dataclasses import dataclass, field

from refgen.errors import RefgenError
from refgen.render.readback.mismatch import Mismatch

CHARACTERS = "characters"
"""The folder of a game, in the output, that has the sheets of characters."""


@dataclass
class BuildResult:
    """What a build made, as paths relative to the output, what went wrong, and what is not as the model says.

    ``findings`` are the numbers of open findings by game. ``made`` are the steps that were done, ``kept`` those that an
    earlier build had done, ``failed`` what was not made, or not whole. ``failing`` are the games and screens that have
    errors, ``taken_from`` the other games that a game or a screen takes from, by its name. ``notes`` say which
    characters' sheets were not made the usual way, and what the site lacks. ``fault`` says why nothing is kept for the
    next build. ``shown`` has a digest of what each step shows. ``differences`` are those of the output from what it was
    to be, where that was only compared.
    """

    files: list[str] = field(default_factory=list)
    errors: list[RefgenError] = field(default_factory=list)
    findings: dict[str, int] = field(default_factory=dict)
    mismatches: list[Mismatch] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    made: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    failing: set[str] = field(default_factory=set)
    taken_from: dict[str, frozenset[str]] = field(default_factory=dict)
    shown: dict[str, str] = field(default_factory=dict)
    fault: str = ""
    differences: list[str] = field(default_factory=list)

    @property
    def first(self) -> str:
        """The file to open first, or "" for the folder."""
        shown = [name for name in self.files if name.endswith((".html", ".pdf"))]
        return "index.html" if "index.html" in shown else next(iter(shown), "")
