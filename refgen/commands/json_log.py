"""The log of a build for machines, on stderr: a JSON object on each line.

In: the events of steps, errors, and the result of the build. Out: JSON, as ``refgen schema build-log`` describes it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Literal

import click

import refgen
from refgen.commands.build_log import QuietLog, Word
from refgen.errors import RefgenError, each_error
from refgen.export.manifest import SCHEMA, BuildLogLine
from refgen.export.model import Place, place

if TYPE_CHECKING:
    from refgen.pipeline.result import Event


class JsonLog(QuietLog):
    """An object a line, as ``refgen schema build-log`` describes them."""

    for_machines = True

    def step(self, event: Event) -> None:
        """Say what happened to a step."""
        self._write(
            {
                "schema": SCHEMA,
                "event": event.state,
                "at": self._at(),
                "step": event.step,
                "kind": event.kind,  # type: ignore[typeddict-item]
                "seconds": round(event.seconds, 3),
                "done": event.done,
                "total": event.total,
                "reason": event.reason,
            }
        )

    def error(self, error: RefgenError) -> None:
        """Write an object for each error of a RefgenError, which may hold several errors of one file."""
        for each in each_error(error):
            where = place(each.span) if each.span else None
            self._say("error", each.message, where, each.hint)

    def message(self, word: Word, text: str) -> None:
        """Say something that somebody should know."""
        self._say(word, text, None, "")

    def end(self, result: refgen.BuildResult) -> None:
        """Write how the build or the filling ended."""
        self._write(
            {
                "schema": SCHEMA,
                "event": "end",
                "at": self._at(),
                "output": str(self.output),
                "files": len(result.files),
                "made": len(result.made),
                "kept": len(result.kept),
                "findings": sum(result.findings.values()),
                "errors": len(result.errors),
                "seconds": {kind: round(seconds, 3) for kind, seconds in self.times.by_kind().items()},
            }
        )

    def _say(self, event: Word | Literal["error"], message: str, where: Place | None, hint: str) -> None:
        self._write(
            {
                "schema": SCHEMA,
                "event": event,
                "at": self._at(),
                "message": message,
                "place": where,
                "hint": hint,
            }
        )

    def _at(self) -> float:
        return round(self.times.passed, 3)

    def _write(self, line: BuildLogLine) -> None:
        click.echo(json.dumps(line, ensure_ascii=False), err=True)


class QuietJsonLog(JsonLog):
    """Writes objects for errors and warnings alone."""

    def step(self, event: Event) -> None:
        """Says nothing."""

    def message(self, word: Word, text: str) -> None:
        """Say something that somebody should know."""
        if word != "note":
            super().message(word, text)

    def end(self, result: refgen.BuildResult) -> None:
        """Says nothing."""
