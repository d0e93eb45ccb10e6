"""The log of a running build for machines: a JSON object on each line of stderr.

In: the events of steps, errors, and the result of the build. Out: objects of the schema ``refgen schema build-log``.
The log stands apart from the others, since only this one loads the models of JSON.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

import refgen
from refgen.commands.options import MessageKind, TextLog
from refgen.errors import RefgenError, each_error
from refgen.export.model import BUILD_LOG_SCHEMA, BuildLogLine, EndLine, MessageLine, StepLine, place

if TYPE_CHECKING:
    from refgen.pipeline.result import Event


class JsonLog(TextLog):
    """A log for machines: a JSON object on each line."""

    for_machines = True

    def error(self, error: RefgenError) -> None:
        """Write an object for each error of a RefgenError, which may hold several errors of one file."""
        for each in each_error(error):
            where = place(each.span) if each.span else None
            self._write(
                MessageLine(
                    schema=BUILD_LOG_SCHEMA,
                    event="error",
                    at=self._at(),
                    message=each.message,
                    place=where,
                    hint=each.hint,
                )
            )

    def _show_step(self, event: Event) -> None:
        self._write(
            StepLine(
                schema=BUILD_LOG_SCHEMA,
                event=event.state,
                at=self._at(),
                step=event.step,
                kind=event.kind,  # type: ignore[typeddict-item]
                seconds=round(event.seconds, 3),
                done=event.done,
                total=event.total,
                reason=event.reason,
            )
        )

    def _show_message(self, kind: MessageKind, text: str) -> None:
        self._write(MessageLine(schema=BUILD_LOG_SCHEMA, event=kind, at=self._at(), message=text, place=None, hint=""))

    def _show_end(self, result: refgen.BuildResult) -> None:
        self._write(
            EndLine(
                schema=BUILD_LOG_SCHEMA,
                event="end",
                at=self._at(),
                output=str(self.output),
                files=len(result.files),
                made=len(result.made),
                kept=len(result.kept),
                findings=sum(result.findings.values()),
                errors=len(result.errors),
                seconds={kind: round(seconds, 3) for kind, seconds in self.times.by_kind().items()},
            )
        )

    def _at(self) -> float:
        return round(self.times.passed, 3)

    def _write(self, line: BuildLogLine) -> None:
        click.echo(json.dumps(line, ensure_ascii=False), err=True)
