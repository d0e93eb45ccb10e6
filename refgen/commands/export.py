"""``refgen export``: rules and tables as Markdown files, for another site."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from refgen.commands.options import ProjectChoice, reads_rules


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("-o", "--output", type=click.Path(path_type=Path), default=Path("markdown"), show_default=True)
@click.option(
    "--for",
    "target",
    type=click.Choice(["mkdocs", "hugo"]),
    default="mkdocs",
    show_default=True,
    help="What makes a site of the files: their links and the names of their lists are its own.",
)
@reads_rules
def export(games: Sequence[str], output: Path, target: str, choice: ProjectChoice) -> None:
    """Write the rule documents and tables of GAMES (default: all) as Markdown files, for a site of your own.

    A page each, with its title and source as front matter, and links among them. The output is a folder for MkDocs'
    docs or Hugo's content; what an earlier export wrote there is replaced.
    """
    result = choice.open(*games).export(output, games, target=target)
    click.echo(f"{len(result.files)} files: {output}")
