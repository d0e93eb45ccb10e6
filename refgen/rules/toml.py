"""TOML files that people write, checked against pydantic models; every error names a place in the file.

In: the text of a TOML file and the model that the file must fit. Out: the model, or RulesErrors with file:line:column.
``Strict`` is the base of all such models.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import groupby
from operator import or_
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import CoreSchema, ErrorDetails, PydanticCustomError

from refgen.catalog import did_you_mean, nearest_names
from refgen.errors import RulesError, join_errors
from refgen.limits import Limits, limit_hint, limits
from refgen.look_alikes import show_name
from refgen.notation.formula_tree import NAME
from refgen.rules.places import KeyPath, locate
from refgen.rules.toml_syntax import syntax_fault
from refgen.source import SourceFile

ModelT = TypeVar("ModelT", bound=BaseModel)

RENAMED: Mapping[str, Mapping[str, str]] = {
    "AxisSpec": {"bare": "short_ids", "none": "zero_title", "under": "head_number"},
    "BindingsSpec": {"with": "throws"},
    "CardSpec": {"rows": "row_range"},
    "CheckSpec": {"stated": "inferred (of the opposite meaning)"},
    "ColumnSpec": {"decreed": "[pinned] in proof.toml"},
    "DefectSpec": {"find": "text"},
    "FactPlace": {"find": "text"},
    "FactSpec": {"decreed": "[pinned] in proof.toml", "stated": "inferred (of the opposite meaning) in proof.toml"},
    "FormulaColumn": {"given": "assume"},
    "GridSpec": {"given": "assume"},
    "PanelSpec": {"edge": "edge_scale"},
    "PartSpec": {"choices": "ladder"},
    "PhrasingSpec": {"again": "restated", "unread": "ignored"},
    "RulesSpec": {"again": "[restated] in proof.toml", "damage": "defects", "unread": "[ignored] in proof.toml"},
    "ScreenSettings": {"form": "imposition"},
    "ScreenSpec": {"edge": "edge_scale"},
    "SheetSpec": {"roster": "order"},
    "TableKeys": {"rows": "row_range"},
    "TableSpec": {"decreed": "[pinned] in proof.toml", "rows": "[row_counts] in proof.toml"},
}
"""By the name of a model, the keys that were renamed: old name to new name, with a remark behind the first blank."""

_WRONG_VALUES: Mapping[str, str] = {
    "string_type": "this is no text: write it in quotes",
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float"), "this is no whole number"),
    **dict.fromkeys(("float_type", "float_parsing"), "this is no number"),
    "finite_number": "this is no finite number",
    **dict.fromkeys(("bool_type", "bool_parsing"), "this is neither true nor false"),
    **dict.fromkeys(("list_type", "tuple_type"), "this is no list: write it in [ ]"),
    **dict.fromkeys(
        ("dict_type", "model_type", "model_attributes_type"),
        "this is no table: write it in {{ }}, or under a heading in [ ]",
    ),
    "string_too_short": "this is empty",
    **dict.fromkeys(("literal_error", "enum"), "this is not {expected}"),
    "only_one": "write {expected}",
    "too_short": "there must be at least {min_length}, and there are {actual_length}",
    "too_long": "there may be at most {max_length}",
    "greater_than": "this must be more than {gt}",
    "greater_than_equal": "this must be at least {ge}",
    "less_than": "this must be less than {lt}",
    "less_than_equal": "this may be at most {le}",
    "value_error": "{error}",
}
"""By the type of a pydantic error, the message for the value, with the context of the error filled in."""

_PYTHON_WORDS = {"True": "true", "False": "false", "None": "nothing"}
_PYTHON_VALUE = re.compile(r"<[\w.]+: (?P<value>[^>]*)>|\b(?P<word>True|False|None)\b")
"""A member of an enumeration, or a constant, as pydantic writes what it expects."""

_WRONG_PATTERNS = {
    f"^{NAME}$": "this is no name: write lower-case words and figures, joined by hyphens",
    r"^#[0-9a-f]{6}$": 'this is no colour: write it like "#1d4e79"',
}

_TITLES = ("title", "label")
"""The keys of texts that are never broken over pages."""

_TOO_DEEP = "lists or tables stand too deep in one another"

_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]")

_KEY_PART = r"""(?:"(?:[^"\\\n]|\\.)*+"?+|'[^'\n]*+'?+|[\w-]++)"""
_NO_KEY = r'''"""(?:[^\\]|\\.)*?(?:"""|\Z)|\'{3}.*?(?:\'{3}|\Z)|\#[^\n]*'''
_LONG_NUMBER = re.compile(r"[\d_]{4000,}")


class Strict(BaseModel):
    """A part of a file that people write: unknown and renamed keys are errors, and values are not converted."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=False, defer_build=True)

    @model_validator(mode="before")
    @classmethod
    def _refuse_renamed_keys(cls, data: Any) -> Any:
        for old, new in _renamed_keys(cls).items():
            if isinstance(data, dict) and old in data:
                raise _renamed_error(old, old, new)
        return data


def _renamed_keys(model: type) -> Mapping[str, str]:
    """The renamed keys of a model and of its base classes."""
    return {old: new for base in reversed(model.__mro__) for old, new in RENAMED.get(base.__name__, {}).items()}


def _renamed_error(key: str, old: str, new: str) -> PydanticCustomError:
    name, _, remark = new.partition(" ")
    called = f'"{name}" {remark}'.rstrip()
    return PydanticCustomError("renamed", '"{old}" is called {new} now', {"key": key, "old": old, "new": called})


def renamed_values(key: str, names: Mapping[str, str]) -> BeforeValidator:
    """Refuses the old values of a key, and names the new ones. Stands beside the discriminator of a union.

    ``Annotated[Ferry | Bridge, Field(discriminator="kind"), renamed_values("kind", {"dam": "bridge"})]``
    """

    def refuse(data: Any) -> Any:
        value = data.get(key) if isinstance(data, dict) else None
        if isinstance(value, str) and value in names:
            raise _renamed_error(key, value, names[value])
        return data

    return BeforeValidator(refuse)


def usual_kind(kind: str) -> BeforeValidator:
    """Gives a table without a ``kind`` this kind. Stands beside the discriminator of a union."""
    return BeforeValidator(lambda data: {"kind": kind, **data} if isinstance(data, dict) else data)


def text_or_table(written: Any) -> str:
    """Tells two forms of a value apart, as ``Discriminator`` of a union of ``Tag("text")`` and ``Tag("table")``."""
    return "table" if isinstance(written, dict | BaseModel) else "text"


@dataclass(frozen=True, slots=True)
class AnyOf:
    """In ``Annotated[Base, AnyOf(models)]``: one of several models under ``Base``, told apart by their ``kind``."""

    models: Sequence[type[Strict]]

    def __get_pydantic_core_schema__(self, source: object, handler: Callable[[Any], CoreSchema]) -> CoreSchema:
        return handler(Annotated[reduce(or_, self.models), Field(discriminator="kind")])


def load_toml(source: SourceFile, model: type[ModelT], dice_letters: tuple[str, ...] = ()) -> ModelT:
    """Parse and check a TOML file, whose formulas may use these letters for dice besides d.

    Raises RulesError for bad TOML and for texts that no page can show, FileErrors for several keys that do not fit.
    """
    return fit_model(read_toml(source), model, lambda _: source, dice_letters)


def fit_model(
    data: Mapping[str, Any],
    model: type[ModelT],
    source_of: Callable[[KeyPath], SourceFile],
    dice_letters: tuple[str, ...] = (),
) -> ModelT:
    """Data as a model; ``source_of`` gives the file in which a key path of the data is written.

    Raises RulesError for a key that does not fit, FileErrors for several.
    """
    try:
        return model.model_validate(data, context=dice_letters)
    except ValidationError as error:
        faults = [_placed_error(source_of, data, fault, model) for fault in error.errors()]
        raise join_errors([*_alternatives_joined(faults)]) from error


def read_toml(source: SourceFile) -> Mapping[str, Any]:
    """The data of a TOML file. Raises RulesError for bad TOML and for texts that no page can show."""
    data = parse_toml(source)
    _check_texts(source, data, (), limits())
    return data


def parse_toml(source: SourceFile) -> Mapping[str, Any]:
    """The data of a TOML file. Raises RulesError, with its place, for bad TOML and for too much of it."""
    if len(source.text) > limits().toml_letters:
        message = f"the file has {len(source.text):,} letters"
        raise RulesError(message, span=source.span(0, 0), hint=limit_hint("toml_letters"))
    _refuse_deep_keys(source)
    try:
        return tomllib.loads(source.text)
    except tomllib.TOMLDecodeError as error:
        fault = syntax_fault(source.text, str(error))
        span = source.span(fault.start, fault.end)
        raise RulesError(f"not valid TOML: {fault.message}", span=span, hint=fault.hint) from error
    except ValueError as error:  # Python refuses whole numbers of more than 4,300 digits
        number = _LONG_NUMBER.search(source.text)
        span = source.span(*number.span()) if number else source.span(0, 0)
        raise RulesError("a number of thousands of digits", span=span, hint="Write a shorter one.") from error
    except RecursionError as error:
        hint = "Write fewer brackets in one another."
        raise RulesError(_TOO_DEEP, span=source.span(0, 0), hint=hint) from error


def _refuse_deep_keys(source: SourceFile) -> None:
    """Raise RulesError for a key of more parts than tables may be deep: tomllib takes the square of their number."""
    for found in _parts_of_toml(limits().toml_depth).finditer(source.text):
        if found["deep"]:
            raise RulesError(_TOO_DEEP, span=source.span(*found.span()), hint=limit_hint("toml_depth"))


@lru_cache(maxsize=8)
def _parts_of_toml(depth: int) -> re.Pattern[str]:
    """Texts, comments and keys, each as a whole; keys that lead to tables deeper than ``depth`` are ``deep``."""
    next_part = rf"[ \t]*\.[ \t]*{_KEY_PART}"
    return re.compile(
        rf"{_NO_KEY}|(?P<deep>{_KEY_PART}(?:{next_part}){{{depth + 1},}}+)|{_KEY_PART}(?:{next_part})*+", re.DOTALL
    )


def _check_texts(source: SourceFile, value: Any, path: KeyPath, most: Limits) -> None:
    """Raise RulesError for a text in a value that no page can show, and for a value that lies too deep."""
    if isinstance(value, str):
        if not value.isprintable() or len(value) > most.title_letters:
            _refuse_unprintable(source, path, value, most.title_letters)
    elif isinstance(value, dict | list):
        if len(path) > most.toml_depth:
            raise RulesError(_TOO_DEEP, span=locate(source, path[: most.toml_depth]), hint=limit_hint("toml_depth"))
        for key, entry in value.items() if isinstance(value, dict) else enumerate(value):
            _check_texts(source, entry, (*path, key), most)


def _refuse_unprintable(source: SourceFile, path: KeyPath, text: str, longest_title: int) -> None:
    if character := find_unprintable(text):
        message = f"a character that no page can show (U+{ord(character):04X})"
        hint = "Take it out, or write a blank or a new line in its place."
        raise RulesError(message, span=locate(source, path), hint=hint)
    if path[-1] in _TITLES and len(text) > longest_title:
        message = f"a {path[-1]} of {len(text):,} letters, for which no page has room"
        raise RulesError(message, span=locate(source, path), hint=f"Shorten it. {limit_hint('title_letters')}")


def find_unprintable(text: str) -> str:
    """The first control character (no tab, no line break) or Unicode line separator of a text; "" for none."""
    return found[0] if (found := _UNPRINTABLE.search(text)) else ""


def _placed_error(
    source_of: Callable[[KeyPath], SourceFile], data: Any, fault: ErrorDetails, model: type[BaseModel]
) -> RulesError:
    """The error of a key or value, with its place in the file."""
    kind, context = fault["type"], fault.get("ctx", {})
    path = _written_path(data, fault["loc"], missing=kind == "missing")
    source, shown, hint = source_of(path), show_name(".".join(map(str, path))), ""
    tag_key = str(context.get("discriminator", "")).strip("'")
    match kind:
        case "renamed":
            path = (*path, context["key"])
            source, message, hint = source_of(path), fault["msg"], f"Write {context['new']} in its place."
        case "union_tag_invalid":
            path, known = (*path, tag_key), re.findall(r"'([^']+)'", context["expected_tags"])
            message, hint = f'"{shown}": there is no {tag_key} "{context["tag"]}"', did_you_mean(context["tag"], known)
        case "extra_forbidden":
            message = f'unknown key "{shown}"'
            hint = _hint_for_key(str(path[-1]), _known_keys(model))
        case "missing" | "union_tag_not_found":
            message, hint = f'the key "{shown}{f".{tag_key}" if tag_key else ""}" is missing', "Add it there."
        case _:
            message = f'"{shown}": {wrong_value(fault)}'
            hint = getattr(getattr(context.get("error"), "__cause__", None), "hint", "")
            hint = hint or _near_value(fault["input"], context)
    return RulesError(message, span=locate(source, path), hint=hint)


def wrong_value(fault: ErrorDetails) -> str:
    """The fault of a value that does not fit a model, without its key."""
    kind, context = fault["type"], fault.get("ctx", {})
    if kind == "string_pattern_mismatch":
        return _WRONG_PATTERNS.get(context["pattern"], "this is not written as it must be")
    expected = _expected(context)
    if kind in ("literal_error", "enum") and " or " not in expected:
        kind = "only_one"
    message = _WRONG_VALUES.get(kind, "this value does not fit here; look at `refgen schema`")
    return message.format_map({**context, "expected": expected})


def _expected(context: Mapping[str, Any]) -> str:
    """The values that pydantic expects, as TOML writes them: "a4" or false."""
    written = _PYTHON_VALUE.sub(
        lambda found: found["value"] or _PYTHON_WORDS[found["word"]], str(context.get("expected"))
    )
    return written.replace("'", '"')


def _near_value(written: Any, context: Mapping[str, Any]) -> str:
    """A hint about a value that is nearly one of those that are expected; "" where none is near."""
    known = re.findall(r'"([^"]+)"', _expected(context))
    near = nearest_names(written, known) if isinstance(written, str) else ()
    return did_you_mean(written, near) if near else ""


def _alternatives_joined(errors: Sequence[RulesError]) -> Iterator[RulesError]:
    """Errors, those of one value that fits none of several forms as one: "this is no text, or write false"."""
    for _, same in groupby(errors, lambda error: (error.span, error.message.partition('": ')[0])):
        first, *more = same
        said = [error.message.partition('": ')[2] for error in more]
        hints = " ".join(dict.fromkeys(filter(None, (error.hint for error in (first, *more)))))
        yield RulesError("; or: ".join([first.message, *said]), span=first.span, hint=hints) if more else first


def _hint_for_key(key: str, known: Set[str]) -> str:
    """A hint about a key that is unknown where it stands, and may be ``known`` elsewhere in the file."""
    if key in known:
        return f'"{key}" is a key of another part of this file: move it, or look at `refgen schema`.'
    return did_you_mean(key, sorted(known), "Remove it, or look at `refgen schema`.")


def _written_path(data: Any, location: KeyPath, *, missing: bool) -> KeyPath:
    """A location as key path: without the kinds that pydantic puts between a table and its keys."""
    written: list[str | int] = []
    for part in location:
        in_list = isinstance(data, list) and isinstance(part, int) and part < len(data)
        if in_list or (isinstance(data, Mapping) and part in data):
            written.append(part)
            data = data[part]
    return [*written, location[-1]] if missing else written


def _known_keys(model: type[BaseModel]) -> set[str]:
    schema = model.model_json_schema()
    parts: list[dict[str, Any]] = [schema, *schema.get("$defs", {}).values()]
    return {key for part in parts for key in part.get("properties", {})}
