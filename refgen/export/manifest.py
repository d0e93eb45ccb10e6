"""The models of ``manifest.json`` (every file that a build made, and its inputs) and of the log of a build."""

from __future__ import annotations

from typing import Annotated, Literal

from typing_extensions import TypedDict

from refgen.export.model import Count, Keywords, Place

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


BUILD_LOG_SCHEMA: Literal["refgen/build-log/1"] = "refgen/build-log/1"

Seconds = Annotated[float, Keywords({"minimum": 0})]


class StepLine(TypedDict):
    """The event of a step ``at`` so many seconds after the start.

    Of an aid, ``done`` of ``total`` are laid out then; ``seconds`` are those of the step's work. ``again``: its process
    died, hung or took too much memory, and it is tried once more; ``kept``: it is taken from the cache.
    """

    schema: Literal["refgen/build-log/1"]
    event: Literal["begun", "again", "kept", "done", "failed"]
    at: Seconds
    step: str
    kind: Literal["read", "screen", "sheet", "card", "booklet", "site", "publish", "fill"]
    seconds: Seconds
    done: Count
    total: Count
    reason: str


class MessageLine(TypedDict):
    """Something that somebody should know; ``stopped`` by a signal is the last line."""

    schema: Literal["refgen/build-log/1"]
    event: Literal["error", "warning", "note", "stopped"]
    at: Seconds
    message: str
    place: Place | None
    hint: str


class EndLine(TypedDict):
    """The result of a build: the last line, with the ``seconds`` of work by kind of step."""

    schema: Literal["refgen/build-log/1"]
    event: Literal["end"]
    at: Seconds
    output: str
    files: Count
    made: Count
    kept: Count
    findings: Count
    errors: Count
    seconds: dict[str, Seconds]


BuildLogLine = StepLine | MessageLine | EndLine
