"""Two folders change places in one move.

In: their paths, on one file system. Out: nothing; whoever looks sees the one or the other, never neither.
"""

from __future__ import annotations

import ctypes
import errno
import os
from pathlib import Path
from typing import Any

from refgen.pipeline.c_library import c_function

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_UNABLE = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP)


class CannotExchangeError(OSError):
    """There is no such move on the machine or the file system."""


def exchange(one: Path, other: Path) -> None:
    """Let two paths change places. Raises CannotExchangeError where that cannot be, OSError for what fails."""
    rename = _renameat2()
    if rename is None:
        raise CannotExchangeError(errno.ENOSYS, "no exchange")
    if rename(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE) == 0:
        return
    number = ctypes.get_errno()
    kind = CannotExchangeError if number in _UNABLE else OSError
    raise kind(number, os.strerror(number), str(other))


def _renameat2() -> Any:
    """The call of Linux; None where there is none."""
    return c_function("renameat2", ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
