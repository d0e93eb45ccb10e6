"""Steps that are done by warm processes of this machine.

In: how many. Out: an executor. Each process has a thread here, which starts it, hands it one step after the other, and
puts another in its place when it is gone.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, ParamSpec, TypeVar

from refgen.pipeline.executors.step_executor import FORKS, Limits, StepExecutor, WorkerError
from refgen.pipeline.executors.worker_process import WorkerProcess

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Call:
    future: Future[Any]
    function: Callable[..., Any]
    arguments: Sequence[Any]
    named: Mapping[str, Any]


class Processes(StepExecutor):
    """``width`` processes, each ready after its ``warm_up``, whose temporary files go to ``scratch``."""

    def __init__(self, width: int, warm_up: Callable[[], object], scratch: Path, limits: Limits | None = None) -> None:
        self.width = width
        self._warm_up = warm_up
        self._scratch = scratch
        self._limits = limits or Limits()
        self._calls: SimpleQueue[_Call | None] = SimpleQueue()
        self._open: set[Future[Any]] = set()
        self._attendants: list[threading.Thread] = []
        self._processes: set[WorkerProcess] = set()
        self._closed = False

    def start(self) -> None:
        """Start all but one, so that they warm up while other things are done here, which keep a core busy.

        That one starts with the first step for which no other is free.
        """
        while len(self._attendants) < max(self.width - 1, 1):
            self._start_one()

    def submit(self, function: Callable[P, T], /, *arguments: P.args, **named: P.kwargs) -> Future[T]:
        """Have a step done by the first process that is free."""
        if self._closed:
            raise RuntimeError("these processes have ended")
        future: Future[T] = Future()
        self._open.add(future)
        future.add_done_callback(self._open.discard)
        if len(self._attendants) < min(self.width, len(self._open)):
            self._start_one()
        self._calls.put(_Call(future, function, arguments, named))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more steps, and end when all are done; with ``cancel_futures``, at once."""
        self._closed = True
        if cancel_futures:
            self._cancel()
        for _ in self._attendants:
            self._calls.put(None)
        if wait or cancel_futures:
            for attendant in self._attendants:
                attendant.join()

    def _cancel(self) -> None:
        with suppress(Empty):
            while call := self._calls.get_nowait():
                call.future.cancel()
        for process in [*self._processes]:
            process.kill()

    def _start_one(self) -> None:
        ready = threading.Event()
        attendant = threading.Thread(target=self._attend, args=(ready,), daemon=True)
        self._attendants.append(attendant)
        attendant.start()
        ready.wait()  # so that nothing else goes on here while it forks

    def _attend(self, ready: threading.Event) -> None:
        """The life of a thread that has a process. The kernel lets the process end with it."""
        process = None
        with suppress(OSError):  # told by the first step
            process = self._new()
        ready.set()
        while call := self._calls.get():
            if call.future.set_running_or_notify_cancel():
                process = self._do(call, process)
        if process:
            process.end()

    def _do(self, call: _Call, process: WorkerProcess | None) -> WorkerProcess | None:
        """Do a step. Returns the process for the next one."""
        try:
            process = process or self._new()
            call.future.set_result(process.call(call.function, call.arguments, call.named))
        except Exception as error:  # whoever asks for the result decides what it means
            if process and isinstance(error, WorkerError):
                self._processes.discard(process)
                process = None
            call.future.set_exception(error)
        return process

    def _new(self) -> WorkerProcess:
        process = WorkerProcess(self._warm_up, self._scratch, self._limits, forked=FORKS)
        self._processes.add(process)
        if self._closed:
            process.kill()
        return process
