"""The life of a process that does steps for its owner.

In: a line to the owner, from which the steps come. Out: what becomes of each, on the same line. The process ends with
its owner, however that ends. ``python -m refgen.pipeline.executors.child LINE OWNER`` starts one that shares nothing
with its owner but the line; a forked one has its memory.
"""

from __future__ import annotations

import ctypes
import gc
import os
import resource
import signal
import sys
import tempfile
import traceback
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from refgen.gc_tuning import give_back

STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_PR_SET_PDEATHSIG = 1

MUCH = 256 * 2**10
"""Kilobytes of memory: a dozen games."""


def serve(line: Connection, owner: int) -> None:
    """Do what comes, until the line ends. First comes the folder for temporary files, and how to warm up.

    What a forked process shares with its owner stays as it is: a search for garbage in it would copy all of it.
    """
    gc.freeze()
    end_with(owner)
    _leave_signals_to_the_owner()
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        tempfile.tempdir, warm_up = line.recv()
        warm_up()
        while True:
            _answer(line, *_outcome(line))
            _tidy_up()


def _tidy_up() -> None:
    """Free what a step leaves: layouts, with which WeasyPrint removes their fonts from the disk, or games."""
    had_much = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > MUCH
    if had_much or "weasyprint" in sys.modules:
        gc.collect()
    if had_much:
        give_back()


def _outcome(line: Connection) -> tuple[bool, Any]:
    """Whether a step went well, and what it returned or raised."""
    try:
        function, arguments, named = line.recv()
        return True, function(*arguments, **named)
    except (EOFError, ConnectionResetError):
        raise
    except Exception as error:  # the owner decides what it means
        error.add_note(traceback.format_exc())
        return False, error


def _answer(line: Connection, went_well: bool, outcome: Any) -> None:
    try:
        line.send((went_well, outcome))
    except (BrokenPipeError, ConnectionResetError):
        raise
    except Exception as error:  # it cannot be pickled
        line.send((False, TypeError(f"{outcome!r} cannot travel: {error}")))


def end_with(owner: int) -> None:
    """Let the kernel end this process when its owner ends, however that comes about."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != owner:
        os._exit(1)


def _leave_signals_to_the_owner() -> None:
    """Ctrl-C reaches all processes of a terminal; the owner ends those that work for it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)


def started_with(line: int, owner: int) -> list[str]:
    """The command that starts such a process, whose end of the line has this number."""
    return [sys.executable, "-m", __spec__.name, str(line), str(owner)]


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])), int(sys.argv[2]))
