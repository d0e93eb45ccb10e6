"""Run pandoc on a document.

In: the bytes of a document. Out: pandoc's output with its messages.

No further module starts pandoc. Pandoc runs in its sandbox (no files but the given document, no network), with bounds
on memory and time.
"""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from refgen.errors import ReadError
from refgen.limits import Limits, limit_hint, limits
from refgen.span import Span

HEAP_EXHAUSTED = 251
"""The exit code of a Haskell program that has used up its memory."""

_MESSAGE = re.compile(
    r"^\[(?P<kind>WARNING|INFO)\] (?P<words>.*) at (?:\S+ )?line (?P<line>\d+) column (?P<column>\d+)"
)
_ERROR_PLACE = re.compile(r"\(?line (?P<line>\d+),? column (?P<column>\d+)\)?:?")
_LOST_BLOCK = "Skipped '\\begin{"


@dataclass(frozen=True, slots=True)
class PandocMessage:
    """A message of pandoc about text that it left out, with the place in the source."""

    words: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class PandocOutput:
    """The output of pandoc, with its messages."""

    text: str
    messages: tuple[PandocMessage, ...]

    @property
    def ast(self) -> Any:
        """The syntax tree, where JSON was asked for. Raises ReadError for a tree that nests too deep."""
        try:
            return json.loads(self.text)
        except RecursionError as error:
            raise too_deep() from error


class PandocError(Exception):
    """Pandoc refused a document: the reason, and the place and the hint if there are any."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint
        place = _ERROR_PLACE.search(message)
        self.reason = " ".join(_ERROR_PLACE.sub("", message).split()).removeprefix("Error at ").rstrip(" ^")
        self.line, self.column = (int(place["line"]), int(place["column"])) if place else (1, 1)


def too_deep(span: Span | None = None) -> ReadError:
    """The error of a document whose quotes, lists or emphasis nest too deep."""
    return ReadError("the document nests too deep", span=span, hint="Take quotes and lists out of each other.")


def convert(raw: bytes, source: str, target: str) -> PandocOutput:
    """Convert a document. Raises PandocError if pandoc refuses the document, ReadError if pandoc is not installed."""
    return _convert(raw, source, target, limits())


@lru_cache(maxsize=8)  # a check reads the documents of a game again, for their numbers
def _convert(raw: bytes, source: str, target: str, most: Limits) -> PandocOutput:
    bounds = ["+RTS", f"-M{most.pandoc_megabytes}M", "-RTS", "--sandbox", "--verbose", "--wrap=none"]
    try:
        done = subprocess.run(  # noqa: S603 - the program is pypandoc's, its arguments are ours
            [program(), *bounds, "--from", source, "--to", target],
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
        refusal = "\n".join(line for line in said.splitlines() if not line.startswith(("[INFO]", "[WARNING]")))
        raise PandocError(refusal or f"pandoc stopped with {done.returncode}")
    return PandocOutput(done.stdout.decode("utf-8"), tuple(_messages(said)))


def program() -> str:
    """The path of pandoc. Raises ReadError if pandoc is not installed."""
    try:
        import pypandoc

        return str(pypandoc.get_pandoc_path())
    except (ImportError, OSError) as error:
        raise ReadError("this format is read through pandoc", hint="pip install refgen[pandoc]") from error


def _messages(said: str) -> list[PandocMessage]:
    """The warnings, and the blocks that were skipped; pandoc counts every rule and label it skips as well."""
    found = (_MESSAGE.match(line) for line in said.splitlines())
    return [
        PandocMessage(match["words"], int(match["line"]), int(match["column"]))
        for match in found
        if match and (match["kind"] == "WARNING" or match["words"].startswith(_LOST_BLOCK))
    ]
