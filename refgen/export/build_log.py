"""The model of ``--log json``: what a build says while it runs, an object a line."""

from __future__ import annotations

from typing import Annotated, Literal

from typing_extensions import TypedDict

from refgen.export.model import Count, Keywords, Place

SCHEMA: Literal["refgen/build-log/1"] = "refgen/build-log/1"

Seconds = Annotated[float, Keywords({"minimum": 0})]


class StepLine(TypedDict):
    """What happened to a step ``at`` so many seconds after the start.

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
    """What came of it all: the last line, with the ``seconds`` of work by kind of step."""

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
