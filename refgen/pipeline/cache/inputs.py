"""The files that a build reads, and what is in them.

In: the folders of games, and other files. Out: a digest of each file, by a name that is the same in any folder.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

ABSENT = "absent"


def file_digest(path: Path) -> str:
    """The digest of a file's bytes; ``ABSENT`` where it cannot be read."""
    try:
        return sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ABSENT


def folder_inputs(name: str, folder: Path) -> dict[str, str]:
    """The digests of all files of a game, by their paths after its name."""
    found = {}
    for root, folders, files in os.walk(folder):
        folders.sort()
        for file in sorted(files):
            path = Path(root) / file
            found[f"{name}/{path.relative_to(folder).as_posix()}"] = file_digest(path)
    return found


def game_inputs(name: str, folder: Path, document: Path | None) -> dict[str, str]:
    """The same, with the document that is read in place of the game's own."""
    inputs = folder_inputs(name, folder)
    return inputs if document is None else {**inputs, f"{name}/--document": file_digest(document)}


def all_inputs(folders: Mapping[str, Path], others: Mapping[str, Path]) -> dict[str, str]:
    """The digests of all files of some games, and of other files by their names."""
    found = {path: digest for name, folder in folders.items() for path, digest in folder_inputs(name, folder).items()}
    return found | {name: file_digest(path) for name, path in others.items()}
