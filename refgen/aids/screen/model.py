"""GM screens.

In: a screen.toml, and the games that its blocks come from. Out: a GmScreen: panels, each with its blocks in reading
order and the scale along its edge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from refgen.aids.ladder import ladder_steps
from refgen.aids.panels.model import EdgeStep, Panel, PanelBlock, Panels, Side
from refgen.aids.screen.spec import EdgeScale, EdgeScaleSpec, PanelBlockSpec, PanelSpec, ScreenSpec
from refgen.blocks.kinds import load_aid_spec, make_block, placed
from refgen.blocks.table_block import show_table
from refgen.blocks.typesetting import fill_placeholders
from refgen.errors import AidError, RefgenError
from refgen.game.catalog import Catalog
from refgen.game.game import GameModel
from refgen.game.system_info import SystemInfo
from refgen.rules.toml import locate
from refgen.source import SourceFile

SPEC_NAME = "screen.toml"


@dataclass(frozen=True, slots=True)
class GmScreen(Panels):
    """A whole screen: the GM's panels, then the players'."""

    def without_players(self) -> GmScreen:
        """The GM's side alone."""
        return replace(self, panels=tuple(panel for panel in self.panels if panel.side is Side.GM))


def screen_of_game(folder: Path, game: GameModel, games: Mapping[str, GameModel] | None = None) -> GmScreen:
    """Make the screen of a game, described in ``folder``; its blocks may come from other ``games``, by their ids."""
    spec, source = load_aid_spec(folder, SPEC_NAME, ScreenSpec)
    for key in ("title", "system"):
        if getattr(spec, key):
            with placed(source, key):
                raise AidError(f"{key} is for screens that belong to no system", hint="Take it away.")
    others = games or Catalog("system", {game.id: game})
    return _screen(spec, source, lambda name: others[name] if name else game)


def screen_of_file(path: Path, games: Mapping[str, GameModel]) -> tuple[GmScreen, GameModel]:
    """Make the screen that a file of the user's own describes; returns it with the game it mainly belongs to."""
    spec, source = load_aid_spec(path.parent, path.name, ScreenSpec)
    with placed(source, "system"):
        main = _main_game(spec, games)
    return _screen(spec, source, lambda name: games[name] if name else main), main


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


GameOf = Callable[[str], GameModel]
"""Finds a game by its id; "" stands for the game that the screen belongs to."""


def _screen(spec: ScreenSpec, source: SourceFile, game_of: GameOf) -> GmScreen:
    """A screen without the panels that cannot be made, each of which leaves its fault. Raises the first if all fail."""
    panels: list[Panel] = []
    faults: list[RefgenError] = []
    for side, name, specs in ((Side.GM, "panels", spec.panels), (Side.PLAYERS, "players", spec.players)):
        for number, panel in enumerate(specs):
            try:
                panels.append(_panel(panel, spec.edge_scale, side, source, (name, number), game_of))
            except RefgenError as fault:
                faults.append(fault)
    if not panels:
        raise faults[0]
    with placed(source, "title"):
        title = fill_placeholders(game_of(""), spec.title)
    return GmScreen(title, tuple(panels), tuple(faults))


def _panel(
    spec: PanelSpec, edge: EdgeScale | None, side: Side, source: SourceFile, place: tuple[str, int], game_of: GameOf
) -> Panel:
    blocks = []
    for number, block in enumerate(spec.blocks):
        path = (*place, "blocks", number)
        with placed(source, *path):
            shown = make_block(game_of(block.system), block)
        place_of_block = locate(source, path)
        blocks.append(PanelBlock(shown, block.importance, block.smallest, block.with_next, place_of_block))
    with placed(source, *place):
        title = fill_placeholders(game_of(spec.blocks[0].system), spec.title)
    with placed(source, *((*place, "edge_scale") if spec.edge_scale else ("edge_scale",))):
        steps = tuple(_edge(spec.edge_scale or edge, game_of))
    return Panel(title, tuple(blocks), steps, _source(spec.blocks, game_of), side, locate(source, place))


def _source(blocks: Sequence[PanelBlockSpec], game_of: GameOf) -> str:
    """The sentence about the sources of a panel: each document of its blocks, and how figures are rounded."""
    systems = [SystemInfo.of(game_of(name)) for name in dict.fromkeys(block.system for block in blocks)]
    sources = dict.fromkeys(f"{system.source}." for system in systems)
    return " ".join([*sources, systems[0].rounding])


def _edge(edge: EdgeScale | None, game_of: GameOf) -> Iterator[EdgeStep]:
    if edge is None:
        return
    spec = edge if isinstance(edge, EdgeScaleSpec) else EdgeScaleSpec(ladder=edge)
    game = game_of(spec.system)
    yield from ladder_steps(game.ladders[spec.ladder]) if spec.ladder else _columns(game, spec)


def _columns(game: GameModel, spec: EdgeScaleSpec) -> Iterator[EdgeStep]:
    """The steps of an edge from two columns of a table: a value and a name for each row."""
    block = show_table(game.tables[spec.table or ""], [spec.value or "", spec.name or ""], marks=game.marks)
    for value, name in block.rows[:: spec.every]:
        yield value.text, name.text
