"""How editors save a file."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path


def in_place(path: Path, text: str) -> None:
    """The file is emptied and written, as by nano and most scripts."""
    path.write_text(text, encoding="utf-8")


def in_pieces(path: Path, text: str) -> None:
    """The file is written piece by piece."""
    with path.open("w", encoding="utf-8") as file:
        for start in range(0, len(text), 200):
            file.write(text[start : start + 200])
            file.flush()


def renamed(path: Path, text: str) -> None:
    """Another file takes its place, as by VS Code with atomic saves, gedit, and refgen itself."""
    new = path.with_name(f".{path.name}.tmp-{os.getpid()}")
    new.write_text(text, encoding="utf-8")
    new.replace(path)


def vim(path: Path, text: str) -> None:
    """A trial and a swap file; the old file becomes a backup, the new one is written, the backup goes."""
    swap, trial, backup = path.with_name(f".{path.name}.swp"), path.with_name("4913"), path.with_name(f"{path.name}~")
    swap.write_bytes(b"b0VIM")
    trial.write_bytes(b"")
    trial.unlink()
    path.rename(backup)
    path.write_text(text, encoding="utf-8")
    backup.unlink()
    swap.unlink()


Save = Callable[[Path, str], None]

WAYS: tuple[Save, ...] = (in_place, in_pieces, renamed, vim)
