"""Reading the files of users, safely; and the place of the files that ship with refgen.

In: a path. Out: the bytes of a regular file, at most as many as the limit ``file_bytes``; or an error with the name of
the file. A path that somebody typed may be a pipe too, under the same limit and that of ``pipe_seconds``. A device, a
socket or a folder is never read: reading one may wait, or go on, for ever.
"""

from __future__ import annotations

import os
import re
import select
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from stat import S_ISDIR, S_ISFIFO, S_ISREG
from time import monotonic

from refgen.errors import SourceError, os_errors_as
from refgen.limits import limit_hint, limits


def _flags(*names: str) -> int:
    """The flags of ``os.open`` with these names that the system has."""
    return sum(getattr(os, name, 0) for name in names)


_FLAGS = os.O_RDONLY | _flags("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY")
"""How files are opened: a pipe that nobody writes to does not keep the opener waiting."""

_NO_LINK = _flags("O_NOFOLLOW")

_CHUNK = 2**20


def read_bytes(path: Path, name: str, *, typed: bool = False) -> bytes:
    """The bytes of a file, which errors call ``name``. Raises SourceError.

    ``path`` has no link in it (see ``path_inside``) and is a regular file. One that somebody ``typed`` may be a link
    or a pipe.
    """
    with (
        os_errors_as(SourceError, f"read {name}", "Check the path and its permissions."),
        open_file(path, links=typed) as (file, found),
    ):
        _check(found, name, pipes=typed)
        return _read(file, name)


_ADDRESS = re.compile(r"(?P<scheme>[a-z][a-z0-9+.-]+):/{1,3}(?=[^/])|www\.", re.IGNORECASE)


def refuse_address(text: str) -> None:
    """Raise SourceError for an address of the internet in place of the path of a file."""
    found = _ADDRESS.match(text)
    if found is None or Path(text).exists():
        return
    scheme = (found["scheme"] or "").lower()
    if scheme == "file":
        raise SourceError(f"{text} is an address, not a path", hint=f"Write the path: /{text[found.end() :]}.")
    address = f"{scheme}://{text[found.end() :]}" if scheme else text
    hint = "Save the page as a file (in a browser: Save page as), and name that file."
    raise SourceError(f"{address} is an address, and refgen reads nothing from the internet", hint=hint)


@contextmanager
def open_file(path: Path, *, links: bool) -> Iterator[tuple[int, os.stat_result]]:
    """The file at a path, opened without waiting, with its status as ``os.fstat`` gives it. Raises OSError."""
    file = os.open(path, _FLAGS if links else _FLAGS | _NO_LINK)
    try:
        yield file, os.fstat(file)
    finally:
        os.close(file)


def path_inside(folder: Path, name: str) -> Path:
    """The path of a file in ``folder``, with no link in it. Raises SourceError for one that leads out of the folder.

    Backslashes part folders as slashes do, as people on Windows write them, unless a file has the very name.
    """
    try:
        path = (folder / name).resolve()
        if "\\" in name and not path.exists():
            path = (folder / name.replace("\\", "/")).resolve()
        path.exists()
    except (OSError, RuntimeError, ValueError) as error:  # too long, in a ring of links, or with a NUL byte
        shown = name[:40].replace("\0", "␀")
        raise SourceError(f'"{shown}" is no name of a file', hint="Write a shorter, plain one.") from error
    if not path.is_relative_to(folder.resolve()):
        raise SourceError(f'"{name}" leads out of {folder.resolve().name}', hint="Put the file into the folder.")
    return path


def _check(found: os.stat_result, name: str, *, pipes: bool) -> None:
    """Refuse a file of a kind that is not read (a folder, a device), and one that is too large."""
    if not S_ISREG(found.st_mode) and not (pipes and S_ISFIFO(found.st_mode)):
        raise SourceError(f"{name} is {_kind(found.st_mode)}, not a file", hint="Put a plain file in its place.")
    if found.st_size > limits().file_bytes:
        raise SourceError(f"{name} has {found.st_size:,} bytes", hint=limit_hint("file_bytes"))


def _kind(mode: int) -> str:
    return "a folder" if S_ISDIR(mode) else "a pipe" if S_ISFIFO(mode) else "a device"


def _read(file: int, name: str) -> bytes:
    """All that there is to read: one byte more than the limit is too much, whatever size the file was said to have."""
    until = monotonic() + limits().pipe_seconds
    data = bytearray()
    while len(data) <= limits().file_bytes:
        if not _is_ready(file, until):
            raise SourceError(f"{name} is a pipe that does not end", hint=limit_hint("pipe_seconds"))
        chunk = os.read(file, min(_CHUNK, limits().file_bytes + 1 - len(data)))
        if not chunk:
            return bytes(data)
        data += chunk
    raise SourceError(f"{name} has more than {limits().file_bytes:,} bytes", hint=limit_hint("file_bytes"))


def _is_ready(file: int, until: float) -> bool:
    """Whether a file can be read, at the latest at the time ``until``; on Windows every file can."""
    if not hasattr(select, "poll"):
        return True
    ready = select.poll()
    ready.register(file, select.POLLIN)
    return bool(ready.poll(max(0, until - monotonic()) * 1000))


_PACKAGE = Path(__file__).resolve().parent


def bundled_folder(name: str) -> Path:
    """The folder ``templates`` or ``content`` that ships with refgen: in a wheel inside the package, else beside it."""
    installed = _PACKAGE / "bundled" / name
    return installed if installed.is_dir() else _PACKAGE.parent / name
