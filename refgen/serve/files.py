"""Files of a folder, by the paths of URLs: nothing outside of it, nothing hidden, no links.

In: a folder, and the path of a URL as it was sent. Out: an open file, or None. The folder may change places with
another at any moment: a file is looked for in one of the two, never in between.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import BinaryIO
from urllib.parse import unquote

INDEX = "index.html"

MOMENT = 0.25
"""Seconds in which a folder that gives way to another one has to be there again."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


def steps_of(path: str) -> Sequence[str] | None:
    """The names on the way that the path of a URL says, the last of which is a file; None for one that is refused."""
    try:
        plain = unquote(path, errors="strict")
    except UnicodeDecodeError:
        return None
    if not plain.startswith("/") or any(character in plain for character in "\0\\"):
        return None
    steps = plain[1:].split("/")
    if not steps[-1]:
        steps[-1] = INDEX
    return None if any(not step or step.startswith(".") or len(os.fsencode(step)) > 255 for step in steps) else steps


def open_inside(folder: Path, steps: Sequence[str]) -> BinaryIO | None:
    """A file of a folder; None where there is none that can be read, or a link on the way.

    Where the folder was replaced meanwhile, the one that stands there now is asked.
    """
    end = monotonic() + MOMENT
    while True:
        asked = _identity(folder)
        with suppress(OSError):
            return _open(folder, steps)
        if asked == _identity(folder) and (asked is not None or monotonic() > end):
            return None
        sleep(0.002)


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        found = folder.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _open(folder: Path, steps: Sequence[str]) -> BinaryIO | None:
    here = os.open(folder, _FOLDER)
    try:
        for step in steps[:-1]:
            below = os.open(step, _FOLDER | os.O_NOFOLLOW, dir_fd=here)
            os.close(here)
            here = below
        found = os.open(steps[-1], _FILE, dir_fd=here)
    finally:
        os.close(here)
    if stat.S_ISREG(os.fstat(found).st_mode):
        return os.fdopen(found, "rb")
    os.close(found)
    return None
