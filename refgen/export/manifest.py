"""The model of ``manifest.json``: every file that a build made, what is in it, and what it was made of."""

from __future__ import annotations

from typing import Annotated, Literal

from typing_extensions import TypedDict

from refgen.export.model import Keywords

Digest = Annotated[str, Keywords({"pattern": "^[0-9a-f]{64}$", "description": "A SHA-256."})]


class MadeFile(TypedDict):
    """A file of a build: the part of the build that makes it, its digest, and those of the files it was made of."""

    path: str
    part: str
    sha256: Digest
    inputs: dict[str, Digest]


class ManifestData(TypedDict):
    """``manifest.json`` of a build: every file that refgen made, and the refgen that made the last of them."""

    schema: Literal["refgen/manifest/2"]
    refgen: Digest
    made: list[MadeFile]
