"""Layouts give back the memory that they took: a process makes thousands of them."""

from __future__ import annotations

import ctypes
import gc

import pytest

from tests.layout.laid_out import pdf_of

LAYOUTS = 20
"""So many that what else a process takes meanwhile, some hundred kilobytes, does not matter."""

PAGE = "<!doctype html><html lang=en><title>A page</title><p>Words."


class _Allocated(ctypes.Structure):
    """What glibc says of its memory (mallinfo2): of ten numbers, that of the bytes in use."""

    _fields_ = [(name, ctypes.c_size_t) for name in (*"abcdefg", "in_use", *"hi")]


def taken() -> int:
    """The bytes that libraries in C hold."""
    library = ctypes.CDLL(None)
    if not hasattr(library, "mallinfo2"):
        pytest.skip("this C library does not say what it holds")
    library.mallinfo2.restype = _Allocated
    gc.collect()
    return int(library.mallinfo2().in_use)


@pytest.mark.slow
def test_a_layout_keeps_nothing() -> None:
    """Pango keeps the fonts of a layout that has gone, 230 kB, unless they are taken out of its hands."""
    for _ in range(2):  # what is made once
        pdf_of(PAGE)
    before = taken()
    for _ in range(LAYOUTS):
        pdf_of(PAGE)
    assert taken() - before < LAYOUTS * 50_000
