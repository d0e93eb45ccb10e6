"""Functions that only some systems have, each with a substitute, and folders that belong to a process.

In: processes, folders and open files. Out: signals blocked, memory measured, folders exchanged or locked, files
replaced in one move; where a system cannot, a function does nothing, or returns or raises so. No other module of the
pipeline imports fcntl or resource, or calls the C library.
A folder of a process is locked: the kernel ends the lock with the process, however the process ends, so that the next
build can tell the folders of killed builds, and remove them. Windows locks no folders: there they stay.
"""

from __future__ import annotations

import ctypes
import errno
import mmap
import os
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from refgen.errors import PublishError, os_errors_as

try:
    import fcntl
    import resource
except ModuleNotFoundError:  # Windows
    fcntl = resource = None  # type: ignore[assignment]

FORKS = sys.platform == "linux" and hasattr(os, "fork")
"""Whether a fork of this process is safe, so that workers share all that it has loaded."""

STOP_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""The signals that stop a command; Windows has no SIGHUP."""

_PR_SET_PDEATHSIG = 1
_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_UNABLE = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP)


@cache
def c_function(name: str, *arguments: Any) -> Any:
    """A function of the C library, which returns an integer and sets errno; None where the library has none."""
    try:
        function = getattr(ctypes.CDLL(None, use_errno=True), name)
    except (AttributeError, OSError, TypeError):  # Windows knows no library without a name
        return None
    function.argtypes = arguments
    return function


def end_with(owner: int) -> None:
    """Let the kernel end this process when its owner ends, however that comes about; at once if it has ended."""
    prctl = c_function("prctl", ctypes.c_int, ctypes.c_ulong)
    if prctl is not None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.name == "posix" and os.getppid() != owner:
        os._exit(1)


@contextmanager
def stop_signals_blocked() -> Iterator[None]:
    """Let signals that stop a process wait until the block ends: a process forked in the block starts with none."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def leave_signals_to_the_owner() -> None:
    """Ignore Ctrl-C, which reaches all processes of a terminal: the owner of this process will end it."""
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN if number == signal.SIGINT else signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)


def how_ended(code: int | None) -> str:
    """How a process ended, in words, by its exit code."""
    if code is not None and code < 0:
        return f"by {signal.Signals(-code).name}"
    return f"with exit code {code}"


def resident_memory(process: int | None) -> int:
    """The bytes of memory that a process holds; 0 where the system does not say."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0
    return pages * mmap.PAGESIZE


def peak_memory() -> int:
    """The most bytes of memory that this process ever held; 0 where the system does not say."""
    if resource is None:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def trim_memory() -> None:
    """Give memory that is free back to the system: glibc keeps it, after a large layout some 60 MB in each process."""
    trim = c_function("malloc_trim", ctypes.c_size_t)
    if trim is not None:  # another C library has no such function
        trim(0)


def lock(number: int, *, wait: bool) -> None:
    """Lock an open folder until this process ends; ``wait`` while another process has the lock, or raise.

    Raises BlockingIOError where another process has the lock, another OSError where the file system has no locks.
    """
    if fcntl:
        fcntl.flock(number, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)


class CannotExchangeError(OSError):
    """The operating system or the file system cannot exchange two folders."""


def exchange(one: Path, other: Path) -> None:
    """Exchange two folders of a file system in one move: at no moment is either name without a folder.

    Raises CannotExchangeError where the system has no such move, OSError where the move fails.
    """
    rename = c_function("renameat2", ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
    if rename is None:
        raise CannotExchangeError(errno.ENOSYS, "no exchange")
    if rename(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE) == 0:
        return
    number = ctypes.get_errno()
    kind = CannotExchangeError if number in _UNABLE else OSError
    raise kind(number, os.strerror(number), str(other))


# Folders of a process

SCRATCH_PREFIX = "refgen-build-"


@contextmanager
def own_folder(parent: Path, prefix: str) -> Iterator[Path]:
    """A new folder in ``parent``, locked by this process, and removed when the block ends.

    The folders of killed processes with the same ``prefix`` are removed first.
    """
    for _ in left_folders(parent, prefix):
        pass
    folder, number = _make(parent, prefix)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(number)


def left_folders(parent: Path, prefix: str) -> Iterator[Path]:
    """The folders in ``parent`` whose processes are gone, each locked, and removed before the next is given."""
    for folder in sorted(parent.glob(f"{prefix}*")) if fcntl else ():
        with suppress(OSError):
            if folder.is_symlink() or folder.stat().st_uid != os.getuid():
                continue
            number = _lock_folder(folder)
            if number is None:
                continue
            try:
                yield folder
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(number)


WRITING_PREFIX = ".refgen-file-"
"""How the names of folders begin in which files are written before they are moved to their places."""


def write_whole(path: Path, data: bytes) -> None:
    """Put bytes in the place of a file in one move, once the disk has all of them. Raises PublishError."""
    hint = "Choose another place, or make room there."
    with os_errors_as(PublishError, f"write {path}", hint), own_folder(path.parent, WRITING_PREFIX) as folder:
        new = folder / path.name
        with new.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder for the temporary files of a build, such as the fonts that WeasyPrint writes for each layout.

    Until the block ends, the temporary files of this process go to the folder, unless it has other threads.
    Raises PublishError where the folder cannot be made.
    """
    before = tempfile.tempdir
    parent = Path(tempfile.gettempdir())
    with ExitStack() as stack:
        with os_errors_as(PublishError, f"write {parent}", "Set TMPDIR to another folder."):
            folder = stack.enter_context(own_folder(parent, SCRATCH_PREFIX))
        if threading.active_count() == 1:
            tempfile.tempdir = str(folder)
        try:
            yield folder
        finally:
            tempfile.tempdir = before


@contextmanager
def exclusive_access(folder: Path) -> Iterator[None]:
    """Run the block once no other process runs such a block for the same folder."""
    number = _open_folder(folder)
    try:
        lock(number, wait=True)
        yield
    finally:
        os.close(number)


def _make(parent: Path, prefix: str) -> tuple[Path, int]:
    """A new folder, and its open, locked descriptor. Another folder is made if a build removes one before the lock."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
        try:
            number = _lock_folder(folder)
        except OSError:
            folder.rmdir()
            raise
        if number is not None and folder.is_dir():
            return folder, number
        if number is not None:
            os.close(number)


def _lock_folder(folder: Path) -> int | None:
    """The open, locked descriptor of a folder; None where another process has the lock, or the folder is gone.

    Raises OSError where the folder cannot be opened or locked for another reason.
    """
    try:
        number = _open_folder(folder)
    except FileNotFoundError:
        return None
    try:
        lock(number, wait=False)
    except OSError as error:
        os.close(number)
        if isinstance(error, BlockingIOError):
            return None
        raise
    return number


def _open_folder(folder: Path) -> int:
    """The open descriptor of a folder; of nothing where no folder can be opened."""
    return (
        os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        if hasattr(os, "O_DIRECTORY")
        else os.open(os.devnull, os.O_RDONLY)
    )
