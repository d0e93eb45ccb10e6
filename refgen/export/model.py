"""Models that all JSON shares (exact numbers, chances, places), and those of manifest.json and of the log of a build.

In: Fractions and spans. Out: plain data and its text. A model is a typed dictionary: mypy checks data against it, and
``refgen.pipeline.schemas`` makes its JSON Schema, so that each shape stands once. This module loads no pydantic.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, Literal, NotRequired, TypeVar

from typing_extensions import TypedDict

from refgen.span import Span

Data = TypeVar("Data")


@dataclass(frozen=True, slots=True, eq=False)
class Keywords:
    """Keywords of JSON Schema that narrow a type: ``Annotated[int, Keywords({"minimum": 1})]``."""

    keywords: Mapping[str, Any]

    def __get_pydantic_json_schema__(self, core: Any, handler: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        return {**self.keywords, **handler(core)}


Exact = Annotated[str, Keywords({"pattern": r"^-?\d+(/\d+)?$", "description": "An exact number, such as 5 or -1/200."})]
Line = Annotated[int, Keywords({"minimum": 1})]
Count = Annotated[int, Keywords({"minimum": 0})]
Percentage = Annotated[float, Keywords({"minimum": 0, "maximum": 100})]
Deviation = Annotated[float, Keywords({"minimum": 0})]


class Place(TypedDict):
    """A place in a document; ``place`` are the words for a place in a file without lines ("Combat, table 3, row 2")."""

    file: str
    line: Line
    column: Line
    place: NotRequired[str]


class Chance(TypedDict):
    """A chance."""

    exact: Exact
    percent: Percentage


def place(span: Span) -> Place:
    """Where something is printed."""
    said = Place(file=span.file, line=span.line, column=span.column)
    return said | {"place": span.place} if span.place else said


def chance(exact: Fraction) -> Chance:
    """A chance, exactly and in percent."""
    return Chance(exact=str(exact), percent=float(exact * 100))


def data_of(model: Callable[..., Data], value: object, /, **others: object) -> Data:
    """The data of a model: each key has the attribute of ``value`` with its name, unless ``others`` have the key.

    Spans become places, and tuples lists.
    """
    keys: Mapping[str, Any] = model.__annotations__
    found = {key: others[key] if key in others else _plain_value(getattr(value, key)) for key in keys}
    return model(**found)


def _plain_value(value: Any) -> Any:
    if isinstance(value, Span):
        return place(value)
    return [_plain_value(item) for item in value] if isinstance(value, tuple) else value


def json_text(data: Mapping[str, Any]) -> str:
    """Data as JSON, ready to be written to a file.

    Python's own writer is in C only for a single line; pydantic's takes an eighth of the time.
    """
    from pydantic_core import to_json

    return to_json(data, indent=1).decode() + "\n"


def toml_string(text: str) -> str:
    """A text as a basic string of TOML: like a string of JSON, but for a control character that TOML wants escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def notebook_html(name: str, **values: object) -> str:
    """A piece of HTML for notebooks, made by the template ``notebook/<name>.html``."""
    from refgen.layout.templates import environment

    return environment().get_template(f"notebook/{name}.html").render(**values)


Digest = Annotated[str, Keywords({"pattern": "^[0-9a-f]{64}$", "description": "A SHA-256."})]


class MadePart(TypedDict):
    """A part of a build: the index of its inputs, and the digest of each file by path."""

    part: str
    inputs: Annotated[int, Keywords({"minimum": 0, "description": "Which of the inputs, from 0."})]
    files: dict[str, Digest]


class ManifestData(TypedDict):
    """``manifest.json`` of a build: every file that refgen made, and the refgen that made the last of them.

    ``inputs`` are sets of input files with their digests; parts that were made of the same files name the same set.
    """

    schema: Literal["refgen/manifest/4"]
    refgen: Digest
    inputs: list[dict[str, Digest]]
    made: list[MadePart]


class MachinePart(TypedDict):
    """Something that refgen needs, or can use: there (``ok``), ``missing``, or missing and ``optional``."""

    name: str
    state: Literal["ok", "missing", "optional"]
    found: str
    hint: str


class MachineData(TypedDict):
    """The output of ``refgen doctor --format json``."""

    schema: Literal["refgen/doctor/1"]
    parts: list[MachinePart]


BUILD_LOG_SCHEMA: Literal["refgen/build-log/3"] = "refgen/build-log/3"

Seconds = Annotated[float, Keywords({"minimum": 0})]


class StepLine(TypedDict):
    """The event of a step ``at`` so many seconds after the start.

    Of the jobs of an aid, ``done`` of ``total`` are laid out by then; the step itself took ``seconds``. ``again``: the
    process of the step died, hung or took too much memory, and the step is tried once more; ``kept``: the result is
    taken from the cache.
    """

    schema: Literal["refgen/build-log/3"]
    event: Literal["begun", "again", "kept", "done", "failed"]
    at: Seconds
    step: str
    kind: Literal["read", "screen", "sheet", "card", "booklet", "session", "site", "publish", "fill"]
    seconds: Seconds
    done: Count
    total: Count
    reason: str


class MessageLine(TypedDict):
    """Something that somebody should know; ``stopped`` by a signal is the last line."""

    schema: Literal["refgen/build-log/3"]
    event: Literal["error", "warning", "note", "stopped"]
    at: Seconds
    message: str
    place: Place | None
    hint: str


class EndLine(TypedDict):
    """The result of a build: the last line, with the ``seconds`` of work by kind of step."""

    schema: Literal["refgen/build-log/3"]
    event: Literal["end"]
    at: Seconds
    output: str
    files: Count
    made: Count
    kept: Count
    findings: Count
    questions: Count
    errors: Count
    seconds: dict[str, Seconds]


BuildLogLine = StepLine | MessageLine | EndLine
