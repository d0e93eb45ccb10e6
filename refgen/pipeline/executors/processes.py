"""Steps that are done by warm processes of this machine.

In: how many. Out: an executor. A thread of a ThreadPoolExecutor hands each step to a worker that is free, watches how
much time and memory the worker takes, and ends one that takes too much; another worker takes its place.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import warnings
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe, wait
from pathlib import Path
from typing import Any, TypeVar

from refgen.pipeline.executors import Step, StepExecutor, WorkerError
from refgen.pipeline.operating_system import (
    FORKS,
    end_with,
    how_ended,
    leave_signals_to_the_owner,
    peak_memory,
    resident,
    stop_signals_blocked,
    trim_memory,
)

T = TypeVar("T")

LOOKS = 0.25
"""How often, in seconds, a worker is looked at while it works."""

_starting = threading.Lock()


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that one step may take: ``seconds``, and bytes of ``memory`` that its process holds.

    Both are a multiple of what the largest known takes: a booklet of 41 pages 3 s, a table of 10,000 rows 30 s and
    0.8 GB.
    """

    seconds: float = 300.0
    memory: int = 3 * 2**30


class ProcessPool(StepExecutor):
    """``width`` workers, each ready after its ``warm_up``, whose temporary files go to ``scratch``.

    ``forked`` workers start at once and share the memory of what is loaded here; that is safe on Linux, and where no
    other thread is in the midst of something. A worker that has no step for ``idle_seconds`` ends.
    """

    def __init__(
        self,
        width: int,
        warm_up: Callable[[], object],
        scratch: Path,
        limits: Limits | None = None,
        *,
        forked: bool = FORKS,
        idle_seconds: float | None = None,
    ) -> None:
        self.width = width
        self._setup = str(scratch), warm_up, idle_seconds
        self._limits = limits or Limits()
        self._forked = forked
        self._threads = ThreadPoolExecutor(width)
        self._unfinished: set[Future[Any]] = set()
        self._workers: set[Worker] = set()
        self._idle: list[Worker] = []
        self._closed = False

    def start(self) -> None:
        """Start all workers but one, so that they warm up while other things are done here, which keep a core busy.

        That one starts with the first step for which no other is free.
        """
        self._ensure_workers(max(self.width - 1, 1))

    def submit(self, function: Callable[..., T], /, *arguments: Any, **named: Any) -> Future[T]:
        """Have a step done by the first worker that is free."""
        if self._closed:
            raise RuntimeError("these processes have ended")
        self._ensure_workers(min(self.width, len(self._unfinished) + 1))
        future = self._threads.submit(self.do, (function, arguments, named))
        self._unfinished.add(future)
        future.add_done_callback(self._unfinished.discard)
        return future

    def do(self, step: Step, unwanted: Callable[[], bool] = lambda: False) -> Any:
        """Have a step done while the thread that calls waits, or until the step is ``unwanted``.

        Raises WorkerError, and what the step raises.
        """
        worker = self._free_worker()
        try:
            return worker.call(step, self._limits, unwanted)
        finally:
            if worker.exit_code is None:
                self._idle.append(worker)
            else:
                self._workers.discard(worker)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more steps, and end when all are done; with ``cancel_futures``, at once."""
        self._closed = cancel_futures
        self._threads.shutdown(wait and not cancel_futures, cancel_futures=cancel_futures)
        self._closed = True
        if cancel_futures:
            for worker in [*self._workers]:
                worker.kill()
            self._threads.shutdown()
        if wait or cancel_futures:
            for worker in self._workers:
                worker.end()

    def _ensure_workers(self, count: int) -> None:
        """Start workers until there are so many: in the thread that asks, so that nothing else goes on in it."""
        with suppress(OSError):  # told by the step that finds no worker
            while len(self._workers) < count:
                self._idle.append(self._start_worker())

    def _start_worker(self) -> Worker:
        worker = Worker(self._forked, self._setup)
        self._workers.add(worker)
        if self._closed:
            worker.kill()
        return worker

    def _free_worker(self) -> Worker:
        """A worker without a step, unless it has ended meanwhile; else a new worker."""
        with suppress(IndexError):
            while (worker := self._idle.pop()).exit_code is not None:
                self._workers.discard(worker)
            return worker
        return self._start_worker()


class Worker:
    """A process that does one step at a time. To begin with it is told its ``setup``, as ``serve`` says."""

    def __init__(self, forked: bool, setup: tuple[str, Callable[[], object], float | None]) -> None:
        with _starting, stop_signals_blocked():  # the process lets go of the signals when it is ready to
            self._line, theirs = Pipe()
            self._process = _forked(theirs, self._line) if forked else _spawned(theirs)
            theirs.close()
        with suppress(OSError):  # a dead one is found out when its answer is awaited
            self._line.send(setup)

    @property
    def exit_code(self) -> int | None:
        """The exit code of the process; None while it runs."""
        code: int | None = self._process.exitcode
        return code

    def call(self, step: Step, limits: Limits, unwanted: Callable[[], bool]) -> Any:
        """The result of a step. Raises the errors of the step, and WorkerError: then this worker has ended."""
        with suppress(BrokenPipeError, ConnectionResetError):
            self._line.send(step)
        until = time.monotonic() + limits.seconds
        while not wait([self._line], timeout=max(0, min(LOOKS, until - time.monotonic()))):
            if reason := self._excess(limits, until) or (unwanted() and "nobody waits for it any more"):
                self.end()
                raise WorkerError(reason)
        try:
            went_well, outcome = self._line.recv()
        except (EOFError, OSError):
            self.end()
            raise WorkerError(f"its process ended {how_ended(self.exit_code)}") from None
        if went_well:
            return outcome
        raise outcome

    def kill(self) -> None:
        """End the process from another thread than the one that waits for its answer, which finds out."""
        self._process.kill()

    def end(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.join()
        self._line.close()

    def _excess(self, limits: Limits, until: float) -> str:
        """The limit that a step exceeds, in words; "" where it exceeds none."""
        if time.monotonic() > until:
            return f"it took more than {limits.seconds:g} s"
        if resident(self._process.pid) > limits.memory:
            return f"it took more than {limits.memory / 2**30:.3g} GB of memory"
        return ""


def _forked(theirs: Connection, ours: Connection) -> Any:
    fork = multiprocessing.get_context("fork")
    process = fork.Process(target=_serve_forked, args=(theirs, ours, os.getpid()), daemon=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 warns of other threads: ours only wait
        process.start()
    return process


def _serve_forked(line: Connection, ours: Connection, owner: int) -> None:
    ours.close()  # or the line would never end
    serve(line, owner)


class _Spawned(subprocess.Popen[bytes]):
    """A process with the names that a forked one has for the same.

    ``multiprocessing`` would load the owner's main module again, and starts nothing in workers of a cluster.
    """

    def join(self) -> None:
        self.wait()

    @property
    def exitcode(self) -> int | None:
        return self.poll()


def _spawned(theirs: Connection) -> _Spawned:
    number = theirs.fileno()
    command = [sys.executable, "-m", __name__, str(number), str(os.getpid())]
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return _Spawned(command, pass_fds=[number], env=paths)


MUCH = 256 * 2**20
"""Bytes of memory: a dozen games."""


def serve(line: Connection, owner: int) -> None:
    """Do the steps that come, until the line ends.

    First come the folder for temporary files, how to warm up, and after how many seconds without a step to end.
    What a forked process shares with its owner stays as it is: a search for garbage in it would copy all of it.
    """
    gc.freeze()
    end_with(owner)
    leave_signals_to_the_owner()
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        tempfile.tempdir, warm_up, idle_seconds = line.recv()
        warm_up()
        while line.poll(idle_seconds):
            _answer(line, *_outcome(line))
            _tidy_up()


def _outcome(line: Connection) -> tuple[bool, Any]:
    """Whether a step went well, and what it returned or raised."""
    try:
        function, arguments, named = line.recv()
        return True, function(*arguments, **named)
    except (EOFError, ConnectionResetError):
        raise
    except Exception as error:  # the owner decides what it means
        error.add_note(traceback.format_exc())
        return False, error


def _answer(line: Connection, went_well: bool, outcome: Any) -> None:
    try:
        line.send((went_well, outcome))
    except (BrokenPipeError, ConnectionResetError):
        raise
    except Exception as error:  # it cannot be pickled
        line.send((False, TypeError(f"{outcome!r} cannot travel: {error}")))


def _tidy_up() -> None:
    """Free what a step leaves: layouts, with which WeasyPrint removes their fonts from the disk, or games."""
    had_much = peak_memory() > MUCH
    if had_much or "weasyprint" in sys.modules:
        gc.collect()
    if had_much:
        trim_memory()


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])), int(sys.argv[2]))
