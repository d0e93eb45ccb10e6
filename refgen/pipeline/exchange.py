"""Two folders change places in one move.

In: their paths, on one file system. Out: nothing; whoever looks sees the one or the other, never neither.
"""

from __future__ import annotations

import ctypes
import errno
import os
from functools import cache
from pathlib import Path
from typing import Any

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


@cache
def _renameat2() -> Any:
    """The call of Linux; None where the C library has none."""
    try:
        call = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):
        return None
    call.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
    return call
