"""The log of a running build for a terminal: a live display of the running steps, by rich.

In: the events of steps. Out: a line for each step that runs, and a bar of all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING

from refgen.commands.options import TextLog, in_words

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live
    from rich.progress import TaskID

    from refgen.pipeline.result import Event


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
            self._shown.say(in_words(event))


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
