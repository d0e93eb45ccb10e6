"""What only some operating systems have: used where it is there, and done without where it is not."""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from refgen.pipeline.operating_system import c_function, how_ended, trim_memory

ELSEWHERE = """
import ctypes, sys
from pathlib import Path
def no_library(*_, **__):
    raise OSError
ctypes.CDLL = no_library
from refgen.pipeline import operating_system, publish
with operating_system.stop_signals_blocked():
    operating_system.leave_signals_to_the_owner()
operating_system.trim_memory()
print(operating_system.resident_memory(0))
for text in (b"1", b"2"):
    with publish.publishing(Path(sys.argv[1])) as output:
        publish.publish(output, {"a.txt": text}, {"a.txt": "a"}, [])
"""
"""A system that has nothing of it: what is published is published all the same."""


def test_a_function_of_the_library_is_called() -> None:
    assert c_function("getpid")() == os.getpid()
    assert c_function("abs", ctypes.c_int)(-3) == 3


def test_one_that_is_not_there_is_none() -> None:
    assert c_function("no_such_function") is None


@pytest.mark.slow
def test_a_system_that_has_none_of_it(tmp_path: Path) -> None:
    command = [sys.executable, "-c", ELSEWHERE, str(tmp_path / "build")]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout == "0\n"
    assert (tmp_path / "build" / "a.txt").read_text() == "2"
    assert [path.name for path in tmp_path.iterdir()] == ["build"]


@pytest.mark.parametrize(
    ("code", "words"), [(-signal.SIGKILL, "by SIGKILL"), (3, "with exit code 3"), (None, "with exit code None")]
)
def test_how_a_process_ended(code: int | None, words: str) -> None:
    assert how_ended(code) == words


@pytest.mark.slow
@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="glibc alone keeps it")
def test_what_is_free_goes_back_to_the_system() -> None:
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1])

    held = [b"x" * size for size in range(100_000, 101_000)]
    last = bytearray(100_000)  # behind what is freed: without being asked, glibc gives back the end alone
    held.clear()
    kept = resident()
    trim_memory()
    assert resident() < kept - 10_000
    assert last
