"""A limit on the CPU time of a piece of work."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


class TooSlowError(Exception):
    """The time is over."""


@contextmanager
def cpu_limit(seconds: float) -> Iterator[None]:
    """Raise TooSlowError in what is done meanwhile, when that takes more CPU time than this."""

    def over(*_: object) -> None:
        raise TooSlowError

    before = signal.signal(signal.SIGPROF, over)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
