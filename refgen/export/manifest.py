"""The model of ``manifest.json``: every file that a build made, what is in it, and what it was made of."""

from __future__ import annotations

from typing import Annotated, Literal

from typing_extensions import TypedDict

from refgen.export.model import Keywords

Digest = Annotated[str, Keywords({"pattern": "^[0-9a-f]{64}$", "description": "A SHA-256."})]


class MadePart(TypedDict):
    """A part of a build, the number of what it was made of, and its files: the digest of each by its path."""

    part: str
    inputs: Annotated[int, Keywords({"minimum": 0, "description": "Which of the inputs, from 0."})]
    files: dict[str, Digest]


class ManifestData(TypedDict):
    """``manifest.json`` of a build: every file that refgen made, and the refgen that made the last of them.

    ``inputs`` are the digests of the files that something was made of; many parts were made of the same.
    """

    schema: Literal["refgen/manifest/4"]
    refgen: Digest
    inputs: list[dict[str, Digest]]
    made: list[MadePart]
