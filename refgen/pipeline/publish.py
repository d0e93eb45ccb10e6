"""Publish a build: its files take the place of the files in the output folder whole, or not at all.

In: the files of a build, and the output folder. Out: the folder, with the new set of files and the files of the old set
that stay. A new set is *staged* in a folder beside the output, *written*, *synced* (the disk has all its bytes),
*swapped* with the output in one move, and *settled*: files that users put into the old set meanwhile move to the new
set. This module reads in that order. Whatever fails or is killed, the output is the old set or the new set; the next
build settles and removes the staging folder that a killed build left.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from refgen.errors import PublishError, os_errors_as
from refgen.pipeline.operating_system import CannotExchangeError, exchange, exclusive_access, left_folders, own_folder
from refgen.pipeline.output_files import (
    MANIFEST,
    FileUnion,
    Inputs,
    ManifestEntry,
    listed_paths,
    manifest_bytes,
    manifest_entries,
    read_manifest,
)
from refgen.pipeline.result import CHARACTERS

PREFIX = ".refgen-build-"
"""How the names of staging folders begin."""


@contextmanager
def publishing(output: Path) -> Iterator[Path]:
    """The folder that ``output`` is or links to, which no other build changes in the block. Raises PublishError."""
    with _writing(output):
        folder = Path(os.path.realpath(output))
        folder.parent.mkdir(parents=True, exist_ok=True)
        with exclusive_access(folder.parent):
            yield folder


def check_output(output: Path, *, compares: bool = False) -> None:
    """Raise PublishError, before any work, where ``output`` cannot be written; for a build that ``compares``, read."""
    if compares:
        with _writing(output):
            read_manifest(output)
        return
    with publishing(output) as folder, staging(folder):
        _refuse_foreign(output)


def publish(
    output: Path,
    files: Mapping[str, bytes],
    parts: Mapping[str, str],
    stays: Sequence[ManifestEntry],
    inputs: Inputs | None = None,
) -> None:
    """Put ``files`` (by path; ``parts`` says which part each belongs to) and the files that stay into ``output``.

    Files that no build made are the user's: they stay as well. Raises PublishError where the folder cannot be written,
    holds only files that refgen did not make, or a user's file stands where a new file is to be.
    """
    manifest = manifest_bytes(files, parts, stays, inputs or {})
    _refuse_names_alike({*files, *(made.path for made in stays)})
    with _writing(output):
        _refuse_foreign(output)
        ours = listed_paths(output)
        there = ours & {name for name, _ in _entries(output)}
        unchanged = {name for name, data in files.items() if name in there and _file_holds(output / name, data)}
        if len(unchanged) == len(files) and _file_holds(output / MANIFEST, manifest):
            return  # the output is up to date
        staying = unchanged | {made.path for made in stays if made.path not in files}
        with staging(output) as stage:
            whole = FileUnion(files, {MANIFEST: manifest})
            write_all(stage.new, whole, [name for name in whole if name not in unchanged])
            _carry_over(output, stage.new, ours - staying)
            _copy_rights(output, stage.new)
            stage.swap(output)


def _refuse_names_alike(names: Iterable[str]) -> None:
    """Raise PublishError for two files that are one file on Windows and macOS."""
    known: dict[str, str] = {}
    for name in sorted(names):
        if (other := known.setdefault(name.casefold(), name)) != name:
            hint = "Windows and macOS take both for one file: give one of the games or tables another id."
            raise PublishError(f'"{other}" and "{name}" differ in case only', hint=hint)


@contextmanager
def _writing(output: Path) -> Iterator[None]:
    """Raise a PublishError that names the folder in place of an OSError."""
    shown = str(output) if len(str(output)) < 200 else f"{str(output)[:200]}…"
    with os_errors_as(PublishError, f"write {shown}", "Choose another folder with -o."):
        yield


def _refuse_foreign(output: Path) -> None:
    if output.exists() and not output.is_dir():
        raise PublishError(f"{output} is a file, not a folder", hint="Choose another folder with -o.")
    if not (output / MANIFEST).is_file() and any(_is_foreign(name) for name, _ in _entries(output)):
        raise PublishError(
            f"{output} is not empty and was not made by refgen", hint="Choose an empty or new folder with -o."
        )


def _is_foreign(name: str) -> bool:
    """Whether a file was not made by refgen, in a folder without a manifest: sheets of characters have none."""
    return not fnmatch(name, f"*/{CHARACTERS}/*.pdf")


def _file_holds(path: Path, data: bytes) -> bool:
    """Whether a file is a plain file with these bytes."""
    try:
        return not path.is_symlink() and path.stat().st_size == len(data) and path.read_bytes() == data
    except OSError:
        return False


# Stage


@dataclass(frozen=True, slots=True)
class Staging:
    """A folder beside the output: in ``new`` the new set is written; after the swap the old set is there."""

    root: Path

    @property
    def new(self) -> Path:
        """The new set; after the swap the old set."""
        return self.root / "set"

    @property
    def previous(self) -> Path:
        """The old set, where a file system cannot exchange folders."""
        return self.root / "previous"

    @property
    def _note(self) -> Path:
        """The name of the output that was to be swapped, and the inode of the new set, which tells it from the old."""
        return self.root / "note.json"

    def swap(self, output: Path) -> None:
        """Put the new set in the place of the output. Raises OSError; then ``settle`` moves the old set back."""
        if not output.is_dir():
            self.new.rename(output)
            return
        note = {"output": output.name, "new": self.new.stat().st_ino}
        self._note.write_text(json.dumps(note), encoding="utf-8")
        try:
            exchange(self.new, output)
        except CannotExchangeError:
            output.rename(self.previous)
            self.new.rename(output)

    def settle(self) -> None:
        """End a swap that was begun: bring the output back if it is missing, and users' files from the old set.

        The note goes first of all files of the folder: in an old set that is removed in part, and has no manifest any
        more, each file would look like a user's.
        """
        try:
            note = json.loads(self._note.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return  # no swap was begun
        output = self.root.parent / note["output"]
        old = self.previous if self.previous.is_dir() else self.new
        if not old.is_dir() or old.stat().st_ino == note["new"]:
            return
        if output.exists():
            _bring_over(old, output)
        else:
            old.rename(output)
        with suppress(OSError):
            self._note.unlink()


@contextmanager
def staging(output: Path) -> Iterator[Staging]:
    """A staging folder for ``output``; staging folders of killed builds are settled and removed first."""
    output.parent.mkdir(parents=True, exist_ok=True)
    for left in left_folders(output.parent, PREFIX):
        Staging(left).settle()
    with own_folder(output.parent, PREFIX) as root:
        stage = Staging(root)
        stage.new.mkdir()
        try:
            yield stage
        finally:
            stage.settle()


# Write and sync


def write_all(folder: Path, files: Mapping[str, bytes], names: Iterable[str]) -> None:
    """Write some of the files, and wait until the disk has all bytes: some disks report only then that they are full.

    Raises OSError, and PublishError for a name that leads out of the folder.
    """
    paths = [_write(folder, name, files[name]) for name in names]
    with ThreadPoolExecutor() as pool:  # a file system does many syncs at once in the time of one
        list(pool.map(_sync, paths))


def _write(folder: Path, name: str, data: bytes) -> Path:
    inside = Path(os.path.normpath(name))
    if inside.is_absolute() or inside.parts[:1] == (os.pardir,):
        raise PublishError(f'"{name}" leads out of the output folder')
    path = folder / inside
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write(data)
    return path


def _sync(path: Path) -> None:
    with path.open("r+b") as file:  # Windows syncs no file that is only read
        os.fsync(file.fileno())


# Files of the old set that stay


def _carry_over(output: Path, new: Path, goes: Set[str]) -> None:
    """Take the files along that do not go: users' files, unchanged files, and parts that were not made again."""
    for name, path in _entries(output):
        if name in goes:
            continue
        target = new / name
        if _is_free(target):
            _take_along(path, target)
        elif not (_is_folder(path) and _is_folder(target)):
            raise PublishError(f"{path} is in the way: refgen did not make it", hint="Move it out of the folder.")


def _is_free(target: Path) -> bool:
    """Whether the new set has nothing at a path, and no file in place of a folder above, all of which are made."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        return False
    return not os.path.lexists(target)


def _take_along(path: Path, target: Path) -> None:
    """Put a file, a link or an empty folder in a second place: as a hard link where the file system has hard links."""
    if _is_folder(path):
        target.mkdir()
        return
    try:
        os.link(path, target, follow_symlinks=False)
    except (OSError, NotImplementedError):
        shutil.copy2(path, target, follow_symlinks=False)


def _copy_rights(output: Path, new: Path) -> None:
    """Give the new folder the mode and the owner of the old folder."""
    with suppress(OSError):
        shutil.copymode(output, new)
        owner = output.stat()
        if hasattr(os, "chown"):
            os.chown(new, owner.st_uid, owner.st_gid)


def _bring_over(old: Path, output: Path) -> None:
    """Move from an old set the files that refgen did not make and that came or were saved after the staging."""
    ours = _made_in_old(old)
    for name, path in _entries(old):
        target = output / name
        if name in ours or _is_folder(path):
            continue
        if not os.path.lexists(target) or _is_newer(path, target):
            with suppress(OSError):
                target.parent.mkdir(parents=True, exist_ok=True)
                path.replace(target)


def _made_in_old(old: Path) -> frozenset[str]:
    """The files that refgen made in an old set; with a damaged manifest no file but the manifest."""
    try:
        return listed_paths(old)
    except PublishError:
        return frozenset({MANIFEST})


def _is_newer(path: Path, than: Path) -> bool:
    one, other = path.lstat(), than.lstat()
    return one.st_ino != other.st_ino and one.st_mtime_ns > other.st_mtime_ns


def _entries(folder: Path) -> Iterator[tuple[str, Path]]:
    """All files, links and empty folders below a folder, each with its path from there. No link is followed.

    Raises OSError for a folder that cannot be read: rather no new set than one that lacks the files of that folder.
    """
    for root, folders, files in os.walk(folder, onerror=_refuse) if folder.is_dir() else ():
        here, inside = Path(root), Path(root).relative_to(folder)
        if not folders and not files and here != folder:
            yield inside.as_posix(), here
        links = [name for name in folders if (here / name).is_symlink()]
        for name in sorted([*files, *links]):
            yield (inside / name).as_posix(), here / name


def _refuse(error: OSError) -> None:
    raise error


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


# Compare


def differences(
    output: Path, files: Mapping[str, bytes], parts: Mapping[str, str], inputs: Inputs, stays: Sequence[ManifestEntry]
) -> list[str]:
    """The changes that publishing would make, file by file. Raises PublishError for a folder that cannot be read."""
    with _writing(output):
        _refuse_foreign(output)
        manifest = manifest_bytes(files, parts, stays, inputs)
        wanted = FileUnion(files, {MANIFEST: manifest})
        there = {name: path for name, path in _entries(output) if path.is_file()}
        found = [f"{name} is missing" for name in wanted.keys() - there.keys()]
        before = read_manifest(output)
        if {*before} == {*manifest_entries(manifest)}:
            wanted = FileUnion(files)  # the manifests list the same files, whichever refgen made them
        found += [
            f"{name} is not as the content says"
            for name in wanted.keys() & there.keys()
            if there[name].read_bytes() != wanted[name]
        ]
        gone = {made.path for made in before} - wanted.keys() - {made.path for made in stays}
        found += [f"{name} is of content that is gone" for name in gone & there.keys()]
    return sorted(found)
