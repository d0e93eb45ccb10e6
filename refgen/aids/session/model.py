"""Session sheets as data: combatants, rounds, the party, and tables to roll on, independent of paper.

In: session.toml or nothing, a game with its sheet and tracks, and files of characters. Out: a SessionSheet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import Field

from refgen.blocks.kinds import load_aid_spec, place_faults
from refgen.blocks.table_block import TableBlock, show_table
from refgen.blocks.typesetting import fill_placeholders
from refgen.catalog import did_you_mean
from refgen.characters.filling import FilledValues
from refgen.characters.make_sheet import has_sheet, make_sheet
from refgen.characters.party import (
    FREE,
    CharacterTurn,
    PartyPart,
    boxes_of,
    boxes_text,
    party_parts,
    read_party,
    refuse_unknown_keys,
    turns_of,
)
from refgen.characters.sheet import CharacterSheet, SheetPart, SheetRow
from refgen.checks.columns import PartitionSpec
from refgen.errors import AidError, RefgenError
from refgen.game import GameModel
from refgen.resolver.chains.tracks import AllTracks
from refgen.resolver.lookup import dice_of
from refgen.rules.field_types import Identifier
from refgen.rules.toml import Strict
from refgen.source import SourceFile
from refgen.words import Words

SPEC_NAME = "session.toml"

MOST_TABLES = 6
"""The most tables to roll on that are shown if session.toml chooses none."""

MOST_BOXES = 10
"""The most boxes of a row that are drawn for each combatant; for a longer row the number of boxes is shown."""


class SessionColumnSpec(Strict):
    """A column to write in; ``value`` is the field of the sheet shown there for characters."""

    label: str
    value: str = ""


class SessionSpec(Strict):
    """A whole session.toml.

    ``rows`` is how many blank lines there are for combatants, each with ``columns`` and the boxes of ``tracks``: parts
    of the sheet, or tracks of system.toml. ``values`` are the parts and fields of the sheet shown of the party,
    ``rounds`` is how many rounds there are to tick, ``lines`` how many free lines (by default as many as fit the page),
    ``tables`` the tables to roll on. Without a ``title`` the sheet is called "Session" in its language.
    """

    title: str = ""
    rows: int = Field(8, ge=0, le=100)
    columns: list[str | SessionColumnSpec] | None = None
    tracks: list[str] | None = None
    values: list[str] | None = None
    rounds: int = Field(12, ge=0, le=60)
    lines: int | None = Field(None, ge=0, le=100)
    tables: list[Identifier] | None = None


@dataclass(frozen=True, slots=True)
class SessionSheet:
    """A session sheet.

    ``heads`` are the heads of the columns between name and notes, ``combatants`` the name and cells of each character,
    ``blank`` the cells of each of the ``rows`` without a name. The ``party`` shows ``names`` side by side. ``faults``
    say which characters are missing or incomplete.
    """

    title: str
    heads: tuple[str, ...]
    blank: tuple[str, ...]
    rows: int
    combatants: tuple[tuple[str, ...], ...]
    turns: tuple[CharacterTurn, ...]
    names: tuple[str, ...]
    party: tuple[PartyPart, ...]
    rounds: int
    lines: int | None
    tables: tuple[TableBlock, ...]
    tables_are_chosen: bool
    faults: tuple[RefgenError, ...] = field(default=(), compare=False)


def make_session(folder: Path, game: GameModel, files: Sequence[Path] = ()) -> SessionSheet:
    """The session sheet of a game, with the characters in some ``files``. Raises RefgenError."""
    sheet = make_sheet(folder, game) if has_sheet(game) else None
    if not (folder / SPEC_NAME).exists():
        return _SessionMaker(game, SessionSpec(), None, sheet).session(files)
    return _SessionMaker(game, *load_aid_spec(folder, SPEC_NAME, SessionSpec), sheet).session(files)


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of the combatants: a field by its ``key``, the boxes of a ``row`` of the sheet, or so many ``boxes``."""

    head: str
    key: str = ""
    row: SheetRow | None = None
    boxes: int = 0

    def cell(self, filled: FilledValues | None, words: Words) -> str:
        """The text of the cell for a character, or for a blank line."""
        if self.row is None:
            value = filled.texts.get(self.key, "") if filled else ""
            return value or _boxes_or_count(FREE * self.boxes, words)
        return _boxes_or_count(boxes_text(self.row, filled), words)


def _boxes_or_count(boxes: str, words: Words) -> str:
    """Boxes to tick, or their number where there are too many to draw."""
    return boxes if len(boxes) <= MOST_BOXES else words("of-boxes", number=len(boxes))


@dataclass(frozen=True, slots=True)
class _SessionMaker:
    """Makes a session sheet of a game, of the settings in session.toml, and of the blank sheet, if the game has one."""

    game: GameModel
    spec: SessionSpec
    source: SourceFile | None
    sheet: CharacterSheet | None

    def session(self, files: Sequence[Path]) -> SessionSheet:
        """The session sheet of the characters in some files."""
        with self._place_faults("values"):
            wanted = self._known_values()
        columns, words = [*self._columns(), *self._tracks()], self.game.words
        filled, faults = read_party(self.game, self.sheet, files)
        tables = tuple(self._tables())
        with self._place_faults("title"):
            if not (self.spec.rows or filled or self.spec.rounds or self.spec.lines != 0 or tables):
                raise AidError("the session sheet has nothing on it", hint="Ask for rows, rounds, lines or tables.")
            title = fill_placeholders(self.game, self.spec.title) or words("session")
        return SessionSheet(
            title=title,
            heads=tuple(column.head for column in columns),
            blank=tuple(column.cell(None, words) for column in columns),
            rows=self.spec.rows,
            combatants=tuple(
                (each.character.name, *(column.cell(each, words) for column in columns)) for each in filled
            ),
            turns=tuple(turns_of(self.sheet, filled, words)) if self.sheet else (),
            names=tuple(each.character.name for each in filled),
            party=tuple(party_parts(self.sheet, filled, wanted)) if self.sheet else (),
            rounds=self.spec.rounds,
            lines=self.spec.lines,
            tables=tables,
            tables_are_chosen=self.spec.tables is not None,
            faults=tuple(faults),
        )

    def _place_faults(self, *path: str | int) -> AbstractContextManager[None]:
        """A context in which faults without a place get the place of a key of session.toml, if there is such a file."""
        return place_faults(self.source, *path) if self.source else nullcontext()

    def _known_values(self) -> Sequence[str]:
        """The keys of the parts shown of the party; by default all but tracks, whose boxes stand with the combatants.

        Raises AidError for a key that the sheet does not have.
        """
        refuse_unknown_keys(self.sheet, self.spec.values or ())
        if self.spec.values is not None or self.sheet is None:
            return self.spec.values or []
        return [part.id for part in self.sheet.parts() if not all(row.boxes for row in part.rows) or part.pattern]

    def _columns(self) -> Iterator[_Column]:
        """The columns beside the name: those of session.toml, or the value by which the sheet orders who acts first."""
        if self.spec.columns is None:
            order = self.sheet.order if self.sheet else None
            labels = {field.name: field.label for field in self.sheet.fields()} if self.sheet else {}
            yield _Column(labels[order.key], order.key) if order else _Column(self.game.words("initiative"))
            return
        known = {field.name for field in self.sheet.fields()} if self.sheet else set()
        for number, column in enumerate(self.spec.columns):
            with self._place_faults("columns", number):
                spec = SessionColumnSpec(label=column) if isinstance(column, str) else column
                if spec.value and spec.value not in known:
                    hint = did_you_mean(spec.value, sorted(known))
                    raise AidError(f'there is no field "{spec.value}"', hint=hint)
                yield _Column(fill_placeholders(self.game, spec.label), spec.value)

    def _tracks(self) -> Iterator[_Column]:
        """The columns of boxes: for the parts of the sheet that are boxes only, or else for the game's tracks."""
        parts = {part.id: part for part in self.sheet.parts() if _has_boxes(part)} if self.sheet else {}
        wanted = self.spec.tracks
        if wanted is None:
            wanted = list(parts) or list(self.game.ruleset.spec.tracks)
        for number, name in enumerate(wanted):
            with self._place_faults("tracks", number):
                if name in parts:
                    yield from _track_columns(parts[name])
                elif name in self.game.ruleset.spec.tracks:
                    track = AllTracks(self.game.ruleset)[name].base
                    yield from (_Column(box.name, boxes=box.count) for box in track.boxes)
                else:
                    known = sorted({*parts, *self.game.ruleset.spec.tracks})
                    raise AidError(f'there is no track "{name}"', hint=did_you_mean(name, known))

    def _tables(self) -> Iterator[TableBlock]:
        """The tables to roll on, the dice of each in its title or note: those of session.toml, or the game's first."""
        dice = self._dice()
        chosen = self.spec.tables
        for number, name in enumerate(list(dice)[:MOST_TABLES] if chosen is None else chosen):
            with self._place_faults("tables", number):
                table = self.game.tables[name]
                block = show_table(table, marks=self.game.marks, words=self.game.words)
                if roll := self.game.table_roll(table):
                    block = replace(block, title=roll.titled(block.title))
                elif name in dice:
                    block = replace(block, note=f"{self.game.words('roll-dice', dice=dice[name])} {block.note}".strip())
                yield block

    def _dice(self) -> Mapping[str, str]:
        """The dice of each table whose first column covers each of their results once, as a check of the game says."""
        checks = (check for check in self.game.ruleset.spec.checks.values() if isinstance(check, PartitionSpec))
        return {
            check.table: self._name_of_dice(check.dice)
            for check in checks
            if check.dice and self.game.tables[check.table].columns[0].id == check.column
        }

    def _name_of_dice(self, text: str) -> str:
        """Dice in notation, or the title of a named roll of the game."""
        named = self.game.ruleset.spec.rolls.get(text.strip("{}"))
        return named.title if named else dice_of(self.game.ruleset, text)


def _has_boxes(part: SheetPart) -> bool:
    """Whether a part has only rows with boxes to tick."""
    return part.pattern is None and "." not in part.id and bool(part.rows) and all(map(boxes_of, part.rows))


def _track_columns(part: SheetPart) -> Iterator[_Column]:
    """A column for each row of boxes; a single row has the title of its part."""
    for row in part.rows:
        yield _Column(part.title if len(part.rows) == 1 else row.label, row=row)
