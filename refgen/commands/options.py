"""Options and output that several commands share.

In: the options ``--project``, ``--bundled``, ``--document``, ``--format`` and ``--limit``. Out: a Project; lines, JSON
and errors on stdout and stderr.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

import refgen
from refgen.errors import RefgenError, each_error
from refgen.limits import changed_limits

if TYPE_CHECKING:
    from refgen.api.settings import BuildOrder, BuildSettings

FINDINGS = 1
BAD_INPUT = 2

Command = TypeVar("Command", bound=Callable[..., Any])


def changes_limits(command: Command) -> Command:
    """The option ``--limit``, in force while the command runs."""
    option = click.option(
        "--limit",
        "limit_changes",
        multiple=True,
        metavar="NAME=NUMBER",
        expose_value=False,
        callback=_change_limits,
        help="Let a limit have another number. May be repeated.",
    )
    return option(command)


def _change_limits(context: click.Context, _option: click.Parameter, changes: tuple[str, ...]) -> None:
    if changes:
        context.with_resource(changed_limits(changes))


@dataclass(frozen=True, slots=True)
class ProjectChoice:
    """Which project a command reads: that in a folder (None: the nearest one upward) or the bundled games.

    ``documents`` are texts "GAME=FILE", each read in place of a game's own.
    """

    folder: Path | None
    documents: Sequence[str]
    bundled: bool

    def open(self, *games: str) -> refgen.Project:
        """The project, for a command that names some games; without a project, bundled games may be named."""
        return refgen.project(self.folder, self.documents, bundled=self.bundled, names=games)

    @property
    def dice_letters(self) -> tuple[str, ...]:
        """The letters for dice besides d that refgen.toml says; none without a project."""
        from refgen.api.building import dice_letters

        return () if self.bundled else dice_letters(self.folder)

    def order(self, settings: BuildSettings) -> BuildOrder:
        """The order of a build of this project."""
        from refgen.api.settings import BuildOrder

        folder = None if self.folder is None else str(self.folder)
        return BuildOrder(settings, folder, tuple(self.documents), self.bundled)


def reads_rules(command: Command) -> Command:
    """The options of every command that reads rules: ``choice``, a ProjectChoice, and ``--limit``."""
    names = [field.name for field in fields(ProjectChoice)]

    @wraps(command)
    def chosen(**options: Any) -> Any:
        choice = ProjectChoice(**{name: options.pop(name) for name in names})
        if choice.bundled and choice.folder is not None:
            raise click.UsageError("--bundled takes the bundled games in place of a project: leave --project out")
        return command(choice=choice, **options)

    made: Any = chosen
    for option in (
        changes_limits,
        click.option(
            "--project",
            "folder",
            type=click.Path(path_type=Path, file_okay=False, exists=True),
            help="The project's folder (default: that of the nearest refgen.toml upward).",
        ),
        click.option("--bundled", is_flag=True, help="Take the games that come with refgen: all, or those named."),
        click.option(
            "--document",
            "documents",
            multiple=True,
            metavar="GAME=FILE",
            help="Read FILE in place of the game's own document. May be repeated.",
        ),
    ):
        made = option(made)
    return cast(Command, made)


def output_format(*formats: str) -> Callable[[Command], Command]:
    """The option ``--format``, passed on as ``output_format``; the first format is the usual one."""
    return click.option("--format", "output_format", type=click.Choice(formats), default=formats[0], show_default=True)


def echo_editions(games: Iterable[refgen.Game]) -> None:
    """Say to stderr by which phrasings another document was read, where the game's own do not fit."""
    for game in games:
        if game.ruleset.edition:
            click.echo(f"{game.id}: read with phrasings/{game.ruleset.edition}.toml", err=True)


def echo_notes(notes: Iterable[str]) -> None:
    """Say to stderr what somebody who reads the answer must know."""
    for note in notes:
        click.echo(f"note: {note}", err=True)


def echo_lines(lines: Iterable[str]) -> None:
    """Print lines to stdout."""
    for line in lines:
        click.echo(line)


def echo_json(data: Mapping[str, Any]) -> None:
    """Print data as JSON to stdout."""
    click.echo(json.dumps(data, ensure_ascii=False, indent=1))


def echo_answer(
    output_format: str, data: Callable[..., Mapping[str, Any]], lines: Callable[..., Iterable[str]], *asked: Any
) -> None:
    """Print the answer to what is ``asked``: as JSON, or in lines of text."""
    if output_format == "json":
        echo_json(data(*asked))
    else:
        echo_lines(lines(*asked))


def show_error(error: RefgenError) -> None:
    """Print an error and its hint to stderr; of a file with several errors, all of them."""
    for each in each_error(error):
        click.echo(f"{each}", err=True)
        if each.hint:
            click.echo(f"  hint: {each.hint}", err=True)
