"""Functions of the C library: there, or told that they are not."""

from __future__ import annotations

import ctypes
import os

from refgen.pipeline.c_library import c_function


def test_a_function_of_the_library_is_called() -> None:
    assert c_function("getpid")() == os.getpid()
    assert c_function("abs", ctypes.c_int)(-3) == 3


def test_one_that_is_not_there_is_none() -> None:
    assert c_function("no_such_function") is None
