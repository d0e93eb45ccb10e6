"""Pandoc, run on a document: its process and its syntax tree (AST).

In: the bytes of a document. Out: pandoc's output and messages, and the words, list items and table parts of its tree.
"""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import dataclass
from typing import Any

from refgen.errors import ReadError
from refgen.limits import limit_hint, limits

HEAP_EXHAUSTED = 251
"""What a program of Haskell exits with when it may take no more memory."""

_MESSAGE = re.compile(
    r"^\[(?P<kind>WARNING|INFO)\] (?P<words>.*) at (?:\S+ )?line (?P<line>\d+) column (?P<column>\d+)"
)
_ERROR_PLACE = re.compile(r"\(?line (?P<line>\d+),? column (?P<column>\d+)\)?:?")
_LOST_BLOCK = "Skipped '\\begin{"


@dataclass(frozen=True, slots=True)
class Message:
    """A message of pandoc about something left out: the words, and the place in the source."""

    words: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Converted:
    """The output of pandoc, with its messages."""

    text: str
    messages: tuple[Message, ...]

    @property
    def ast(self) -> Any:
        """The syntax tree, where JSON was asked for."""
        return json.loads(self.text)


class PandocError(Exception):
    """Pandoc refused a document: why, where in it if it says so, and what can be done where that is known."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint
        place = _ERROR_PLACE.search(message)
        self.reason = " ".join(_ERROR_PLACE.sub("", message).split()).removeprefix("Error at ").rstrip(" ^")
        self.line, self.column = (int(place["line"]), int(place["column"])) if place else (1, 1)


def convert(raw: bytes, source: str, target: str) -> Converted:
    """Convert a document. Raises PandocError when pandoc refuses it, ReadError when there is no pandoc."""
    most = limits()
    bounds = ["+RTS", f"-M{most.pandoc_megabytes}M", "-RTS", "--sandbox", "--verbose", "--wrap=none"]
    try:
        done = subprocess.run(  # noqa: S603 - the program is pypandoc's, its arguments are ours
            [_program(), *bounds, "--from", source, "--to", target],
            input=raw,
            capture_output=True,
            timeout=most.pandoc_seconds,
        )
    except subprocess.TimeoutExpired as error:
        message = f"it takes longer than {most.pandoc_seconds} seconds"
        raise PandocError(message, limit_hint("pandoc_seconds")) from error
    said = done.stderr.decode("utf-8", "replace")
    if done.returncode == HEAP_EXHAUSTED:
        raise PandocError(f"it takes more than {most.pandoc_megabytes:,} megabytes", limit_hint("pandoc_megabytes"))
    if done.returncode:
        raise PandocError(_without_messages(said) or f"pandoc stopped with {done.returncode}")
    return Converted(done.stdout.decode("utf-8"), tuple(_messages(said)))


def _program() -> str:
    try:
        import pypandoc

        return str(pypandoc.get_pandoc_path())
    except (ImportError, OSError) as error:
        raise ReadError("this format is read through pandoc", hint="pip install refgen[pandoc]") from error


def _messages(said: str) -> list[Message]:
    """The warnings, and the blocks that were skipped; pandoc counts every rule and label it skips as well."""
    found = (_MESSAGE.match(line) for line in said.splitlines())
    return [
        Message(match["words"], int(match["line"]), int(match["column"]))
        for match in found
        if match and (match["kind"] == "WARNING" or match["words"].startswith(_LOST_BLOCK))
    ]


def _without_messages(said: str) -> str:
    return "\n".join(line for line in said.splitlines() if not line.startswith(("[INFO]", "[WARNING]")))
