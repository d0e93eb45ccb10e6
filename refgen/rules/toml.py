"""TOML files that people write, checked against a pydantic model; every fault is placed in the file.

In: the text of a TOML file and the model it must fit. Out: the model, or a RulesError with file:line:column.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, reduce
from operator import or_
from typing import Annotated, Any, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    ValidationError,
    model_validator,
)
from pydantic_core import CoreSchema, ErrorDetails, PydanticCustomError

from refgen.errors import FileErrors, RulesError
from refgen.limits import limit_hint, limits
from refgen.notation.formula_tree import NAME
from refgen.source import SourceFile
from refgen.span import Span
from refgen.suggestion import did_you_mean

KeyPath = Sequence[str | int]


class Strict(BaseModel):
    """A part of a file that people write: unknown keys are mistakes, values do not change.

    A key by the name that it had before (refgen/rules/toml.py) is refused, with the new one named.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=False, defer_build=True)

    @model_validator(mode="before")
    @classmethod
    def _refuse_old_keys(cls, data: Any) -> Any:
        for old, new in renamed_keys(cls).items():
            if isinstance(data, dict) and old in data:
                raise _renamed(old, old, new)
        return data


def text_or_table(written: Any) -> str:
    """Tells the two forms of a value apart, as ``Discriminator`` of a union of ``Tag("text")`` and ``Tag("table")``."""
    return "table" if isinstance(written, dict | BaseModel) else "text"


def renamed_values(key: str, names: Mapping[str, str]) -> BeforeValidator:
    """Refuses the old values of a key, with the new one named. Stands beside the discriminator of a union.

    ``Annotated[Ferry | Bridge, Field(discriminator="kind"), renamed_values("kind", {"dam": "bridge"})]``
    """

    def refuse(data: Any) -> Any:
        value = data.get(key) if isinstance(data, dict) else None
        if isinstance(value, str) and value in names:
            raise _renamed(key, value, names[value])
        return data

    return BeforeValidator(refuse)


def usual_kind(kind: str) -> BeforeValidator:
    """What does not say its kind is of this one. Stands beside the discriminator of a union."""
    return BeforeValidator(
        lambda data: {"kind": kind, **data} if isinstance(data, dict) and "kind" not in data else data
    )


def _renamed(key: str, old: str, new: str) -> PydanticCustomError:
    name, _, more = new.partition(" ")
    called = f'"{name}" {more}'.rstrip()
    return PydanticCustomError("renamed", '"{old}" is called {new} now', {"key": key, "old": old, "new": called})


@dataclass(frozen=True, slots=True)
class AnyOf:
    """In ``Annotated[Base, AnyOf(models)]``: one of some models under ``Base``, told apart by their ``kind``."""

    models: Sequence[type[Strict]]

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        return handler(Annotated[reduce(or_, self.models), Field(discriminator="kind")])


ModelT = TypeVar("ModelT", bound=BaseModel)

_TITLES = ("title", "label")
"""The keys of texts that stand in one piece above what they name."""

_UNPRINTABLE = ("Cc", "Zl", "Zp")
"""The Unicode categories of control characters and of separators of lines and paragraphs."""

_HEADER = re.compile(r"^[ \t]*\[(?P<array>\[)?(?P<name>[^\[\]\n]+)\]\]?[ \t]*(?:#.*)?$", re.MULTILINE)
_LONG_NUMBER = re.compile(r"[\d_]{4000,}")
QUOTE = "'"
_SYNTAX_PLACE = re.compile(r"\(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)")


@lru_cache(maxsize=32)
def load_toml(source: SourceFile, model: type[ModelT], dice_letters: tuple[str, ...] = ()) -> ModelT:
    """Parse and check a TOML file, whose formulas may have these letters for dice besides d.

    Raises RulesError for bad TOML and for texts that no page can show, FileErrors for several keys that do not fit.

    When a document was edited, its game is read again, but the files beside it are as they were.
    """
    return fitted(read_toml(source), model, lambda _: source, dice_letters)


def fitted(
    data: Mapping[str, Any],
    model: type[ModelT],
    source_of: Callable[[KeyPath], SourceFile],
    dice_letters: tuple[str, ...] = (),
) -> ModelT:
    """Some data as a model; ``source_of`` tells the file in which a path of it is written.

    Its formulas may have these letters for dice besides d.

    Raises RulesError for a key that does not fit, FileErrors for several.
    """
    try:
        return model.model_validate(data, context=dice_letters)
    except ValidationError as error:
        errors = [_placed_error(source_of, data, fault, model) for fault in error.errors()]
        raise errors[0] if len(errors) == 1 else FileErrors(errors) from error


def read_toml(source: SourceFile) -> Mapping[str, Any]:
    """The data of a TOML file. Raises RulesError for bad TOML and for texts that no page can show."""
    data = parse_toml(source)
    _check_texts(source, data, (), limits().title_letters)
    return data


def parse_toml(source: SourceFile) -> Mapping[str, Any]:
    """The data of a TOML file. Raises RulesError, with its place, for bad TOML."""
    try:
        return tomllib.loads(source.text)
    except tomllib.TOMLDecodeError as error:
        raise RulesError(_syntax_message(error), span=_syntax_span(source, error), hint="See toml.io.") from error
    except ValueError as error:  # Python reads no whole number of more digits than this
        number = _LONG_NUMBER.search(source.text)
        span = source.span(*number.span()) if number else source.span(0, 0)
        raise RulesError("a number of thousands of digits", span=span, hint="Write a shorter one.") from error
    except RecursionError as error:
        hint = "Write fewer brackets in one another."
        raise RulesError("lists or tables stand too deep in one another", span=source.span(0, 0), hint=hint) from error


def _check_texts(source: SourceFile, value: Any, path: KeyPath, longest_title: int) -> None:
    """Raise RulesError for a text in a value of a TOML file that no page can show."""
    if isinstance(value, str):
        if not value.isprintable() or len(value) > longest_title:
            _refuse_unprintable(source, path, value, longest_title)
    elif isinstance(value, dict | list):
        for key, entry in value.items() if isinstance(value, dict) else enumerate(value):
            _check_texts(source, entry, (*path, key), longest_title)


def unprintable(text: str) -> str:
    """The first character of a text that no page can show, which TOML files must not have; "" for none."""
    shown = (one for one in text if unicodedata.category(one) in _UNPRINTABLE and one not in "\t\n\r")
    return next(shown, "")


def _refuse_unprintable(source: SourceFile, path: KeyPath, text: str, longest_title: int) -> None:
    if character := unprintable(text):
        what = f"a character that no page can show (U+{ord(character):04X})"
        hint = "Take it out, or write a blank or a new line in its place."
        raise RulesError(what, span=locate(source, path), hint=hint)
    if path[-1] in _TITLES and len(text) > longest_title:
        what = f"a {path[-1]} of {len(text):,} letters, for which no page has room"
        raise RulesError(what, span=locate(source, path), hint=f"Shorten it. {limit_hint('title_letters')}")


def _syntax_message(error: tomllib.TOMLDecodeError) -> str:
    return "not valid TOML: " + _SYNTAX_PLACE.sub("", str(error)).strip().lower()


def _syntax_span(source: SourceFile, error: tomllib.TOMLDecodeError) -> Span:
    place = _SYNTAX_PLACE.search(str(error))
    if place is None or place["line"] is None:
        return source.span(len(source.text), len(source.text))
    start = source.line_span(int(place["line"])).start + int(place["column"]) - 1
    return source.span(start, start)


def _placed_error(
    source_of: Callable[[KeyPath], SourceFile], data: Any, fault: ErrorDetails, model: type[BaseModel]
) -> RulesError:
    kind = fault["type"]
    path = _written(data, fault["loc"], missing=kind == "missing")
    source = source_of(path)
    shown, span = ".".join(map(str, path)), locate(source, path)
    if kind == "renamed":
        context = fault["ctx"]
        span = locate(source_of((*path, context["key"])), (*path, context["key"]))
        return RulesError(fault["msg"], span=span, hint=f"Write {context['new']} in its place.")
    if kind == "union_tag_invalid":
        return _unknown_kind_error(source, path, fault)
    if kind == "extra_forbidden":
        return RulesError(f'unknown key "{shown}"', span=span, hint=_hint(path, model))
    if kind in ("missing", "union_tag_not_found"):
        missing = shown if kind == "missing" else f"{shown}.{fault['ctx']['discriminator'].strip(QUOTE)}"
        return RulesError(f'the key "{missing}" is missing', span=span, hint="Add it there.")
    return RulesError(f'"{shown}": {fault_message(fault)}', span=span)


def _unknown_kind_error(source: SourceFile, path: KeyPath, fault: ErrorDetails) -> RulesError:
    """The value of a key by which a table is one of several kinds is none of them."""
    key, tag = fault["ctx"]["discriminator"].strip(QUOTE), fault["ctx"]["tag"]
    known = re.findall(r"'([^']+)'", fault["ctx"]["expected_tags"])
    message = f'"{".".join(map(str, path))}": there is no {key} "{tag}"'
    return RulesError(message, span=locate(source, (*path, key)), hint=did_you_mean(tag, known))


def _written(data: Any, location: KeyPath, *, missing: bool) -> KeyPath:
    """A place as it is written: without the kinds that pydantic puts between a table and its keys."""
    written: list[str | int] = []
    for part in location:
        in_list = isinstance(data, list) and isinstance(part, int) and part < len(data)
        if in_list or (isinstance(data, Mapping) and part in data):
            written.append(part)
            data = data[part]
    return [*written, location[-1]] if missing else written


def _hint(path: KeyPath, model: type[BaseModel]) -> str:
    return did_you_mean(str(path[-1]), sorted(_known_keys(model)), "Remove it, or look at `refgen schema`.")


@cache
def _known_keys(model: type[BaseModel]) -> set[str]:
    schema = model.model_json_schema()
    parts: list[dict[str, Any]] = [schema, *schema.get("$defs", {}).values()]
    return {key for part in parts for key in part.get("properties", {})}


def locate(source: SourceFile, path: KeyPath) -> Span:
    """Where a key path stands in a TOML file; the nearest enclosing place when it is not written out."""
    text = source.text
    start, rest = _deepest_header(text, path)
    end, table, found = _next_header(text, start), "", None
    for part in map(str, rest):
        found = _key(text, table, part, start, end)
        if found is None:
            continue
        if found["sign"] == ".":  # the keys of this table stand in lines of their own
            table += re.escape(part) + "[.]"
            start = found.start()
            continue
        start, table = found.start("key"), ""
        if text.startswith("{", found.end()):  # an inline table ends with its line
            end = min(end, _line_end(text, start))
    if rest and found is None:
        start = _first_header_under(text, path) or start
    return source.span(start, _line_end(text, start))


def entry_lines(source: SourceFile, path: KeyPath) -> tuple[int, int]:
    """Where an entry under a header of its own starts and ends; comments and blank lines behind it are not its own."""
    start, _ = _deepest_header(source.text, path)
    entry = source.text[start : _next_header(source.text, start)]
    lines = entry.splitlines(keepends=True)
    while lines and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
        lines.pop()
    return start, start + sum(map(len, lines))


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _key(text: str, table: str, key: str, start: int, end: int) -> re.Match[str] | None:
    """A key at the start of a line, behind its ``table`` and a dot if there is one; or else inside an inline table."""
    written = rf"""(?P<key>["']?{re.escape(key)}["']?)[ \t]*(?P<sign>[=.])[ \t]*"""
    at_start = re.compile(rf"^[ \t]*{table}{written}", re.MULTILINE).search(text, start, end)
    return at_start or re.compile(rf"[{{,.][ \t]*{written}").search(text, start, end)


def _first_header_under(text: str, path: KeyPath) -> int | None:
    """The offset of the first header inside the table that ``path`` names, which has none of its own."""
    return next((start for start, covered in _headers(text) if covered[: len(path)] == [*path]), None)


def _deepest_header(text: str, path: KeyPath) -> tuple[int, KeyPath]:
    """The offset of the header that covers most of ``path``, and the part of the path under it."""
    starts = _header_starts(text)
    depth = next((depth for depth in range(len(path), 0, -1) if tuple(path[:depth]) in starts), 0)
    return starts.get(tuple(path[:depth]), 0), path[depth:]


@lru_cache(maxsize=16)
def _header_starts(text: str) -> Mapping[KeyPath, int]:
    """The offset of the first header that covers each path."""
    return {tuple(covered): start for start, covered in reversed(_headers(text))}


@lru_cache(maxsize=16)
def _headers(text: str) -> Sequence[tuple[int, list[str | int]]]:
    """Every header of a file, with its offset; a file is asked about again and again."""
    headers = []
    numbers: dict[str, int] = {}
    for header in _HEADER.finditer(text):
        name = re.sub(r"[\"' ]", "", header["name"])
        if header["array"]:
            numbers = {array: number for array, number in numbers.items() if not array.startswith(name + ".")}
            numbers[name] = numbers.get(name, -1) + 1
        headers.append((header.start(), _numbered(name, numbers)))
    return headers


def _numbered(name: str, numbers: Mapping[str, int]) -> list[str | int]:
    """The path of a header, with the number of each array of tables on the way."""
    covered: list[str | int] = []
    parts = name.split(".")
    for end, part in enumerate(parts, start=1):
        covered.append(part)
        if (prefix := ".".join(parts[:end])) in numbers:
            covered.append(numbers[prefix])
    return covered


def _next_header(text: str, start: int) -> int:
    header = _HEADER.search(text, text.find("\n", start) + 1 or len(text))
    return header.start() if header else len(text)


_PATTERNS = {
    f"^{NAME}$": "this is no name: write lower-case words and figures, joined by hyphens",
    r"^#[0-9a-f]{6}$": 'this is no colour: write it like "#1d4e79"',
}

_MESSAGES: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "string_type": lambda _: "this is no text: write it in quotes",
    "int_type": lambda _: "this is no whole number",
    "int_parsing": lambda _: "this is no whole number",
    "int_from_float": lambda _: "this is no whole number",
    "float_type": lambda _: "this is no number",
    "float_parsing": lambda _: "this is no number",
    "finite_number": lambda _: "this is no number with an end",
    "bool_type": lambda _: "this is neither true nor false",
    "bool_parsing": lambda _: "this is neither true nor false",
    "list_type": lambda _: "this is no list: write it in [ ]",
    "tuple_type": lambda _: "this is no list: write it in [ ]",
    "dict_type": lambda _: "this is no table: write it in { }, or under a heading in [ ]",
    "model_type": lambda _: "this is no table: write it in { }, or under a heading in [ ]",
    "model_attributes_type": lambda _: "this is no table: write it in { }, or under a heading in [ ]",
    "string_too_short": lambda _: "this is empty",
    "string_pattern_mismatch": lambda context: _PATTERNS.get(context["pattern"], "this is not written as it must be"),
    "literal_error": lambda context: f"this is not {_or(context['expected'])}",
    "enum": lambda context: f"this is not {_or(context['expected'])}",
    "too_short": lambda context: (
        f"there must be at least {context['min_length']}, and there are {context['actual_length']}"
    ),
    "too_long": lambda context: f"there may be at most {context['max_length']}",
    "greater_than": lambda context: f"this must be more than {context['gt']}",
    "greater_than_equal": lambda context: f"this must be at least {context['ge']}",
    "less_than": lambda context: f"this must be less than {context['lt']}",
    "less_than_equal": lambda context: f"this may be at most {context['le']}",
    "value_error": lambda context: str(context["error"]),
}


def fault_message(fault: ErrorDetails) -> str:
    """The fault of a value, in words."""
    message = _MESSAGES.get(fault["type"])
    return message(fault.get("ctx", {})) if message else "this is not what belongs here; look at `refgen schema`"


def _or(expected: str) -> str:
    return expected.replace("'", '"')


RENAMED: Mapping[str, Mapping[str, str]] = {
    "AxisSpec": {"bare": "short_ids", "none": "zero_title", "under": "head_number"},
    "BindingsSpec": {"with": "throws"},
    "CardSpec": {"rows": "row_range"},
    "ColumnSpec": {"decreed": "[pinned] in proof.toml"},
    "DefectSpec": {"find": "text"},
    "FactPlace": {"find": "text"},
    "FactSpec": {"decreed": "[pinned] in proof.toml", "stated": "inferred (of the opposite meaning) in proof.toml"},
    "CheckSpec": {"stated": "inferred (of the opposite meaning)"},
    "FormulaColumn": {"given": "assume"},
    "GridSpec": {"given": "assume"},
    "PanelSpec": {"edge": "edge_scale"},
    "PartSpec": {"choices": "ladder"},
    "PhrasingSpec": {"again": "restated", "unread": "ignored"},
    "RulesSpec": {
        "damage": "defects",
        "again": "[restated] in proof.toml",
        "unread": "[ignored] in proof.toml",
    },
    "ScreenSettings": {"form": "imposition"},
    "ScreenSpec": {"edge": "edge_scale"},
    "SheetSpec": {"roster": "order"},
    "TableKeys": {"rows": "row_range"},
    "TableSpec": {"decreed": "[pinned] in proof.toml", "rows": "[row_counts] in proof.toml"},
}
"""The old keys of each model by its name. What stands behind the first word of a new one says more of it."""


@cache
def renamed_keys(model: type) -> Mapping[str, str]:
    """The old keys of a model, those of the models it is made from among them."""
    return {old: new for base in reversed(model.__mro__) for old, new in RENAMED.get(base.__name__, {}).items()}
