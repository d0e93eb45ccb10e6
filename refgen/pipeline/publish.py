"""Publish a build: the new output takes the place of the old one in a single move, or not at all.

In: the files of a build, and the output folder. Out: the folder, with the new files and whatever of the old ones
stays. Everything is written to a folder beside the output first; a build that fails or is killed before the move
leaves the output as it was.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from refgen.errors import PublishError
from refgen.export.manifest import MadeFile, ManifestData
from refgen.export.model import json_text

MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class Made:
    """A file of a build, and the part of the build it comes from ("harmonies/cards-a4"): what is kept or replaced."""

    path: str
    part: str


def read_manifest(output: Path) -> list[Made]:
    """What an earlier build made in ``output``; nothing when there was none. Raises PublishError for a spoilt one."""
    path = output / MANIFEST
    if not path.is_file():
        return []
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return [Made(str(entry["path"]), str(entry["part"])) for entry in data["made"]]
    except (ValueError, KeyError, TypeError) as error:
        raise PublishError(f"{path} is damaged", hint="Move the output folder away and build again.") from error


def kept(output: Path, goes: Callable[[str], bool]) -> list[Made]:
    """The files of an earlier build that stay: those of parts that do not go."""
    return [made for made in read_manifest(output) if not goes(made.part) and (output / made.path).is_file()]


def publish(output: Path, files: Mapping[str, bytes], parts: Mapping[str, str], stays: list[Made]) -> None:
    """Put ``files`` (by path; ``parts`` says which part each belongs to) and the files that stay into ``output``.

    Files that no build made are the user's: they stay as well. Raises PublishError when the folder cannot be
    written, or holds only things that refgen did not make.
    """
    _refuse_foreign(output)
    try:
        with _staging(output) as staging:
            _write_all(staging, files)
            _carry_over(output, staging, {made.path for made in read_manifest(output)}, {made.path for made in stays})
            made = {**{entry.path: entry.part for entry in stays}, **parts}
            _write_all(staging, {MANIFEST: _manifest(made)})
            _swap(staging, output)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise PublishError(f"cannot write {output}: {reason}", hint="Choose another folder with -o.") from error


def _refuse_foreign(output: Path) -> None:
    if output.exists() and not output.is_dir():
        raise PublishError(f"{output} is a file, not a folder", hint="Choose another folder with -o.")
    if output.is_dir() and any(output.iterdir()) and not (output / MANIFEST).is_file():
        raise PublishError(
            f"{output} is not empty and was not made by refgen", hint="Choose an empty or new folder with -o."
        )


def check_output(output: Path) -> None:
    """Find out before any work whether ``output`` can be written. Raises PublishError."""
    _restore(output)
    _refuse_foreign(output)
    try:
        with _staging(output):
            pass
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise PublishError(f"cannot write {output}: {reason}", hint="Choose another folder with -o.") from error


@contextmanager
def _staging(output: Path) -> Iterator[Path]:
    """A new folder beside the output, removed again unless it was moved away."""
    output.parent.mkdir(parents=True, exist_ok=True)
    _remove_stale(output)
    staging = output.parent / f".{output.name}.new-{os.getpid()}"
    staging.mkdir()
    try:
        yield staging
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _remove_stale(output: Path) -> None:
    """Remove what killed builds left behind."""
    for folder in output.parent.glob(f".{output.name}.new-*"):
        owner = folder.name.rpartition("-")[2]
        if owner.isdigit() and not _is_running(int(owner)):
            shutil.rmtree(folder, ignore_errors=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return process != os.getpid()


def _write_all(folder: Path, files: Mapping[str, bytes]) -> None:
    root = folder.resolve()
    for name, data in files.items():
        path = (root / name).resolve()
        if not path.is_relative_to(root):
            raise PublishError(f'"{name}" leads out of the output folder')
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def _carry_over(output: Path, staging: Path, made_before: set[str], stays: set[str]) -> None:
    """Link into the new folder what stays: files of parts that were not rebuilt, and files that are the user's."""
    if not output.is_dir():
        return
    for path in output.rglob("*"):
        name = path.relative_to(output).as_posix()
        target = staging / name
        if path.is_dir() or target.exists() or name == MANIFEST or (name in made_before and name not in stays):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)


def _manifest(made: Mapping[str, str]) -> bytes:
    files = [MadeFile(path=path, part=part) for path, part in sorted(made.items())]
    return json_text(ManifestData(schema="refgen/manifest/1", made=files)).encode()


def _previous(output: Path) -> Path:
    return output.parent / f".{output.name}.previous"


def _swap(staging: Path, output: Path) -> None:
    previous = _previous(output)
    shutil.rmtree(previous, ignore_errors=True)
    if output.exists():
        output.rename(previous)
    staging.rename(output)
    shutil.rmtree(previous, ignore_errors=True)


def _restore(output: Path) -> None:
    """Undo a swap that was killed between its two moves."""
    previous = _previous(output)
    if previous.is_dir() and not output.exists():
        previous.rename(output)
