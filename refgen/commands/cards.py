"""``refgen cards``: decks of quick-reference cards."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from refgen.commands.making import Making, makes_files


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option(
    "--size",
    default="poker",
    show_default=True,
    help="poker, poker-us, bridge, mini, tarot, business, index, a6, a7, or your own in mm: 60x90.",
)
@click.option("--landscape", is_flag=True, help="Cards on their side.")
@click.option(
    "--imposition",
    type=click.Choice(["duplex", "fronts", "fold", "single"]),
    default="duplex",
    show_default=True,
    help="Backs behind their fronts; fronts alone; side by side to fold; or a card a page with bleed, for printers.",
)
@click.option("--paper", "papers", type=click.Choice(["a4", "letter", "a3"]), multiple=True, help="May be repeated.")
@click.option("--flip", type=click.Choice(["long", "short"]), default="long", show_default=True)
@click.option("--gutter", type=click.FloatRange(0, 20), default=0.0, metavar="MM", help="Between cards.")
@click.option(
    "--offset",
    type=(click.FloatRange(-9, 9), click.FloatRange(-9, 9)),
    default=(0.0, 0.0),
    metavar="MM MM",
    help="Shifts backs right and down, as --calibration shows.",
)
@click.option("--theme", type=click.Choice(["colour", "ink-saving"]), default="colour", show_default=True)
@click.option("--pictures", is_flag=True, help="With a PNG of each card and back, 300 dots an inch.")
@click.option("--calibration", is_flag=True, help="With a sheet that shows how far backs are off their fronts.")
@makes_files
def cards(
    games: Sequence[str],
    folder: Path | None,
    documents: Sequence[str],
    making: Making,
    **chosen: Any,
) -> None:
    """Make the decks of GAMEs (default: all): sheets to print and cut, and the cards one a page.

    Without --paper, on A4 and Letter.
    """
    from refgen.api import building

    root, output = None if folder is None else str(folder), str(making.output)
    asked = building.Asked(root, tuple(documents), output, tuple(games), ("card",), chosen={"cards": chosen})
    making.run(partial(building.build, asked))
