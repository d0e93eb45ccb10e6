"""A word of its own in every string of every TOML file that people write, as the models of these files have them.

In: folders of games. Out: for each field of a model that takes any text, the game, the file and the place in which the
field is tried; a copy of the game with a word there; and all that can be seen of a game.
"""

from __future__ import annotations

import html
import json
import re
import tomllib
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, TypeAdapter, ValidationError

from refgen.aids.kinds import KINDS
from refgen.blocks.kinds import load_aid_spec
from refgen.checks.errata import ErrataSpec
from refgen.checks.pins import PinsSpec
from refgen.errors import RefgenError, UnknownNameError, each_error, join_errors
from refgen.export.check import check_data, report_lines
from refgen.export.coverage import coverage_lines
from refgen.export.model import json_text
from refgen.export.tables import tables_data
from refgen.game import GameModel, SystemSpec, load_game
from refgen.look.look import in_look
from refgen.look.spec import LookSpec
from refgen.pipeline.make_aids import file_errors, make_aid
from refgen.rules.spec_files import SpecFiles
from refgen.rules.toml import AnyOf
from refgen.site.game_pages import make_pages
from refgen.site.html import page_html

WORD = "zqxj"
_BARE = re.compile(r"[A-Za-z0-9_-]+")
FILES: Mapping[str, type[BaseModel]] = {
    **{kind.spec_name: kind.spec for kind in KINDS.values() if kind.spec},
    "errata.toml": ErrataSpec,
    "pins.toml": PinsSpec,
    "look.toml": LookSpec,
}
"""The files of a game beside system.toml and proof.toml, and their models."""

Field = tuple[str, str, str]
"""The name of a model and of a field, and whether the text is a "key" or a "value" of it."""


# --- the fields that take any text ---


def texts_in(annotation: Any, metadata: Sequence[Any] = (), role: str = "value") -> Iterator[tuple[str, Sequence[Any]]]:
    """Whether each text in an annotation is a key or a value, and its metadata; models within are passed over."""
    kind, arguments = get_origin(annotation), get_args(annotation)
    if annotation is str:
        yield role, metadata
    elif kind is Annotated:
        yield from texts_in(arguments[0], (*metadata, *arguments[1:]), role)
    elif kind in (Union, types.UnionType):
        for each in arguments:
            yield from texts_in(each, metadata, role)
    elif kind is not None and kind is not Literal and issubclass(kind, Mapping):
        yield from texts_in(arguments[0], (), "key")
        yield from texts_in(arguments[1], ())
    elif kind is not None and kind is not Literal:
        for each in arguments:
            yield from texts_in(each, (), role)


def models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    """The models in an annotation."""
    arguments = get_args(annotation)
    any_of = [model for each in arguments if isinstance(each, AnyOf) for model in each.models]
    if any_of:
        yield from any_of
    elif isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    else:
        yield from (model for each in arguments for model in models_in(each))


def takes_any_text(metadata: Sequence[Any]) -> bool:
    """Whether a text is no name, no colour, no formula, no choice: what takes words takes any."""
    tells_apart = ("Discriminator", "Tag", "FieldInfo")
    rules = [each for each in metadata if type(each).__name__ not in tells_apart]
    try:
        TypeAdapter(Annotated[(str, *rules)] if rules else str).validate_python("Some words")
    except ValidationError:
        return False
    return True


@cache
def fields_of(model: type[BaseModel]) -> Mapping[str, set[str]]:
    """The fields of a model that take any text, and whether as keys, values or both."""
    found: dict[str, set[str]] = {}
    for name, field in model.model_fields.items():
        for role, metadata in texts_in(field.annotation, field.metadata):
            if takes_any_text(metadata):
                found.setdefault(name, set()).add(role)
    return found


def reachable(*roots: type[BaseModel]) -> set[type[BaseModel]]:
    """All models that are parts of some models."""
    found: set[type[BaseModel]] = set()
    waiting = [*roots]
    while waiting:
        model = waiting.pop()
        if model not in found:
            found.add(model)
            for field in model.model_fields.values():
                waiting += models_in(Annotated[(field.annotation, *field.metadata, None)])
    return found


# --- the places where a game has them ---

KeyPath = tuple[str | int, ...]


@dataclass(frozen=True)
class Place:
    """A place for a text in a file of a game: behind the text at ``path``, or as one more in the list or table there.

    Where the game does not have the key yet, ``is_new``.
    """

    game: Path
    file: str
    path: KeyPath
    field: Field
    annotation: Any
    is_new: bool = False

    def __str__(self) -> str:
        return f"{'.'.join(self.field)} in {self.game.name}/{self.file}: {'.'.join(map(str, self.path))}"


def places_in(game: Path) -> Iterator[Place]:
    """Each place for a text that a game has, and each that it might have."""
    spec = SpecFiles.read(game).load(SystemSpec)
    for file in ("system.toml", "proof.toml"):
        if (game / file).exists():
            yield from _places(game, file, (), data_of(game / file), spec, is_whole=file == "system.toml")
    for file, model in FILES.items():
        if (game / file).exists():
            yield from _places(game, file, (), data_of(game / file), load_aid_spec(game, file, model)[0])


def data_of(path: Path) -> dict[str, Any]:
    """The data of a TOML file."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _places(game: Path, file: str, path: KeyPath, raw: Any, value: Any, *, is_whole: bool = True) -> Iterator[Place]:
    if isinstance(value, BaseModel) and isinstance(raw, dict):
        yield from _places_of_fields(game, file, path, raw, type(value), is_whole=is_whole)
    for key, one, other in _parts(raw, value):
        yield from _places(game, file, (*path, key), one, other)


def _parts(raw: Any, value: Any) -> Iterator[tuple[str | int, Any, Any]]:
    """The parts of some data, and the same parts of the model that was made of the data."""
    if isinstance(value, list | tuple) and isinstance(raw, list):
        yield from ((number, *both) for number, both in enumerate(zip(raw, value, strict=False)))
    elif isinstance(raw, dict) and isinstance(value, BaseModel | Mapping):
        held = (
            value if isinstance(value, Mapping) else {name: getattr(value, name) for name in type(value).model_fields}
        )
        yield from ((name, raw[name], held[name]) for name in raw if name in held)


def _places_of_fields(
    game: Path, file: str, path: KeyPath, raw: dict[str, Any], model: type[BaseModel], *, is_whole: bool
) -> Iterator[Place]:
    for name, role in ((name, role) for name, roles in fields_of(model).items() for role in sorted(roles)):
        field, annotation = (model.__name__, name, role), model.model_fields[name].annotation
        if name not in raw and is_whole:
            yield Place(game, file, (*path, name), field, annotation, is_new=True)
        elif name in raw and (inner := _place_in(raw[name], role)) is not None:
            yield Place(game, file, (*path, name, *inner), field, annotation)


def _place_in(raw: Any, role: str) -> KeyPath | None:
    """The path to a text, to a list with texts, or to a table whose keys are texts, in a value; None for none."""
    if isinstance(raw, dict) and role == "key" and raw:
        return ()
    if role == "value" and (isinstance(raw, str) or (isinstance(raw, list) and any(isinstance(x, str) for x in raw))):
        return ()
    inner = raw.items() if isinstance(raw, dict) else enumerate(raw) if isinstance(raw, list) else ()
    found = ((key, _place_in(each, role)) for key, each in inner)
    return next(((key, *path) for key, path in found if path is not None), None)


# --- a game with a word in a place ---


def with_word(place: Place, word: str) -> str:
    """The text of the file of a place, with a word there."""
    data = data_of(place.game / place.file)
    *above, last = place.path
    inner: Any = data
    for key in above:
        inner = inner[key]
    match inner.get(last) if place.is_new else inner[last]:
        case None:
            inner[last] = _filled(place.annotation, word)
        case str(text):
            inner[last] = f"{text} {word}"
        case list(texts):
            texts.append(word)
        case dict(entries):
            entries[word] = next(iter(entries.values()))
    return toml(data)


def _filled(annotation: Any, word: str) -> Any:
    """The plainest value of an annotation that holds a word."""
    kind, arguments = get_origin(annotation), get_args(annotation)
    if kind is Annotated:
        return _filled(arguments[0], word)
    if kind in (Union, types.UnionType):
        return _filled(next(each for each in arguments if [*texts_in(each)]), word)
    if kind is not None and issubclass(kind, Mapping):
        return {word: _filled(arguments[1], word)}
    return word if annotation is str or kind is None else [_filled(arguments[0], word)]


def toml(data: Mapping[str, Any]) -> str:
    """The text of a file; each value of an entry stands on a line of its own."""
    lines = [*_lines({key: value for key, value in data.items() if not _is_section(value)})]
    for key, value in data.items():
        if isinstance(value, list) and _is_section(value):
            lines += [line for entry in value for line in (f"[[{_key(key)}]]", *_lines(entry))]
        elif isinstance(value, dict):
            entries = {name for name, entry in value.items() if isinstance(entry, dict)}
            lines += [f"[{_key(key)}]", *_lines({name: each for name, each in value.items() if name not in entries})]
            for name in filter(entries.__contains__, value):
                lines += [f"[{_key(key)}.{_key(name)}]", *_lines(value[name])]
    return "\n".join(lines) + "\n"


def _lines(entry: Mapping[str, Any]) -> Iterator[str]:
    return (f"{_key(key)} = {_value(value)}" for key, value in entry.items())


def _is_section(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and bool(value) and isinstance(value[0], dict))


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else json.dumps(key)


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(_lines(value)) + "}"
    return "[" + ", ".join(map(_value, value)) + "]" if isinstance(value, list) else json.dumps(value)


# --- what is seen of a game ---


class _OneGame(dict[str, GameModel]):
    """The games of a project that has only one."""

    def __init__(self, game: GameModel) -> None:
        super().__init__({game.id: game})

    def __missing__(self, name: str) -> GameModel:
        raise UnknownNameError(f'there is no game "{name}"')


def seen(folder: Path) -> str:
    """All texts of a game: the pages of its site, its aids by estimated heights, data, and reports. Raises errors."""
    game = load_game(folder)
    errors = [*file_errors(folder), *game.check().errors]
    texts = [] if errors else [*_texts_of_rules(game)]
    for kind in KINDS.values():
        made = make_aid(kind, folder, game, _OneGame(game))
        errors += made.errors
        for job in kind.jobs(game, made.aid, kind.options(["a4"])) if made.aid is not None and not errors else ():
            with in_look(job.look):
                files = job.draft(printed=True)
            errors += files.errors
            texts += [data.decode() for name, data in files.files.items() if name.endswith(".html")]
    if errors:
        raise join_errors(errors)
    return "\n".join(html.unescape(text) for text in texts)


def _texts_of_rules(game: GameModel) -> Iterator[str]:
    yield from (page_html(page) for page in make_pages(game, []))
    yield from (json_text(tables_data(game)), json_text(check_data([game.check()])))
    yield from report_lines([game.check()])
    yield from coverage_lines([game.coverage()])


def is_named(error: RefgenError, place: Place, word: str) -> bool:
    """Whether an error names a word, or the file or the entry in which the word stands."""
    said = " ".join(f"{each} {each.hint}" for each in each_error(error))
    names = [f'"{name}"' for name in place.path] + [f"`{name}`" for name in place.path]
    return word in said or any(name in said for name in (*names, f"{place.game.name}/{place.file}:"))
