"""The files of a build: where they wait to be published, the part of the build each belongs to, and their manifest.

In: the data of games and the results of jobs. Out: BuildFiles, in which each file has its part; a part, such as
"harmonies/cards-a4", is replaced or kept as a whole by a later build, so that the old files of an aid that failed stay.
A Spool keeps files on the disk until they are published. ``manifest.json`` in the output folder lists all files that
refgen made there, their parts, and the digests of the files that each part was made of.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from operator import attrgetter
from pathlib import Path
from typing import IO, TYPE_CHECKING

from refgen.errors import PublishError, os_errors_as
from refgen.look.find import find_look
from refgen.look.look import Look
from refgen.pipeline.digests import environment_digests

if TYPE_CHECKING:
    from refgen.pipeline.graph import JobResult

SITE, DATA = "site", "data"
"""The products of a build besides aids."""

SHARED = "shared"
"""The part of a build that belongs to no game: style sheets and fonts."""

STANDALONE = "standalone"
"""How the names of the parts of screens begin that belong to no game."""

MANIFEST = "manifest.json"

Files = Mapping[str, bytes]
"""The bytes of files by their paths in the output folder."""


# Files that wait to be published


class Spool:
    """A file without a name on the disk, in which the files of a build wait until they are published.

    The kernel removes the file with the process, however the process ends. The memory that a build takes does not grow
    with the number of its games.
    """

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None
        self._end = 0

    def take(self, files: Files) -> Files:
        """Move files to the disk. Returns a mapping that reads each file when asked. Raises PublishError."""
        with os_errors_as(PublishError, f"write {tempfile.gettempdir()}", "Set TMPDIR to another folder."):
            return self._write(files)

    def close(self) -> None:
        """Forget all files."""
        if self._file is not None:
            with suppress(OSError):  # a full disk refuses once more what it refused before
                self._file.close()

    def _write(self, files: Files) -> Files:
        if self._file is None:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115  # ``close`` closes it
        places = {}
        for path, data in files.items():
            self._file.write(data)
            places[path] = (self._end, len(data))
            self._end += len(data)
        self._file.flush()
        return _SpooledFiles(self._file, places)


class _SpooledFiles(Files):
    """Some files of a spool, each by the place of its first byte and its size."""

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


class FileUnion(Files):
    """The files of several mappings; of files with the same path the last one counts. Nothing is read or copied."""

    def __init__(self, *groups: Files) -> None:
        self._holders: dict[str, Files] = {}
        for group in groups:
            self.add(group)

    def add(self, files: Files) -> None:
        """Add the files of a mapping."""
        self._holders |= dict.fromkeys(files, files)

    def __getitem__(self, path: str) -> bytes:
        return self._holders[path][path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._holders)

    def __len__(self) -> int:
        return len(self._holders)


@dataclass(frozen=True, slots=True)
class OutputFiles(Mapping[str, bytes]):
    """The files that the output will hold: the files ``made`` now, and old files that stay in the folder ``output``."""

    made: Files
    stays: frozenset[str]
    output: Path

    def __contains__(self, path: object) -> bool:
        return path in self.made or path in self.stays

    def __getitem__(self, path: str) -> bytes:
        return self.made[path] if path in self.made else (self.output / path).read_bytes()

    def __iter__(self) -> Iterator[str]:
        yield from self.made.keys() | self.stays

    def __len__(self) -> int:
        return len(self.made.keys() | self.stays)

    def with_files(self, *groups: Files) -> OutputFiles:
        """The files of the output with further files that are made."""
        return replace(self, made=FileUnion(self.made, *groups))


# Parts


def site_part(game: str) -> str:
    """The part of a build that the site's pages of a game are."""
    return f"{game}/{SITE}"


def look_part(game: str) -> str:
    """The part of a build that the files of a game's own look are."""
    return f"{game}/look"


@dataclass(frozen=True, slots=True)
class BuildFiles:
    """The files of a build by path, and the part of the build that each file belongs to."""

    files: FileUnion = field(default_factory=FileUnion)
    parts: dict[str, str] = field(default_factory=dict)

    @classmethod
    def shared(cls, project: Path | None = None) -> BuildFiles:
        """The style sheets and fonts that all pages of a ``project`` share; the files of games can be added."""
        from refgen.layout.templates import assets, look_files  # loads Jinja2: not for a build that has nothing to do

        found = cls()
        found.add({**assets(), **look_files(find_look(project, None))}, SHARED)
        return found

    def add_look(self, game: str, look: Look) -> None:
        """Add the files of the look of a game, unless all games of the project share them."""
        from refgen.layout.templates import look_files

        found = {path: data for path, data in look_files(look).items() if path not in self.parts}
        self.add(found, look_part(game))

    def add(self, files: Files, part: str) -> None:
        """Add the files of a part."""
        self.files.add(files)
        self.parts.update(dict.fromkeys(files, part))

    def add_game(self, game: str, data: Files, results: Sequence[JobResult]) -> None:
        """Add the data files of a game and the files of its aids; its pages of the site come later."""
        self.add_results(results)
        self.add(data, f"{game}/{DATA}")

    def add_results(self, results: Sequence[JobResult], owner: str = "") -> None:
        """Add the results of jobs. Parts of screens that belong to no game begin with their ``owner``.

        All formats of an aid have the same previews: the previews of its first format are taken.
        """
        pictured: set[str] = set()
        for result in results:
            self.files.add(result.files)
            self.parts.update({path: owner + path.rpartition(".")[0] for path in result.files})
            previews = {path: f"{owner}{path.rpartition('-')[0]}-previews" for path in result.previews}
            if not pictured.intersection(previews.values()):
                self.files.add(result.previews)
                self.parts.update(previews)
                pictured |= {*previews.values()}


# The manifest

Inputs = Mapping[str, dict[str, str]]
"""The digests of the files that each part of a build is made of, by part and path."""

_NO_INPUTS: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class ManifestEntry:
    """A file that refgen made, by its path in the output, with the name of its part ("harmonies/cards-a4").

    ``sha256`` is the digest of its bytes, ``inputs`` are the digests of the files that the part was made of.
    """

    path: str
    part: str
    sha256: str = ""
    inputs: dict[str, str] = field(default_factory=dict, compare=False)


def read_manifest(output: Path) -> list[ManifestEntry]:
    """The files that earlier builds made in ``output``. Raises PublishError where the manifest is damaged."""
    path = output / MANIFEST
    if not path.is_file():
        return []
    try:
        return manifest_entries(path.read_bytes())
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise PublishError(f"{path} is damaged", hint="Move the output folder away and build again.") from error


def manifest_entries(manifest: bytes) -> list[ManifestEntry]:
    """The files that a manifest lists. Raises ValueError, LookupError, TypeError or AttributeError for damage."""
    data = json.loads(manifest)
    return [
        ManifestEntry(str(path), str(entry["part"]), str(digest), data["inputs"][entry["inputs"]])
        for entry in data["made"]
        for path, digest in entry["files"].items()
    ]


def listed_paths(folder: Path) -> frozenset[str]:
    """The paths of the files that refgen made in a folder, the manifest among them. Raises PublishError."""
    return frozenset({made.path for made in read_manifest(folder)} | {MANIFEST})


def staying_entries(output: Path, goes: Callable[[str], bool]) -> list[ManifestEntry]:
    """The files of earlier builds that stay: all but the files of parts that go."""
    return [made for made in read_manifest(output) if not goes(made.part) and (output / made.path).is_file()]


def manifest_bytes(
    files: Mapping[str, bytes], parts: Mapping[str, str], stays: Sequence[ManifestEntry], inputs: Inputs
) -> bytes:
    """The manifest of new files, by path and with the part of each, and of old files that stay."""
    from refgen.export.model import MadePart, ManifestData, json_text

    made = [
        ManifestEntry(path, part, sha256(files[path]).hexdigest(), inputs.get(part, _NO_INPUTS))
        for path, part in parts.items()
        if path in files
    ]
    numbers: dict[tuple[tuple[str, str], ...], int] = {}
    by_part: dict[tuple[str, int], dict[str, str]] = {}
    for entry in sorted({entry.path: entry for entry in (*stays, *made)}.values(), key=attrgetter("path")):
        number = numbers.setdefault(tuple(sorted(entry.inputs.items())), len(numbers))
        by_part.setdefault((entry.part, number), {})[entry.path] = entry.sha256
    data = ManifestData(
        schema="refgen/manifest/4",
        refgen=environment_digests()["refgen"],
        inputs=[*map(dict, numbers)],
        made=[MadePart(part=part, inputs=number, files=found) for (part, number), found in by_part.items()],
    )
    return json_text(data).encode()
