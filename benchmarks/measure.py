"""Time and memory of a command as a whole process, with all its children."""

from __future__ import annotations

import resource
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

BIN = Path(sys.executable).parent

_BETWEEN_SAMPLES = 0.05
_SHARE_OF_SAMPLES = 0.05
"""How much of the time samples of memory may take: those of many large processes take long."""


@dataclass(frozen=True, slots=True)
class Run:
    """Seconds on the clock, those of the processor, and the most memory at once, in MB, all with its children."""

    seconds: float
    processor: float
    megabytes: float


def run(command: Sequence[str | Path], *, memory: bool = False) -> Run:
    """Run a command once. Memory is the proportional share (PSS), sampled often, which slows it; only on Linux."""
    before, start = _processor(), time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    peak = _watch(process) if memory else 0.0
    if process.wait() > 1:
        raise SystemExit(f"{command[0]} failed")
    return Run(time.perf_counter() - start, _processor() - before, peak)


def _processor() -> float:
    """The processor's seconds of all commands that were run."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def median_seconds(command: Sequence[str | Path], times: int) -> float:
    """The median time of some runs."""
    return median(run(command).seconds for _ in range(times))


def _watch(process: subprocess.Popen[bytes]) -> float:
    peak = 0.0
    done = threading.Event()

    def sample() -> None:
        nonlocal peak
        took = 0.0
        while not done.wait(max(_BETWEEN_SAMPLES, took / _SHARE_OF_SAMPLES)):
            start = time.perf_counter()
            peak = max(peak, sum(_pss(pid) for pid in _family(process.pid)) / 1024)
            took = time.perf_counter() - start

    thread = threading.Thread(target=sample)
    thread.start()
    process.wait()
    done.set()
    thread.join()
    return peak


def _family(root: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(folder.name))
    family, waiting = [], [root]
    while waiting:
        pid = waiting.pop()
        family.append(pid)
        waiting += children.get(pid, [])
    return family


def _pss(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
