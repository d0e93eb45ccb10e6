"""The same index for the same pages: Pagefind writes the games of its filter in any order, each time in another.

In: the files of an index, by name. Out: the same files with the games in order, named after what is in them as
Pagefind does. These files are the filter's, which the meta file names, which the entry file names.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from hashlib import sha1

import cbor2

MARK = b"pagefind_dcd"
"""What each packed file begins with; CBOR follows (RFC 8949)."""

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
    """A filter, its values in order: its name, and the values with the numbers of their pages."""
    name, values, *rest = cbor2.loads(data)
    return cbor2.dumps([name, sorted(values), *rest])
