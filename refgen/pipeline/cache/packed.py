"""Files and what is said of them, as the bytes of one entry of the cache.

In: what JSON can say, and files by path. Out: bytes, and from these the same again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any


def packed(said: Any, *groups: Mapping[str, bytes]) -> bytes:
    """What is said, and groups of files."""
    sizes = [{path: len(data) for path, data in files.items()} for files in groups]
    head = json.dumps([said, sizes], ensure_ascii=False).encode()
    return b"\n".join([head, b"".join(data for files in groups for data in files.values())])


def unpacked(entry: bytes) -> tuple[Any, list[dict[str, bytes]]]:
    """The same again."""
    head, _, body = entry.partition(b"\n")
    said, sizes = json.loads(head)
    files = _cut(body, [size for group in sizes for size in group.values()])
    return said, [{path: next(files) for path in group} for group in sizes]


def _cut(body: bytes, sizes: list[int]) -> Iterator[bytes]:
    start = 0
    for size in sizes:
        yield body[start : start + size]
        start += size
