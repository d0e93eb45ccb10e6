"""``refgen init``: a game of one's own, from its rule documents.

In: files, folders and patterns. Out: the files of a game in a project, and what refgen read and proposed, on stdout.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

import refgen
from refgen.catalog import counted
from refgen.commands.completion import EXAMPLES
from refgen.commands.options import BAD_INPUT, changes_limits, echo_lines, from_here, show_error, show_warnings
from refgen.errors import RefgenError

if TYPE_CHECKING:
    from refgen.pipeline.new_game import NewGame

MOST_NAMED = 12
"""Uncertain proposals, and files left out, that are named."""


_NO_NAME = "\0"
"""The value of --example without a name."""


class _Example(click.Option):
    """The option that names an example: the list of examples is read when somebody asks for help."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        from refgen.api.project import example_names

        self.help = f"Begin with a small complete game in place of FILEs: {', '.join(example_names())}."
        return super().get_help_record(ctx)


@click.command(short_help="Begin a game of your own, from its rule documents.")
@click.argument("files", nargs=-1, metavar="[FILE|DIR|PATTERN]...")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(),
    show_default=True,
    help="The folder of the project; it is made if it is not there.",
)
@click.option(
    "--example", cls=_Example, default="", metavar="NAME", is_flag=False, flag_value=_NO_NAME, shell_complete=EXAMPLES
)
@click.option("--title", default="", help="The title of the game (default: that of the documents).")
@click.option("--name", default="", help="The name of its folder in content/ (default: its title).")
@click.option("-y", "--yes", is_flag=True, help="Ask nothing.")
@click.option("--dry-run", is_flag=True, help="Say what would be written; write nothing.")
@changes_limits
def init(files: Sequence[str], output: Path, example: str, title: str, name: str, yes: bool, dry_run: bool) -> None:
    """Begin a game of your own from its rule documents, or without FILEs with a small complete game to change.

    Every cell of every FILE is read. The project has a refgen.toml, and in content/NAME the documents, system.toml (the
    meaning of the tables), screen.toml, sheet.toml, cards.toml and proof.toml. Above each proposal stands the evidence;
    uncertain proposals are commented out. The screen is made at once. Changed documents are proposed again: your own
    changes stay. Where the tables have letters that no font of refgen has, a font of this machine is offered, to be
    copied into the project.
    """
    if example == _NO_NAME:
        from refgen.api.project import example_names

        raise click.UsageError(f"Name an example: --example {' or '.join(example_names())}.")
    if example and files:
        raise click.UsageError("name FILEs or --example, not both")
    game = refgen.propose(files, output, name=name, title=title, example=example)
    if files and not (title or yes or dry_run) and sys.stdin.isatty():
        asked = click.prompt("Title of the game", default=game.title)
        if asked != game.title:
            game = refgen.propose(files, output, name=name, title=asked)
    if files and game.unset and not (yes or dry_run) and sys.stdin.isatty() and _take_font(game):
        game = refgen.propose(files, output, name=game.id, title=game.title)
    if dry_run:
        echo_lines([*_lines(game), "Nothing was written."])
        show_warnings(game.unset)
        return
    game.write()
    _tell(_lines(game))
    with _maybe_unread(err=True):
        show_warnings(game.unset)
    is_made = _make_screen(game, output)
    _tell(_next_commands(game, output))
    if not is_made:
        sys.exit(BAD_INPUT)


def _tell(lines: Iterable[str]) -> None:
    """Print lines, as far as they are read."""
    with _maybe_unread():
        echo_lines(lines)


@contextmanager
def _maybe_unread(*, err: bool = False) -> Iterator[None]:
    """Go on where nobody reads stdout (``err``: stderr) any more, as behind ``| head``: the project is made whole."""
    try:
        yield
    except BrokenPipeError:
        sys.stderr, sys.stdout = (None, sys.stdout) if err else (sys.stderr, None)


def _take_font(game: NewGame) -> bool:
    """Ask whether a font of this machine is copied into the project, and copy it with a look.toml that names it."""
    font = game.machine_font
    if font is None:
        return False
    question = (
        f"No font of refgen has {len(game.unset_letters)} letters of the tables. Copy {font.family} of this machine"
    )
    if not click.confirm(f"{question} into the project?", default=True):
        return False
    game.write_font(font)
    return True


def _make_screen(game: NewGame, output: Path) -> bool:
    """Make the screen of a game in a project where nothing was built before; whether all of it could be made."""
    target = output / "build"
    if target.exists():
        return True
    with _maybe_unread(err=True):
        click.echo("Making the screen …", err=True)
    settings = refgen.BuildSettings(output=target, games=[game.id], only=["screen"])
    try:
        result = refgen.project(output).build(settings)
    except RefgenError as error:
        show_error(error)
        return False
    with _maybe_unread(err=True):
        for fault in result.errors:
            show_error(fault)
    _tell(f"Screen: {from_here(target / file)}" for file in result.to_print)
    return not result.errors


def _lines(game: NewGame) -> Iterator[str]:
    """The files that are left out and those that are made, and the proposals to look over."""
    yield f"{game.title}: {counted(game.tables, 'table')}, {counted(game.actions, 'action')}"
    for file, reason in game.left_out[:MOST_NAMED]:
        yield f"  left out   {file}: {reason}"
    if len(game.left_out) > MOST_NAMED:
        yield f"  left out   {counted(len(game.left_out) - MOST_NAMED, 'more file')}"
    for change in game.changes:
        conflicts = f": {change.conflicts} to look at" if change.conflicts else ""
        yield f"  {change.state:<10} {change.path}{conflicts}"
    yield from _list_lines(
        "Printed otherwise than most numbers beside it, a question of `refgen check`:", game.differing
    )
    yield from _list_lines("Not sure, and commented out in system.toml or proof.toml:", game.uncertain)


def _list_lines(title: str, entries: Sequence[str]) -> Iterator[str]:
    """A title and the first of some entries; nothing without entries."""
    if entries:
        yield title
        yield from (f"  {line}" for line in entries[:MOST_NAMED])
    if len(entries) > MOST_NAMED:
        yield f"  and {len(entries) - MOST_NAMED} more"


def _next_commands(game: NewGame, output: Path) -> Iterator[str]:
    there = [] if output == Path() else [f"cd {output}"]
    yield "Next:"
    for command in (*there, "refgen serve --open", f"refgen check {game.id}", "refgen build"):
        yield f"  {command}"
