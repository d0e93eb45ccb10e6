"""The sheet of a game and its ready characters, as they stand on it.

In: a game, and the files of its blank sheet. Out: CharactersPage, or None where a game has no sheet; and the files of
the characters themselves. A character that is not wholly right is left out here: `refgen check` says what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import ClassVar

from refgen.blocks.pieces import typeset
from refgen.characters.character import Character
from refgen.characters.filling import fill, filled_sheet
from refgen.characters.form import Form
from refgen.characters.make_sheet import SPEC_NAME, make_sheet
from refgen.characters.read import FOLDER, ready_characters
from refgen.characters.sheet import CharacterSheet, Field, FieldKind, SheetPart, SheetRow
from refgen.errors import RefgenError
from refgen.files import inside, read_bytes
from refgen.game.game import Game
from refgen.site import address
from refgen.site.page import AidLinks, Download, Head

TICKED = "Ticked"
"""The head over the boxes of tracks."""


@dataclass(frozen=True, slots=True)
class ShownPart:
    """A part of a filled sheet: words that fill it, or lines with a label, under heads where it has any."""

    title: str
    heads: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class ShownCharacter:
    """A character as the site shows it: the filled parts of its sheet, and its file to download."""

    name: str
    anchor: str
    parts: tuple[ShownPart, ...]
    downloads: tuple[Download, ...]


@dataclass(frozen=True, slots=True)
class CharactersPage:
    """The blank sheet in all its forms, and the ready characters."""

    template: ClassVar[str] = "characters"
    head: Head
    blank: tuple[Download, ...]
    characters: tuple[ShownCharacter, ...]


def make_characters(head: Head, game: Game, aids: Sequence[AidLinks]) -> CharactersPage:
    """The page of a game that has a sheet."""
    blank = next((aid.downloads for aid in aids if any(_is_of_sheet(one) for one in aid.downloads)), ())
    form = _form(game)
    shown = tuple(_shown(game, form, one) for one in _ready(game, form)) if form else ()
    return CharactersPage(head, blank, shown)


def has_sheet(game: Game) -> bool:
    """Whether a game describes a sheet."""
    return game.folder is not None and (game.folder / SPEC_NAME).is_file()


def character_files(page: CharactersPage, game: Game) -> Mapping[str, bytes]:
    """The files of the characters on a page, as they lie in the game's folder, by path."""
    paths = {one.path for character in page.characters for one in character.downloads}
    if game.folder is None:
        return {}
    names = {path: f"{FOLDER}/{PurePosixPath(path).name}" for path in sorted(paths)}
    return {path: read_bytes(inside(game.folder, name), name) for path, name in names.items()}


def _is_of_sheet(download: Download) -> bool:
    return PurePosixPath(download.path).name.startswith("sheet")


def _form(game: Game) -> Form | None:
    if game.folder is None:
        return None
    try:
        return Form(game, make_sheet(game.folder, game))
    except RefgenError:  # the build tells of it when it makes the sheet
        return None


def _ready(game: Game, form: Form) -> Sequence[Character]:
    if game.folder is None:
        return ()
    return ready_characters(form, game.folder).characters


def _shown(game: Game, form: Form, character: Character) -> ShownCharacter:
    sheet = filled_sheet(form.sheet, fill(form, character))
    files = [PurePosixPath(character.place.file)] if character.place else []
    downloads = (Download(file.suffix[1:].upper(), address.character(game.id, file.name), "") for file in files)
    return ShownCharacter(character.name, character.file_name, tuple(_parts(sheet)), tuple(downloads))


def _parts(sheet: CharacterSheet) -> Iterator[ShownPart]:
    """The parts on which something stands."""
    for part in sheet.parts():
        lines = [_line(part, row) for row in part.rows]
        written = tuple(line for line in lines if any(line[1:]))
        if not written:
            continue
        heads = ("", *part.heads[: len(part.rows[0].fields)]) if part.layout != "tracks" else _heads_of_track(part)
        labelled = any(line[0] for line in written)
        if not labelled:
            heads, written = heads[1:], tuple(line[1:] for line in written)
        yield ShownPart(part.title, heads if any(heads) else (), written)


def _line(part: SheetPart, row: SheetRow) -> tuple[str, ...]:
    """The label of a row, and what stands in its fields; of boxes, how many are ticked of those that there are."""
    label = "" if part.layout == "area" else row.label
    values = [_value(field) for field in row.fields if field.kind is not FieldKind.BOX]
    boxes = [field for field in row.fields if field.kind is FieldKind.BOX and not field.absent]
    if part.layout == "tracks":
        values.append(f"{sum(bool(field.value) for field in boxes)} of {len(boxes)}" if boxes else "")
    elif boxes:
        values += ["yes" if field.value else "" for field in boxes]
    return label, *values


def _heads_of_track(part: SheetPart) -> tuple[str, ...]:
    points = [part.heads[0] if part.heads else ""] if len(_line(part, part.rows[0])) > 2 else []
    return "", *points, TICKED


def _value(field: Field) -> str:
    return typeset(field.value)
