"""``refgen sheet``: the sheets of games, and files to begin their characters with."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

import refgen
from refgen.commands.making import Making, makes_files
from refgen.commands.options import ProjectChoice, echo_editions

SUFFIXES = (".toml", ".json", ".csv", ".tsv")
"""What the names of files of characters end in."""


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME]... [FILE]...")
@click.option("--paper", "papers", type=click.Choice(["a4", "letter"]), multiple=True, help="May be repeated.")
@click.option(
    "--theme", type=click.Choice(["colour", "ink-saving", "large-print"]), default="colour", show_default=True
)
@click.option("--new", "name", metavar="NAME", help="Write a file to begin a character of one GAME with.")
@click.option("--ready", is_flag=True, help="Fill the sheets of the characters that come with one GAME.")
@click.option("--flatten/--editable", default=False, help="Filled sheets for print, or with fields (default).")
@click.option("--merge", type=click.Path(path_type=Path, dir_okay=False), help="All characters in this one PDF.")
@click.option(
    "--calculate",
    is_flag=True,
    help="Computed fields of PDFs follow what is typed, in viewers that run their scripts. "
    "Such PDFs do not claim to be PDF/UA: nobody who hears them read is told what changed.",
)
@makes_files
def sheet(
    games: Sequence[str],
    papers: Sequence[str],
    theme: str,
    name: str | None,
    ready: bool,
    flatten: bool,
    merge: Path | None,
    calculate: bool,
    choice: ProjectChoice,
    making: Making,
) -> None:
    """Make the blank sheets of GAMEs (default: all), fill those of the characters in FILEs, or begin a character.

    Blank sheets are PDFs with fields, and a page for browsers that works values out and keeps what is typed.
    A character is a file (TOML, JSON, or CSV with a row each). --new writes one into this folder (or to -o: a folder,
    or a file in .toml), with every field of the sheet and what may stand in it. With FILEs of one GAME, or --ready, the
    sheet of each character is filled, and those with errors are told and left out; --strict writes nothing then.
    """
    names, files = parted(games)
    if name is not None:
        source = click.get_current_context().get_parameter_source("output")
        here = source is click.core.ParameterSource.DEFAULT
        _begin(choice, names, name, Path() if here else making.output)
        return
    if files or ready:
        _fill(
            _one_game(choice.open(*names), names),
            files,
            papers,
            making,
            theme=theme,
            editable=not flatten,
            merge=merge,
            calculate=calculate,
        )
        return
    if flatten or merge:
        raise click.UsageError("--flatten and --merge are for characters: name their files, or --ready")
    from refgen.api import building

    chosen = {"theme": theme, "calculate": calculate}
    asked = building.BuildOrder(
        **choice.asked,
        output=str(making.output),
        games=tuple(names),
        only=("sheet",),
        papers=tuple(papers),
        chosen=chosen,
    )
    making.run(partial(building.build, asked))


def parted(arguments: Sequence[str]) -> tuple[Sequence[str], Sequence[Path]]:
    """The games and the files of characters among some arguments."""
    files = [argument for argument in arguments if Path(argument).suffix.lower() in SUFFIXES]
    return [argument for argument in arguments if argument not in files], list(map(Path, files))


def only_game(project: refgen.Project, names: Sequence[str]) -> str:
    """The game of characters: the one that is named, or the only one of the project."""
    games = list(names) or list(project.own_games)
    if len(games) != 1:
        raise click.UsageError("characters are of one GAME: refgen sheet atari-isev party.csv")
    return games[0]


def _one_game(project: refgen.Project, names: Sequence[str]) -> refgen.Game:
    """The game of characters, and which editions are read."""
    game = project.games[only_game(project, names)]
    echo_editions([game])
    return game


def _fill(game: refgen.Game, files: Sequence[Path], papers: Sequence[str], making: Making, **options: Any) -> None:
    """Fill the sheets of characters, on each paper."""
    if options["merge"] and len(papers) > 1:
        raise click.UsageError("--merge makes one file: name one --paper")
    for paper in papers or ["a4"]:
        making.fill(
            partial(game.fill_sheets, files or None, making.output, paper=paper, **options, strict=making.strict)
        )


def _begin(choice: ProjectChoice, games: Sequence[str], name: str, place: Path) -> None:
    """Write the file of a new character, to a folder or as a file; one that is there already stays as it is."""
    if len(games) != 1:
        raise click.UsageError("--new takes one GAME: refgen sheet atari-isev --new Orlin")
    game = choice.open(*games).games[games[0]]
    echo_editions([game])
    path = game.begin_character(name, place)
    click.echo(str(path))
