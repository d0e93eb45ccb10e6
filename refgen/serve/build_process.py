"""The life of a process that builds: ``python -m refgen.serve.build_process LINE OWNER``.

In: a line to its owner, from which a Manner and then orders come. Out: on the same line the PDFs of each as they are
made, by their paths, and then a BuildResult.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NoReturn

from refgen.errors import RefgenError, RenderError
from refgen.gc_tuning import collect_seldom
from refgen.pipeline.cache.store import CACHE_VARIABLE, NO_CACHE, open_store
from refgen.pipeline.operating_system import end_with
from refgen.pipeline.own_folder import SCRATCH_PREFIX, own_folder, scratch
from refgen.pipeline.result import BuildResult
from refgen.serve.builder import Manner, Order, build

NICE = 5
"""Pages that somebody waits for come before whole builds."""

MOMENT = 0.01
"""Seconds until it is tried again to end."""


def main(line: Connection) -> None:
    """Build what comes, until the line ends."""
    manner: Manner = line.recv()
    collect_seldom()
    with _kept(manner) as kept, suppress(EOFError, BrokenPipeError, ConnectionResetError):
        with suppress(RefgenError), scratch():  # which is removed when a signal comes in the midst of it, too
            _warm_up()
        while True:
            line.send(_built(kept, line.recv(), line.send))
            gc.collect()  # of games that were read anew: now nobody waits


def _built(manner: Manner, order: Order, show: Callable[[Mapping[str, bytes]], object]) -> BuildResult:
    try:
        return build(manner, order, show)
    except Exception as error:
        traceback.print_exc()
        message = f"refgen failed: {type(error).__name__}: {error}"
        return BuildResult(errors=[RenderError(message, hint="This is a fault in refgen: please tell us.")])


@contextmanager
def _kept(manner: Manner) -> Iterator[Manner]:
    """Where nothing is to be kept for other builds, this process keeps what it needs itself, for as long as it runs."""
    if manner.cache and open_store() is not None:
        yield manner
        return
    with own_folder(Path(tempfile.gettempdir()), SCRATCH_PREFIX) as folder:
        os.environ[CACHE_VARIABLE] = str(folder)
        try:
            yield replace(manner, cache=True)
        finally:
            os.environ[CACHE_VARIABLE] = NO_CACHE


def _warm_up() -> None:
    from refgen.api import project  # noqa: F401
    from refgen.layout.engine import warm_up
    from refgen.pipeline import run  # noqa: F401

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
    os.nice(NICE)
    with Connection(int(sys.argv[1])) as line:
        try:
            main(line)
        except SystemExit as stop:
            os._exit(
                int(stop.code or 0)
            )  # all is tidy; to forget what is loaded, piece by piece, takes longer than all that
