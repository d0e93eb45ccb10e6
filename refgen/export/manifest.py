"""The model of ``manifest.json``: every file that a build made, what is in it, and what it was made of."""

from __future__ import annotations

from typing import Annotated, Literal

from typing_extensions import TypedDict

from refgen.export.model import Keywords

Digest = Annotated[str, Keywords({"pattern": "^[0-9a-f]{64}$", "description": "A SHA-256."})]


class MadeFile(TypedDict):
    """A file of a build: the part of the build that makes it, its digest, and the number of what it was made of."""

    path: str
    part: str
    sha256: Digest
    inputs: Annotated[int, Keywords({"minimum": 0, "description": "Which of the inputs, from 0."})]


class ManifestData(TypedDict):
    """``manifest.json`` of a build: every file that refgen made, and the refgen that made the last of them.

    ``inputs`` are the digests of the files that something was made of; many files were made of the same.
    """

    schema: Literal["refgen/manifest/3"]
    refgen: Digest
    inputs: list[dict[str, Digest]]
    made: list[MadeFile]
