"""Files of characters: TOML and JSON with one or several, CSV with a row each.

In: a file, and the Form of a sheet. Out: each character with the errors of its data, or all characters; the right
characters of a file can be used though others are wrong. An error points at the line of its value: ``Places`` finds the
value at a path ("skills", 1, "level"), since neither tomllib nor json tells the places of values.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from refgen.characters.character import Character, ValuePath
from refgen.characters.form import Form
from refgen.characters.validation import CheckedCharacter, check_character
from refgen.errors import AidError, FileErrors, RefgenError, RulesError, SourceError
from refgen.files import inside, read_bytes
from refgen.rules.toml import parse_toml
from refgen.source import SourceFile
from refgen.span import Span

_BLANK = re.compile(r"(?:[ \t\r\n,]+|#[^\n]*)*")
"""The text between two values: blanks, commas, and comments."""

_CLOSING = {"[": "]", "{": "}"}
_STRING = re.compile(r'"""(?:[^\\]|\\.)*?"""|\'\'\'.*?\'\'\'|"(?:[^"\\]|\\.)*"|\'[^\']*\'', re.DOTALL)
_SCALAR = re.compile(r"[^,\]}\n#]+")
_KEY = re.compile(r'[ \t]*("(?:[^"\\]|\\.)*"|\'[^\']*\'|[\w-]+)[ \t]*')
_HEADER = re.compile(r"\[(\[)?([^\[\]\n]+)\]\]?")


class Places:
    """The places of all values of a TOML or JSON file. Raises RulesError for a file that is nested too deeply."""

    def __init__(self, source: SourceFile, *, toml: bool) -> None:
        self.source = source
        self.text = source.text
        self.found: dict[ValuePath, tuple[int, int]] = {}
        try:
            if toml:
                self._toml()
            else:
                self._value(self._skip(0), ())
        except RecursionError as error:
            hint = "Write fewer brackets in one another."
            raise RulesError(
                "lists or tables stand too deep in one another", span=source.span(0, 0), hint=hint
            ) from error

    def span(self, path: ValuePath) -> Span:
        """The place of a value; for a value that is not written, the place of the table around it."""
        while path and path not in self.found:
            path = path[:-1]
        start, end = self.found.get(path, (0, 0))
        return self.source.span(start, min(end, self._line_end(start)))

    def _line_end(self, start: int) -> int:
        end = self.text.find("\n", start)
        return len(self.text) if end < 0 else end

    def _skip(self, place: int) -> int:
        match = _BLANK.match(self.text, place)
        return match.end() if match else place

    def _value(self, place: int, path: ValuePath) -> int:
        """Remember the value that begins at a place. Returns the place of its end."""
        end = self._end(place, path)
        self.found.setdefault(path, (place, end))
        return end

    def _end(self, place: int, path: ValuePath) -> int:
        opening = self.text[place : place + 1]
        if opening in _CLOSING:
            return self._inside(place + 1, path, _CLOSING[opening])
        found = _STRING.match(self.text, place) or _SCALAR.match(self.text, place)
        return found.end() if found else place + 1

    def _inside(self, place: int, path: ValuePath, closing: str) -> int:
        """Remember the items of a list, or the entries of a table, up to the ``closing`` bracket."""
        number = 0
        while (place := self._skip(place)) < len(self.text) and self.text[place] != closing:
            place = self._entry(place, path) if closing == "}" else self._value(place, (*path, number))
            number += 1
        return place + 1

    def _entry(self, place: int, path: ValuePath) -> int:
        """Remember the value of a key. Returns the place of its end."""
        start, inner = place, path
        while match := _KEY.match(self.text, place):
            inner = (*inner, _unquoted(match[1]))
            place = match.end()
            if self.text[place : place + 1] != ".":
                break
            place += 1
        if self.text[place : place + 1] not in ("=", ":"):
            return max(self._line_end(start), start + 1)
        end = self._value(self._skip(place + 1), inner)
        self.found[inner] = start, end
        return end

    def _toml(self) -> None:
        """Headers and keys, line by line."""
        path: ValuePath = ()
        counts: dict[ValuePath, int] = {}
        place = 0
        while (place := self._skip(place)) < len(self.text):
            if header := _HEADER.match(self.text, place):
                path = self._header(header, counts)
                self.found.setdefault(path, header.span())
                place = header.end()
            else:
                place = self._entry(place, path)

    def _header(self, header: re.Match[str], counts: dict[ValuePath, int]) -> ValuePath:
        """The path of a header, with an index for each array of tables."""
        path: ValuePath = ()
        parts = [_unquoted(part[1]) for part in _KEY.finditer(header[2])]
        for place, part in enumerate(parts):
            path = (*path, part)
            if header[1] and place == len(parts) - 1:
                counts[path] = counts.get(path, -1) + 1
            if path in counts:
                path = (*path, counts[path])
        return path


def _unquoted(key: str) -> str:
    if key.startswith('"'):
        return str(json.loads(key))
    return key.strip("'")


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
        yield from _characters_of_file(form, inside(game, name), f"{game.name}/{name}", typed=False)


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
            yield from _characters_of_data(form, parse_toml(source), Places(source, toml=True))
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
