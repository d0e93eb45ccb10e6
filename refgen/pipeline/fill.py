"""The sheets of characters, as files.

In: a game's blank sheet, and characters, one after the other. Out: a PDF for each, or one for all. Every file is
written beside its place first, and put there when all are done: a run that fails leaves what was there before.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from refgen.aids.system_info import SystemInfo
from refgen.characters.character import Character
from refgen.characters.filling import Filled, fill
from refgen.characters.form import Form
from refgen.characters.read import each_character
from refgen.characters.table import Checked
from refgen.errors import PublishError, RefgenError, RenderError
from refgen.pipeline.progress import Progress
from refgen.pipeline.result import BuildResult
from refgen.render.fill.book import Book
from refgen.render.fill.full import go_on, lay_out
from refgen.render.fill.placing import Placing
from refgen.render.fill.roster import roster_pages
from refgen.render.fill.stencil import Stencil
from refgen.render.page_format import PageFormat

FOLDER = "characters"
"""Where the sheets of a game's characters lie, in its folder of the output."""

MOST_IN_ROSTER = 200
TOLD_EVERY = 500


@dataclass(frozen=True, slots=True)
class FillOptions:
    """How sheets are filled: flattened or ``editable``, each in a file in ``output`` or all in the file ``merge``.

    ``roster``: with pages for the referee. ``strict``: any error, and no file is written.
    """

    output: Path
    page_format: PageFormat
    editable: bool = True
    merge: Path | None = None
    roster: bool = False
    strict: bool = False


def fill_sheets(form: Form, characters: Iterable[Checked], options: FillOptions, progress: Progress) -> BuildResult:
    """Fill the sheets of all characters without an error. Raises RefgenError for what concerns all."""
    system = SystemInfo.of(form.game)
    stencil = Stencil.of(system, form.sheet, options.page_format)
    result = BuildResult()
    with _staged(options) as staging:
        writer = _writer(stencil, options, staging)
        maker = _Maker(form, stencil, writer, result, progress, keeps=options.roster)
        maker.all(characters)
        if options.roster and maker.roster:
            writer.roster(roster_pages(stencil, maker.roster))
        writer.finish()
        if not (options.strict and result.errors) and maker.count:
            result.files = staging.publish()
    return result


class _Maker:
    """Makes the sheet of one character after the other, and tells what came of it."""

    def __init__(
        self,
        form: Form,
        stencil: Stencil,
        writer: _Merged | _Separate,
        result: BuildResult,
        progress: Progress,
        *,
        keeps: bool,
    ) -> None:
        self.form = form
        self.stencil = stencil
        self.writer = writer
        self.result = result
        self.progress = progress
        self.keeps = keeps
        self.roster: list[Filled] = []
        self.count = 0

    def all(self, characters: Iterable[Checked]) -> None:
        """Make all sheets; of a character with errors these are told instead."""
        for character, errors in characters:
            self.result.errors += errors
            if character is None or errors:
                continue
            self._one(character)
            self.count += 1
            if not self.count % TOLD_EVERY:
                self.progress(f"{self.count} characters", self.count, self.count)
        self.progress(f"{self.count} characters", self.count, self.count)

    def _one(self, character: Character) -> None:
        filled = fill(self.form, character)
        self.result.errors += filled.faults
        placing = self.stencil.placer.place(filled)
        try:
            self.writer.add(placing, *self._pages(placing))
        except RenderError as error:
            self.result.errors.append(error)
        if self.keeps and len(self.roster) < MOST_IN_ROSTER:
            self.roster.append(filled)

    def _pages(self, placing: Placing) -> tuple[bytes | None, list[bytes]]:
        """The sheet where it cannot be stamped, and the pages that go on."""
        name = placing.filled.character.name
        missing: frozenset[str] = frozenset()
        sheet, more = None, []
        if placing.strange:
            laid_out = lay_out(self.stencil, placing)
            sheet, missing = laid_out.data, laid_out.missing
            fields = ", ".join(each.box.field.label for each in placing.strange)
            self.result.notes.append(f"{name}: laid out in full, without fields, for the letters of {fields}")
        if placing.goes_on:
            continued = go_on(self.stencil, placing)
            more, missing = [continued.data], missing | continued.missing
            self.result.notes.append(f"{name}: goes on on another page")
        self._tell_missing(placing, missing)
        return sheet, more

    def _tell_missing(self, placing: Placing, missing: frozenset[str]) -> None:
        character = placing.filled.character
        for field, text in placing.filled.texts.items():
            if letters := sorted(missing & {*text}):
                shown = ", ".join(f"{letter} (U+{ord(letter):04X})" for letter in letters)
                message = f"{character.name}: no font on this machine has {shown}, in {field}"
                hint = "Install one, such as the package fonts-noto-core of Debian."
                self.result.errors.append(RenderError(message, span=character.place, hint=hint))


def _writer(stencil: Stencil, options: FillOptions, staging: _Staging) -> _Merged | _Separate:
    if options.merge is None:
        return _Separate(stencil, options, staging)
    return _Merged(stencil, options.merge, staging, editable=options.editable)


class _Merged:
    """All characters in one file."""

    def __init__(self, stencil: Stencil, merge: Path, staging: _Staging, *, editable: bool) -> None:
        self.title = f"{stencil.system.title}: {merge.stem}"
        self.file = staging.open(merge)
        self.book = Book(self.file, stencil, editable=editable)

    def add(self, placing: Placing, sheet: bytes | None, more: list[bytes]) -> None:
        """Add a character: stamped, or laid out in full."""
        if sheet is None:
            self.book.add(placing, more)
        else:
            self.book.add_laid_out(placing.filled.character.name, [sheet, *more])

    def roster(self, data: bytes) -> None:
        """The pages for the referee come last."""
        self.book.add_laid_out("Roster", [data])

    def finish(self) -> None:
        """Write what comes last."""
        self.book.finish(self.title)
        self.file.close()


class _Separate:
    """A file for each character."""

    def __init__(self, stencil: Stencil, options: FillOptions, staging: _Staging) -> None:
        self.stencil = stencil
        self.editable = options.editable
        self.staging = staging
        self.folder = options.output / stencil.system.id / FOLDER
        self.ending = f"-{options.page_format.paper}.pdf"

    def add(self, placing: Placing, sheet: bytes | None, more: list[bytes]) -> None:
        """Write the file of a character."""
        character = placing.filled.character
        title = f"{self.stencil.system.title}: {character.name}"
        with self._open(character.file_name) as file:
            if sheet is None and self.editable:
                self.stencil.fillable.fill(file, title, placing, more)
                return
            book = Book(file, self.stencil)
            if sheet is None:
                book.add(placing, more)
            else:
                book.add_laid_out(character.name, [sheet, *more])
            book.finish(title)

    def roster(self, data: bytes) -> None:
        """The pages for the referee have a file of their own."""
        with self._open("roster") as file:
            file.write(data)

    def finish(self) -> None:
        """Nothing comes last."""

    def _open(self, name: str) -> BinaryIO:
        return self.staging.open(self.folder / f"{name}{self.ending}")


class _Staging:
    """Files that are written beside their places."""

    def __init__(self) -> None:
        self.places: dict[Path, Path] = {}

    def open(self, place: Path) -> BinaryIO:
        """A new file, to be put at a place in the end."""
        rough = self._folder(place) / place.name
        self.places[place] = rough
        return rough.open("wb")

    def _folder(self, place: Path) -> Path:
        folder = place.parent / f".refgen-{os.getpid()}"
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def publish(self) -> list[str]:
        """Put all files where they belong. Returns their paths."""
        for place, rough in self.places.items():
            rough.replace(place)
        return [str(place) for place in self.places]

    def clear(self) -> None:
        """Remove what is left."""
        for folder in {rough.parent for rough in self.places.values()}:
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _staged(options: FillOptions) -> Iterator[_Staging]:
    staging = _Staging()
    try:
        yield staging
    except OSError as error:
        where = options.merge or options.output
        reason = (error.strerror or str(error)).lower()
        raise PublishError(
            f"cannot write {where}: {reason}", hint="Choose another place with -o or --merge."
        ) from error
    finally:
        staging.clear()


def from_anywhere(form: Form, given: Iterable[Character | Path | str]) -> Iterator[Checked]:
    """Characters that were read already, and those in files; the second of a name is an error."""
    seen: dict[str, str] = {}
    for one in given:
        read = ((one, []),) if isinstance(one, Character) else each_character(form, [Path(one)])
        for character, errors in read:
            yield character, [*errors, *_doubled(character, seen)] if character else errors


def _doubled(character: Character, seen: dict[str, str]) -> Iterator[RefgenError]:
    """The error of a character whose file would be that of another."""
    other = seen.get(character.file_name)
    seen.setdefault(character.file_name, str(character.place or ""))
    if other is not None:
        message = f'"{character.name}" has the name of another character{f" at {other}" if other else ""}'
        yield PublishError(message, span=character.place, hint="Give one of them another name.")
