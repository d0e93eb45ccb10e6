"""The kind of aid that GM screens are.

In: screen.toml of a game, or a file that describes a screen of no game. Out: jobs, and from each the HTML and PDF of a
screen in one format, with a preview of every page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from refgen.aids.kind import AidKind, FileNames
from refgen.aids.panels.panel_area import USUAL_FORMAT
from refgen.aids.screen.model import SPEC_NAME, GmScreen, screen_of_file, screen_of_game
from refgen.aids.screen.spec import ScreenSpec
from refgen.errors import RefgenError
from refgen.game.game import GameModel
from refgen.game.system_info import SystemInfo
from refgen.layout.page_format import USUAL_PAPERS, Imposition, Orientation, PageFormat, Paper, Theme

if TYPE_CHECKING:  # who checks a game lays no screen out
    from refgen.aids.screen.job import ScreenJob


@dataclass(frozen=True, slots=True)
class ScreenOptions:
    """The formats of screens, and whether they have the players' side."""

    formats: Sequence[PageFormat]
    players: bool = True


class ScreenKind(AidKind[GmScreen, ScreenOptions]):
    """GM screens."""

    names = FileNames("screen", "gm-screen", USUAL_FORMAT)
    spec_name = SPEC_NAME
    spec = ScreenSpec
    title = "GM screen"
    about = "One panel a page, for the table or a screen insert."
    page = "panel"

    def make(
        self,
        folder: Path,
        game: GameModel,
        games: Mapping[str, GameModel],
        inputs: Sequence[Path] = (),  # noqa: ARG002
    ) -> GmScreen:
        """The screen of a game; panels that cannot be made are left out."""
        return screen_of_game(folder, game, games)

    def faults(self, aid: GmScreen) -> Sequence[RefgenError]:
        """Why panels are missing."""
        return aid.faults

    def options(
        self,
        papers: Sequence[str] = (),
        *,
        orientation: str = Orientation.LANDSCAPE,
        imposition: str = Imposition.PAGES,
        theme: str = Theme.COLOUR,
        players: bool = True,
    ) -> ScreenOptions:
        """Screens on ``papers``, with the ``players``' side or without."""
        said = Orientation(orientation), Imposition(imposition), Theme(theme)
        return ScreenOptions(
            [PageFormat(Paper(paper), *said) for paper in dict.fromkeys(papers or USUAL_PAPERS)], players
        )

    def jobs(self, game: GameModel, aid: GmScreen, options: ScreenOptions) -> Iterator[ScreenJob]:
        """A job for each format."""
        return self.jobs_of(SystemInfo.of(game), aid, options)

    def jobs_of(self, system: SystemInfo, screen: GmScreen, options: ScreenOptions) -> Iterator[ScreenJob]:
        """The jobs of a screen, made under the name of a system that need not be a game."""
        from refgen.aids.screen.job import ScreenJob

        shown = screen if options.players else screen.without_players()
        return (ScreenJob(self.names, system, shown, [page_format]) for page_format in options.formats)

    def of_file(self, path: Path, games: Mapping[str, GameModel]) -> tuple[GmScreen, GameModel]:
        """The screen that a file of the project's own describes, and the game it mainly takes from."""
        return screen_of_file(path, games)
