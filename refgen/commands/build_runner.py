"""The options, progress and closing summary of the commands that make play aids.

In: the options of a command. Out: a build or filled sheets, the log on stderr, the summary on stdout, the exit code.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

import refgen
from refgen.catalog import counted, first_of
from refgen.commands.options import (
    BAD_INPUT,
    FINDINGS,
    Command,
    ProjectChoice,
    TextLog,
    echo_lines,
    from_here,
    reads_rules,
)
from refgen.errors import RefgenError

if TYPE_CHECKING:
    from refgen.api.settings import BuildOrder


MOST_NAMED = 8
"""Things that the last line names."""


@dataclass(frozen=True, slots=True)
class BuildRunner:
    """Runs the build of a command: into the output folder, on the executor, with a log and a summary."""

    output: Path
    jobs: int | None
    executor: str
    strict: bool
    quiet: bool
    profile: bool
    log: TextLog

    def order(self, choice: ProjectChoice, *, cache: bool = True, **settings: Any) -> BuildOrder:
        """The order of a build into the output folder; ``settings`` are further ones of BuildSettings."""
        return choice.order(
            refgen.BuildSettings(
                output=str(self.output), jobs=self.jobs, executor=self.executor, cache=cache, **settings
            )
        )

    def build(self, order: BuildOrder, *, compares: bool = False, names_prints: bool = False) -> None:
        """Build (or only compare), say how the build ended, and exit with the code of that end.

        ``names_prints``: at the end stand the files to print, a line each, in place of a summary.
        """
        from refgen.api import building

        there = os.path.lexists(self.output)  # which takes names that are too long
        state = "is as the last whole build left it" if there else "was not made"
        make = building.compare if compares else building.build
        result = self._make(partial(make, order), f"{self.output} {state}")
        for mismatch in result.mismatches:
            self.log.message("note" if mismatch.is_note else "warning", str(mismatch))
        for note in result.notes:
            self.log.message("warning", note)
        if result.fault:
            self.log.message("warning", f"nothing is kept for the next build: {result.fault}")
        echo_lines(result.differences)
        findings, questions = sum(result.findings.values()), sum(result.questions.values())
        if names_prints and (found := _open_in_words(findings, questions)):
            self.log.message("note", f"{found}: refgen check shows all")
        prints = (from_here(self.output / name) for name in result.to_print)
        self._end(result, prints if names_prints else _summary(result, self.output, compares=compares))
        faults = [mismatch for mismatch in result.mismatches if not mismatch.is_note]
        if result.differences or (self.strict and (findings or questions or faults)):
            sys.exit(FINDINGS)

    def fill(self, fill: Callable[..., refgen.BuildResult]) -> None:
        """Fill sheets, say what came of it, and exit with 2 where a character was left out or is not wholly right."""
        filled = partial(fill, jobs=self.jobs, executor=self.executor)
        result = self._make(filled, "the sheets that were there are as they were")
        for note in result.notes:
            self.log.message("note", note)
        self._end(result, (from_here(Path(name)) for name in result.files))

    def _make(self, make: Callable[..., refgen.BuildResult], stopped: str) -> refgen.BuildResult:
        """Call ``make``; when a signal stops it, say in what state the output is (``stopped``)."""
        try:
            with self.log.steps() as progress:
                return make(progress=progress)
        except KeyboardInterrupt:
            self.log.message("stopped", stopped)
            raise

    def _end(self, result: refgen.BuildResult, lines: Iterable[str]) -> None:
        """Say in lines how the command ended, and exit with 2 where there are errors."""
        for error in result.errors:
            self.log.error(error)
        self.log.end(result)
        if not self.quiet:
            echo_lines(lines)
        if self.profile:
            echo_lines(self.log.times.profile())
        if result.errors:
            if not self.quiet:
                failed = first_of(list(dict.fromkeys(result.failed)), MOST_NAMED)
                click.echo(f"not made: {failed or 'what the errors name'}")
            sys.exit(BAD_INPUT)


def makes_files(command: Command) -> Command:
    """The options of every command that makes play aids, passed on as ``runner``."""
    names = [field.name for field in fields(BuildRunner)]

    @wraps(command)
    def made(**options: Any) -> Any:
        quiet = options["quiet"]
        options["log"] = log = _log(options["log"], options["output"], quiet=quiet)
        try:
            return command(runner=BuildRunner(**{name: options.pop(name) for name in names}), **options)
        except RefgenError as error:
            log.error(error)
            if not quiet and not log.for_machines:
                log.message("stopped", "nothing was made")
            sys.exit(BAD_INPUT)

    for option in _OPTIONS:
        made = option(made)
    return cast(Command, made)


def _log(log_format: str, output: Path, *, quiet: bool) -> TextLog:
    """The log in a format: as text, and live where somebody watches."""
    if log_format == "json":
        from refgen.commands.json_log import JsonLog

        return JsonLog(output, quiet=quiet)
    if sys.stderr.isatty() and not quiet:
        from refgen.commands.live_log import LiveLog

        return LiveLog(output)
    return TextLog(output, quiet=quiet)


_OPTIONS = (
    reads_rules,
    click.option("--profile", is_flag=True, help="Show where the time went."),
    click.option(
        "--log",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="Progress and messages as text, or as JSON, an object a line.",
    ),
    click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors."),
    click.option("-o", "--output", type=click.Path(path_type=Path), default=Path("build"), show_default=True),
    click.option(
        "--strict",
        is_flag=True,
        help="Exit with 1 for findings and questions, and for pages that differ from the tables.",
    ),
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


def _open_in_words(findings: int, questions: int) -> str:
    """The open findings and questions, counted in words: "1 open finding and 2 questions"; "" for none."""
    counts = ((findings, "open finding"), (questions, "question"))
    return " and ".join(counted(number, noun) for number, noun in counts if number)


def _summary(result: refgen.BuildResult, output: Path, *, compares: bool) -> Iterator[str]:
    """The result of a build, in a line; nothing of a build without a file."""
    if compares:
        differences = counted(len(result.differences), "difference")
        yield f"{output}: {differences}" if result.differences else f"{output} is up to date"
        return
    if not result.files:
        return
    kept = f", {len(result.kept)} of {len(result.kept) + len(result.made)} aids as they were" if result.kept else ""
    found = _open_in_words(sum(result.findings.values()), sum(result.questions.values()))
    shown = f"{found} (refgen check shows all)" if found else "no open findings"
    yield f"{counted(len(result.files), 'file')}{kept}, {shown}: {from_here(output / result.first)}"
