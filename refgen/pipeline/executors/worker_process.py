"""One process that does steps for this one, and is ended when a step takes too much.

In: a step. Out: what it returns or raises, or a WorkerError when the process died or was ended; then it is gone.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, Pipe, wait
from pathlib import Path
from typing import Any, NoReturn

from refgen.pipeline.executors.child import STOPS, serve, started_with
from refgen.pipeline.executors.step_executor import Limits, WorkerError

LOOKS = 0.25
"""How often, in seconds, it is looked at while it works."""

_PAGE = resource.getpagesize()
_starting = threading.Lock()
_lines: set[Connection] = set()
"""Our ends of the lines to all that run: a forked one must not keep those of the others open."""


class WorkerProcess:
    """A process that is ready for steps after its ``warm_up``; its temporary files go to ``scratch``.

    A ``forked`` one starts at once and shares the memory of what is loaded here; that is safe on Linux, and where no
    other thread is in the midst of something.
    """

    def __init__(self, warm_up: Callable[[], object], scratch: Path, limits: Limits, *, forked: bool) -> None:
        self.limits = limits
        with _starting, _blocked_signals():  # the process lets go of the signals when it is ready to
            self._line, theirs = Pipe()
            self._process = _fork(theirs, self._line) if forked else _start(theirs)
            theirs.close()
            _lines.add(self._line)
        with suppress(OSError):  # a dead one is found out when its answer is awaited
            self._line.send((str(scratch), warm_up))

    def call(
        self,
        function: Callable[..., Any],
        arguments: Sequence[Any],
        named: Mapping[str, Any],
        unwanted: Callable[[], bool] = lambda: False,
    ) -> Any:
        """Do a step, which ends early when it is ``unwanted``. Raises WorkerError, and what the step raises."""
        with suppress(BrokenPipeError, ConnectionResetError):
            self._line.send((function, arguments, named))
        self._await_answer(unwanted)
        try:
            went_well, outcome = self._line.recv()
        except (EOFError, OSError):
            self.end()
            raise WorkerError(f"its process ended {_how(self._process.exitcode)}") from None
        if went_well:
            return outcome
        raise outcome

    def end(self) -> None:
        """End it, whatever it does."""
        self._process.kill()
        self._process.join()
        with _starting:
            _lines.discard(self._line)
        self._line.close()

    def kill(self) -> None:
        """End it from another thread than the one that waits for its answer, which finds out."""
        self._process.kill()

    def _await_answer(self, unwanted: Callable[[], bool]) -> None:
        until = time.monotonic() + self.limits.seconds
        while not wait([self._line], timeout=max(0, min(LOOKS, until - time.monotonic()))):
            if time.monotonic() > until:
                self._give_up(f"it took more than {self.limits.seconds:g} s")
            if resident(self._process.pid) > self.limits.memory:
                self._give_up(f"it took more than {self.limits.memory / 2**30:.3g} GB of memory")
            if unwanted():
                self._give_up("nobody waits for it any more")

    def _give_up(self, reason: str) -> NoReturn:
        self.end()
        raise WorkerError(reason)


def resident(process: int | None) -> int:
    """The bytes of memory that a process holds; 0 where the system does not say."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


@contextmanager
def _blocked_signals() -> Iterator[None]:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _fork(theirs: Connection, ours: Connection) -> Any:
    process = multiprocessing.get_context("fork").Process(
        target=_serve_forked, args=(theirs, [*_lines, ours], os.getpid()), daemon=True
    )
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", DeprecationWarning
        )  # Python 3.12 warns of other threads: ours wait for this one
        process.start()
    return process


def _serve_forked(line: Connection, others: Sequence[Connection], owner: int) -> None:
    for other in others:
        other.close()
    serve(line, owner)


class _Started(subprocess.Popen[bytes]):
    """A process with the names that a forked one has for the same."""

    def join(self) -> None:
        self.wait()

    @property
    def exitcode(self) -> int | None:
        return self.returncode


def _start(theirs: Connection) -> _Started:
    number = theirs.fileno()
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return _Started(started_with(number, os.getpid()), pass_fds=[number], env=paths)


def _how(code: int | None) -> str:
    """How a process ended, in words."""
    if code is not None and code < 0:
        return f"by {signal.Signals(-code).name}"
    return f"with exit code {code}"
