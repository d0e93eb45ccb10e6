"""The log of a running build on stderr: a line for each step, or a live display of the running steps.

In: the events of steps, errors, and the result of the build. Out: words.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal

import click

import refgen
from refgen.commands.options import show_error
from refgen.errors import RefgenError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live
    from rich.progress import TaskID

    from refgen.pipeline.result import Event

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
            click.echo(_in_words(event), err=True)

    def _show_message(self, kind: MessageKind, text: str) -> None:
        click.echo(f"{kind}: {text}", err=True)

    def _show_end(self, result: refgen.BuildResult) -> None:
        if kinds := self.times.by_kind():
            spent = ", ".join(f"{kind} {seconds:.1f} s" for kind, seconds in kinds.items())
            click.echo(f"{len(result.files)} files in {self.times.passed:.1f} s: {spent}", err=True)


class LiveLog(TextLog):
    """A live display of the steps that run now, for a terminal; only steps that failed leave a line behind."""

    @contextmanager
    def steps(self) -> Iterator[Callable[[Event], None]]:
        """Give the function that is to be called with the events of steps, which are shown while they run."""
        with super().steps() as listen, LiveSteps() as self._shown:
            yield listen

    def _show_step(self, event: Event) -> None:
        self._shown.show(event)
        if event.state in ("again", "failed"):
            self._shown.say(_in_words(event))


def _in_words(event: Event) -> str:
    """The event of a step, in a line."""
    name = event.step if event.kind == event.step or event.total else f"{event.kind} {event.step}"
    if event.state in ("kept", "again", "failed"):
        return f"{event.state} {event.step}{f': {event.reason}' if event.reason else ''}"
    far = f"[{event.done}/{event.total}] " if event.total else ""
    return f"{far}{name}{f', {event.seconds:.1f} s' if event.seconds else ''}"


class LiveSteps:
    """A display of running steps on a terminal, by rich: a line for each step that runs, and a bar of all.

    The display begins with the first step: only after worker processes were forked may it have a thread of its own.
    """

    def __init__(self, console: Console | None = None) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        self._console = console or Console(stderr=True)
        columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
        self._running = Progress(*columns, console=self._console)
        self._all = Progress(BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[kept]}"))
        self._bar = self._all.add_task("", total=None, kept="")
        self._tasks: dict[str, TaskID] = {}
        self._kept = 0
        self._live: Live | None = None

    def __enter__(self) -> LiveSteps:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live:
            self._live.stop()

    def show(self, event: Event) -> None:
        """Show what happened to a step."""
        if self._live is None:
            from rich.console import Group
            from rich.live import Live

            self._live = Live(Group(self._running, self._all), console=self._console, transient=True)
            self._live.start()
        if event.state == "begun":
            self._tasks[event.step] = self._running.add_task(f"{event.kind} {event.step}", total=None)
        elif event.state == "kept":
            self._kept += 1
            self._all.update(self._bar, kept=f"{self._kept} from the cache")
        elif event.state != "again" and event.step in self._tasks:
            self._running.remove_task(self._tasks.pop(event.step))
        if event.total:
            self._all.update(self._bar, completed=event.done, total=event.total)

    def say(self, line: str) -> None:
        """Write a line above the display."""
        self._console.print(line, markup=False, highlight=False)
