"""``refgen session``: a page for the table tonight."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import click

from refgen.commands.making import Making, makes_files
from refgen.commands.options import ProjectChoice
from refgen.commands.sheet import only_game, parted


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME]... [CHARACTER]...")
@click.option("--paper", "papers", type=click.Choice(["a4", "letter", "a5"]), multiple=True, help="May be repeated.")
@click.option(
    "--theme", type=click.Choice(["colour", "ink-saving", "large-print"]), default="colour", show_default=True
)
@makes_files
def session(games: Sequence[str], papers: Sequence[str], theme: str, choice: ProjectChoice, making: Making) -> None:
    """Make the session sheets of GAMEs (default: all): combatants, rounds, the party, and what is rolled on.

    The CHARACTERs are files (TOML, JSON, or CSV with a row each) of one GAME: they are filled in, side by side, with
    the exact chances to act before each other; those with errors are told and left out. Without any, all lines are
    blank. session.toml of a game says what stands there; a game without one has a sensible sheet all the same.
    """
    names, files = parted(games)
    if files:
        names = [only_game(choice.open(*names), names)]
    from refgen.api import building

    asked = building.BuildOrder(
        **choice.asked,
        output=str(making.output),
        games=tuple(names),
        only=("session",),
        papers=tuple(papers),
        chosen={"chosen": {"session": {"theme": theme}}},
        inputs={"session": [str(file) for file in files]},
    )
    making.run(partial(building.build, asked))
