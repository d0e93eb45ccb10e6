"""The letters for dice besides d, for whoever asks about dice alone and has no game.

In: the folder of a project, or none for the nearest one upward. Out: the letters that its refgen.toml says. A project
that says nothing of them, as most do, is not loaded: ``refgen odds 4dF`` takes but a moment.
"""

from __future__ import annotations

from pathlib import Path

from refgen.pipeline.result import MARKER, nearest


def dice_letters(folder: Path | None = None) -> tuple[str, ...]:
    """The letters of a project, none without one. Raises RulesError for a refgen.toml that does not fit."""
    root = nearest(Path.cwd()) if folder is None else folder
    if root is None or not (root / MARKER).is_file() or b"dice_letters" not in (root / MARKER).read_bytes():
        return ()
    from refgen.pipeline.project import document_settings

    return tuple(document_settings(root).dice_letters)
