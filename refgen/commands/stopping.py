"""Ctrl-C, TERM and a closed terminal: the command ends within two seconds, with 128 and the signal's number.

In: a command that runs. Out: a KeyboardInterrupt in it, so that it can tidy up; whatever it does with that, it ends.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

GRACE = 1.5
"""Seconds to tidy up in; what is not tidied up then, the next build does."""

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopped(KeyboardInterrupt):
    """The command is to end. ``code`` is what it exits with."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.code = 128 + number


@contextmanager
def stops_on_signals() -> Iterator[None]:
    """Raise Stopped when a signal says so, once; a second one ends the process where it stands."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    for number in _SIGNALS:
        if before[number] is not signal.SIG_IGN:  # nohup
            signal.signal(number, _stop)
    try:
        yield
    finally:
        for number in _SIGNALS:
            signal.signal(number, before[number])


def _stop(number: int, _frame: FrameType | None) -> NoReturn:
    def end_here(_number: int, _frame: FrameType | None) -> NoReturn:
        os._exit(128 + number)

    for each in (*_SIGNALS, signal.SIGALRM):
        signal.signal(each, end_here)
    signal.setitimer(signal.ITIMER_REAL, GRACE)
    atexit.register(_end, 128 + number)  # taking Python apart takes long, and nothing of it is needed
    sys.unraisablehook = lambda _unraisable: None  # in a callback of a library the error is lost: the timer ends it
    raise Stopped(number)


def _end(code: int) -> NoReturn:
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
