"""The log of a running build for a terminal: a live display of the running steps, by rich.

In: the events of steps. Out: a line for each step that runs, and a bar of all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from refgen.commands.options import TextLog, in_words

if TYPE_CHECKING:
    from refgen.pipeline.result import Event


class LiveLog(TextLog):
    """A live display of the steps that run now, for a terminal; only steps that failed leave a line behind.

    The display begins with the first step: only after worker processes were forked may it have a thread of its own.
    """

    def __init__(self, output: Path, console: Console | None = None) -> None:
        super().__init__(output)
        self._console = console or Console(stderr=True)
        columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
        self._running = Progress(*columns, console=self._console)
        self._all = Progress(BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[kept]}"))
        self._bar = self._all.add_task("", total=None, kept="")
        self._tasks: dict[str, TaskID] = {}
        self._kept = 0
        self._live = Live(Group(self._running, self._all), console=self._console, transient=True)

    @contextmanager
    def steps(self) -> Iterator[Callable[[Event], None]]:
        """Give the function that is to be called with the events of steps, which are shown while they run."""
        try:
            with super().steps() as listen:
                yield listen
        finally:
            self._live.stop()

    def _show_step(self, event: Event) -> None:
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
        if event.state in ("again", "failed"):
            self._console.print(in_words(event), markup=False, highlight=False)
