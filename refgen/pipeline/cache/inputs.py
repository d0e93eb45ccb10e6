"""The files that a build reads, and what is in them.

In: the folders of games, and other files. Out: a digest of each file, by a name that is the same in any folder.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from hashlib import file_digest as digest_of
from io import FileIO
from pathlib import Path
from stat import S_ISREG
from uuid import uuid4

from refgen.errors import SourceError
from refgen.files import inside, opened
from refgen.limits import limits

ABSENT = "absent"


def file_digest(path: Path) -> str:
    """The digest of a file's bytes; ``ABSENT`` where there is no file to read.

    That of a pipe is always another: a pipe can be read once, by whoever needs what comes out of it.
    """
    if path.is_fifo():  # a pipe that is opened and closed ends whoever writes to it
        return f"pipe {uuid4().hex}"
    try:
        with opened(path, links=True) as (file, found):
            return digest_of(FileIO(file, closefd=False), "sha256").hexdigest() if S_ISREG(found.st_mode) else ABSENT
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
    """The digest of a file of a game; ``ABSENT`` for what no game reads: a pipe, a device, a link that leads out."""
    path = folder / name
    try:
        found = (inside(folder, str(name)) if path.is_symlink() else path).stat()
    except (OSError, SourceError):
        return ABSENT
    if not S_ISREG(found.st_mode):
        return ABSENT
    if found.st_size > limits().file_bytes:  # nor is a file that is too large, but whoever names it is told so
        return f"{found.st_size} bytes of {found.st_mtime_ns}"
    return file_digest(path)


def game_inputs(name: str, folder: Path, document: Path | None) -> dict[str, str]:
    """The same, with the document that is read in place of the game's own."""
    inputs = folder_inputs(name, folder)
    return inputs if document is None else {**inputs, f"{name}/--document": file_digest(document)}


def all_inputs(folders: Mapping[str, Path], others: Mapping[str, Path]) -> dict[str, str]:
    """The digests of all files of some games, and of other files by their names."""
    found = {path: digest for name, folder in folders.items() for path, digest in folder_inputs(name, folder).items()}
    return found | {name: file_digest(path) for name, path in others.items()}
