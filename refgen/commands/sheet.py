"""``refgen sheet``: the sheets of games, and files to begin their characters with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

import refgen
from refgen.commands.making import makes_files, run
from refgen.commands.options import echo_editions


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--paper", "papers", type=click.Choice(["a4", "letter"]), multiple=True, help="May be repeated.")
@click.option("--new", "name", metavar="NAME", help="Write a file to begin a character of one GAME with.")
@makes_files
def sheet(
    games: Sequence[str],
    papers: Sequence[str],
    name: str | None,
    folder: Path | None,
    documents: Sequence[str],
    output: Path,
    jobs: int | None,
    strict: bool,
    quiet: bool,
) -> None:
    """Make the blank sheets of GAMEs (default: all), or begin a character.

    A character is a file (TOML, JSON, or CSV with a row each). --new writes one into this folder, with every field of
    the sheet and what may stand in it.
    """
    project = refgen.project(folder, documents)
    if name is not None:
        _begin(project, games, name)
        return
    run(
        lambda progress: project.build(output, games, only=["sheet"], papers=papers, jobs=jobs, progress=progress),
        output,
        strict=strict,
        quiet=quiet,
    )


def _begin(project: refgen.Project, games: Sequence[str], name: str) -> None:
    """Write the file of a new character; one that is there already stays as it is."""
    if len(games) != 1:
        raise click.UsageError("--new takes one GAME: refgen sheet atari-isev --new Orlin")
    game = project.games[games[0]]
    echo_editions([game])
    path = game.begin_character(name)
    click.echo(str(path))
