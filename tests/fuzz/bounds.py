"""One input in its bounds: what its target raises, the seconds of CPU and the memory that it takes.

In: a target's function and an input. Out: a Trial. Linux alone counts memory so; nothing else of refgen needs it.
"""

from __future__ import annotations

import resource
import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from types import FrameType

from refgen.errors import RefgenError

SECONDS = 10.0
"""CPU that an input may take."""

MEGABYTES = 512
"""Memory that an input may take, above what the process held before."""

PACKAGE = str(Path(__file__).resolve().parents[2] / "refgen")


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of one input; ``fault`` is "" for one that was read or refused, as promised."""

    fault: str
    seconds: float
    megabytes: float
    trace: str = ""
    refused: bool = False


class TooLong(BaseException):
    """An input takes longer than it may; no handler of refgen may take this for an error of its own."""


def tried(run: Callable[[bytes], object], data: bytes) -> Trial:
    """Run a target on an input."""
    fault = trace = ""
    refused = False
    before = _start_counting()
    start = process_time()
    try:
        with _in_bounds(before):
            run(data)
    except RefgenError as error:
        refused = True
        str(error)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        fault, trace = _where(error), "".join(traceback.format_exception(error))
    seconds = process_time() - start
    megabytes = max(0, memory("VmHWM") - before) / 1024
    if not fault and megabytes > MEGABYTES:
        fault = f"more than {MEGABYTES} MB"
    if not fault and seconds > SECONDS:
        fault = f"more than {SECONDS:g} s"
    return Trial(fault, seconds, megabytes, trace, refused)


@contextmanager
def _in_bounds(before: int) -> Iterator[None]:
    def stop(_number: int, _frame: FrameType | None) -> None:
        raise TooLong

    handled = signal.signal(signal.SIGPROF, stop)
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, ((memory("VmData") + (MEGABYTES << 10)) << 10, hard))
    signal.setitimer(signal.ITIMER_PROF, SECONDS, 0.1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))
        signal.signal(signal.SIGPROF, handled)


def _where(error: BaseException) -> str:
    """The kind of an error and the last line of refgen that it passed: errors with the same are one find."""
    if isinstance(error, TooLong):
        return f"more than {SECONDS:g} s"
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if frame.filename.startswith(PACKAGE)] or list(frames)
    place = f"{Path(ours[-1].filename).name}:{ours[-1].name}" if ours else ""
    return f"{type(error).__name__} in {place}"


def _start_counting() -> int:
    """Let the most memory of this process be counted again. Returns the kilobytes that it holds."""
    with open("/proc/self/clear_refs", "w") as file:  # noqa: PTH123 - in the loop of every input
        file.write("5")
    return memory("VmRSS")


def memory(name: str) -> int:
    """A line of the kernel's record of this process, in kilobytes."""
    with open("/proc/self/status", "rb") as file:  # noqa: PTH123
        status = file.read()
    start = status.index(name.encode()) + len(name) + 1
    return int(status[start : status.index(b"kB", start)])
