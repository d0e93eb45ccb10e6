"""A display of running steps on a terminal, by rich.

In: what happens to steps. Out: a line for each that runs, with its time, and a bar of all, while they run.
"""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

if TYPE_CHECKING:
    from refgen.pipeline.result import Event


class LiveSteps:
    """The display, from the first step on: processes are forked before it has a thread of its own."""

    def __init__(self, console: Console | None = None) -> None:
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
        """Say something above the display."""
        self._console.print(line, markup=False, highlight=False)
