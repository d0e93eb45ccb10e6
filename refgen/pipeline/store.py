"""The cache: a store of bytes by key, where it lies, and how files become the bytes of one entry.

In: keys (SHA-256 in hex) and bytes. Out: the bytes again, or None: an entry that is damaged is removed, never served.
Any number of processes may use a store at once; what was not used for longest goes when it grows too large.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

from refgen.errors import PublishError

MOST_BYTES = 512 * 2**20
HOURS_UNFINISHED = 1.0

CACHE_VARIABLE = "REFGEN_CACHE"
"""The environment variable that names the folder of the cache, or says that there is to be none."""

NO_CACHE = "none"

_CHECKSUM = sha256().digest_size
_NEW = ".new-"


@dataclass
class Store:
    """A folder of entries, of ``most_bytes`` at most. ``fault`` says why nothing could be kept, or nothing."""

    folder: Path
    most_bytes: int = MOST_BYTES
    fault: str = ""
    _written: int = field(default=0, repr=False)

    def get(self, key: str) -> bytes | None:
        """The bytes under a key; None where there are none, or where they are damaged."""
        path = self._path(key)
        try:
            data = path.read_bytes()
        except OSError:
            return None
        if data[:_CHECKSUM] != _checksum(key, data[_CHECKSUM:]):
            with suppress(OSError):
                path.unlink()
            return None
        with suppress(OSError):
            os.utime(path)  # it is used: others go first
        return data[_CHECKSUM:]

    def __contains__(self, key: str) -> bool:
        """Whether something is kept under a key. What is damaged turns out to be so when it is asked for."""
        return self._path(key).is_file()

    def put(self, key: str, data: bytes) -> None:
        """Keep bytes, whole or not at all. Where nothing can be kept, ``fault`` says why, and that is all."""
        if self.fault:
            return
        path = self._path(key)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            descriptor, new = tempfile.mkstemp(prefix=_NEW, dir=path.parent)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(_checksum(key, data) + data)
                Path(new).replace(path)
            except BaseException:
                with suppress(OSError):
                    Path(new).unlink()
                raise
        except OSError as error:
            self.fault = f"cannot write {self.folder}: {(error.strerror or str(error)).lower()}"
        else:
            self._written += len(data)

    def trim(self) -> None:
        """Remove what was not used for longest, when there is too much and something was added."""
        if not self._written:
            return
        found = sorted(self._entries(), key=lambda entry: -entry[0])
        total = 0
        for _, size, path in found:
            total += size
            if total > self.most_bytes:
                with suppress(OSError):
                    path.unlink()

    def _entries(self) -> Iterator[tuple[float, int, Path]]:
        """When each file was last used, its size and its path; what killed processes did not finish comes last."""
        for path in self.folder.glob("*/*"):
            with suppress(OSError):
                state = path.stat()
                unfinished = path.name.startswith(_NEW)
                yield state.st_mtime - (HOURS_UNFINISHED * 3600 if unfinished else 0), state.st_size, path

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / key


def _checksum(key: str, data: bytes) -> bytes:
    """Of the key too: a file under a wrong name is damaged."""
    return sha256(key.encode() + b"\0" + data).digest()


# Where the store lies


def cache_folder() -> Path | None:
    """The folder of the cache: that of the user, or what the variable names. None where there is to be no cache."""
    chosen = os.environ.get(CACHE_VARIABLE, "")
    if chosen == NO_CACHE:
        return None
    if chosen:
        return Path(chosen)
    return user_cache_path("refgen", appauthor=False)


def open_store() -> Store | None:
    """The store of this user; None for none."""
    folder = cache_folder()
    return None if folder is None else Store(folder / "steps")


def clear_cache() -> Path | None:
    """Remove all that is kept, and say where it was; None where there was nothing. Raises PublishError."""
    folder = cache_folder()
    if folder is None or not (folder / "steps").is_dir():
        return None
    try:
        shutil.rmtree(folder / "steps")
    except OSError as error:
        raise PublishError(f"cannot remove {folder / 'steps'}: {(error.strerror or str(error)).lower()}") from error
    return folder / "steps"


# The bytes of an entry


def packed(said: Any, *groups: Mapping[str, bytes]) -> bytes:
    """The bytes of an entry: what is said (anything that JSON can say), and groups of files by path."""
    sizes = [{path: len(data) for path, data in files.items()} for files in groups]
    head = json.dumps([said, sizes], ensure_ascii=False).encode()
    return b"\n".join([head, b"".join(data for files in groups for data in files.values())])


def unpacked(entry: bytes) -> tuple[Any, list[dict[str, bytes]]]:
    """The metadata and the files that were packed as an entry."""
    head, _, body = entry.partition(b"\n")
    said, sizes = json.loads(head)
    files = _cut(body, [size for group in sizes for size in group.values()])
    return said, [{path: next(files) for path in group} for group in sizes]


def _cut(body: bytes, sizes: list[int]) -> Iterator[bytes]:
    start = 0
    for size in sizes:
        yield body[start : start + size]
        start += size
