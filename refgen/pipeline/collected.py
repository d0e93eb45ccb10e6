"""The files that a build has made so far, and which part of the build each belongs to.

In: what a game gives, and what came of its jobs. Out: a Collected. Parts, such as "harmonies/cards-a4", are what a
later build replaces or keeps: of an aid that failed, the old files stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from refgen.pipeline.job import Done
from refgen.pipeline.manifest import Made
from refgen.pipeline.prepare import DATA, SITE
from refgen.pipeline.read_game import GameParts
from refgen.pipeline.spool import Files, Gathered
from refgen.render.assets import assets

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
    def of_game(cls, game: GameParts, done: Sequence[Done]) -> Collected:
        """All files of a game but its pages of the site."""
        found = cls()
        found._add_done(done)
        found.add(game.data, f"{game.summary.id}/{DATA}")
        return found

    @classmethod
    def of_screens(cls, done: Sequence[Done]) -> Collected:
        """Those of screens that belong to no game."""
        found = cls()
        found._add_done(done, f"{STANDALONE}/")
        return found

    @classmethod
    def shared(cls) -> Collected:
        """Those that all pages share."""
        found = cls()
        found.add(assets(), SHARED)
        return found

    def add(self, files: Files, part: str) -> None:
        """Add the files of a part."""
        self.files.add(files)
        self.parts.update(dict.fromkeys(files, part))

    def add_all(self, others: Collected) -> None:
        """Add the files of some parts."""
        self.files.add_all(others.files)
        self.parts.update(others.parts)

    def _add_done(self, done: Sequence[Done], owner: str = "") -> None:
        pictured: set[str] = set()
        for one in done:
            self.files.add(one.files)
            self.parts.update({path: owner + path.rpartition(".")[0] for path in one.files})
            shown = {path: f"{owner}{path.rpartition('-')[0]}-previews" for path in one.previews}
            if not pictured.intersection(shown.values()):  # else another format's show the same
                self.files.add(one.previews)
                self.parts.update(shown)
                pictured |= {*shown.values()}


def beside(game: GameParts, done: Sequence[Done], earlier: Sequence[Made]) -> tuple[Collected, list[str]]:
    """What the pages of a game may lead to: what was made of it and what all share, and what stays of an earlier build.

    That is so if nobody changes the output meanwhile.
    """
    collected = Collected.of_game(game, done)
    made_anew = {site_part(game.summary.id), *collected.parts.values()}
    collected.add_all(Collected.shared())
    return collected, [made.path for made in earlier if made.part not in made_anew]
