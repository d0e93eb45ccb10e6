"""``refgen look``: the looks that ship with refgen, listed, previewed and copied.

In: options. Out: names on stdout; a picture of a game in a look; or a look.toml in the project.
"""

from __future__ import annotations

from pathlib import Path

import click

import refgen
from refgen.commands import completion
from refgen.commands.options import ProjectChoice, echo_lines, reads_rules


@click.command(short_help="List, show or copy colours and fonts to begin with.")
@click.argument("name", required=False, default="", shell_complete=completion.LOOKS)
@click.argument("game", required=False, default="", shell_complete=completion.GAMES)
@click.option("--copy", "copies", is_flag=True, help="Write it as look.toml beside refgen.toml, or into the GAME.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="The picture [default: NAME.png]."
)
@reads_rules
def look(name: str, game: str, copies: bool, output: Path | None, choice: ProjectChoice) -> None:
    """List the looks that ship with refgen; or show the look NAME as a picture: a panel, a sheet and cards of a GAME.

    Without GAME the first game of the project is shown. A look is a look.toml: with --copy it becomes yours to change.
    """
    if not name:
        looks = refgen.Project.looks()
        echo_lines([f"{each:<12} {about}" for each, about in looks.items()])
        return
    project = choice.open(*filter(None, [game]))
    if copies:
        echo_lines([str(project.copy_look(name, game))])
        return
    from refgen.api.building import write_whole

    path = output or Path(f"{name}.png")
    write_whole(path, project.preview_look(name, game))
    echo_lines([str(path)])
