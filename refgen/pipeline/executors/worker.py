"""The life of a worker: a process that does steps for its owner.

In: a line to the owner, from which the steps come. Out: what becomes of each step, on the same line. A worker ends
with its owner, however the owner ends. ``python -m refgen.pipeline.executors.worker LINE OWNER`` starts one that shares
nothing with its owner but the line; a forked one has the owner's memory.
"""

from __future__ import annotations

import gc
import sys
import tempfile
import traceback
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from refgen.pipeline.operating_system import end_with, leave_signals_to_the_owner, peak_memory, trim_memory

MUCH = 256 * 2**20
"""Bytes of memory: a dozen games."""


def serve(line: Connection, owner: int) -> None:
    """Do the steps that come, until the line ends.

    First come the folder for temporary files, how to warm up, and after how many seconds without a step to end.
    What a forked process shares with its owner stays as it is: a search for garbage in it would copy all of it.
    """
    gc.freeze()
    end_with(owner)
    leave_signals_to_the_owner()
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        tempfile.tempdir, warm_up, idle_seconds = line.recv()
        warm_up()
        while line.poll(idle_seconds):
            _answer(line, *_outcome(line))
            _tidy_up()


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


def _tidy_up() -> None:
    """Free what a step leaves: layouts, with which WeasyPrint removes their fonts from the disk, or games."""
    had_much = peak_memory() > MUCH
    if had_much or "weasyprint" in sys.modules:
        gc.collect()
    if had_much:
        trim_memory()


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])), int(sys.argv[2]))
