"""The files that a build has made so far, and which part of the build each belongs to.

In: the data of games, and what came of jobs. Out: a Collected. Parts, such as "harmonies/cards-a4", are what a later
build replaces or keeps: of an aid that failed, the old files stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from refgen.layout.templates import assets
from refgen.pipeline.job import JobResult
from refgen.pipeline.request import DATA, SITE
from refgen.pipeline.spool import Files, Gathered

SHARED = "shared"
"""The part of a build that belongs to no game: style sheets and fonts."""

STANDALONE = "standalone"
"""What the parts of screens begin with that belong to no game."""


def site_part(game: str) -> str:
    """The part that a game's pages of the site are."""
    return f"{game}/{SITE}"


@dataclass(frozen=True, slots=True)
class Collected:
    """Files by path, and the part of each."""

    files: Gathered = field(default_factory=Gathered)
    parts: dict[str, str] = field(default_factory=dict)

    @classmethod
    def shared(cls) -> Collected:
        """The files that all pages share, to which those of games can be added."""
        found = cls()
        found.add(assets(), SHARED)
        return found

    def add(self, files: Files, part: str) -> None:
        """Add the files of a part."""
        self.files.add(files)
        self.parts.update(dict.fromkeys(files, part))

    def add_game(self, game: str, data: Files, results: Sequence[JobResult]) -> None:
        """Add all files of a game but its pages of the site."""
        self.add_results(results)
        self.add(data, f"{game}/{DATA}")

    def add_results(self, results: Sequence[JobResult], owner: str = "") -> None:
        """Add what came of jobs; the parts of screens that belong to no game begin with their ``owner``."""
        pictured: set[str] = set()
        for one in results:
            self.files.add(one.files)
            self.parts.update({path: owner + path.rpartition(".")[0] for path in one.files})
            shown = {path: f"{owner}{path.rpartition('-')[0]}-previews" for path in one.previews}
            if not pictured.intersection(shown.values()):  # else another format's show the same
                self.files.add(one.previews)
                self.parts.update(shown)
                pictured |= {*shown.values()}
