"""The command line on an input, in a process of its own: its exit code, within seconds and megabytes.

In: the arguments of ``refgen``. Out: "" if the process ended as it promises, or what is wrong. The process is a fork of
this one, in which refgen is loaded.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from time import monotonic, sleep

from refgen.cli import main
from tests.fuzz.bounds import MEGABYTES, SECONDS, memory

CODES = frozenset({0, 1, 2, 130, 143})
"""What a command ends with: all is well, findings, bad input; Ctrl-C, TERM."""

PATIENCE = 120.0
"""Seconds after which a process is ended that waits for something."""


def run_command(arguments: Sequence[str], error_file: Path = Path(os.devnull)) -> str:
    """What is wrong with a command, "" for nothing."""
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        _command(arguments)
    status = _ended(child)
    if status is None:
        return f"a command that does not end in {PATIENCE:g} s"
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        return (
            f"a command of more than {SECONDS:g} s"
            if number == signal.SIGXCPU
            else f"a command ended by {signal.Signals(number).name}"
        )
    code = os.WEXITSTATUS(status)
    return "" if code in CODES else f"a command with exit code {code}"


TRACEBACK = 99
"""The exit code of a command that raised an error which is none of refgen's."""


def _command(arguments: Sequence[str]) -> None:
    """Become a process that runs the command and ends."""
    code = TRACEBACK
    try:
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        sys.stdout, sys.stderr = (open(stream, "w", closefd=False) for stream in (1, 2))  # noqa: SIM115
        signal.setitimer(signal.ITIMER_PROF, 0)
        most = (memory("VmData") + (MEGABYTES << 10)) << 10
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
        used = resource.getrusage(resource.RUSAGE_SELF)
        seconds = int(used.ru_utime + used.ru_stime + SECONDS) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        main(list(arguments), prog_name="refgen")
        code = 0
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1
    finally:
        os._exit(code)


def _ended(child: int) -> int | None:
    """The status with which a child ends; one that does not end is killed."""
    until = monotonic() + PATIENCE
    pause = 0.001
    while True:
        process, status = os.waitpid(child, os.WNOHANG)
        if process:
            return status
        if monotonic() > until:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return None
        sleep(pause)
        pause = min(0.05, pause * 1.5)
