"""The public Game: tables, dice, checks and characters of a game, and the play aids made of them.

In: the rules of a game of a project. Out: a Game, and its Tables, which can be written down in several formats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from refgen.catalog import Catalog
from refgen.errors import AidError, RefgenError
from refgen.game import GameModel, GameRules
from refgen.pipeline.result import LOCAL, Progress, no_progress
from refgen.rules.model import RuleTable

if TYPE_CHECKING:
    from refgen.aids.cards.model import CardDeck
    from refgen.characters.character import Character
    from refgen.characters.character_files import ReadCharacters
    from refgen.characters.filling import FilledValues
    from refgen.characters.form import Form
    from refgen.characters.sheet import CharacterSheet
    from refgen.export.check import Report
    from refgen.export.coverage import Coverage
    from refgen.export.odds import Roll
    from refgen.pipeline.result import BuildResult

# What makes play aids and writes formats is imported where one is asked for: tables, odds and checks begin at once.


@dataclass(frozen=True, slots=True, repr=False)
class Table(RuleTable):
    """A table, printed or computed. ``table[row, column]`` is a cell; ``game`` is the id of its game."""

    game: str = ""

    @classmethod
    def of(cls, table: RuleTable, game: str) -> Table:
        """A Table that can be written down."""
        return cls(**{field.name: getattr(table, field.name) for field in fields(table)}, game=game)

    def __str__(self) -> str:
        """The title, the place, and the cells in aligned columns."""
        from refgen.export.table_text import plain_text

        return plain_text(self)

    def to_csv(self) -> str:
        """CSV (RFC 4180): a row of column titles, then the cells as printed."""
        from refgen.export.table_text import csv_text

        return csv_text(self)

    def to_json(self) -> str:
        """The table as ``refgen tables GAME/TABLE --format json`` prints it."""
        from refgen.export.model import json_text
        from refgen.export.tables import table_data

        return json_text(table_data(self.game, self))

    def to_markdown(self) -> str:
        """A pipe table."""
        from refgen.export.table_text import markdown_text

        return markdown_text(self)

    def _repr_html_(self) -> str:
        from refgen.export.model import notebook_html

        place = str(self.span) if self.span else self.explained
        return notebook_html("table", table=self, source=place)


class Game(GameModel):
    """A game: tables, facts, rolls, actions, checks, characters and play aids."""

    def __init__(
        self, ruleset: GameRules, folder: Path, build: Callable[..., BuildResult], project: Path | None = None
    ) -> None:
        """``build`` is the method of the project that the game belongs to, ``project`` the folder of the project."""
        super().__init__(ruleset, folder, project)
        self._build = build

    @cached_property
    def tables(self) -> Catalog[Table]:
        """Printed and computed tables, in this order."""
        return super().tables.mapped(lambda table: Table.of(table, self.id))

    @cached_property
    def rolls(self) -> Catalog[Roll]:
        """The named rolls: the distributions of the game's dice.

        >>> game.rolls["4d6"].at_least(2)
        Fraction(115, 648)
        """
        from refgen.export.odds import Roll

        return self.named_rolls.mapped(lambda named: Roll(named.title, named.reaching))

    @cached_property
    def form(self) -> Form:
        """The sheet made ready for many characters. Raises AidError where there is no sheet, or a wrong formula."""
        from refgen.characters.form import Form
        from refgen.characters.make_sheet import make_sheet

        if self.folder is None:
            raise AidError(f"{self.title} has no sheet", hint="Load the game from its folder.")
        return Form(self, make_sheet(self.folder, self))

    @cached_property
    def characters(self) -> Catalog[Character]:
        """The characters that come with the game, ready to play. Raises FileErrors for any that is wrong."""
        found = self._ready_characters.strict()
        ids = {character.file_name: character for character in found}
        return Catalog("character", ids, {name: character.name for name, character in ids.items()})

    @cached_property
    def _ready_characters(self) -> ReadCharacters:
        """The characters in the game's folder, and the errors of their files."""
        from refgen.characters.character_files import FOLDER, ReadCharacters, ready_characters

        if self.folder is None or not any((self.folder / FOLDER).glob("*")):
            return ReadCharacters((), ())  # a game without characters may have no sheet
        return ready_characters(self.form, self.folder)

    @property
    def character_faults(self) -> Sequence[RefgenError]:
        """The errors of the characters that come with the game, and of the values computed for their sheets."""
        ready = self._ready_characters
        return [*ready.errors, *(fault for character in ready.characters for fault in self.fill(character).faults)]

    def character(self, data: Mapping[str, Any]) -> Character:
        """A character of plain data, as in a file of a character. Raises FileErrors with every error of the data.

        >>> load("atari-isev").character({"character": {"name": "Orlin"}, "attributes": {"health": "great"}})
        <Character Orlin: 2 values>
        """
        from refgen.characters.character_files import ReadCharacters
        from refgen.characters.validation import check_character

        found, errors = check_character(self.form, data)
        return ReadCharacters((found,) if found else (), tuple(errors)).strict()[0]

    def read_characters(self, *files: Path | str, strict: bool = False) -> ReadCharacters:
        """The characters in some files (TOML, JSON, CSV) without an error, and the errors of the others.

        ``strict`` raises FileErrors for any error.
        """
        from refgen.characters.character_files import read_characters

        found = read_characters(self.form, map(Path, files))
        if strict:
            found.strict()
        return found

    def fill(self, character: Character) -> FilledValues:
        """The value of each field of a character's sheet: texts, and exact numbers."""
        from refgen.characters.filling import fill

        return fill(self.form, character)

    def sheet(self, character: Character | None = None) -> CharacterSheet:
        """The sheet: blank, or that of a character, with every value that follows from its own."""
        from refgen.characters.filling import filled_sheet

        if character is None:
            return self.form.sheet
        return filled_sheet(self.form.sheet, self.fill(character))

    def deck(self) -> CardDeck:
        """The quick-reference cards. Raises AidError for a game without cards, or with cards of unknown tables."""
        from refgen.aids.kind import AidSources
        from refgen.aids.kinds import KINDS

        cards = KINDS["card"]
        made = None
        if self.folder is not None and not cards.is_left_out(self):
            made = cards.make(AidSources(self.folder, self))
        if made is None:
            why = "its system.toml leaves them out" if cards.is_left_out(self) else cards.why_missing(self)
            hint = f"Say in {cards.spec_name} what they show."
            raise AidError(f"{self.title} has no cards{f': {why}' if why else ''}", hint=hint)
        return cast("CardDeck", made)

    def fill_sheets(
        self,
        characters: Iterable[Character | Path | str] | None = None,
        output: Path | str = "build",
        *,
        paper: str | None = None,
        theme: str = "colour",
        editable: bool = True,
        merge: Path | str | None = None,
        calculate: bool = False,
        strict: bool = False,
        jobs: int | None = None,
        executor: str = LOCAL,
        progress: Progress = no_progress,
    ) -> BuildResult:
        """Fill the sheets of characters (default: those that come with the game), given themselves or as files.

        Each becomes a PDF in ``output``, or all together the PDF ``merge``: ``editable``, with fields, or flattened.
        The ``paper`` is by default that of ``[output]``, or A4.
        With ``calculate`` computed fields follow what is typed, in viewers that
        run the scripts of a PDF; such files do not claim to be PDF/UA. Files are read and sheets written one after the
        other, whatever their number; more than a thousand sheets are made by ``jobs`` processes (None: one for each
        core), or by a cluster with "dask://HOST:PORT" as the ``executor``.

        Returns the ``files``, the ``errors`` of characters that were left out or are not wholly right, and ``notes``;
        ``strict`` writes no file when there is any error. Raises AidError for fields that are to calculate where there
        are none, or those of several characters.
        """
        from refgen.characters.character import Character
        from refgen.characters.character_files import each_character
        from refgen.layout.page_format import PageFormat, Paper, Theme
        from refgen.pipeline.fill import FillOptions, fill_sheets

        if calculate and (merge is not None or not editable):
            raise AidError("only the fields of one character calculate", hint="Leave out what merges or flattens.")
        given = self.characters.values() if characters is None else characters
        page_format = PageFormat(Paper(paper or self.ruleset.spec.output.paper or "a4"), theme=Theme(theme))
        merged = None if merge is None else Path(merge)
        calculates = calculate or self.form.sheet.calculates
        options = FillOptions(
            Path(output), page_format, editable, merged, strict, jobs, executor, calculates=calculates
        )
        each = (one if isinstance(one, Character) else Path(one) for one in given)
        return fill_sheets(self.form, each_character(self.form, each), options, progress)

    def character_schema(self) -> dict[str, Any]:
        """The JSON Schema of the files of this game's characters."""
        from refgen.characters.validation import character_schema

        return character_schema(self.form)

    def begin_character(self, name: str, place: Path | str = ".") -> Path:
        """Write a TOML file to begin a character with: it has every field, with a comment on the values of the field.

        ``place`` is the folder of the file, or the file itself where it ends in .toml. Returns the path of the file.
        Raises AidError for a name that no file can have and for a file that exists already, PublishError for a place
        that cannot be written.
        """
        from refgen.characters.character import blank_file, blank_path
        from refgen.pipeline.operating_system import write_whole

        path = blank_path(name, Path(place))
        write_whole(path, blank_file(self.title, self.form.sheet, name, self.words).encode())
        return path

    @property
    def unset(self) -> Sequence[RefgenError]:
        """The errors of tables with letters that no font of refgen and of its look has: no aid shows these tables."""
        from refgen.blocks.letters import letter_faults
        from refgen.look.look import in_look

        with suppress(RefgenError), in_look(self.look):  # a look at fault is among the errors of ``check``
            return [*letter_faults(self)]
        return ()

    def check(self) -> Report:
        """Compare every printed number with the rules. Errors of the files are in the ``errors`` of the report."""
        from refgen.export.check import Report

        return Report.of(replace(super().check(), extent=self.extent))

    def coverage(self) -> Coverage:
        """The coverage of the documents: whether each number is compared, quoted or open."""
        from refgen.export.coverage import Coverage

        return Coverage.of(super().coverage())

    def build(
        self,
        output: Path | str = "build",
        *,
        characters: Sequence[Character | Path | str] = (),
        progress: Progress = no_progress,
        **settings: Any,
    ) -> BuildResult:
        """Make the play aids of this game and publish them whole; as ``Project.build``, of this game alone.

        ``settings`` are further fields of BuildSettings. The sheets of ``characters`` (or of their files) are filled on
        each of the papers.
        """
        from refgen.api.settings import BuildSettings
        from refgen.layout.page_format import USUAL_PAPERS

        chosen = BuildSettings(output=output, games=[self.id], **settings)
        result = self._build(chosen, progress=progress)
        sheet = {"theme": "colour", **chosen.options.get("sheet", {})}
        own = self.ruleset.spec.output.paper
        for paper in (chosen.papers or ([own] if own else USUAL_PAPERS)) if characters else ():
            filled = self.fill_sheets(
                characters, output, paper=paper, **sheet, jobs=chosen.jobs, executor=chosen.executor, progress=progress
            )
            result.files += [Path(path).relative_to(output).as_posix() for path in filled.files]
            result.errors += filled.errors
            result.notes += filled.notes
        return result
