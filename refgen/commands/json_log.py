"""The log of a running build for machines: a JSON object on each line of stderr.

In: the events of steps, errors, and the result of the build. Out: objects of the schema ``refgen schema build-log``.
The log stands apart from the others, since only this one loads the models of JSON.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

import refgen
from refgen.commands.options import MessageKind, TextLog
from refgen.errors import RefgenError, each_error
from refgen.export.model import BUILD_LOG_SCHEMA, BuildLogLine, EndLine, MessageLine, StepLine, data_of, place

if TYPE_CHECKING:
    from refgen.pipeline.result import Event


class JsonLog(TextLog):
    """A log for machines: a JSON object on each line."""

    for_machines = True

    def error(self, error: RefgenError) -> None:
        """Write an object for each error of a RefgenError, which may hold several errors of one file."""
        for each in each_error(error):
            self._write(MessageLine, each, event="error", place=place(each.span) if each.span else None)

    def _show_step(self, event: Event) -> None:
        self._write(StepLine, event, event=event.state, seconds=round(event.seconds, 3))

    def _show_message(self, kind: MessageKind, text: str) -> None:
        self._write(MessageLine, None, event=kind, message=text, place=None, hint="")

    def _show_end(self, result: refgen.BuildResult) -> None:
        counts = {name: len(getattr(result, name)) for name in ("files", "made", "kept", "errors")}
        counts |= {name: sum(getattr(result, name).values()) for name in ("findings", "questions")}
        seconds = {kind: round(seconds, 3) for kind, seconds in self.times.by_kind().items()}
        self._write(EndLine, result, event="end", output=str(self.output), seconds=seconds, **counts)

    def _write(self, model: Callable[..., BuildLogLine], value: object, **others: object) -> None:
        """Write a line of a model, of a value's attributes and others (see ``data_of``)."""
        line = data_of(model, value, schema=BUILD_LOG_SCHEMA, at=round(self.times.passed, 3), **others)
        click.echo(json.dumps(line, ensure_ascii=False), err=True)
