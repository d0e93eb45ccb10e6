"""A process that builds, with all it needs loaded: whoever answers browsers need not wait for it, nor it for them.

In: orders; an order that comes while another is built takes its place. Out: of each the files that are made, as they
come, and then a Built, handed to whoever owns the builder. The process ends with its owner, however that ends, and its
workers with it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, Pipe

from refgen.api.building import BuildOrder
from refgen.errors import RenderError
from refgen.pipeline.executors.loop import LOCAL
from refgen.pipeline.operating_system import how_ended
from refgen.pipeline.result import BuildResult

GRACE = 0.4
"""Seconds to tidy up in."""


@dataclass(frozen=True, slots=True)
class Order:
    """An order to build: some games and screens that belong to none, or all that there is.

    Pages with the paths ``first`` are made before all else. A Builder gives each order a ``number``.
    """

    games: frozenset[str] = frozenset()
    screens: frozenset[str] = frozenset()
    everything: bool = False
    first: frozenset[str] = field(default=frozenset(), compare=False)
    number: int = 0

    def __bool__(self) -> bool:
        return self.everything or bool(self.games or self.screens)

    def __or__(self, other: Order) -> Order:
        everything = self.everything or other.everything
        return Order(self.games | other.games, self.screens | other.screens, everything, self.first | other.first)


@dataclass(frozen=True, slots=True)
class Built:
    """The result of an order, and the seconds that it took."""

    order: Order
    result: BuildResult
    seconds: float


@dataclass(frozen=True, slots=True)
class MadeFiles:
    """Files that an order has led to, by their paths: they are shown before all of it is built."""

    order: Order
    files: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class BuilderSettings:
    """How all orders of a builder are built; ``jobs`` and ``executor`` as of ``Project.build``.

    With ``shows`` the files that are made are handed on before all is built.
    """

    asked: BuildOrder
    cache: bool = True
    jobs: int | None = None
    executor: str = LOCAL
    shows: bool = False


@dataclass
class Builder:
    """A process that builds, started when it is needed. ``tell`` is called with what comes of orders, in a thread.

    To be started by the main thread alone: the kernel ends a process with the thread that started it.
    """

    settings: BuilderSettings
    tell: Callable[[MadeFiles | Built], object]
    order: Order | None = None
    _given: int = 0
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
        self._line.send(self.settings)
        reader = threading.Thread(target=self._read, args=(self._process, self._line), daemon=True, name="builder")
        reader.start()

    def give(self, order: Order) -> None:
        """Have something built in place of what is being built, of which nothing more is told."""
        self.start()
        self._given += 1
        self.order = replace(order, number=self._given)
        with suppress(OSError):  # the process has ended, which its reader tells
            self._line.send(self.order)  # type: ignore[union-attr]  # it is started

    def _read(self, process: subprocess.Popen[bytes], line: Connection) -> None:
        """Hand on what the process says, until it ends."""
        try:
            while True:
                self.tell(line.recv())
        except (OSError, EOFError):
            how = how_ended(process.wait())
        error = RenderError(f"the process that builds ended {how}", hint="The next change starts another.")
        if process is self._process and self.order is not None:
            self.tell(Built(self.order, BuildResult(errors=[error]), 0.0))

    def close(self) -> None:
        """End the process: at once, or with a moment to tidy up in."""
        if self._process is None:
            return
        process, self._process, self.order = self._process, None, None
        with suppress(OSError):
            process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(GRACE)
        process.kill()
        process.wait()
