"""The log of a build for people, with the time of each step, on stderr: lines, or a live display.

In: the events of steps, errors, and the result of the build. Out: words.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

import refgen
from refgen.commands.options import show_error
from refgen.errors import RefgenError

if TYPE_CHECKING:
    from refgen.pipeline.result import Event


SLOWEST = 10


class Times:
    """The steps that came to an end, and when it all began."""

    def __init__(self) -> None:
        self._start = time.perf_counter()
        self._ended: list[Event] = []
        self._kept: list[Event] = []

    def add(self, event: Event) -> None:
        """Take note of what happened."""
        if event.state in ("done", "failed"):
            self._ended.append(event)
        elif event.state == "kept":
            self._kept.append(event)

    @property
    def passed(self) -> float:
        """The seconds since it began."""
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


Word = Literal["warning", "note", "stopped"]


class QuietLog:
    """Says nothing but what is wrong."""

    for_machines = False

    def __init__(self, output: Path) -> None:
        self.output = output
        self.times = Times()

    @contextmanager
    def steps(self) -> Iterator[Callable[[Event], None]]:
        """Listens to what happens to steps."""

        def listen(event: Event) -> None:
            self.times.add(event)
            self.step(event)

        yield listen

    def step(self, event: Event) -> None:
        """Say what happened to a step."""

    def error(self, error: RefgenError) -> None:
        """Say what went wrong."""
        show_error(error)

    def message(self, word: Word, text: str) -> None:
        """Say something that somebody should know."""
        if word != "note":
            click.echo(f"{word}: {text}", err=True)

    def end(self, result: refgen.BuildResult) -> None:
        """Say how the build or the filling ended."""


class TextLog(QuietLog):
    """A line for each step that ends."""

    def step(self, event: Event) -> None:
        """Say what happened to a step."""
        if event.state != "begun":
            click.echo(_in_words(event), err=True)

    def message(self, word: Word, text: str) -> None:
        """Say something that somebody should know."""
        click.echo(f"{word}: {text}", err=True)

    def end(self, result: refgen.BuildResult) -> None:
        """Say where the time went."""
        if kinds := self.times.by_kind():
            spent = ", ".join(f"{kind} {seconds:.1f} s" for kind, seconds in kinds.items())
            click.echo(f"{len(result.files)} files in {self.times.passed:.1f} s: {spent}", err=True)


class LiveLog(TextLog):
    """What is running now, for how long, and how far all of it is; it leaves nothing behind but what failed."""

    @contextmanager
    def steps(self) -> Iterator[Callable[[Event], None]]:
        """Shows the steps while they run."""
        from refgen.commands.live import LiveSteps

        with super().steps() as listen, LiveSteps() as self._shown:
            yield listen

    def step(self, event: Event) -> None:
        """Show what happened to a step."""
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
