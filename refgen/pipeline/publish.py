"""Publish a build: the new output takes the place of the old one in a single move, or not at all.

In: the files of a build, and the output folder. Out: the folder, with the new files and whatever of the old ones
stays. Everything is written to a folder beside the output first; a build that fails or is killed before the move
leaves the output as it was.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch
from hashlib import sha256
from operator import attrgetter
from pathlib import Path
from typing import Any

from refgen.errors import PublishError
from refgen.export.manifest import MadePart, ManifestData
from refgen.export.model import json_text
from refgen.pipeline.cache.inputs import file_digest
from refgen.pipeline.cache.surroundings import surroundings
from refgen.pipeline.own_folder import alone
from refgen.pipeline.result import CHARACTERS
from refgen.pipeline.spool import Gathered
from refgen.pipeline.staging import entries, staging, take_along
from refgen.pipeline.write import write_all

MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class Made:
    """A file of a build, and the part of the build it comes from ("harmonies/cards-a4"): what is kept or replaced.

    ``sha256`` is the digest of its bytes, ``inputs`` those of the files it was made of.
    """

    path: str
    part: str
    sha256: str = ""
    inputs: dict[str, str] = field(default_factory=dict, compare=False)


def read_manifest(output: Path) -> list[Made]:
    """What an earlier build made in ``output``; nothing when there was none. Raises PublishError for a spoilt one."""
    path = output / MANIFEST
    if not path.is_file():
        return []
    try:
        return _files_of(path.read_bytes())
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise PublishError(f"{path} is damaged", hint="Move the output folder away and build again.") from error


def _files_of(manifest: bytes) -> list[Made]:
    data = json.loads(manifest)
    inputs = data.get("inputs", [{}])
    return [made for entry in data["made"] for made in _files_of_entry(entry, inputs)]


def _files_of_entry(entry: Mapping[str, Any], inputs: Sequence[dict[str, str]]) -> Iterator[Made]:
    """The files of a part; before manifest/4 each file had an entry, before /2 neither a digest nor inputs."""
    files = entry["files"] if "files" in entry else {entry["path"]: entry.get("sha256", "")}
    number = entry.get("inputs", 0)
    made_of = inputs[number if isinstance(number, int) else 0]
    return (Made(str(path), str(entry["part"]), str(digest), made_of) for path, digest in files.items())


def kept(output: Path, goes: Callable[[str], bool]) -> list[Made]:
    """The files of an earlier build that stay: those of parts that do not go."""
    stays = [made for made in read_manifest(output) if not goes(made.part) and (output / made.path).is_file()]
    return [made if made.sha256 else replace(made, sha256=file_digest(output / made.path)) for made in stays]


@contextmanager
def publishing(output: Path) -> Iterator[Path]:
    """The folder that ``output`` is or links to, which no other build changes meanwhile. Raises PublishError."""
    with _writing(output):
        folder = Path(os.path.realpath(output))
        folder.parent.mkdir(parents=True, exist_ok=True)
        with alone(folder.parent):
            yield folder


def check_output(output: Path, *, compares: bool = False) -> None:
    """Find out before any work whether ``output`` can be written, or ``compares`` with. Raises PublishError."""
    if compares:
        with _writing(output):
            read_manifest(output)
        return
    with publishing(output) as folder, staging(folder, _made_before):
        _refuse_foreign(output)


Inputs = Mapping[str, dict[str, str]]
"""The digests of the files that each part is made of."""


def publish(
    output: Path,
    files: Mapping[str, bytes],
    parts: Mapping[str, str],
    stays: Sequence[Made],
    inputs: Inputs | None = None,
) -> None:
    """Put ``files`` (by path; ``parts`` says which part each belongs to) and the files that stay into ``output``.

    Files that no build made are the user's: they stay as well. Raises PublishError when the folder cannot be
    written, holds only things that refgen did not make, or one of these stands where a file is to be.
    """
    manifest = _manifest(files, parts, stays, inputs or {})
    with _writing(output):
        _refuse_foreign(output)
        unchanged = _unchanged(output, files) if output.is_dir() else frozenset()
        if len(unchanged) == len(files) and _holds(output / MANIFEST, manifest):
            return  # all is as it is to be
        with staging(output, _made_before) as beside:
            whole = Gathered(files, {MANIFEST: manifest})
            write_all(beside.new, whole, [name for name in whole if name not in unchanged])
            for path in unchanged:
                take_along(output / path, beside.new / path)
            if output.is_dir():
                _carry_over(output, beside.new, {entry.path for entry in stays})
                _copy_rights(output, beside.new)
            beside.swap()


def differences(
    output: Path, files: Mapping[str, bytes], parts: Mapping[str, str], inputs: Inputs, stays: Sequence[Made]
) -> list[str]:
    """What publishing would change, in words, file by file. Raises PublishError for a folder that cannot be read."""
    with _writing(output):
        _refuse_foreign(output)
        manifest = _manifest(files, parts, stays, inputs)
        wanted = Gathered(files, {MANIFEST: manifest})
        there = {name: path for name, path in entries(output) if path.is_file()} if output.is_dir() else {}
        found = [f"{name} is missing" for name in wanted.keys() - there.keys()]
        if MANIFEST in there and _says_the_same(there[MANIFEST].read_bytes(), manifest):
            wanted = Gathered(files)
        found += [
            f"{name} is not as the content says"
            for name in wanted.keys() & there.keys()
            if there[name].read_bytes() != wanted[name]
        ]
        gone = {made.path for made in read_manifest(output)} - wanted.keys() - {made.path for made in stays}
        found += [f"{name} is of content that is gone" for name in gone & there.keys()]
    return sorted(found)


def _says_the_same(one: bytes, other: bytes) -> bool:
    """Whether two manifests tell of the same files, whatever refgen and whatever content made them."""
    return {*_files_of(one)} == {*_files_of(other)}


@contextmanager
def _writing(output: Path) -> Iterator[None]:
    """Say of which folder it is that cannot be written."""
    try:
        yield
    except OSError as error:
        shown = str(output) if len(str(output)) < 200 else f"{str(output)[:200]}…"
        reason = (error.strerror or str(error)).lower()
        raise PublishError(f"cannot write {shown}: {reason}", hint="Choose another folder with -o.") from error


def _refuse_foreign(output: Path) -> None:
    if output.exists() and not output.is_dir():
        raise PublishError(f"{output} is a file, not a folder", hint="Choose another folder with -o.")
    if output.is_dir() and not (output / MANIFEST).is_file() and any(_is_foreign(name) for name, _ in entries(output)):
        raise PublishError(
            f"{output} is not empty and was not made by refgen", hint="Choose an empty or new folder with -o."
        )


def _is_foreign(name: str) -> bool:
    """Whether a file was not made by refgen, in a folder without a manifest: sheets of characters have none."""
    return not fnmatch(name, f"*/{CHARACTERS}/*.pdf")


def _made(folder: Path) -> frozenset[str]:
    """The files of a set that refgen made."""
    return frozenset({made.path for made in read_manifest(folder)} | {MANIFEST})


def _made_before(old: Path) -> frozenset[str]:
    """The same of a set that was replaced: with a damaged manifest nothing of it is taken for refgen's."""
    try:
        return _made(old)
    except PublishError:
        return frozenset({MANIFEST})


def _unchanged(output: Path, files: Mapping[str, bytes]) -> frozenset[str]:
    """The files that stand in the output already, as a build wrote them: they need not be written again."""
    made = frozenset(entry.path for entry in read_manifest(output))
    return frozenset(path for path, data in files.items() if path in made and _holds(output / path, data))


def _holds(path: Path, data: bytes) -> bool:
    """Whether a file is a plain file with these bytes."""
    try:
        return not path.is_symlink() and path.stat().st_size == len(data) and path.read_bytes() == data
    except OSError:
        return False


def _carry_over(output: Path, new: Path, stays: set[str]) -> None:
    """Take along what stays: files of parts that were not rebuilt, and what is the user's."""
    made_before = _made(output)
    for name, path in entries(output):
        if name in made_before and name not in stays:
            continue
        target = new / name
        if name not in made_before and _in_the_way(new, name) and not path.is_dir():
            raise PublishError(f"{path} is in the way: refgen did not make it", hint="Move it out of the folder.")
        if not os.path.lexists(target):
            take_along(path, target)


def _in_the_way(new: Path, name: str) -> bool:
    """Whether a file of the new set stands at a path, or above it."""
    target = new / name
    return os.path.lexists(target) or any(parent.is_file() for parent in target.parents if parent != new)


def _copy_rights(output: Path, new: Path) -> None:
    """Who may read the old folder may read the new one."""
    with suppress(OSError):
        shutil.copymode(output, new)
    with suppress(OSError):
        owner = output.stat()
        os.chown(new, owner.st_uid, owner.st_gid)


def _manifest(files: Mapping[str, bytes], parts: Mapping[str, str], stays: Sequence[Made], inputs: Inputs) -> bytes:
    nothing: dict[str, str] = {}
    made = [
        Made(path, part, sha256(files[path]).hexdigest(), inputs.get(part, nothing))
        for path, part in parts.items()
        if path in files
    ]
    ordered = sorted({entry.path: entry for entry in (*stays, *made)}.values(), key=attrgetter("path"))
    known = {id(entry.inputs): tuple(sorted(entry.inputs.items())) for entry in ordered}
    numbers = {pairs: number for number, pairs in enumerate(dict.fromkeys(known.values()))}
    by_part: dict[tuple[str, int], dict[str, str]] = {}
    for entry in ordered:
        by_part.setdefault((entry.part, numbers[known[id(entry.inputs)]]), {})[entry.path] = entry.sha256
    data = ManifestData(
        schema="refgen/manifest/4",
        refgen=surroundings()["refgen"],
        inputs=[*map(dict, numbers)],
        made=[MadePart(part=part, inputs=number, files=found) for (part, number), found in by_part.items()],
    )
    return json_text(data).encode()
