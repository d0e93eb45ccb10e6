"""``refgen screen``, ``sheet``, ``cards`` and ``session``: play aids of one kind, and the sheets of characters.

In: options. Out: the output folder, the file of a new character, or a deck as text.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

import refgen
from refgen.commands import completion
from refgen.commands.build_runner import BuildRunner, makes_files
from refgen.commands.options import ProjectChoice, echo_editions
from refgen.commands.options import output_format as formats


@click.command(short_help="Make GM screens.")
@click.argument("what", nargs=-1, metavar="[GAME|FILE]...", shell_complete=completion.GAMES_OR_FILES)
@click.option("--paper", "papers", type=click.Choice(["a4", "letter", "a5"]), multiple=True, help="May be repeated.")
@click.option("--orientation", type=click.Choice(["landscape", "portrait"]))
@click.option(
    "--imposition", type=click.Choice(["pages", "sheet"]), help="A panel a page, or all side by side to fold."
)
@click.option("--theme", type=click.Choice(["colour", "ink-saving", "large-print"]))
@click.option("--players/--no-players", default=None, help="With the players' side, or without.")
@click.option("--characters", multiple=True, metavar="FILE", help="The party of one GAME. May be repeated.")
@makes_files
def screen(
    what: Sequence[str], characters: Sequence[str], choice: ProjectChoice, runner: BuildRunner, **chosen: Any
) -> None:
    """Make GM screens: of GAMEs (default: all), or those that FILEs (.toml) describe.

    Options that are left out are those of [screen] in refgen.toml, or else: A4 and Letter, landscape, a panel a page,
    in colour, with the players' side. A GAME without a screen.toml has a screen of the tables that are looked up. The
    party stands on the panels that screen.toml says, or on one of its own.
    """
    papers = tuple(chosen.pop("papers"))
    names, inputs = tuple(what), {}
    if characters:
        project = choice.open(*what)
        names, inputs = tuple(project.select([only_game(project, what)])), {"screen": list(characters)}
    runner.build(
        runner.order(choice, games=names, only=("screen",), papers=papers, options={"screen": chosen}, inputs=inputs),
        names_prints=True,
    )


SUFFIXES = (".toml", ".json", ".csv", ".tsv")
"""What the names of files of characters end in."""


@click.command(short_help="Make character sheets, blank or filled.")
@click.argument("games", nargs=-1, metavar="[GAME]... [FILE]...", shell_complete=completion.GAMES_OR_FILES)
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
    games: Sequence[str], name: str | None, ready: bool, choice: ProjectChoice, runner: BuildRunner, **chosen: Any
) -> None:
    """Make the blank sheets of GAMEs (default: all), fill those of the characters in FILEs, or begin a character.

    Blank sheets are PDFs with fields, and a page for browsers that works values out and keeps all entries. A GAME
    without a sheet.toml has a sheet of the traits and skills that its tables name, and of lines to write on.
    A character is a file (TOML, JSON, or CSV with a row for each character). --new writes a new file into this folder
    (or to -o: a folder, or a file in .toml), with every field of the sheet and the values that the field may have. With
    FILEs of one GAME, or --ready, the sheet of each character is filled; characters with errors are reported and left
    out, and with --strict nothing is written.
    """
    names, files = split_arguments(games)
    if name is not None:
        source = click.get_current_context().get_parameter_source("output")
        here = source is click.core.ParameterSource.DEFAULT
        _begin(choice, names, name, Path() if here else runner.output)
        return
    if files or ready:
        _fill(_one_game(choice.open(*names), names), files, runner, **chosen)
        return
    of_characters = chosen.pop("flatten"), chosen.pop("merge")
    if any(of_characters):
        raise click.UsageError("--flatten and --merge are for characters: name their files, or --ready")
    papers = tuple(chosen.pop("papers"))
    order = runner.order(choice, games=tuple(names), only=("sheet",), papers=papers, options={"sheet": chosen})
    runner.build(order, names_prints=True)


def split_arguments(arguments: Sequence[str]) -> tuple[Sequence[str], Sequence[Path]]:
    """The games and the files of characters among some arguments."""
    files = [argument for argument in arguments if Path(argument).suffix.lower() in SUFFIXES]
    return [argument for argument in arguments if argument not in files], list(map(Path, files))


def only_game(project: refgen.Project, names: Sequence[str]) -> str:
    """The game of characters: the named game, or the only game of the project."""
    games = list(names) or list(project.own_games)
    if len(games) != 1:
        raise click.UsageError("characters are of one GAME: refgen sheet atari-isev party.csv")
    return games[0]


def _one_game(project: refgen.Project, names: Sequence[str]) -> refgen.Game:
    """The game of characters, and which editions are read."""
    game = project.games[only_game(project, names)]
    echo_editions([game])
    return game


def _fill(game: refgen.Game, files: Sequence[Path], runner: BuildRunner, papers: Sequence[str], **chosen: Any) -> None:
    """Fill the sheets of characters, on each paper."""
    if chosen["merge"] and len(papers) > 1:
        raise click.UsageError("--merge makes one file: name one --paper")
    chosen |= {"editable": not chosen.pop("flatten"), "strict": runner.strict}
    for paper in papers or (None,):
        runner.fill(partial(game.fill_sheets, files or None, runner.output, paper=paper, **chosen))


def _begin(choice: ProjectChoice, games: Sequence[str], name: str, place: Path) -> None:
    """Write the file of a new character, to a folder or as a file; an existing file is never overwritten."""
    if len(games) != 1:
        raise click.UsageError("--new takes one GAME: refgen sheet atari-isev --new Orlin")
    game = choice.open(*games).games[games[0]]
    echo_editions([game])
    path = game.begin_character(name, place)
    click.echo(str(path))


_TEXT_FORMATS = ("json", "markdown", "foundry-table", "foundry-journal")
"""The formats that are printed."""


def _deck_text(project: refgen.Project, games: Sequence[str], output_format: str) -> str:
    """A deck as text, in a format of ``_TEXT_FORMATS``."""
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


@click.command(short_help="Make decks of cards, to print or for virtual tables.")
@click.argument("games", nargs=-1, metavar="[GAME]...", shell_complete=completion.GAMES)
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
@formats("pdf", *_TEXT_FORMATS, "tabletop-simulator")
@click.option("--url", default="", help="Where the pictures of --format tabletop-simulator will lie: https://…/")
@makes_files
def cards(games: Sequence[str], output_format: str, choice: ProjectChoice, runner: BuildRunner, **chosen: Any) -> None:
    """Make the decks of GAMEs (default: all): sheets to print and cut, and the cards one a page.

    Without --paper, on A4 and Letter. A GAME without a cards.toml has a card for each row of its longest table of
    texts, if any. Other formats than pdf: what one GAME's cards say, as JSON, Markdown, or a table or journal that
    Foundry VTT imports, is printed; for Tabletop Simulator, pictures and a saved object are made too.
    """
    if output_format in _TEXT_FORMATS:
        click.echo(_deck_text(choice.open(*games), games, output_format), nl=False)
        return
    chosen["tabletop"] = output_format == "tabletop-simulator"
    runner.build(runner.order(choice, games=tuple(games), only=("card",), options={"card": chosen}), names_prints=True)


@click.command(short_help="Make a page for the table tonight.")
@click.argument("games", nargs=-1, metavar="[GAME]... [CHARACTER]...", shell_complete=completion.GAMES_OR_FILES)
@click.option("--paper", "papers", type=click.Choice(["a4", "letter", "a5"]), multiple=True, help="May be repeated.")
@click.option(
    "--theme", type=click.Choice(["colour", "ink-saving", "large-print"]), default="colour", show_default=True
)
@makes_files
def session(
    games: Sequence[str], papers: Sequence[str], theme: str, choice: ProjectChoice, runner: BuildRunner
) -> None:
    """Make the session sheets of GAMEs (default: all): combatants, rounds, the party, and what is rolled on.

    The CHARACTERs are files (TOML, JSON, or CSV with a row each) of one GAME: they are filled in, side by side, with
    the exact chances to act before each other; those with errors are reported and left out. Without any, all lines are
    blank. A session.toml of the game describes the sheet; without that file the sheet is a sensible one.
    """
    names, files = split_arguments(games)
    if files:
        names = [only_game(choice.open(*names), names)]
    runner.build(
        runner.order(
            choice,
            games=tuple(names),
            only=("session",),
            papers=tuple(papers),
            options={"session": {"theme": theme}},
            inputs={"session": [str(file) for file in files]},
        ),
        names_prints=True,
    )
