"""The files that ship with refgen: its templates and the content of the five systems.

In a wheel they lie inside the package; in a checkout they are the top-level folders ``templates`` and ``content``.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def bundled(name: str) -> Path:
    """The folder ``templates`` or ``content``."""
    installed = _PACKAGE / "bundled" / name
    return installed if installed.is_dir() else _PACKAGE.parent / name
