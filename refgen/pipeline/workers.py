"""Worker processes: each warm, each replaced when it dies or hangs, all gone when their owner is, whatever ends it.

In: what a worker does with a piece of work, and pieces of work. Out: an outcome for each, as soon as it is there. A
piece whose worker dies or takes too long is tried once more; then that is its outcome.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import resource
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Generic, TypeVar

WorkT = TypeVar("WorkT")
DoneT = TypeVar("DoneT")

TRIES = 2
SECONDS = 300.0
"""The longest that a piece of work may take: a hundred times what a long booklet does."""

MEMORY = 8 * 2**30
"""The most address space of a worker, in bytes: beyond it, the machine suffers."""

_STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_PR_SET_PDEATHSIG = 1


class WorkerError(RuntimeError):
    """A piece of work cost its worker, twice."""


@dataclass(slots=True)
class _Worker(Generic[WorkT]):
    """A process, the line to it, and the piece of work it has, by number, until when."""

    process: BaseProcess
    line: Connection
    work: int | None = None
    until: float = 0.0


@dataclass
class Workers(Generic[WorkT, DoneT]):
    """``count`` processes that ``do`` pieces of work, each after ``warm_up``; temporary files go to ``scratch``."""

    count: int
    do: Callable[[WorkT], DoneT]
    warm_up: Callable[[], object]
    scratch: Path
    seconds: float = SECONDS
    _workers: list[_Worker[WorkT]] = field(default_factory=list)

    def start(self, count: int | None = None) -> None:
        """Start what is not running yet, so that it warms up while other things are done."""
        while len(self._workers) < min(self.count, self.count if count is None else count):
            self._workers.append(self._new())

    def run(self, pieces: Sequence[WorkT]) -> Iterator[tuple[int, DoneT | Exception]]:
        """The number of each piece and its outcome, as it comes: what was made of it, or the error that ended it."""
        self.start(len(pieces))
        waiting = deque(range(len(pieces)))
        tries = [0] * len(pieces)
        open_pieces = len(pieces)
        while open_pieces:
            self._hand_out(waiting, tries, pieces)
            for worker in self._ready():
                number, outcome = worker.work, self._outcome(worker)
                if number is None or (isinstance(outcome, WorkerError) and self._again(number, waiting, tries)):
                    continue
                open_pieces -= 1
                yield number, outcome

    def close(self) -> None:
        """End all of them at once: what they make is worth nothing without this process."""
        for worker in self._workers:
            self._end(worker)
        self._workers.clear()

    def _new(self) -> _Worker[WorkT]:
        # A forked worker shares the memory of what is loaded already; elsewhere than on Linux forking is not safe.
        context: Any = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
        ours, theirs = context.Pipe()
        lines = [*(worker.line for worker in self._workers), ours]
        arguments = (theirs, lines, os.getpid(), str(self.scratch), self.warm_up, self.do)
        process = context.Process(target=_serve, args=arguments, daemon=True)
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, _STOPS)  # the worker lets go of them when it is ready to
        try:
            process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        theirs.close()
        return _Worker(process, ours)

    def _hand_out(self, waiting: deque[int], tries: list[int], pieces: Sequence[WorkT]) -> None:
        for worker in self._workers:
            if worker.work is None and waiting:
                worker.work = waiting.popleft()
                worker.until = time.monotonic() + self.seconds
                tries[worker.work] += 1
                with suppress(OSError):  # a dead one is found out when its answer is awaited
                    worker.line.send(pieces[worker.work])

    def _again(self, number: int, waiting: deque[int], tries: list[int]) -> bool:
        if tries[number] < TRIES:
            waiting.appendleft(number)
            return True
        return False

    def _ready(self) -> list[_Worker[WorkT]]:
        """The workers that have answered, died, or used up their time."""
        busy = [worker for worker in self._workers if worker.work is not None]
        left = min(worker.until for worker in busy) - time.monotonic()
        answered = wait([worker.line for worker in busy], timeout=max(left, 0))
        now = time.monotonic()
        return [worker for worker in busy if worker.line in answered or worker.until <= now]

    def _outcome(self, worker: _Worker[WorkT]) -> DoneT | Exception:
        """What came of a worker's piece; one that died or hangs is replaced."""
        late = not worker.line.poll()
        if not late:
            with suppress(EOFError, OSError):
                outcome: DoneT | Exception = worker.line.recv()
                worker.work = None
                return outcome
        self._end(worker)
        self._workers.remove(worker)
        self._workers.append(self._new())
        if late:
            return WorkerError(f"it took more than {self.seconds:g} s")
        return WorkerError(f"its worker ended {_how(worker.process.exitcode)}")

    @staticmethod
    def _end(worker: _Worker[WorkT]) -> None:
        worker.process.kill()
        worker.process.join()
        worker.line.close()


def _how(code: int | None) -> str:
    """How a process ended, in words."""
    if code is not None and code < 0:
        return f"by {signal.Signals(-code).name}"
    return f"with exit code {code}"


def _serve(
    line: Connection,
    lines: Sequence[Connection],
    owner: int,
    scratch: str,
    warm_up: Callable[[], object],
    do: Callable[[Any], Any],
) -> None:
    """The life of a worker. The lines of others, which forking left open here, are closed."""
    _end_with(owner)
    _settle_in(scratch)
    for other in lines if sys.platform == "linux" else ():
        other.close()
    warm_up()
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            line.send(_tried(do, line.recv()))


def _tried(do: Callable[[Any], Any], piece: Any) -> Any:
    """What is made of a piece of work, or the error that it fails with."""
    try:
        return do(piece)
    except Exception as error:  # the owner decides what it means
        return error


def _end_with(owner: int) -> None:
    """Let the kernel end this process when its owner ends, however that comes about."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != owner:
        os._exit(1)


def _settle_in(scratch: str) -> None:
    """Signals of the terminal are for the owner, which ends its workers; temporary files have their own folder."""
    import tempfile

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)
    tempfile.tempdir = scratch
    with suppress(OSError, ValueError):
        _soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        if hard == resource.RLIM_INFINITY or hard > MEMORY:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, hard))
