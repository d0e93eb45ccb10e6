"""What stands in a PDF as bytes.

In: a number, a text, or an object of pydyf. Out: its bytes. pydyf asks what it is in the order that is slowest for what
a PDF has most of.
"""

from __future__ import annotations

from typing import Any

from pydyf import _to_bytes


def quick_to_bytes(item: Any) -> bytes:
    """``_to_bytes``."""
    kind = type(item)
    if kind is bytes:
        data: bytes = item
        return data
    if kind is str:
        return str.encode(item, "ascii")
    if kind is int or (kind is float and item.is_integer()):
        return b"%d" % item
    if kind is float:
        return (b"%f" % item).rstrip(b"0")
    return bytes(_to_bytes(item))


REPLACED = ((_to_bytes, quick_to_bytes),)
