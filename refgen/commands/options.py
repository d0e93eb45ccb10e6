"""Options and output that several commands share.

In: the options ``--project``, ``--bundled``, ``--document``, ``--format`` and ``--limit``. Out: a Project; lines, JSON
and errors on stdout and stderr. In: the events of steps, errors, and the result of a build. Out: a log on stderr, a
line for each step.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

import click

import refgen
from refgen.catalog import counted
from refgen.commands.completion import DOCUMENTS
from refgen.errors import RefgenError, each_error
from refgen.limits import changed_limits

if TYPE_CHECKING:
    from refgen.api.settings import BuildOrder, BuildSettings
    from refgen.pipeline.result import Event

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
        """The letters for dice besides d that hold in all of the project; none without a project."""
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
            shell_complete=DOCUMENTS,
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


def from_here(path: Path) -> str:
    """A path within the current folder without the name of that folder; a path outside the folder as it is written."""
    whole, here = path.absolute(), Path.cwd()
    return str(whole.relative_to(here) if whole.is_relative_to(here) else path)


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


def show_warnings(errors: Sequence[RefgenError]) -> None:
    """Print errors that end nothing to stderr as warnings, and each hint once."""
    for error in errors:
        click.echo(f"warning: {error}", err=True)
    for hint in dict.fromkeys(error.hint for error in errors if error.hint):
        click.echo(f"  hint: {hint}", err=True)


SLOWEST = 10
"""How many steps a profile names."""

MessageKind = Literal["warning", "note", "stopped"]
"""The kind of a message: a note is left out by a quiet log."""


class Times:
    """The steps of a build that came to an end, and the time that each took."""

    def __init__(self) -> None:
        self._start = time.perf_counter()
        self._ended: list[Event] = []
        self._kept: list[Event] = []

    def add(self, event: Event) -> None:
        """Take note of an event of a step."""
        if event.state in ("done", "failed"):
            self._ended.append(event)
        elif event.state == "kept":
            self._kept.append(event)

    @property
    def passed(self) -> float:
        """The seconds since the build began."""
        return time.perf_counter() - self._start

    def by_kind(self) -> Mapping[str, float]:
        """The seconds of work by kind of step, most first."""
        found: dict[str, float] = {}
        for event in self._ended:
            found[event.kind] = found.get(event.kind, 0.0) + event.seconds
        return dict(sorted(found.items(), key=lambda item: -item[1]))

    def profile(self) -> Iterator[str]:
        """A table of the kinds, and the slowest steps."""
        total = sum(self.by_kind().values())
        yield f"{'kind':<10}{'made':>6}{'kept':>6}{'seconds':>10}{'share':>8}"
        for kind, seconds in self.by_kind().items():
            made, kept = (sum(event.kind == kind for event in events) for events in (self._ended, self._kept))
            yield f"{kind:<10}{made:>6}{kept:>6}{seconds:>10.2f}{seconds / total if total else 0:>8.0%}"
        yield f"{total:.2f} s of work in {self.passed:.2f} s"
        yield "the slowest steps:"
        for event in sorted(self._ended, key=lambda event: -event.seconds)[:SLOWEST]:
            yield f"{event.seconds:>8.2f} s  {event.kind} {event.step}"


class TextLog:
    """A log for people: a line for each step that ends. A ``quiet`` log tells only errors and warnings.

    ``output`` is the folder that is built.
    """

    for_machines = False

    def __init__(self, output: Path, *, quiet: bool = False) -> None:
        self.output = output
        self.quiet = quiet
        self.times = Times()

    @contextmanager
    def steps(self) -> Iterator[Callable[[Event], None]]:
        """Give the function that is to be called with the events of steps."""

        def listen(event: Event) -> None:
            self.times.add(event)
            if not self.quiet:
                self._show_step(event)

        yield listen

    def error(self, error: RefgenError) -> None:
        """Tell what went wrong."""
        show_error(error)

    def message(self, kind: MessageKind, text: str) -> None:
        """Tell something that the user should know."""
        if not self.quiet or kind != "note":
            self._show_message(kind, text)

    def end(self, result: refgen.BuildResult) -> None:
        """Tell how the build or the filling of sheets ended."""
        if not self.quiet:
            self._show_end(result)

    def _show_step(self, event: Event) -> None:
        if event.state != "begun":
            click.echo(in_words(event), err=True)

    def _show_message(self, kind: MessageKind, text: str) -> None:
        click.echo(f"{kind}: {text}", err=True)

    def _show_end(self, result: refgen.BuildResult) -> None:
        if result.files and (kinds := self.times.by_kind()):
            spent = ", ".join(f"{kind} {seconds:.1f} s" for kind, seconds in kinds.items() if seconds)
            made = f"{counted(len(result.files), 'file')} in {self.times.passed:.1f} s"
            click.echo(f"{made}: {spent}" if spent else made, err=True)


def in_words(event: Event) -> str:
    """The event of a step, in a line."""
    name = event.step if event.kind == event.step or event.total else f"{event.kind} {event.step}"
    if event.state in ("kept", "again", "failed"):
        return f"{event.state} {event.step}{f': {event.reason}' if event.reason else ''}"
    far = f"[{event.done}/{event.total}] " if event.total else ""
    return f"{far}{name}{f', {event.seconds:.1f} s' if event.seconds else ''}"
