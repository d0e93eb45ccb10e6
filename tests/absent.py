"""Processes in which something is absent that this machine has: libraries of Pango, functions that Windows lacks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

NO_PANGO = """
import ctypes, os
import cffi

def banned(load):
    def loads(self, name, *arguments, **named):
        if any(library in os.path.basename(str(name)) for library in ("pango", "harfbuzz", "gobject", "fontconfig")):
            raise OSError(f"cannot load library {name}")
        return load(self, name, *arguments, **named)
    return loads

ctypes.CDLL.__init__ = banned(ctypes.CDLL.__init__)
cffi.FFI.dlopen = banned(cffi.FFI.dlopen)
"""
"""No library of Pango can be loaded."""


def environment(folder: Path, absent: str, **variables: str) -> Mapping[str, str]:
    """The environment of processes, and of processes that they start, without what the code ``absent`` takes away."""
    folder.mkdir(exist_ok=True)
    (folder / "sitecustomize.py").write_text(absent, encoding="utf-8")
    return {**os.environ, "PYTHONPATH": str(folder), **variables}


def refgen(environment: Mapping[str, str], folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command of refgen, in a folder."""
    command = [sys.executable, "-m", "refgen", *arguments]
    return subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)


COMMANDS = """
import json, os, sys
from click.testing import CliRunner
from refgen.cli import main
for folder, *arguments in json.loads(sys.argv[1]):
    os.chdir(folder)
    done = CliRunner().invoke(main, arguments, catch_exceptions=False)
    print(json.dumps([done.exit_code, done.stderr]), flush=True)
"""
"""Runs commands, one after the other: a process of its own for each would take ten times as long."""


def refgen_in_turn(environment: Mapping[str, str], folder: Path, *commands: Sequence[str]) -> list[tuple[int, str]]:
    """The exit code and stderr of commands of refgen in a folder, all in one process; each ends without a traceback."""
    asked = json.dumps([[str(folder), *arguments] for arguments in commands])
    done = subprocess.run(
        [sys.executable, "-c", COMMANDS, asked], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.count("\n")) == (0, len(commands)), done.stderr
    return [(code, stderr) for code, stderr in map(json.loads, done.stdout.splitlines())]


NO_POSIX = """
import ctypes, os, select, signal, sys
import platformdirs  # which on this system takes its functions as it is loaded

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name in ("fcntl", "resource", "pwd", "grp", "termios", "syslog"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Absent())
for module, names in (
    (os, "fork forkpty getuid geteuid getgid chown sysconf setsid killpg O_NOFOLLOW O_CLOEXEC O_NONBLOCK O_NOCTTY"
         " O_DIRECTORY register_at_fork"),
    (signal, "SIGHUP SIGALRM setitimer ITIMER_REAL pthread_sigmask SIG_BLOCK SIG_UNBLOCK SIG_SETMASK"),
    (select, "poll"),
):
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)

def loads(self, name, *arguments, _load=ctypes.CDLL.__init__, **named):
    if name is None:
        raise TypeError("argument of type 'NoneType' is not iterable")
    return _load(self, name, *arguments, **named)

ctypes.CDLL.__init__ = loads
"""
"""As on Windows: no fork, no modules and functions of POSIX, no C library by no name (renameat2, prctl, syncfs)."""
