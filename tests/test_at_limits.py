"""What is just below a limit takes under twenty seconds and 512 MB; what is just above is refused with place and hint.

The documents of a whole game may take a minute and 1.25 GB.

``make soak`` measures each limit in a process of its own, and writes what it took into docs/security.md.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import NamedTuple

import pytest

from refgen.limits import Limits
from tests.at_limits import AT_LIMITS, ELSEWHERE, AtLimit
from tests.figures import write_figure
from tests.test_security import is_test

MOST_SECONDS, MOST_MEGABYTES = 20, 512
MOST_OF_DOCUMENTS = (60, 1280)
PLACES = ("rules.", ".toml", ".csv", ".html", ".ttf", ".png", "this roll", "game has")


PROGRAM = """
import atexit, sys
status = sys.argv.pop(1)
atexit.register(lambda: open(status, "w").write(open("/proc/self/status").read()))
from refgen.__main__ import start
start()
"""
"""The command line; in the end it writes how much memory it held, without that of the process that started it."""


class Run(NamedTuple):
    """How a command ended, what it said, and what it took."""

    code: int
    said: str
    seconds: float
    megabytes: float


def run(folder: Path, case: AtLimit, number: int) -> Run:
    """Run a command on the files for a number, in a process of its own; its seconds are those of the processor."""
    for name, data in case.files(number).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
    said, status = folder / "said", folder / "status"
    command = [sys.executable, "-c", PROGRAM, str(status), *case.command(number)]
    with said.open("wb") as output:
        process = subprocess.Popen(command, cwd=folder, stdout=output, stderr=output)
        _, ended, taken = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(ended)
    peak = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
    assert peak, "the system does not say what a process holds"
    seconds = taken.ru_utime + taken.ru_stime
    return Run(process.returncode, said.read_text(encoding="utf-8"), seconds, int(peak[1]) / 2**10)


@pytest.mark.soak
@pytest.mark.parametrize("limit", AT_LIMITS)
def test_below_a_limit_little_is_taken_and_above_it_all_is_refused(limit: str, tmp_path: Path) -> None:
    case, most = AT_LIMITS[limit], getattr(Limits(), limit)
    refusal = f"The limit {limit.replace('_', '-')} is {most:,}; --limit"
    below = run(tmp_path, case, most)
    assert refusal not in below.said
    assert below.code == (2 if limit == "toml_depth" else 0), below.said[:1000]  # no key has values so deep
    seconds, megabytes = MOST_OF_DOCUMENTS if limit.startswith("document_") else (MOST_SECONDS, MOST_MEGABYTES)
    assert (below.seconds < seconds, below.megabytes < megabytes) == (True, True), below[2:]
    above = run(tmp_path, case, most + case.more)
    assert refusal in above.said, above.said[-1000:]
    assert any(place in above.said.partition(refusal)[0] for place in PLACES)
    assert above.code == (0 if limit == "nesting" else 2)  # what nests too deep is left out, and told
    assert above.seconds < MOST_SECONDS
    figure = f"{below.seconds:.1f} s and {below.megabytes:.0f} MB below, refused after {above.seconds:.1f} s above"
    write_figure("limits", limit.replace("_", "-"), figure)


def test_each_limit_is_tried() -> None:
    assert {*AT_LIMITS}.isdisjoint(ELSEWHERE)
    assert {*AT_LIMITS, *ELSEWHERE} == {field.name for field in fields(Limits)}
    assert [name for name in ELSEWHERE.values() if not is_test(name)] == []
