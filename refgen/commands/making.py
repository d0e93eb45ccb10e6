"""What the commands that make play aids share: their options, the progress they show, and what they say at the end."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

import refgen
from refgen.commands.options import BAD_INPUT, FINDINGS, Command, reads_rules, show_error

if TYPE_CHECKING:
    from refgen.pipeline.progress import Progress


@dataclass(frozen=True, slots=True)
class Making:
    """How files are made: where to, on what, and what is said of it."""

    output: Path
    jobs: int | None
    executor: str
    strict: bool
    quiet: bool

    def run(self, build: Callable[..., refgen.BuildResult], *, compares: bool = False) -> None:
        """Build (or only compare), say what came of it, and exit with what that means."""
        try:
            with _progress(self.quiet) as progress:
                result = build(progress=progress, jobs=self.jobs, executor=self.executor)
        except KeyboardInterrupt:
            state = "is as the last whole build left it" if self.output.exists() else "was not made"
            click.echo(f"stopped: {self.output} {state}", err=True)
            raise
        _tell(result)
        findings = sum(result.findings.values())
        if not self.quiet:
            click.echo(_summary(result, self.output, findings, compares=compares))
        if result.errors:
            sys.exit(BAD_INPUT)
        if result.differences or (self.strict and (findings or result.mismatches)):
            sys.exit(FINDINGS)

    def fill(self, fill: Callable[..., refgen.BuildResult]) -> None:
        """Fill sheets, say what came of it, and exit with 2 where a character was left out or is not wholly right."""
        with _progress(self.quiet) as progress:
            result = fill(progress=progress, jobs=self.jobs)
        for error in result.errors:
            show_error(error)
        if not self.quiet:
            for note in result.notes:
                click.echo(f"note: {note}", err=True)
            click.echo(f"{len(result.files)} files: {result.files[0] if result.files else 'none'}")
        if result.errors:
            sys.exit(BAD_INPUT)


def makes_files(command: Command) -> Command:
    """The options of every command that makes play aids, passed on as ``making``."""
    names = [field.name for field in fields(Making)]

    @wraps(command)
    def made(**options: Any) -> Any:
        return command(making=Making(**{name: options.pop(name) for name in names}), **options)

    for option in _OPTIONS:
        made = option(made)
    return cast(Command, made)


_OPTIONS = (
    reads_rules,
    click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors."),
    click.option("-o", "--output", type=click.Path(path_type=Path), default=Path("build"), show_default=True),
    click.option("--strict", is_flag=True, help="Exit with 1 for findings, and for pages that differ from the tables."),
    click.option(
        "--executor",
        metavar="WHERE",
        default="local",
        show_default=True,
        help="Processes of this machine, or dask://HOST:PORT: the scheduler of a cluster.",
    ),
    click.option(
        "--jobs",
        type=click.IntRange(1, 64),
        help="Steps at a time (default: one for each core; of a cluster, each thread). With 1, no process is started.",
    ),
)


def _tell(result: refgen.BuildResult) -> None:
    """What went wrong, to stderr; how the output differs, to stdout."""
    for error in result.errors:
        show_error(error)
    for mismatch in result.mismatches:
        click.echo(f"warning: {mismatch}", err=True)
    if result.fault:
        click.echo(f"warning: nothing is kept for the next build: {result.fault}", err=True)
    for difference in result.differences:
        click.echo(difference)


def _summary(result: refgen.BuildResult, output: Path, findings: int, *, compares: bool) -> str:
    """What came of a build, in a line."""
    if compares:
        return f"{output}: {len(result.differences)} differences" if result.differences else f"{output} is up to date"
    kept = f", {len(result.kept)} of {len(result.kept) + len(result.made)} aids as they were" if result.kept else ""
    return f"{len(result.files)} files{kept}, {findings} findings (refgen check shows them): {output}/{result.first}"


@contextmanager
def _progress(quiet: bool) -> Iterator[Progress]:
    """A progress bar on a terminal, a line for each piece of work elsewhere, nothing when quiet."""
    if quiet:
        yield lambda _name, _done, _total: None
        return
    if not sys.stderr.isatty():
        yield lambda name, done, total: click.echo(f"[{done}/{total}] {name}", err=True)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
    with Bar(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
        task = bar.add_task("reading rules", total=None)
        bar.refresh()
        yield lambda name, done, total: bar.update(task, total=total, completed=done, description=name, refresh=True)
