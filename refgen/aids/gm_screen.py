"""GM screens.

In: a screen.toml, and the shelf of each system that it takes from. Out: a GmScreen: panels, each with its blocks in
the order in which they are read, and what runs along its edge. How the blocks are set is the renderer's affair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from refgen.aids.blocks import Block, Shelf, ladder_steps, make_block, show_table
from refgen.aids.imprint import Imprint
from refgen.aids.load import load_aid_spec, placed
from refgen.aids.schema import SMALLEST, Edge, EdgeSpec, Importance, PanelBlockSpec, PanelSpec, ScreenSpec
from refgen.errors import AidError, RefgenError
from refgen.rules.toml import locate
from refgen.source import SourceFile
from refgen.span import Span

SPEC_NAME = "screen.toml"


class Side(StrEnum):
    """Who sees a panel."""

    GM = "panel"
    PLAYERS = "players’ side"


@dataclass(frozen=True, slots=True)
class PanelBlock:
    """A block of a panel; ``smallest`` in points, ``place`` in the file that describes the screen.

    One ``with_next`` stands in the same column as the next.
    """

    block: Block
    importance: Importance = Importance.USUAL
    smallest: float = SMALLEST
    with_next: bool = False
    place: Span | None = field(default=None, compare=False)


EdgeStep = tuple[str, str]
"""A value, and its name."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One panel. ``edge`` runs along it from top to bottom; ``source`` says where its figures come from."""

    title: str
    blocks: tuple[PanelBlock, ...]
    edge: tuple[EdgeStep, ...] = ()
    source: str = ""
    side: Side = Side.GM
    place: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class GmScreen:
    """A whole screen: the GM's panels, then the players'. ``faults`` say why panels are missing."""

    title: str
    panels: tuple[Panel, ...]
    faults: tuple[RefgenError, ...] = field(default=(), compare=False)


ShelfOf = Callable[[str], Shelf]
"""Finds the shelf of a system by its name. Raises RefgenError for one that is not there."""


def make_screen(folder: Path, shelf: Shelf) -> GmScreen:
    """Make the screen of the system in ``folder``, from that system alone."""
    return screen_of_system(folder, shelf, lambda name: _refused(name, shelf))


def _refused(name: str, shelf: Shelf) -> Shelf:
    if name == shelf.ruleset.id:
        return shelf
    raise AidError(f'there is no system "{name}"')


def screen_of_system(folder: Path, own: Shelf, shelf_of: ShelfOf) -> GmScreen:
    """Make the screen of the system in ``folder``, which may take blocks from others."""
    spec, source = load_aid_spec(folder, SPEC_NAME, ScreenSpec)
    for key in ("title", "system"):
        if getattr(spec, key):
            with placed(source, key):
                raise AidError(f"{key} is for screens that belong to no system", hint="Take it away.")
    return _screen(spec, source, lambda name: shelf_of(name) if name else own)


def screen_of_file(path: Path, shelf_of: ShelfOf) -> tuple[GmScreen, str]:
    """Make the screen that a file of the user's own describes; and the system it mainly belongs to."""
    spec, source = load_aid_spec(path.parent, path.name, ScreenSpec)
    with placed(source, "system"):
        main = _main_system(spec, shelf_of)
    return _screen(spec, source, lambda name: shelf_of(name or main)), main


def _main_system(spec: ScreenSpec, shelf_of: ShelfOf) -> str:
    """The system that the screen names, else the first of its blocks that is there."""
    named = [spec.system] if spec.system else [block.system for panel in spec.panels for block in panel.blocks]
    faults = []
    for name in filter(None, named):
        try:
            shelf_of(name)
        except RefgenError as fault:
            faults.append(fault)
        else:
            return name
    if faults:
        raise faults[0]
    raise AidError("the screen names no system", hint='Write system = "…" at the top of the file.')


def _screen(spec: ScreenSpec, source: SourceFile, shelf_of: ShelfOf) -> GmScreen:
    """Panels that cannot be made are left out, each with its fault. Raises the fault when there is no other panel."""
    panels: list[Panel] = []
    faults: list[RefgenError] = []
    for side, name, specs in ((Side.GM, "panels", spec.panels), (Side.PLAYERS, "players", spec.players)):
        for number, panel in enumerate(specs):
            try:
                panels.append(_panel(panel, spec.edge, side, source, (name, number), shelf_of))
            except RefgenError as fault:
                faults.append(fault)
    if not panels:
        raise faults[0]
    return GmScreen(spec.title, tuple(panels), tuple(faults))


def _panel(
    spec: PanelSpec, edge: Edge | None, side: Side, source: SourceFile, place: tuple[str, int], shelf_of: ShelfOf
) -> Panel:
    blocks = []
    for number, block in enumerate(spec.blocks):
        path = (*place, "blocks", number)
        with placed(source, *path):
            shown = make_block(shelf_of(block.system), block)
        place_of_block = locate(source, path)
        blocks.append(PanelBlock(shown, block.importance, block.smallest, block.with_next, place_of_block))
    with placed(source, *place):
        title = shelf_of(spec.blocks[0].system).words(spec.title)
    with placed(source, *((*place, "edge") if spec.edge else ("edge",))):
        steps = tuple(_edge(spec.edge or edge, shelf_of))
    return Panel(title, tuple(blocks), steps, _source(spec.blocks, shelf_of), side, locate(source, place))


def _source(blocks: Sequence[PanelBlockSpec], shelf_of: ShelfOf) -> str:
    """The documents that a panel takes from, each once."""
    imprints = {name: Imprint.of(shelf_of(name).ruleset) for name in dict.fromkeys(block.system for block in blocks)}
    sources = dict.fromkeys(f"{own.source}." for own in imprints.values())
    return " ".join([*sources, next(iter(imprints.values())).rounding])


def _edge(edge: Edge | None, shelf_of: ShelfOf) -> Iterator[EdgeStep]:
    if edge is None:
        return
    spec = edge if isinstance(edge, EdgeSpec) else EdgeSpec(ladder=edge)
    shelf = shelf_of(spec.system)
    yield from _ladder(shelf, spec.ladder) if spec.ladder else _columns(shelf, spec)


def _ladder(shelf: Shelf, ladder: str) -> Sequence[EdgeStep]:
    if ladder not in shelf.ruleset.ladders:
        raise AidError(f'there is no ladder "{ladder}"', hint=f"There are {', '.join(shelf.ruleset.ladders)}.")
    return ladder_steps(shelf.ruleset.ladders[ladder].levels)


def _columns(shelf: Shelf, spec: EdgeSpec) -> Iterator[EdgeStep]:
    """The rows of a table, by two of its columns."""
    block = show_table(shelf.table(spec.table or ""), [spec.value or "", spec.name or ""], marks=shelf.marks)
    for value, name in block.rows[:: spec.every]:
        yield value.text, name.text
