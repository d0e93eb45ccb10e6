"""GM screens.

In: a ScreenSpec and a Shelf. Out: a GmScreen: panels, each with its columns of blocks and the ladder for its edge.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from refgen.aids.blocks import Block, Shelf, ladder_steps, make_block, shares
from refgen.aids.load import load_aid_spec, placed
from refgen.aids.schema import PanelSpec, ScreenSpec
from refgen.errors import AidError

SPEC_NAME = "screen.toml"


@dataclass(frozen=True, slots=True)
class PanelColumn:
    """A column of a panel: where it starts and how wide it is, in percent of the panel, and its blocks."""

    left: int
    width: int
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Panel:
    """One panel."""

    title: str
    columns: tuple[PanelColumn, ...]


@dataclass(frozen=True, slots=True)
class GmScreen:
    """A whole screen. ``edge`` is the ladder along each panel: number and name, from best to worst."""

    panels: tuple[Panel, ...]
    edge: tuple[tuple[str, str], ...]

    @property
    def part_titles(self) -> tuple[str, ...]:
        """The titles of the parts that must each fit: its panels."""
        return tuple(panel.title for panel in self.panels)


def make_screen(folder: Path, shelf: Shelf) -> GmScreen:
    """Make the screen of the system in ``folder``."""
    spec, source = load_aid_spec(folder, SPEC_NAME, ScreenSpec)
    panels = []
    for number, panel in enumerate(spec.panels):
        blocks = []
        for position, block in enumerate(panel.blocks):
            with placed(source, "panels", number, "blocks", position):
                if block.column > len(panel.widths):
                    raise AidError(f"column {block.column} of a panel with {len(panel.widths)} columns")
                blocks.append(make_block(shelf, block))
        with placed(source, "panels", number):
            panels.append(_panel(panel, shelf.words(panel.title), blocks))
    with placed(source, "edge"):
        return GmScreen(tuple(panels), _edge(shelf, spec.edge))


def _panel(spec: PanelSpec, title: str, blocks: list[Block]) -> Panel:
    columns = (
        PanelColumn(
            left,
            width,
            tuple(block for block, place in zip(blocks, spec.blocks, strict=True) if place.column == number),
        )
        for number, (left, width) in enumerate(shares(spec.widths), start=1)
    )
    return Panel(title, tuple(columns))


def _edge(shelf: Shelf, ladder: str | None) -> tuple[tuple[str, str], ...]:
    if ladder is None:
        return ()
    if ladder not in shelf.ruleset.ladders:
        raise AidError(f'there is no ladder "{ladder}"', hint=f"There are {', '.join(shelf.ruleset.ladders)}.")
    return ladder_steps(shelf.ruleset.ladders[ladder].levels)
