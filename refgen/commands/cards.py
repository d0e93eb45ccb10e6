"""``refgen cards``: decks of quick-reference cards."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import click

import refgen
from refgen.commands.making import Making, makes_files
from refgen.commands.options import ProjectChoice
from refgen.commands.options import output_format as formats

_TEXTS = ("json", "markdown", "foundry-table", "foundry-journal")
"""The formats that are printed."""


def _text(project: refgen.Project, games: Sequence[str], output_format: str) -> str:
    """A deck in one of these formats."""
    from refgen.export.deck import deck_data, deck_markdown, journal_data, roll_table_data
    from refgen.export.model import json_text

    if len(games) != 1:
        raise click.UsageError(f"--format {output_format} is for one game: name it.")
    game = project.games[games[0]]
    deck = deck_data(game, game.deck())
    match output_format:
        case "json":
            return json_text(deck)
        case "foundry-table":
            return json_text(roll_table_data(deck))
        case "foundry-journal":
            return json_text(journal_data(deck))
    return deck_markdown(deck)


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
@formats("pdf", *_TEXTS, "tabletop-simulator")
@click.option("--url", default="", help="Where the pictures of --format tabletop-simulator will lie: https://…/")
@makes_files
def cards(
    games: Sequence[str],
    output_format: str,
    choice: ProjectChoice,
    making: Making,
    **chosen: Any,
) -> None:
    """Make the decks of GAMEs (default: all): sheets to print and cut, and the cards one a page.

    Without --paper, on A4 and Letter. Other formats than pdf: what one GAME's cards say, as JSON, Markdown, or a table
    or journal that Foundry VTT imports, is printed; for Tabletop Simulator, pictures and a saved object are made too.
    """
    from refgen.api import building

    if output_format in _TEXTS:
        click.echo(_text(choice.open(*games), games, output_format), nl=False)
        return
    chosen["tabletop"] = output_format == "tabletop-simulator"
    asked = building.BuildOrder(
        **choice.asked, output=str(making.output), games=tuple(games), only=("card",), chosen={"cards": chosen}
    )
    making.run(partial(building.build, asked))
