"""``refgen screen``: GM screens, of games or of files that describe them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

import refgen
from refgen.commands.making import Making, makes_files


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
    folder: Path | None,
    documents: Sequence[str],
    making: Making,
    **chosen: Any,
) -> None:
    """Make GM screens: of GAMEs (default: all), or those that FILEs (.toml) describe.

    What is not chosen here is as [screen] in refgen.toml says; without that, on A4 and Letter, landscape, a panel a
    page, in colour, with the players' side.
    """
    project = refgen.project(folder, documents)
    files = [Path(name) for name in what if name.endswith(".toml")]
    named = {name: path for name, path in project.screens.items() if name in what or not what}
    games = [name for name in what if not name.endswith(".toml") and name not in named]
    screens = {**named, **project.named_screens(files)}
    shown = games if what else list(project.games)
    making.run(partial(project.build, making.output, shown, only=["screen"], screens=screens, **chosen))
