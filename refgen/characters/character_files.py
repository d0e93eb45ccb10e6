"""Files of characters: TOML and JSON with one or several, CSV with a row each.

In: a file, and the Form of a sheet. Out: each character with the errors of its data, or all characters; the right
characters of a file can be used though others are wrong. An error points at the line of its value.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from refgen.characters.character import Character, ValuePath
from refgen.characters.form import Form
from refgen.characters.validation import CheckedCharacter, check_character
from refgen.errors import AidError, FileErrors, RefgenError, RulesError, SourceError
from refgen.files import path_inside, read_bytes
from refgen.rules.places import Places, toml_places
from refgen.rules.toml import parse_toml
from refgen.source import SourceFile
from refgen.span import Span

SEVERAL = "characters"
"""The key of the list of characters in a file with several characters."""

FOLDER = "characters"
"""The folder of a game with its ready characters."""

SUFFIXES = (".toml", ".json", ".csv", ".tsv")


@dataclass(frozen=True, slots=True)
class ReadCharacters:
    """The characters of some files without an error, and the errors of all others."""

    characters: tuple[Character, ...]
    errors: tuple[RefgenError, ...]

    def strict(self) -> tuple[Character, ...]:
        """The characters. Raises FileErrors if there is any error."""
        if self.errors:
            raise FileErrors([RulesError(error.message, span=error.span, hint=error.hint) for error in self.errors])
        return self.characters


def ready_characters(form: Form, folder: Path) -> ReadCharacters:
    """The ready characters of the game in ``folder``, and all errors."""
    return read_characters(form, sorted((folder / FOLDER).glob("*")), folder)


def read_characters(form: Form, paths: Iterable[Path], game: Path | None = None) -> ReadCharacters:
    """All characters of some files, and all errors. The files lie in the folder ``game``; None for typed paths."""
    characters: list[Character] = []
    errors: list[RefgenError] = []
    for character, faults in each_character(form, paths, game):
        errors += faults
        if character is not None and not faults:
            characters.append(character)
    return ReadCharacters(tuple(characters), tuple(errors))


def each_character(
    form: Form, given: Iterable[Character | Path], game: Path | None = None
) -> Iterator[CheckedCharacter]:
    """Each character that is given, and each of a file, with its errors. The second character of a name is an error."""
    seen: dict[str, Span | None] = {}
    for one in given:
        try:
            for character, errors in _characters_of(form, one, game):
                if character is not None:
                    errors = [*errors, *_double_name_errors(character, seen)]
                yield character, errors
        except RefgenError as error:
            yield None, list(error.errors) if isinstance(error, FileErrors) else [error]


def _characters_of(form: Form, one: Character | Path, game: Path | None) -> Iterator[CheckedCharacter]:
    if isinstance(one, Character):
        yield one, []
    elif game is None:
        yield from _characters_of_file(form, one, str(one), typed=True)
    else:
        name = one.relative_to(game).as_posix()
        yield from _characters_of_file(form, path_inside(game, name), f"{game.name}/{name}", typed=False)


def _double_name_errors(character: Character, seen: dict[str, Span | None]) -> Iterator[RefgenError]:
    """The error of a character whose sheet would have the file name of an earlier character."""
    name = character.file_name
    if name not in seen:
        seen[name] = character.place
    else:
        where = f" at {seen[name]}" if seen[name] else ""
        message = f'"{character.name}" has the name of another character{where}'
        yield AidError(message, span=character.place, hint="Give one of them another name.")


def _characters_of_file(form: Form, path: Path, shown: str, *, typed: bool) -> Iterator[CheckedCharacter]:
    match Path(shown).suffix.lower():
        case ".csv" | ".tsv":
            from refgen.characters.spreadsheet import read_table

            yield from read_table(form, read_bytes(path, shown, typed=typed), shown)
        case ".toml":
            source = SourceFile.read(path, shown, typed=typed)
            yield from _characters_of_data(form, parse_toml(source), toml_places(source))
        case ".json":
            source = SourceFile.read(path, shown, typed=typed)
            yield from _characters_of_data(form, _parse_json(source), Places(source, toml=False))
        case _:
            raise SourceError(f"{shown} is no file of characters", hint=f"Its name ends in {', '.join(SUFFIXES)}.")


def _parse_json(source: SourceFile) -> Any:
    try:
        return json.loads(source.text)
    except json.JSONDecodeError as error:
        message = f"not valid JSON: {error.msg.lower()}"
        raise RulesError(message, span=source.span(error.pos, error.pos), hint="See json.org.") from error
    except (RecursionError, ValueError) as error:
        message = "not valid JSON: it is too deep, or a number too long"
        raise RulesError(message, span=source.span(0, 0), hint="Write fewer brackets in one another.") from error


def _characters_of_data(form: Form, data: Any, places: Places) -> Iterator[CheckedCharacter]:
    """The characters of a file: the file is one character, a list, or has a list under ``characters``."""
    before: ValuePath = ()
    if isinstance(data, dict) and set(data) == {SEVERAL}:
        data, before = data[SEVERAL], (SEVERAL,)
    items: Sequence[tuple[ValuePath, Any]] = [(before, data)]
    if isinstance(data, list):
        items = [((*before, number), item) for number, item in enumerate(data)]
    for path, item in items:
        yield check_character(form, item, lambda inner, path=path: places.span((*path, *inner)))  # type: ignore[misc]
