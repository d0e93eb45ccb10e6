"""What several commands share: their options, and what they print."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

import refgen
from refgen.errors import RefgenError, each_error
from refgen.limits import changed_limits

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


def reads_rules(command: Command) -> Command:
    """The options of every command that reads rules: ``folder``, ``documents`` and ``--limit``."""
    for option in (
        changes_limits,
        click.option(
            "--project",
            "folder",
            type=click.Path(path_type=Path, file_okay=False, exists=True),
            help="The project's folder (default: the nearest refgen.toml upward, else the bundled games).",
        ),
        click.option(
            "--document",
            "documents",
            multiple=True,
            metavar="GAME=FILE",
            help="Read FILE in place of the game's own document. May be repeated.",
        ),
    ):
        command = option(command)
    return command


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


def show_error(error: RefgenError) -> None:
    """Print an error and its hint to stderr; of a file with several errors, all of them."""
    for each in each_error(error):
        click.echo(f"{each}", err=True)
        if each.hint:
            click.echo(f"  hint: {each.hint}", err=True)
