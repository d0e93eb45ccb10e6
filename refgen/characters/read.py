"""Files of characters: TOML and JSON with one or several, CSV with a row each.

In: a file, and the Form of a sheet. Out: each character with its errors, or all of them at once. The good characters
of a file can be used though others are wrong.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any

from refgen.characters.character import Character
from refgen.characters.check import checked
from refgen.characters.form import Form
from refgen.characters.places import Path, Places
from refgen.characters.table import Checked, read_table
from refgen.errors import AidError, FileErrors, RefgenError, RulesError, SourceError
from refgen.files import inside, read_bytes
from refgen.rules.toml import parse_toml
from refgen.source import SourceFile
from refgen.span import Span

SEVERAL = "characters"
"""The key under which a file has several characters."""

FOLDER = "characters"
"""The folder of a game that has its ready characters."""

SUFFIXES = (".toml", ".json", ".csv", ".tsv")


@dataclass(frozen=True, slots=True)
class Characters:
    """The characters of some files without an error, and the errors of the others."""

    characters: tuple[Character, ...]
    errors: tuple[RefgenError, ...]

    def strict(self) -> tuple[Character, ...]:
        """All of them. Raises FileErrors when there is any error."""
        if self.errors:
            raise FileErrors([RulesError(error.message, span=error.span, hint=error.hint) for error in self.errors])
        return self.characters


def ready_characters(form: Form, folder: FilePath) -> Characters:
    """The characters that lie in the folder of a game, and all errors."""
    return read_characters(form, sorted((folder / FOLDER).glob("*")), folder)


def read_characters(form: Form, paths: Iterable[FilePath], game: FilePath | None = None) -> Characters:
    """All characters of some files, and all errors. The files lie in the folder ``game``, or somebody typed them."""
    characters: list[Character] = []
    errors: list[RefgenError] = []
    for character, faults in each_character(form, paths, game):
        errors += faults
        if character is not None and not faults:
            characters.append(character)
    return Characters(tuple(characters), tuple(errors))


def each_character(
    form: Form, given: Iterable[Character | FilePath], game: FilePath | None = None
) -> Iterator[Checked]:
    """Each character, itself or of a file, with its errors, one after the other; the second of a name is an error."""
    seen: dict[str, Span | None] = {}
    for one in given:
        try:
            for character, errors in _of(form, one, game):
                if character is not None:
                    errors = [*errors, *_doubled(character, seen)]
                yield character, errors
        except RefgenError as error:
            yield None, list(error.errors) if isinstance(error, FileErrors) else [error]


def _of(form: Form, one: Character | FilePath, game: FilePath | None) -> Iterator[Checked]:
    if isinstance(one, Character):
        yield one, []
    elif game is None:
        yield from _of_file(form, one, str(one), typed=True)
    else:
        name = one.relative_to(game).as_posix()
        yield from _of_file(form, inside(game, name), f"{game.name}/{name}", typed=False)


def _doubled(character: Character, seen: dict[str, Span | None]) -> Iterator[RefgenError]:
    """The error of a character whose file would be that of another; only names and places are kept of those before."""
    name = character.file_name
    if name not in seen:
        seen[name] = character.place
    else:
        where = f" at {seen[name]}" if seen[name] else ""
        message = f'"{character.name}" has the name of another character{where}'
        yield AidError(message, span=character.place, hint="Give one of them another name.")


def _of_file(form: Form, path: FilePath, shown: str, *, typed: bool) -> Iterator[Checked]:
    match FilePath(shown).suffix.lower():
        case ".csv" | ".tsv":
            yield from read_table(form, read_bytes(path, shown, typed=typed), shown)
        case ".toml":
            source = SourceFile.read(path, shown, typed=typed)
            yield from _of_data(form, parse_toml(source), Places(source, toml=True))
        case ".json":
            source = SourceFile.read(path, shown, typed=typed)
            yield from _of_data(form, _json(source), Places(source, toml=False))
        case _:
            raise SourceError(f"{shown} is no file of characters", hint=f"Its name ends in {', '.join(SUFFIXES)}.")


def _json(source: SourceFile) -> Any:
    try:
        return json.loads(source.text)
    except json.JSONDecodeError as error:
        message = f"not valid JSON: {error.msg.lower()}"
        raise RulesError(message, span=source.span(error.pos, error.pos), hint="See json.org.") from error
    except (RecursionError, ValueError) as error:
        message = "not valid JSON: it is too deep, or a number too long"
        raise RulesError(message, span=source.span(0, 0), hint="Write fewer brackets in one another.") from error


def _of_data(form: Form, data: Any, places: Places) -> Iterator[Checked]:
    """The characters of a file: itself, its items, or those under ``characters``."""
    before: Path = ()
    if isinstance(data, dict) and set(data) == {SEVERAL}:
        data, before = data[SEVERAL], (SEVERAL,)
    items: Sequence[tuple[Path, Any]] = [(before, data)]
    if isinstance(data, list):
        items = [((*before, number), item) for number, item in enumerate(data)]
    for path, item in items:
        yield checked(form, item, lambda inner, path=path: places.span((*path, *inner)))  # type: ignore[misc]
