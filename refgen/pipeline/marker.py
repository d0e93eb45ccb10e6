"""The file that marks the folder of a project.

In: a folder. Out: the nearest project upward. This module loads nothing, so that a build with nothing to do
finds that out fast.
"""

from __future__ import annotations

from pathlib import Path

MARKER = "refgen.toml"


def nearest(start: Path) -> Path | None:
    """The nearest folder upward that is a project."""
    return next((folder for folder in (start, *start.parents) if (folder / MARKER).is_file()), None)
