"""Writes the files of a small game for a test."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def write_game(folder: Path, files: Mapping[str, str]) -> Path:
    """Write files, by their names in the folder of a game; returns that folder."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder
