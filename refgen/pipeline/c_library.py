"""Functions of the system's C library that Python has no name for.

In: the name of one, and the types of its arguments. Out: the function, which returns an integer and sets errno.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any


@cache
def c_function(name: str, *arguments: Any) -> Any:
    """The function; None where this system's library has none of that name."""
    try:
        function = getattr(ctypes.CDLL(None, use_errno=True), name)
    except (AttributeError, OSError, TypeError):  # TypeError: on Windows a library needs a name
        return None
    function.argtypes = arguments
    return function
