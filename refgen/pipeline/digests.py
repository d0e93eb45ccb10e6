"""Digests of texts, of the values that a page shows, of files and folders, and of the environment of a build.

In: texts, values (frozen dataclasses, collections, numbers, texts), paths of files, folders of games. Out: the SHA-256
of each, in hex, which is the same in every process; the names of files are those within their game. The environment is
all that every page rests on besides its game: refgen, its packages, the libraries and fonts of the system. Packages
are not loaded for their digest.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import platform
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache, partial
from io import FileIO
from pathlib import Path
from stat import S_ISREG
from types import NoneType
from typing import Any
from uuid import uuid4

from refgen.errors import RefgenError, SourceError
from refgen.files import bundled_folder, open_file, path_inside
from refgen.limits import limits
from refgen.span import Span

ABSENT = "absent"
"""Stands in place of the digest of a file that does not exist, or cannot be read."""

PIPE = "pipe "
"""How what stands in place of the digest of a pipe begins."""


def digest(parts: Iterable[str | bytes]) -> str:
    """A single digest of many parts, in their order."""
    total = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        total.update(b"%d:" % len(data) + data)
    return total.hexdigest()


# Values


class NoFingerprintError(TypeError):
    """The value has a type that ``fingerprint`` does not know."""


def fingerprint(value: Any) -> str:
    """The digest of the visible content of a value. Raises NoFingerprintError for a value of another type.

    Spans and errors do not count: no page shows them, and a span moves with every line that is written above it.
    """
    parts: list[str] = []
    _add(value, parts)
    return digest([json.dumps(parts)])


AddContent = Callable[[Any, list[str]], object]
"""Adds the content of a value to a list of texts."""


def _add(value: Any, parts: list[str]) -> None:
    """Add the name of a value's type and its content as texts, so that different values give different texts."""
    kind = type(value)
    parts.append(kind.__qualname__)
    _content_adder(kind)(value, parts)  # type: ignore[arg-type]  # types are hashable, whatever mypy says


@cache
def _content_adder(kind: type) -> AddContent:
    """The function that adds values of a type: an aid has tens of thousands of values, of few types."""
    if issubclass(kind, Enum):
        return lambda value, parts: parts.append(value.name)
    if issubclass(kind, bytes):
        return lambda value, parts: parts.append(hashlib.sha256(value).hexdigest())
    if issubclass(kind, str | int | float | Fraction | NoneType):
        return lambda value, parts: parts.append(str(value))
    if issubclass(kind, Span | RefgenError):
        return lambda _value, _parts: None
    if is_dataclass(kind):
        return partial(_add_fields, tuple(field.name for field in fields(kind)))
    for collection, add in _COLLECTIONS.items():
        if issubclass(kind, collection):
            return add
    raise NoFingerprintError(f"no fingerprint of {kind.__qualname__}")


def _add_fields(names: Sequence[str], value: Any, parts: list[str]) -> None:
    for name in names:
        parts.append(name)
        _add(getattr(value, name), parts)


def _add_mapping(value: Mapping[Any, Any], parts: list[str]) -> None:
    parts.append(str(len(value)))
    for name, part in value.items():
        _add(name, parts)
        _add(part, parts)


def _add_set(value: Set[Any], parts: list[str]) -> None:
    parts += [str(len(value)), *sorted(map(fingerprint, value))]


def _add_sequence(value: Sequence[Any], parts: list[str]) -> None:
    parts.append(str(len(value)))
    for part in value:
        _add(part, parts)


_COLLECTIONS: Mapping[type, AddContent] = {Mapping: _add_mapping, Set: _add_set, Sequence: _add_sequence}


# Files


def file_digest(path: Path) -> str:
    """The digest of a file's bytes; ``ABSENT`` where no file can be read.

    Each call for a pipe gives another digest: a pipe can be read only once, by the build itself.
    """
    if path.is_fifo():  # a pipe that is opened and closed ends whoever writes to it
        return f"{PIPE}{uuid4().hex}"
    try:
        with open_file(path, links=True) as (file, found):
            if not S_ISREG(found.st_mode):
                return ABSENT
            return hashlib.file_digest(FileIO(file, closefd=False), "sha256").hexdigest()
    except OSError:
        return ABSENT


def folder_inputs(name: str, folder: Path) -> dict[str, str]:
    """The digests of all files of a game, by their paths after its name."""
    found = {}
    for root, folders, files in os.walk(folder):
        folders.sort()
        for file in sorted(files):
            path = (Path(root) / file).relative_to(folder)
            found[f"{name}/{path.as_posix()}"] = _digest_in(folder, path)
    return found


def _digest_in(folder: Path, name: Path) -> str:
    """The digest of a file of a game; ``ABSENT`` for a pipe, a device, or a link that leads out of the folder."""
    path = folder / name
    try:
        found = (path_inside(folder, str(name)) if path.is_symlink() else path).stat()
    except (OSError, SourceError):
        return ABSENT
    if not S_ISREG(found.st_mode):
        return ABSENT
    if found.st_size > limits().file_bytes:  # no game reads it either: a game that names it fails
        return f"{found.st_size} bytes of {found.st_mtime_ns}"
    return file_digest(path)


def game_inputs(name: str, folder: Path, document: Path | None) -> dict[str, str]:
    """The digests of all files of a game, and of the document that is read in place of its own."""
    inputs = folder_inputs(name, folder)
    return inputs if document is None else {**inputs, f"{name}/--document": file_digest(document)}


def all_inputs(folders: Mapping[str, Path], others: Mapping[str, Path]) -> dict[str, str]:
    """The digests of all files of some games, and of other files by their names."""
    found = {path: digest for name, folder in folders.items() for path, digest in folder_inputs(name, folder).items()}
    return found | {name: file_digest(path) for name, path in others.items()}


def changed_names(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """The names of files whose digests differ, or that are only in one of two mappings."""
    return sorted(name for name in {*now, *before} if now.get(name) != before.get(name))


_FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts", "/Library/Fonts")
_LIBRARIES = (
    ("libpango-1.0.so.0", "pango_version_string"),
    ("libharfbuzz.so.0", "hb_version_string"),
    ("libharfbuzz-subset.so.0", ""),
    ("libfontconfig.so.1", "FcGetVersion"),
)


@cache
def environment_digests() -> dict[str, str]:
    """A digest of each part of the environment, by the name of the part in words."""
    return {
        "refgen": digest(_own_files()),
        "the packages installed": digest(_packages()),
        "the libraries of the system": digest(_libraries()),
        "the fonts of the system": digest(_fonts()),
    }


def step_key(what: str) -> str:
    """The key of a step in the store: ``what`` is the digest of all that the step rests on but the environment."""
    return digest([what, *environment_digests().values()])


def _own_files() -> Iterator[str | bytes]:
    package = Path(__file__).resolve().parents[1]
    templates = bundled_folder("templates")
    words = [path for folder in ("languages", "words") for path in (package / folder).glob("*.toml")]
    for root, names in ((package, package.rglob("*.py")), (package, words), (templates, templates.rglob("*"))):
        for path in sorted(names):
            if path.is_file() and not path.is_relative_to(package / "bundled" / "content"):
                yield path.relative_to(root).as_posix()
                yield path.read_bytes()


def _packages() -> Iterator[str]:
    """The version of Python, and the name and version of each installed package."""
    yield f"{sys.version} {platform.machine()}"
    folders = [Path(path) for path in sys.path if path and Path(path).is_dir()]
    yield from sorted({found.name for folder in folders for found in folder.glob("*.dist-info")})


def _libraries() -> Iterator[str]:
    """The versions of the libraries that set text; with harfbuzz-subset, other subsets of fonts are embedded."""
    for name, function in _LIBRARIES:
        with suppress(OSError, AttributeError):
            library = ctypes.CDLL(name)
            yield f"{name} {_version(library, function) if function else ''}"


def _version(library: Any, function: str) -> str:
    call = getattr(library, function)
    call.restype = ctypes.c_int if function == "FcGetVersion" else ctypes.c_char_p
    found = call()
    return found.decode() if isinstance(found, bytes) else str(found)


def _fonts() -> Iterator[str]:
    """The names and sizes of the system's fonts, which pages fall back on where refgen's fonts lack a letter."""
    for start in _FONT_FOLDERS:
        for root, folders, names in os.walk(Path(start).expanduser()):
            folders.sort()
            for name in sorted(names):
                with suppress(OSError):
                    path = Path(root) / name
                    yield f"{path} {path.stat().st_size}"


def request_key(root: Path | None, asked: Mapping[str, Any]) -> str:
    """The key of the record of a build: builds of the same project with the same options have the same key."""
    return digest(["request 1", os.path.realpath(root) if root else "bundled", json.dumps(asked, sort_keys=True)])
