"""An executor whose workers are processes of this machine, each with a limit of time and memory.

In: the number of workers, and how each warms up. Out: a ProcessPool. A thread of a ThreadPoolExecutor sends each call
to a free worker through a line, and ends a worker that takes too much time or memory; another worker takes its place.
A worker also ends with its owner, however the owner ends. A forked worker has the memory of its owner; ``python -m
refgen.pipeline.executors.processes LINE OWNER`` is a worker that shares nothing with its owner but the line.
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
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, Pipe, wait
from pathlib import Path
from typing import Any, TypeVar

from refgen.limits import limits
from refgen.pipeline.executors import Call, StepExecutor, WorkerError
from refgen.pipeline.operating_system import (
    FORKS,
    end_with,
    how_ended,
    leave_signals_to_the_owner,
    peak_memory,
    resident_memory,
    stop_signals_blocked,
    trim_memory,
)

T = TypeVar("T")

LOOKS = 0.25
"""Seconds between two looks at the memory of a worker."""

_MUCH = 256 * 2**20
"""Bytes of memory, some dozen games, above which a worker gives free memory back to the system."""

_starting = threading.Lock()


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """The most seconds that a call may take, and the most bytes of memory that its process may hold.

    The limits of all steps are several times what the largest known calls take: 3 s for a booklet of 41 pages, 30 s and
    0.8 GB for a table of 10,000 rows.
    """

    seconds: float = field(default_factory=lambda: limits().step_seconds)
    memory: int = field(default_factory=lambda: limits().step_megabytes * 2**20)


class ProcessPool(StepExecutor):
    """A pool of ``width`` workers, each ready after its ``warm_up``, whose temporary files go to ``scratch``.

    ``forked`` workers start at once and share the memory of this process; that is safe on Linux, while no other thread
    of this process holds a lock. A worker that has no call for ``idle_seconds`` ends.
    """

    def __init__(
        self,
        width: int,
        warm_up: Callable[[], object],
        scratch: Path,
        limits: WorkerLimits | None = None,
        *,
        forked: bool = FORKS,
        idle_seconds: float | None = None,
    ) -> None:
        self.width = width
        self._setup = str(scratch), warm_up, idle_seconds
        self._limits = limits or WorkerLimits()
        self._forked = forked
        self._threads = ThreadPoolExecutor(width)
        self._unfinished: set[Future[Any]] = set()
        self._workers: set[Worker] = set()
        self._idle: list[Worker] = []
        self._closed = False

    def start(self) -> None:
        """Start all workers but one, which warm up while this process keeps one core busy.

        The last worker starts with the first call for which no worker is free.
        """
        self._ensure_workers(max(self.width - 1, 1))

    def submit(self, function: Callable[..., T], /, *arguments: Any, **named: Any) -> Future[T]:
        """Have a call done by the first worker that is free."""
        if self._closed:
            raise RuntimeError("these processes have ended")
        self._ensure_workers(min(self.width, len(self._unfinished) + 1))
        future = self._threads.submit(self.do, (function, arguments, named))
        self._unfinished.add(future)
        future.add_done_callback(self._unfinished.discard)
        return future

    def do(self, call: Call, unwanted: Callable[[], bool] = lambda: False) -> Any:
        """Have a call done while the current thread waits, at most until the call is ``unwanted``.

        Raises WorkerError, and the errors of the call.
        """
        worker = self._free_worker()
        try:
            return worker.do(call, self._limits, unwanted)
        finally:
            if worker.exit_code is None:
                self._idle.append(worker)
            else:
                self._workers.discard(worker)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more calls, and end when all are done; with ``cancel_futures``, at once."""
        self._closed = cancel_futures
        self._threads.shutdown(wait and not cancel_futures, cancel_futures=cancel_futures)
        self._closed = True
        if cancel_futures:
            for worker in [*self._workers]:
                worker.kill()
            self._threads.shutdown()
        if wait or cancel_futures:
            for worker in [*self._workers]:  # a thread that a signal parted from the pool may still end its worker
                worker.end()

    def _ensure_workers(self, count: int) -> None:
        """Start workers until ``count`` run, in the calling thread: it holds no lock that a fork would copy."""
        with suppress(OSError):  # the call that finds no worker raises it again
            while len(self._workers) < count:
                self._idle.append(self._start_worker())

    def _start_worker(self) -> Worker:
        worker = Worker(self._forked, self._setup)
        self._workers.add(worker)
        if self._closed:
            worker.kill()
        return worker

    def _free_worker(self) -> Worker:
        """A worker without a call that has not ended meanwhile; else a new worker."""
        with suppress(IndexError):
            while (worker := self._idle.pop()).exit_code is not None:
                self._workers.discard(worker)
            return worker
        return self._start_worker()


class Worker:
    """A process that does one call at a time; ``setup`` are the arguments of ``run_worker`` that come first."""

    def __init__(self, forked: bool, setup: tuple[str, Callable[[], object], float | None]) -> None:
        with _starting, stop_signals_blocked():  # the process unblocks the signals when it has its own handlers
            self._line, theirs = Pipe()
            self._process = _fork_worker(theirs, self._line) if forked else _spawn_worker(theirs)
            theirs.close()
        with suppress(OSError):  # a process that is dead is found when its answer is awaited
            self._line.send(setup)

    @property
    def exit_code(self) -> int | None:
        """The exit code of the process; None while it runs."""
        code: int | None = self._process.exitcode
        return code

    def do(self, call: Call, limits: WorkerLimits, unwanted: Callable[[], bool]) -> Any:
        """The result of a call. Raises the errors of the call, and WorkerError where this worker has ended."""
        with suppress(BrokenPipeError, ConnectionResetError):
            self._line.send(call)
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
        """End the process while another thread waits for its answer; that thread raises WorkerError."""
        self._process.kill()

    def end(self) -> None:
        """End the process at once, and its line."""
        self._process.kill()
        self._process.join()
        self._line.close()

    def _excess(self, limits: WorkerLimits, until: float) -> str:
        """The limit that the call exceeds, in words; "" for no limit."""
        if time.monotonic() > until:
            return f"it took more than {limits.seconds:g} s (--limit step-seconds)"
        if resident_memory(self._process.pid) > limits.memory:
            return f"it took more than {limits.memory / 2**30:.3g} GB of memory (--limit step-megabytes)"
        return ""


def _fork_worker(theirs: Connection, ours: Connection) -> Any:
    fork = multiprocessing.get_context("fork")
    process = fork.Process(target=_serve_forked, args=(theirs, ours, os.getpid()), daemon=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 warns of other threads: ours only wait
        process.start()
    return process


def _serve_forked(line: Connection, ours: Connection, owner: int) -> None:
    ours.close()  # or the line would never end
    run_worker(line, owner)


class _Spawned(subprocess.Popen[bytes]):
    """A process that is not forked, with the attributes of ``multiprocessing.Process`` that Worker uses.

    ``multiprocessing`` would load the owner's main module again, and starts nothing in the workers of a cluster.
    """

    def join(self) -> None:
        self.wait()

    @property
    def exitcode(self) -> int | None:
        return self.poll()


def _spawn_worker(theirs: Connection) -> Any:
    if not hasattr(os, "fork"):  # Windows hands descriptors on by multiprocessing alone
        process = multiprocessing.get_context("spawn").Process(
            target=run_worker, args=(theirs, os.getpid()), daemon=True
        )
        process.start()
        return process
    number = theirs.fileno()
    command = [sys.executable, "-m", __name__, str(number), str(os.getpid())]
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return _Spawned(command, pass_fds=[number], env=paths)


# In the worker


def run_worker(line: Connection, owner: int) -> None:
    """Do the calls that come through a line, until the line ends.

    The first message has the folder for temporary files, the function that warms up, and the seconds without a call
    after which the worker ends.
    """
    gc.freeze()  # a search for garbage would copy all memory that is shared with the owner
    end_with(owner)
    leave_signals_to_the_owner()
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        tempfile.tempdir, warm_up, idle_seconds = line.recv()
        warm_up()
        while line.poll(idle_seconds):
            _answer(line, *_outcome(line))
            _tidy_up()


def _outcome(line: Connection) -> tuple[bool, Any]:
    """True and the result of a call, or False and the error."""
    try:
        function, arguments, named = line.recv()
        return True, function(*arguments, **named)
    except (EOFError, ConnectionResetError):
        raise
    except Exception as error:  # the owner raises it again
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
    """Free the objects that a call leaves: games, or layouts, whose fonts WeasyPrint then removes from the disk."""
    had_much = peak_memory() > _MUCH
    if had_much or "weasyprint" in sys.modules:
        gc.collect()
    if had_much:
        trim_memory()


if __name__ == "__main__":
    run_worker(Connection(int(sys.argv[1])), int(sys.argv[2]))
