"""A process that builds, with all it needs loaded: whoever answers browsers need not wait for it, nor it for them.

In: orders, one at a time. Out: of each what is Printed, as it comes, and then a Built, handed to whoever owns the
builder. The process ends with its owner, however that ends, and its workers with it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, Pipe
from time import monotonic

from refgen.api.building import Asked
from refgen.errors import RefgenError, RenderError
from refgen.pipeline.executors.choose import LOCAL
from refgen.pipeline.operating_system import how_ended
from refgen.pipeline.result import BuildResult

GRACE = 0.4
"""Seconds to tidy up in."""


@dataclass(frozen=True, slots=True)
class Order:
    """What to build: some games and screens that belong to none, or all that there is."""

    games: frozenset[str] = frozenset()
    screens: frozenset[str] = frozenset()
    everything: bool = False

    def __bool__(self) -> bool:
        return self.everything or bool(self.games or self.screens)

    def __or__(self, other: Order) -> Order:
        everything = self.everything or other.everything
        return Order(self.games | other.games, self.screens | other.screens, everything)


@dataclass(frozen=True, slots=True)
class Built:
    """What came of an order, and in how many seconds."""

    order: Order
    result: BuildResult
    seconds: float


@dataclass(frozen=True, slots=True)
class Printed:
    """PDFs that an order has led to, by their paths: they are shown before all of it is built."""

    order: Order
    files: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Manner:
    """How all orders of a builder are built; ``jobs`` and ``executor`` as of ``Project.build``."""

    asked: Asked
    cache: bool = True
    jobs: int | None = None
    executor: str = LOCAL


@dataclass
class Builder:
    """A process that builds, started when it is needed. ``tell`` is called with what comes of orders, in a thread.

    To be started by the main thread alone: the kernel ends a process with the thread that started it.
    """

    manner: Manner
    tell: Callable[[Printed | Built], object]
    order: Order | None = None
    _process: subprocess.Popen[bytes] | None = None
    _line: Connection | None = field(default=None, repr=False)

    def start(self) -> None:
        """Start the process, so that it loads what it needs."""
        if self._process is not None and self._process.poll() is None:
            return
        self._line, theirs = Pipe()
        command = [sys.executable, "-P", "-m", "refgen.serve.build_process", str(theirs.fileno()), str(os.getpid())]
        self._process = subprocess.Popen(  # noqa: S603  # this very program
            command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL
        )
        theirs.close()
        self._line.send(self.manner)

    def give(self, order: Order) -> None:
        """Have something built; nothing else is being built now."""
        self.start()
        self.order = order
        threading.Thread(target=self._await, args=(order, self._line), daemon=True, name="builder").start()

    def _await(self, order: Order, line: Connection) -> None:
        begun = monotonic()
        try:
            line.send(order)
            while not isinstance(result := line.recv(), BuildResult):
                self.tell(Printed(order, result))
        except (OSError, EOFError):
            result = BuildResult(errors=[self._lost()])
        self.tell(Built(order, result, monotonic() - begun))

    def _lost(self) -> RefgenError:
        how = how_ended(self._process.wait() if self._process is not None else None)
        return RenderError(f"the process that builds ended {how}", hint="The next change starts another.")

    def close(self) -> None:
        """End the process: at once, or with a moment to tidy up in."""
        if self._process is None:
            return
        with suppress(OSError):
            self._process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)
        self._process.kill()
        self._process.wait()
        self._process = None


def build(manner: Manner, order: Order, show: Callable[[Mapping[str, bytes]], object]) -> BuildResult:
    """Build what is ordered; what fails for all is an error of the result too. Of some games, PDFs are shown at once.

    Of everything they are not: they may be too many to be kept in memory.
    """
    from refgen.api import building

    asked = manner.asked

    def made(files: Mapping[str, bytes]) -> None:
        if printed := {path: data for path, data in files.items() if path.endswith(".pdf")}:
            show(printed)

    try:
        if order.everything:
            return building.build(asked, cache=manner.cache, jobs=manner.jobs, executor=manner.executor)
        found = building.project_of(asked)
        return found.build(
            **{**asked.options(found), "games": sorted(order.games)},
            screens={name: path for name, path in found.screens.items() if name in order.screens},
            jobs=manner.jobs,
            executor=manner.executor,
            cache=manner.cache,
            made=made,
        )
    except RefgenError as error:
        return BuildResult(errors=[error])
