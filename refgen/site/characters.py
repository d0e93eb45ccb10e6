"""The page of a game's sheet and of its ready characters.

In: a game, and the files of its blank sheet. Out: CharactersPage, and the files of the characters. A character with a
fault is left out of the page: `refgen check` names the fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import ClassVar

from refgen.blocks.typesetting import typeset
from refgen.characters.character import Character
from refgen.characters.character_files import FOLDER, ready_characters
from refgen.characters.filling import fill, filled_sheet
from refgen.characters.form import Form
from refgen.characters.make_sheet import make_sheet
from refgen.characters.sheet import CharacterSheet, FieldKind, SheetPart, SheetRow
from refgen.errors import RefgenError
from refgen.files import path_inside, read_bytes
from refgen.game import GameModel
from refgen.site import address
from refgen.site.page import AidLinks, Download, Head
from refgen.words import Words


@dataclass(frozen=True, slots=True)
class CharacterPart:
    """A part of a filled sheet: lines of words, each with a label first where the part has labels, under its heads."""

    title: str
    heads: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class PageCharacter:
    """A character on the page: the filled parts of its sheet, and its file to download."""

    name: str
    anchor: str
    parts: tuple[CharacterPart, ...]
    downloads: tuple[Download, ...]


@dataclass(frozen=True, slots=True)
class CharactersPage:
    """The blank sheet in all its forms, and the ready characters."""

    template: ClassVar[str] = "characters"
    head: Head
    blank: tuple[Download, ...]
    characters: tuple[PageCharacter, ...]


def make_characters(head: Head, game: GameModel, aids: Sequence[AidLinks]) -> CharactersPage:
    """The page of a game that has a sheet."""
    blank = next((aid.downloads for aid in aids if any(map(_is_of_sheet, aid.downloads))), ())
    return CharactersPage(head, blank, tuple(_ready_characters(game)))


def character_files(page: CharactersPage, game: GameModel) -> Mapping[str, bytes]:
    """The files of the characters on a page, as they lie in the game's folder, by path."""
    paths = {one.path for character in page.characters for one in character.downloads}
    if game.folder is None:
        return {}
    names = {path: f"{FOLDER}/{PurePosixPath(path).name}" for path in sorted(paths)}
    return {path: read_bytes(path_inside(game.folder, name), name) for path, name in names.items()}


def _is_of_sheet(download: Download) -> bool:
    return PurePosixPath(download.path).name.startswith("sheet")


def _ready_characters(game: GameModel) -> Iterator[PageCharacter]:
    """The ready characters; none of a game whose sheet has a fault."""
    if game.folder is None:
        return
    try:
        form = Form(game, make_sheet(game.folder, game))
    except RefgenError:  # the build tells of it when it makes the sheet
        return
    yield from (_page_character(game, form, one) for one in ready_characters(form, game.folder).characters)


def _page_character(game: GameModel, form: Form, character: Character) -> PageCharacter:
    sheet = filled_sheet(form.sheet, fill(form, character))
    files = [PurePosixPath(character.place.file)] if character.place else []
    downloads = (Download(file.suffix[1:].upper(), address.character(game.id, file.name), "") for file in files)
    return PageCharacter(character.name, character.file_name, tuple(_parts(sheet, game.words)), tuple(downloads))


def _parts(sheet: CharacterSheet, words: Words) -> Iterator[CharacterPart]:
    """The parts of a sheet with at least one filled field."""
    for part in sheet.parts():
        lines = [_line(part, row, words) for row in part.rows]
        written = tuple(line for line in lines if any(line[1:]))
        if not written:
            continue
        heads = (
            ("", *part.heads[: len(part.rows[0].fields)]) if part.layout != "tracks" else _heads_of_track(part, words)
        )
        labelled = any(line[0] for line in written)
        if not labelled:
            heads, written = heads[1:], tuple(line[1:] for line in written)
        yield CharacterPart(part.title, heads if any(heads) else (), written)


def _line(part: SheetPart, row: SheetRow, words: Words) -> tuple[str, ...]:
    """The label of a row and the values of its fields; the boxes of a track are counted: "2 of 4"."""
    label = "" if part.layout == "area" else row.label
    values = [typeset(field.value) for field in row.fields if field.kind is not FieldKind.BOX]
    boxes = [field for field in row.box_fields if not field.absent]
    if part.layout == "tracks":
        ticked = sum(bool(field.value) for field in boxes)
        values.append(words("ticked-of", ticked=ticked, boxes=len(boxes)) if boxes else "")
    elif boxes:
        values += [words("yes") if field.value else "" for field in boxes]
    return label, *values


def _heads_of_track(part: SheetPart, words: Words) -> tuple[str, ...]:
    points = [part.heads[0] if part.heads else ""] if len(_line(part, part.rows[0], words)) > 2 else []
    return "", *points, words("ticked")
