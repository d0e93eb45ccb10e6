"""The life of a process that builds: ``python -m refgen.serve.build_process LINE OWNER``.

In: a line to its owner, from which BuilderSettings and then orders come. Out: on the same line the MadeFiles of each
order, and then a Built. An order that comes while another is built takes its place.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import tempfile
import traceback
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import Any, NoReturn

from refgen.errors import RefgenError, RenderError
from refgen.gc_tuning import tune_gc
from refgen.pipeline.operating_system import SCRATCH_PREFIX, end_with, own_folder, scratch
from refgen.pipeline.result import BuildResult
from refgen.pipeline.store import CACHE_VARIABLE, NO_CACHE, open_store
from refgen.serve.builder import BuilderSettings, Built, MadeFiles, Order

MOMENT = 0.01
"""Seconds until it is tried again to end."""


class SupersededError(Exception):
    """Another order takes the place of the one that is being built, or nobody waits for any."""


@dataclass
class _Orders:
    """The orders that come through a line, read by a thread; None: no more will come."""

    line: Connection
    _coming: SimpleQueue[Order | None] = field(default_factory=SimpleQueue)
    _stop: Future[None] = field(default_factory=Future)
    _lock: Lock = field(default_factory=Lock)

    def read(self) -> None:
        """Take orders from the line until it ends. The build that runs meanwhile is to stop."""
        order: Order | None = None
        while True:
            try:
                order = self.line.recv()
            except (OSError, EOFError):
                order = None
            with self._lock:
                self._coming.put(order)
                if not self._stop.done():
                    self._stop.set_exception(SupersededError())
            if order is None:
                return

    def are_waiting(self) -> bool:
        """Whether another order has come."""
        return not self._coming.empty()

    def next(self) -> tuple[Order | None, Future[None]]:
        """The last order that has come, and what ends its build once another comes."""
        order = self._coming.get()
        with self._lock:
            while self.are_waiting():
                order = self._coming.get()
            self._stop = Future()
            return order, self._stop


def main(line: Connection) -> None:
    """Build what comes, until the line ends."""
    settings: BuilderSettings = line.recv()
    tune_gc()
    orders = _Orders(line)
    with ExitStack() as folders, suppress(BrokenPipeError, ConnectionResetError):
        with suppress(RefgenError):  # told by the first build
            folders.enter_context(scratch())  # for all temporary files of this process, before it has other threads
            _warm_up()
        kept = folders.enter_context(_with_cache(settings))
        Thread(target=orders.read, daemon=True, name="orders").start()
        builds = _Builds(kept, line)
        while True:
            order, stop = orders.next()
            if order is None:
                return
            with suppress(SupersededError):
                line.send(builds.build(order, stop))
            if not orders.are_waiting():
                gc.collect()  # of games that were read anew: now nobody waits


@dataclass
class _Builds:
    """Builds orders one after the other. Games whose rules are as they were are not read again."""

    settings: BuilderSettings
    line: Connection
    _project: Any = None

    def build(self, order: Order, stop: Future[None]) -> Built:
        """Build what is ordered. What fails for all is an error of the result too."""
        begun = monotonic()
        try:
            result = self._result(order, stop)
        except RefgenError as error:
            result = BuildResult(errors=[error])
        except (SupersededError, BrokenPipeError, ConnectionResetError):
            raise
        except Exception as error:
            traceback.print_exc()
            message = f"refgen failed: {type(error).__name__}: {error}"
            result = BuildResult(errors=[RenderError(message, hint="This is a fault in refgen: please tell us.")])
        return Built(order, result, monotonic() - begun)

    def _result(self, order: Order, stop: Future[None]) -> BuildResult:
        from refgen.api import building

        def made(files: Mapping[str, bytes]) -> None:
            self.line.send(MadeFiles(order, dict(files)))

        settings = self.settings
        found = self._project = building.refreshed(settings.asked, self._project)
        shown: dict[str, Any] = {"made": made, "first": order.first} if settings.shows else {}
        runs: dict[str, Any] = {"jobs": settings.jobs, "executor": settings.executor, "stop": stop, **shown}
        if order.everything:
            return building.build(settings.asked, cache=settings.cache, project=found, **runs)
        return found.build(
            **{**settings.asked.options(found), "games": sorted(order.games)},
            screens={name: path for name, path in found.screens.items() if name in order.screens},
            cache=settings.cache,
            **runs,
        )


@contextmanager
def _with_cache(settings: BuilderSettings) -> Iterator[BuilderSettings]:
    """Where nothing is to be kept for other builds, this process keeps what it needs itself, for as long as it runs."""
    if settings.cache and open_store() is not None:
        yield settings
        return
    with own_folder(Path(tempfile.gettempdir()), SCRATCH_PREFIX) as folder:
        os.environ[CACHE_VARIABLE] = str(folder)
        try:
            yield replace(settings, cache=True)
        finally:
            os.environ[CACHE_VARIABLE] = NO_CACHE


def _warm_up() -> None:
    from refgen.api import project  # noqa: F401
    from refgen.layout.engine import warm_up
    from refgen.pipeline import build_run  # noqa: F401

    warm_up()


def _stop(number: int, _frame: object) -> NoReturn:
    """End, and tidy up on the way."""
    signal.signal(number, signal.SIG_IGN)
    sys.exit(128 + number)


def _stop_again(lost: sys.UnraisableHookArgs) -> None:
    """End a moment later, where Python could only drop what was raised: in what tidies up after a layout."""
    if not isinstance(lost.exc_value, SystemExit):
        sys.__unraisablehook__(lost)
        return
    signal.signal(signal.SIGALRM, lambda _number, frame: _stop(signal.SIGTERM, frame))
    signal.setitimer(signal.ITIMER_REAL, MOMENT)


def heed_signals() -> None:
    """End when the owner says so, and only then."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is for the owner, which ends this process
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _stop)
    sys.unraisablehook = _stop_again


if __name__ == "__main__":
    end_with(int(sys.argv[2]))
    heed_signals()
    with Connection(int(sys.argv[1])) as own_line:
        try:
            main(own_line)
        except SystemExit as stop:
            os._exit(int(stop.code or 0))  # all is tidy; to forget what is loaded, piece by piece, takes longer
