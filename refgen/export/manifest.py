"""The model of ``manifest.json``: every file that a build made."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict


class MadeFile(TypedDict):
    """A file of a build, and the part of the build that makes it."""

    path: str
    part: str


class ManifestData(TypedDict):
    """``manifest.json`` of a build: every file that refgen made."""

    schema: Literal["refgen/manifest/1"]
    made: list[MadeFile]
