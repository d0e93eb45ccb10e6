"""GM screens: the panels that screen.toml describes, and the jobs that make files of the panels.

In: screen.toml of a game, a proposal for a game without one, or a file of the user's own that belongs to no game; the
games that blocks come from, and files of characters, or none.
Out: Panels; from these a job for each format, which makes HTML, PDF and a preview of every page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from refgen.aids.kind import NO_NAMES, AidKind, AidSources, FileNames, NamesInProse
from refgen.aids.panels.model import USUAL_FORMAT, EdgeStep, Panel, PanelBlock, Panels, Side
from refgen.aids.reference_lists import ladder_steps
from refgen.aids.screen.page_references import PageIndex
from refgen.aids.screen.party import ScreenParty
from refgen.aids.screen.proposal import proposed_screen, why_no_screen
from refgen.aids.screen.spec import SPEC_NAME, EdgeScale, EdgeScaleSpec, PanelBlockSpec, PanelSpec, ScreenSpec
from refgen.blocks.block import Block
from refgen.blocks.kinds import load_aid_spec, make_block, place_faults, unwritten_file
from refgen.blocks.table_block import show_table
from refgen.blocks.typesetting import fill_placeholders
from refgen.catalog import Catalog
from refgen.errors import AidError, RefgenError
from refgen.game import GameModel, SystemInfo
from refgen.layout.page_format import USUAL_PAPERS, Imposition, Orientation, PageFormat, Paper, Theme
from refgen.rules.places import locate
from refgen.source import SourceFile

if TYPE_CHECKING:  # who checks a game lays no screen out
    from refgen.aids.panels.job import PanelsJob


def screen_of_game(
    folder: Path, game: GameModel, games: Mapping[str, GameModel] | None = None, files: Sequence[Path] = ()
) -> Panels:
    """Make the screen of a game, described in ``folder``: the GM's panels, then the players'.

    Blocks may come from other ``games``, by id.
    Typed ``files`` of characters are the party, in place of those that screen.toml names.
    """
    spec, source = load_aid_spec(folder, SPEC_NAME, ScreenSpec)
    for key in ("title", "system"):
        if getattr(spec, key):
            with place_faults(source, key):
                raise AidError(f"{key} is for screens that belong to no system", hint="Take it away.")
    others = games or Catalog("system", {game.id: game})
    return _ScreenMaker(spec, source, lambda name: others[name] if name else game, folder, files).screen()


def _main_game(spec: ScreenSpec, games: Mapping[str, GameModel]) -> GameModel:
    """The game that the screen names, else the first game named by a block that can be loaded."""
    named = [spec.system] if spec.system else [block.system for panel in spec.panels for block in panel.blocks]
    faults = []
    for name in filter(None, named):
        try:
            return games[name]
        except RefgenError as fault:
            faults.append(fault)
    if faults:
        raise faults[0]
    raise AidError("the screen names no system", hint='Write system = "…" at the top of the file.')


@dataclass(frozen=True)
class _ScreenMaker:
    """Makes the screen of a file; ``game_of`` finds a game by its id, by "" the game of the screen.

    The game of the screen lies in a ``folder``; None for a screen that belongs to no game. ``files`` are characters.
    """

    spec: ScreenSpec
    source: SourceFile
    game_of: Callable[[str], GameModel]
    folder: Path | None = None
    files: Sequence[Path] = ()

    def screen(self) -> Panels:
        """The screen without panels that cannot be made, each with an error. Raises the first error if all fail."""
        panels: list[Panel] = []
        faults: list[RefgenError] = []
        gm = self.spec.panels
        if self.files and not any(panel.party for panel in (*gm, *self.spec.players)):
            gm = [*gm, PanelSpec(title=self.game_of("").words("party"), party=[*self._party.all_keys])]
        for side, key, specs in ((Side.GM, "panels", gm), (Side.PLAYERS, "players", self.spec.players)):
            for number, panel in enumerate(specs):
                try:
                    panels.append(self._panel(panel, side, (key, number)))
                except RefgenError as fault:
                    faults.append(fault)
        if self.spec.characters and not any(panel.party for panel in (*gm, *self.spec.players)):
            hint = "Name the parts of the sheet that a panel shows: `party`."
            place = locate(self.source, ("characters",))
            faults.append(AidError("no panel shows the party of these characters", span=place, hint=hint))
        if not panels:
            raise faults[0]
        with place_faults(self.source, "title"):
            title = fill_placeholders(self.game_of(""), self.spec.title)
        return Panels(title, tuple(panels), (*faults, *self._party.faults))

    def _panel(self, spec: PanelSpec, side: Side, path: tuple[str, int]) -> Panel:
        """The panel under a key of the file."""
        located = locate(self.source, path)
        with place_faults(self.source, *path, "party"):
            tables = self._party.tables(spec.party) if spec.party else ()
            blocks = [PanelBlock(table, place=located) for table in tables]
        for number, block in enumerate(spec.blocks):
            place = (*path, "blocks", number)
            with place_faults(self.source, *place):
                shown = self._block(block, with_page=spec.page_references)
            described = locate(self.source, place)
            blocks.append(PanelBlock(shown, block.importance, block.smallest, block.with_next, described))
        systems = [*([""] if spec.party else []), *(block.system for block in spec.blocks)]
        with place_faults(self.source, *path):
            title = fill_placeholders(self.game_of(systems[0]), spec.title)
        with place_faults(self.source, *((*path, "edge_scale") if spec.edge_scale else ("edge_scale",))):
            steps = tuple(self._edge(spec.edge_scale or self.spec.edge_scale))
        infos = [SystemInfo.of(self.game_of(name)) for name in dict.fromkeys(systems)]
        sources = " ".join(dict.fromkeys(f"{info.source}." for info in infos))
        return Panel(title, tuple(blocks), steps, sources, side, located, bool(spec.party), infos[0].rounding)

    def _block(self, spec: PanelBlockSpec, *, with_page: bool | None) -> Block:
        """A block, with the page of the printed book if its panel or else the screen wants it."""
        game = self.game_of(spec.system)
        block = make_block(game, spec)
        if spec.page:
            pages: Sequence[str] = [str(spec.page)]
        elif self.spec.page_references if with_page is None else with_page:
            index = self._pages.setdefault(game.id, PageIndex(game))
            if not (index.is_known or spec.system):
                hint = 'Say them in its system.toml: [pages] "Heading" = 34, or page = 34 of a table.'
                raise AidError(f"no page of {game.title} is known", hint=hint)
            pages = index.pages(spec)
        else:
            return block
        return block.on_page(game.words("page-reference", page=", ".join(pages))) if pages else block

    @cached_property
    def _pages(self) -> dict[str, PageIndex]:
        return {}

    @cached_property
    def _party(self) -> ScreenParty:
        return ScreenParty(self.game_of(""), self.folder, self.files, self.spec.characters)

    def _edge(self, edge: EdgeScale | None) -> Sequence[EdgeStep]:
        """The steps along the edge: the levels of a ladder, or a value and a name from each row of a table."""
        if edge is None:
            return ()
        spec = edge if isinstance(edge, EdgeScaleSpec) else EdgeScaleSpec(ladder=edge)
        game = self.game_of(spec.system)
        if spec.ladder:
            return ladder_steps(game.ladders[spec.ladder])
        columns = [spec.value or "", spec.name or ""]
        block = show_table(game.tables[spec.table or ""], columns, marks=game.marks, words=game.words)
        return [(value.text, name.text) for value, name in block.rows[:: spec.every]]


@dataclass(frozen=True, slots=True)
class ScreenOptions:
    """The formats of screens, and whether they have the players' side."""

    formats: Sequence[PageFormat]
    players: bool = True


class ScreenKind(AidKind[Panels, ScreenOptions]):
    """GM screens."""

    names = FileNames("screen", "gm-screen", USUAL_FORMAT)
    spec_name = SPEC_NAME
    spec = ScreenSpec
    title = "GM screen"
    page = "panel"

    def proposed_spec(self, game: GameModel, names: NamesInProse = NO_NAMES) -> ScreenSpec | None:  # noqa: ARG002
        """A screen of what referees look up: ways to act, tables by section, tables to roll on."""
        return proposed_screen(game)

    def why_missing(self, game: GameModel) -> str:
        """Why no table stands on a panel."""
        return why_no_screen(game)

    def make(self, sources: AidSources) -> Panels | None:
        """The screen of a game; panels that cannot be made are left out."""
        folder, game, files = sources.folder, sources.game, sources.inputs
        if self.has_spec(folder):
            return screen_of_game(folder, game, sources.games, files)
        spec = self.proposed_spec(game)
        if spec is None:
            return None
        return _ScreenMaker(spec, unwritten_file(folder, SPEC_NAME), lambda _: game, folder, files).screen()

    def faults(self, aid: Panels) -> Sequence[RefgenError]:
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

    def load_layout(self) -> None:
        """Load the module of the jobs of panels, which GM screens share with session sheets."""
        import_module("refgen.aids.panels.job")

    def jobs(self, game: GameModel, aid: Panels, options: ScreenOptions) -> Iterator[PanelsJob]:
        """A job for each format."""
        return self.jobs_of(SystemInfo.of(game), aid, options)

    def jobs_of(self, system: SystemInfo, screen: Panels, options: ScreenOptions) -> Iterator[PanelsJob]:
        """The jobs of a screen, made under the name of a system that need not be a game."""
        from refgen.aids.panels.job import PanelsJob

        sides = {*Side} if options.players else {Side.GM}
        shown = replace(screen, panels=tuple(panel for panel in screen.panels if panel.side in sides))
        return (PanelsJob(self.names, system, shown, [page_format]) for page_format in options.formats)

    def of_file(self, path: Path, games: Mapping[str, GameModel]) -> tuple[Panels, GameModel]:
        """The screen that a file of the user's own describes, and the game from which most of its blocks come."""
        spec, source = load_aid_spec(path.parent, path.name, ScreenSpec)
        with place_faults(source, "system"):
            main = _main_game(spec, games)
        return _ScreenMaker(spec, source, lambda name: games[name] if name else main).screen(), main
