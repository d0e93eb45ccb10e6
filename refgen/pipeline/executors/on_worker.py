"""What a worker of a cluster does with a step of ours.

In: a step, and what the pages of the machine that asks for it rest on. Out: what it returns or raises. The step is
done by a process of its own: WeasyPrint is not for several threads, and a step that hangs must cost its worker
nothing. These processes stay warm for a while, and end with the worker, or when nobody waits for their step.
"""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from refgen.errors import ExecutorError
from refgen.layout.engine import warm_up
from refgen.limits import changed_limits
from refgen.pipeline.cache.surroundings import surroundings
from refgen.pipeline.executors.step_executor import Limits, WorkerError
from refgen.pipeline.executors.worker_process import WorkerProcess
from refgen.pipeline.scratch import scratch

IDLE_SECONDS = 20.0
"""How long a process without a step stays, for the next build."""


def on_worker(
    key: str,
    asked_on: Mapping[str, str],
    limit_changes: str,
    function: Callable[..., Any],
    arguments: Sequence[Any],
    named: Mapping[str, Any],
) -> Any:
    """Do a step, which the scheduler knows by its ``key``, under changed limits ("cards=5000").

    Raises ExecutorError where its page would be another than on the machine that ``asked``.
    """
    from distributed import get_worker

    worker = get_worker()
    if others := [name for name, digest in surroundings().items() if digest != asked_on.get(name)]:
        hint = "Install the same there as here; else its pages may differ."
        raise ExecutorError(f"the worker at {worker.address} is not like this machine: {', '.join(others)}", hint=hint)

    def unwanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is None or task.state != "executing"

    with _processes.one() as process:
        return process.call(_limited, (limit_changes, function, arguments, named), {}, unwanted)


def _limited(changes: str, function: Callable[..., Any], arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """Do a step under the limits of the machine that asks for it."""
    with changed_limits(changes.split()):
        return function(*arguments, **named)


class _Processes:
    """The processes of a worker: one for each of its threads that has a step of ours."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[WorkerProcess] = []
        self._busy = 0
        self._folder = ExitStack()
        self._scratch: Path | None = None
        self._timer = threading.Timer(0, self.clear)

    @contextmanager
    def one(self) -> Iterator[WorkerProcess]:
        """A process for one step. It is kept for the next, unless it is gone."""
        with self._lock:
            self._timer.cancel()
            self._busy += 1
            if not self._scratch:
                self._scratch = self._folder.enter_context(scratch())
        process = None
        try:
            process = self._idle_one() or WorkerProcess(warm_up, self._scratch, Limits(), forked=False)
            yield process
        except WorkerError:
            process = None
            raise
        finally:
            self._give_back(process)

    def _idle_one(self) -> WorkerProcess | None:
        with self._lock:
            return self._idle.pop() if self._idle else None

    def _give_back(self, process: WorkerProcess | None) -> None:
        with self._lock:
            self._busy -= 1
            self._idle += [process] if process else []
            self._timer.cancel()
            self._timer = threading.Timer(IDLE_SECONDS, self.clear)
            self._timer.daemon = True
            self._timer.start()

    def clear(self) -> None:
        """End those that have no step."""
        with self._lock:
            for process in self._idle:
                process.end()
            self._idle.clear()
            if not self._busy:
                self._folder.close()
                self._scratch = None


_processes = _Processes()
atexit.register(_processes.clear)
