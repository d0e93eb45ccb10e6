"""The party on a GM screen: chosen parts and fields of the sheets of characters, side by side.

In: a game, and files of characters: those that somebody typed, or those that screen.toml names. Out: tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from refgen.aids.screen.spec import SPEC_NAME
from refgen.blocks.table_block import TableBlock
from refgen.characters.filling import FilledValues
from refgen.characters.make_sheet import has_sheet, make_sheet
from refgen.characters.party import (
    CHARACTERS_ACROSS,
    all_keys,
    even_groups,
    party_parts,
    party_tables,
    read_party,
    refuse_unknown_keys,
)
from refgen.characters.sheet import CharacterSheet
from refgen.errors import AidError, RefgenError
from refgen.files import path_inside
from refgen.game import GameModel


@dataclass(frozen=True)
class ScreenParty:
    """The party of a screen: the characters in files that somebody ``typed``, else those in ``named`` files.

    The ``folder`` of the game holds the named files; None for a screen that belongs to no game.
    """

    game: GameModel
    folder: Path | None
    typed: Sequence[Path]
    named: Sequence[str]

    def tables(self, keys: Sequence[str]) -> Iterator[TableBlock]:
        """The tables of some parts and fields of the sheet, a few characters side by side. Raises AidError."""
        characters, _ = self._characters
        refuse_unknown_keys(self._sheet, keys)
        if self._sheet is None or not characters:
            hint = f'Write characters = ["characters/….toml"] in {SPEC_NAME}, or name files by --characters.'
            raise AidError("the panel shows the party, and there are no characters", hint=hint)
        names = [each.character.name for each in characters]
        parts = [*party_parts(self._sheet, characters, keys)]
        for first, end in even_groups(len(names), CHARACTERS_ACROSS):
            yield from party_tables(names, parts, first, end)

    @property
    def all_keys(self) -> Sequence[str]:
        """The keys of all parts of the sheet that can be shown; none for a game without a sheet."""
        return all_keys(self._sheet) if self._sheet else ()

    @property
    def faults(self) -> Sequence[RefgenError]:
        """The errors of the files of characters that were read."""
        return self._characters[1] if "_characters" in vars(self) else ()

    @cached_property
    def _sheet(self) -> CharacterSheet | None:
        return make_sheet(self.folder, self.game) if self.folder and has_sheet(self.game) else None

    @cached_property
    def _characters(self) -> tuple[Sequence[FilledValues], Sequence[RefgenError]]:
        if self.folder is None:
            raise AidError("a party is of one game", hint=f"Show it on a panel of the {SPEC_NAME} of that game.")
        if self.typed:
            return read_party(self.game, self._sheet, self.typed)
        root = self.folder.resolve()
        files = [self.folder / path_inside(self.folder, name).relative_to(root) for name in self.named]
        return read_party(self.game, self._sheet, files, self.folder)
