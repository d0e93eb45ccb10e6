"""The cache: a store of bytes by key, the folder it lies in, the packing of files into entries, and records of builds.

In: keys (SHA-256 in hex) and bytes. Out: the same bytes, or None: a damaged entry is removed, never served. Any number
of processes may use a store at once. When a store grows too large, the entries go that were not used for longest. The
BuildRecord of the last build with the same options says whether a new build has anything to do: where all inputs and
outputs are unchanged, the result of that build is the result of the new one.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

from refgen.errors import PublishError, os_errors_as, reason_of
from refgen.pipeline.digests import all_inputs, changed_names, environment_digests, file_digest
from refgen.pipeline.output_files import MANIFEST, read_manifest
from refgen.pipeline.result import BuildResult

MOST_BYTES = 512 * 2**20
HOURS_UNFINISHED = 1.0

CACHE_VARIABLE = "REFGEN_CACHE"
"""The environment variable that names the folder of the cache; with the value ``none`` nothing is kept."""

NO_CACHE = "none"

_CHECKSUM = sha256().digest_size
_NEW = ".new-"
_KEY = re.compile("[0-9a-f]{64}")


@dataclass
class Store:
    """A folder of entries with ``most_bytes`` in all. ``fault`` says why entries cannot be written; "" if they can."""

    folder: Path
    most_bytes: int = MOST_BYTES
    fault: str = ""
    _written: int = field(default=0, repr=False)

    def get(self, key: str) -> bytes | None:
        """The bytes under a key; None where the entry is missing or damaged."""
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
            os.utime(path)  # the time of its last use
        return data[_CHECKSUM:]

    def __contains__(self, key: str) -> bool:
        """Whether an entry exists under a key, be it damaged or not."""
        with suppress(OSError):  # of a folder that cannot be read
            return self._path(key).is_file()
        return False

    def put(self, key: str, data: bytes) -> None:
        """Write an entry, whole or not at all. Where that fails, ``fault`` says why, and nothing is raised."""
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
            self.fault = f"cannot write {self.folder}: {reason_of(error)}"
        else:
            self._written += len(data)

    def trim(self) -> None:
        """Remove the entries that were not used for longest, if the store has grown too large."""
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
        """The time of last use, the size and the path of each file; unfinished files of killed processes come last."""
        for path in self._own_files():
            with suppress(OSError):
                state = path.lstat()
                unfinished = path.name.startswith(_NEW)
                yield state.st_mtime - (HOURS_UNFINISHED * 3600 if unfinished else 0), state.st_size, path

    def clear(self) -> None:
        """Remove all entries, and the folders that are empty then; files of others stay. Raises OSError."""
        for path in [*self._own_files()]:
            path.unlink(missing_ok=True)
        for folder in (*self.folder.iterdir(), self.folder):
            with suppress(OSError):
                folder.rmdir()

    def _own_files(self) -> Iterator[Path]:
        """The entries and the unfinished files, by their names. No link to a folder is followed."""
        for path in self.folder.glob("*/*"):
            is_own = path.name.startswith(_NEW) or (_KEY.fullmatch(path.name) and path.name[:2] == path.parent.name)
            if is_own and not path.parent.is_symlink():
                yield path

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / key


def _checksum(key: str, data: bytes) -> bytes:
    """The checksum of a key and its bytes: an entry under another key counts as damaged."""
    return sha256(key.encode() + b"\0" + data).digest()


# Where the store lies


def cache_folder() -> Path | None:
    """The folder of the cache: the user's, or the one that the variable names. None where nothing is to be kept."""
    chosen = os.environ.get(CACHE_VARIABLE, "")
    if chosen == NO_CACHE:
        return None
    if chosen:
        return Path(chosen)
    return user_cache_path("refgen", appauthor=False)


def open_store() -> Store | None:
    """The store of this user; None where nothing is to be kept."""
    folder = cache_folder()
    return None if folder is None else Store(folder / "steps")


def clear_cache() -> Path | None:
    """Remove the store, and return its folder; None where there was no store. Raises PublishError."""
    folder = cache_folder()
    if folder is None or not (folder / "steps").is_dir():
        return None
    with os_errors_as(PublishError, f"remove {folder / 'steps'}"):
        Store(folder / "steps").clear()
    return folder / "steps"


# The bytes of an entry


def pack_entry(metadata: Any, *groups: Mapping[str, bytes]) -> bytes:
    """The bytes of an entry: its metadata, as JSON, and groups of files by path."""
    sizes = [{path: len(data) for path, data in files.items()} for files in groups]
    head = json.dumps([metadata, sizes], ensure_ascii=False).encode()
    return b"\n".join([head, b"".join(data for files in groups for data in files.values())])


def unpack_entry(entry: bytes) -> tuple[Any, list[dict[str, bytes]]]:
    """The metadata and the files that were packed as an entry."""
    head, _, body = entry.partition(b"\n")
    metadata, sizes = json.loads(head)
    files = BytesIO(body)
    return metadata, [{path: files.read(size) for path, size in group.items()} for group in sizes]


SPEC_NAME = "system.toml"


@dataclass(frozen=True, slots=True)
class BuildSources:
    """The places that a build reads: the folder of all games, the folders of games by name, and other files by name."""

    content: str
    games: Mapping[str, str]
    others: Mapping[str, str]

    def inputs(self) -> dict[str, str]:
        """The digests of all files in these places, including the files of games that have come since."""
        there = {path.parent.name: path.parent for path in Path(self.content).glob(f"*/{SPEC_NAME}")}
        games = {name: Path(folder) for name, folder in self.games.items()}
        return all_inputs(there | games, {name: Path(path) for name, path in self.others.items()})


@dataclass(frozen=True, slots=True)
class BuildRecord:
    """The record of a build without errors: digests of all inputs and of the environment, and the result."""

    read: BuildSources
    inputs: Mapping[str, str]
    environment: Mapping[str, str]
    manifest: str
    files: Sequence[str] = ()
    findings: Mapping[str, int] = field(default_factory=dict)
    questions: Mapping[str, int] = field(default_factory=dict)
    mismatches: Sequence[Sequence[Any]] = ()
    shown: Mapping[str, str] = field(default_factory=dict)

    def changed(self) -> list[str]:
        """The inputs that have changed since the build."""
        return changed_names(self.inputs, self.read.inputs())

    def changed_environment(self) -> list[str]:
        """The parts of the environment that have changed since the build."""
        return [name for name, value in environment_digests().items() if self.environment.get(name) != value]

    def result(self, output: Path) -> BuildResult | None:
        """The result of this build, if nothing has changed since and all its files are in the output; else None."""
        if self.changed_environment() or self.changed() or not self._is_in(output):
            return None
        from refgen.layout.pieces import Mismatch

        mismatches = [Mismatch(*texts) for texts in self.mismatches]
        findings, questions = dict(self.findings), dict(self.questions)
        return BuildResult(
            [*self.files], findings=findings, questions=questions, mismatches=mismatches, kept=[*self.shown]
        )

    def _is_in(self, output: Path) -> bool:
        """Whether every file of the output is as the build left it."""
        if file_digest(output / MANIFEST) != self.manifest:
            return False
        return all(file_digest(output / made.path) == made.sha256 for made in read_manifest(output))


def last_record(store: Store, key: str) -> BuildRecord | None:
    """The record of the last build with this key; None where there was none, or one of another version of refgen."""
    data = store.get(key)
    if data is None:
        return None
    try:
        record = json.loads(data)
        return BuildRecord(**{**record, "read": BuildSources(**record["read"])})
    except (ValueError, TypeError, KeyError):
        return None


def keep_record(store: Store, key: str, record: BuildRecord) -> None:
    """Keep the record of a build."""
    store.put(key, json.dumps(asdict(record)).encode())
