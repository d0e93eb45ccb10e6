"""Files that wait to be published: a few in memory, many on the disk.

In: files by path. Out: the same files, which are read when they are asked for. What is on the disk has no name there:
it is gone with the process, however that ends.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from typing import IO

from refgen.errors import PublishError

MOST_IN_MEMORY = 8 * 2**20

Files = Mapping[str, bytes]


class Spool:
    """Takes files in; those beyond ``most_in_memory`` bytes go to the disk, until it is closed."""

    def __init__(self, most_in_memory: int = MOST_IN_MEMORY) -> None:
        self._room = most_in_memory
        self._file: IO[bytes] | None = None
        self._end = 0

    def take(self, files: Files) -> Files:
        """The files, taken into the spool. Raises PublishError when the disk has no room for them."""
        size = sum(map(len, files.values()))
        if size <= self._room:
            self._room -= size
            return files
        try:
            return self._written(files)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            hint = "Set TMPDIR to another folder."
            raise PublishError(f"cannot write {tempfile.gettempdir()}: {reason}", hint=hint) from error

    def close(self) -> None:
        """Forget what is on the disk."""
        if self._file is not None:
            self._file.close()

    def _written(self, files: Files) -> Files:
        if self._file is None:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115  # ``close`` closes it
        places = {}
        for path, data in files.items():
            self._file.write(data)
            places[path] = (self._end, len(data))
            self._end += len(data)
        self._file.flush()
        return _OnDisk(self._file, places)


class _OnDisk(Files):
    """Files that stand one after the other in one file."""

    def __init__(self, file: IO[bytes], places: Mapping[str, tuple[int, int]]) -> None:
        self._file = file
        self._places = places

    def __getitem__(self, path: str) -> bytes:
        start, size = self._places[path]
        return os.pread(self._file.fileno(), size, start)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


class Gathered(Files):
    """Files of several mappings as one, of which later ones go before earlier ones."""

    def __init__(self, *groups: Files) -> None:
        self._holders: dict[str, Files] = {}
        for group in groups:
            self.add(group)

    def add(self, files: Files) -> None:
        """Add some files."""
        self._holders |= dict.fromkeys(files, files)

    def add_all(self, gathered: Gathered) -> None:
        """Add the files of another, without a way through it."""
        self._holders |= gathered._holders

    def __getitem__(self, path: str) -> bytes:
        return self._holders[path][path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._holders)

    def __len__(self) -> int:
        return len(self._holders)
