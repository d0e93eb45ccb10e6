"""Files that commands write beside system.toml: whole or not at all, and never those of the bundled games.

In: the folder of a game, and a text. Out: the file.
"""

from __future__ import annotations

import os
from pathlib import Path

from refgen.bundle import bundled
from refgen.errors import CheckError, PublishError


def refuse_bundled(game: str, folder: Path, what: str) -> None:
    """Raises CheckError for a bundled game, whose folder is refgen's own."""
    if folder.resolve().is_relative_to(bundled("content").resolve()):
        hint = f"Copy {folder} into a project of your own."
        raise CheckError(f"{game} is bundled with refgen: its {what} are not yours to write", hint=hint)


def write_whole(path: Path, text: str) -> None:
    """Put a text in the place of a file in one move. Raises PublishError."""
    new = path.with_name(f".{path.name}.new-{os.getpid()}")
    try:
        new.write_text(text, encoding="utf-8")
        new.replace(path)
    except OSError as error:
        new.unlink(missing_ok=True)
        raise PublishError(f"cannot write {path}: {(error.strerror or str(error)).lower()}") from error
