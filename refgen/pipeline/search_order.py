"""The same index for the same pages: Pagefind writes the games of its filter in any order, each time in another.

In: the files of an index, by name. Out: the same files with the games in order, named after what is in them as
Pagefind does. These files are the filter's, which the meta file names, which the entry file names.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from hashlib import sha1

MARK = b"pagefind_dcd"
"""What each packed file begins with; CBOR follows."""

ENTRY = "pagefind-entry.json"


def in_order(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files of an index, the games of its filters in order."""
    names: dict[str, str] = {}
    made = dict(files)
    for kind, digits in ((".pf_filter", 7), (".pf_meta", 10)):
        for path in [path for path in files if path.endswith(kind)]:
            folder, _, name = path.rpartition("/")
            before = name.removeprefix("pagefind.").removesuffix(kind)
            packed = gzip.decompress(made.pop(path)).removeprefix(MARK)
            data = _sorted_filter(packed) if kind == ".pf_filter" else _renamed(packed, names)
            language = before.partition("_")[0]
            names[before] = f"{language}_{sha1(data, usedforsecurity=False).hexdigest()[:digits]}"
            renamed = f"{folder}/{name.replace(before, names[before])}".removeprefix("/")
            made[renamed] = gzip.compress(MARK + data, mtime=0)
    made[ENTRY] = _renamed(files[ENTRY], names)
    return dict(sorted(made.items()))


def _renamed(data: bytes, names: Mapping[str, str]) -> bytes:
    """Data that names files, with their new names, which are as long as the old ones."""
    for before, name in names.items():
        data = data.replace(before.encode(), name.encode())
    return data


def _sorted_filter(data: bytes) -> bytes:
    """A filter: its name, and the values with the numbers of their pages."""
    _, start = _head(data, 0)
    start = _end(data, start)
    count, at = _head(data, start)
    values: list[bytes] = []
    for _ in range(count):
        end = _end(data, at)
        values.append(data[at:end])
        at = end
    head = data[: at - sum(map(len, values))]
    values.sort(key=_text_of)
    return head + b"".join(values) + data[at:]


def _text_of(value: bytes) -> bytes:
    """The text of a value: the first of a list."""
    _, at = _head(value, 0)
    _, start = _head(value, at)
    return value[start : _end(value, at)]


def _end(data: bytes, at: int) -> int:
    """Where an item of CBOR ends: a number, a text or a list."""
    kind = data[at] >> 5
    count, at = _head(data, at)
    if kind == 3:
        return at + count
    if kind == 4:
        for _ in range(count):
            at = _end(data, at)
    return at


def _head(data: bytes, at: int) -> tuple[int, int]:
    """The number in the head of an item, and where its head ends."""
    short = data[at] & 31
    if short < 24:
        return short, at + 1
    width = 1 << (short - 24)
    return int.from_bytes(data[at + 1 : at + 1 + width]), at + 1 + width
