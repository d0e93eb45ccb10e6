"""``refgen screen``: GM screens, of games or of files that describe them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import click

from refgen.commands.making import Making, makes_files
from refgen.commands.options import ProjectChoice


@click.command()
@click.argument("what", nargs=-1, metavar="[GAME|FILE]...")
@click.option("--paper", "papers", type=click.Choice(["a4", "letter", "a5"]), multiple=True, help="May be repeated.")
@click.option("--orientation", type=click.Choice(["landscape", "portrait"]))
@click.option(
    "--imposition", type=click.Choice(["pages", "sheet"]), help="A panel a page, or all side by side to fold."
)
@click.option("--theme", type=click.Choice(["colour", "ink-saving", "large-print"]))
@click.option("--players/--no-players", default=None, help="With the players' side, or without.")
@makes_files
def screen(
    what: Sequence[str],
    choice: ProjectChoice,
    making: Making,
    **chosen: Any,
) -> None:
    """Make GM screens: of GAMEs (default: all), or those that FILEs (.toml) describe.

    What is not chosen here is as [screen] in refgen.toml says; without that, on A4 and Letter, landscape, a panel a
    page, in colour, with the players' side.
    """
    from refgen.api import building

    papers = tuple(chosen.pop("papers"))
    asked = building.ScreenOrder(
        **choice.asked, output=str(making.output), games=tuple(what), only=("screen",), papers=papers, chosen=chosen
    )
    making.run(partial(building.build, asked))
