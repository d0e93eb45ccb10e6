"""A process that builds, with all that builds need loaded: answers to browsers never wait for a build.

In: orders; an order that comes during a build takes its place. Out: the files of each order as they are made, and then
an OrderResult, handed to the owner of the Builder. The process ends with its owner, however the owner ends.
"""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from queue import SimpleQueue
from time import monotonic
from typing import Any

from refgen.api.settings import BuildOrder
from refgen.errors import RefgenError, RenderError
from refgen.gc_tuning import tune_gc
from refgen.pipeline.operating_system import SCRATCH_PREFIX, end_with, how_ended, own_folder, scratch
from refgen.pipeline.result import BuildResult
from refgen.pipeline.store import CACHE_VARIABLE, NO_CACHE, open_store

GRACE = 0.8
"""Seconds in which the process may finish its step and remove its temporary files, before it is killed."""

_COMMAND = "from refgen.serve.builder import run_process; run_process()"


@dataclass(frozen=True, slots=True)
class PartsOrder:
    """An order to build some games, and some screens that belong to no game; or ``everything``.

    Pages with the paths ``first`` are made before all other pages. A Builder gives each order a ``number``.
    """

    games: frozenset[str] = frozenset()
    screens: frozenset[str] = frozenset()
    everything: bool = False
    first: frozenset[str] = field(default=frozenset(), compare=False)
    number: int = 0

    def __bool__(self) -> bool:
        return self.everything or bool(self.games or self.screens)

    def __or__(self, other: PartsOrder) -> PartsOrder:
        everything = self.everything or other.everything
        return PartsOrder(self.games | other.games, self.screens | other.screens, everything, self.first | other.first)


@dataclass(frozen=True, slots=True)
class OrderResult:
    """The result of an order, and the seconds that its build took."""

    order: PartsOrder
    result: BuildResult
    seconds: float


@dataclass(frozen=True, slots=True)
class EarlyFiles:
    """Files of an order by their paths, to be shown before all of the order is built."""

    order: PartsOrder
    files: Mapping[str, bytes]


@dataclass
class Builder:
    """The owner's side of a process that builds. ``tell`` is called, in a thread, with the outcomes of orders.

    The ``build_order`` is the build whose parts are ordered. With ``shows``, made files are handed on before all of an
    order is built.

    Only the main thread may start the process: the kernel ends a process with the thread that started it.
    """

    build_order: BuildOrder
    tell: Callable[[EarlyFiles | OrderResult], object]
    shows: bool = False
    order: PartsOrder | None = None
    _given: int = 0
    _process: subprocess.Popen[bytes] | None = None
    _line: Connection | None = field(default=None, repr=False)

    def start(self) -> Connection:
        """Start the process, unless it runs, and return the line to the process."""
        if self._line is not None and self._process is not None and self._process.poll() is None:
            return self._line
        self._line, theirs = Pipe()
        command = [sys.executable, "-P", "-c", _COMMAND, str(theirs.fileno()), str(os.getpid())]
        self._process = subprocess.Popen(  # noqa: S603  # this very program
            command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL
        )
        theirs.close()
        self._line.send((self.build_order, self.shows))
        threading.Thread(target=self._read, args=(self._process, self._line), daemon=True, name="builder").start()
        return self._line

    def give(self, order: PartsOrder) -> None:
        """Have an order built in place of the order that is being built, of which nothing more is reported."""
        line = self.start()
        self._given += 1
        self.order = replace(order, number=self._given)
        try:
            line.send(self.order)
        except OSError:  # the process has just ended, and ``_read`` waits for it: meanwhile it counts as running
            if self._process is not None:
                self._process.wait()
            with suppress(OSError):  # the second one has ended as well, which ``_read`` tells
                self.start().send(self.order)

    def close(self) -> None:
        """End the process: it has the time of GRACE to tidy up before it is killed."""
        if self._process is None or self._line is None:
            return
        process, self._process, self.order = self._process, None, None
        with suppress(OSError):
            self._line.send(None)
        with suppress(subprocess.TimeoutExpired):
            process.wait(GRACE)
        process.kill()
        process.wait()

    def _read(self, process: subprocess.Popen[bytes], line: Connection) -> None:
        """Hand on the messages of the process, until it ends."""
        try:
            while True:
                self.tell(line.recv())
        except (OSError, EOFError):
            how = how_ended(process.wait())
        error = RenderError(f"the process that builds ended {how}", hint="The next change starts another.")
        if process is self._process and self.order is not None:
            self.tell(OrderResult(self.order, BuildResult(errors=[error]), 0.0))


# In the process that builds


def run_process() -> None:
    """Build the orders that come through a line until it ends; the arguments are its descriptor and the owner's id."""
    end_with(int(sys.argv[2]))
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # Ctrl-C in a terminal is for the owner, which ends this process
    with Connection(int(sys.argv[1])) as line, suppress(BrokenPipeError, ConnectionResetError):
        _build_orders(line)
    os._exit(0)  # to free all that is loaded, object by object, takes longer


class SupersededError(Exception):
    """Another order takes the place of the order that is being built, or the owner wants no more builds."""


@dataclass
class _OrderQueue:
    """The orders that come through a line, read by a thread; None means that no more will come."""

    line: Connection
    _orders: SimpleQueue[PartsOrder | None] = field(default_factory=SimpleQueue)
    _stop: Future[None] = field(default_factory=Future)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def read(self) -> None:
        """Take orders from the line until it ends. Each order stops the build that runs."""
        order: PartsOrder | None = PartsOrder()
        while order is not None:
            try:
                order = self.line.recv()
            except (OSError, EOFError):
                order = None
            with self._lock:
                self._orders.put(order)
                if not self._stop.done():
                    self._stop.set_exception(SupersededError())

    def is_empty(self) -> bool:
        """Whether no order waits."""
        return self._orders.empty()

    def next(self) -> tuple[PartsOrder | None, Future[None]]:
        """The last order that has come, and the future that stops its build once another order comes."""
        order = self._orders.get()
        with self._lock:
            while not self._orders.empty():
                order = self._orders.get()
            self._stop = Future()
            return order, self._stop


def _build_orders(line: Connection) -> None:
    """Build what comes, until the line ends."""
    build_order, shows = line.recv()
    tune_gc()
    orders = _OrderQueue(line)
    with ExitStack() as folders:
        with suppress(RefgenError):  # reported by the first build
            folders.enter_context(scratch())  # before this process has other threads
            _load_libraries()
        builds = _OrderBuilds(folders.enter_context(_with_cache(build_order)), shows, line)
        threading.Thread(target=orders.read, daemon=True, name="orders").start()
        while True:
            order, stop = orders.next()
            if order is None:
                return
            with suppress(SupersededError):
                line.send(builds.build(order, stop))
            if orders.is_empty():
                gc.collect()  # of games that were read again: now nobody waits


@dataclass
class _OrderBuilds:
    """Builds orders, in turn. A game whose rules have not changed since the last build is not read again."""

    build_order: BuildOrder
    shows: bool
    line: Connection
    _project: Any = None

    def build(self, order: PartsOrder, stop: Future[None]) -> OrderResult:
        """Build an order. An error that concerns the whole build is an error of the result too."""
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
        return OrderResult(order, result, monotonic() - begun)

    def _result(self, order: PartsOrder, stop: Future[None]) -> BuildResult:
        from refgen.api import building

        def made(files: Mapping[str, bytes]) -> None:
            self.line.send(EarlyFiles(order, dict(files)))

        build = self.build_order
        project = self._project = building.refresh_project(build, self._project)
        shown: dict[str, Any] = {"made": made, "first": order.first} if self.shows else {}
        if order.everything:
            return building.build(build, project=project, stop=stop, **shown)
        screens = {name: path for name, path in project.screens.items() if name in order.screens}
        request = replace(project.request(build.settings), games=sorted(order.games), screens=screens)
        return project.run(replace(request, stop=stop, **shown))


@contextmanager
def _with_cache(build: BuildOrder) -> Iterator[BuildOrder]:
    """The build with a cache: where there is none, or none is wanted, a folder that is removed with this process."""
    if build.settings.cache and open_store() is not None:
        yield build
        return
    with own_folder(Path(tempfile.gettempdir()), SCRATCH_PREFIX) as folder:
        os.environ[CACHE_VARIABLE] = str(folder)
        try:
            yield replace(build, settings=replace(build.settings, cache=True))
        finally:
            os.environ[CACHE_VARIABLE] = NO_CACHE


def _load_libraries() -> None:
    from refgen.api import project  # noqa: F401
    from refgen.layout.engine import warm_up
    from refgen.pipeline import build_run  # noqa: F401

    warm_up()
