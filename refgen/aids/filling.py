"""Filled sheets: all that the pipeline knows of how characters are set onto a sheet (refgen/aids/sheet/fill).

In: a game's sheet made ready, a format, and characters. Out: a Maker, which makes what is drawn, placed or written of
each character; a Book puts many of them into one PDF.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache
from io import BytesIO
from zlib import compress, decompress

from refgen.aids.sheet.fill.book import Book as Book
from refgen.aids.sheet.fill.calculation import Calculation
from refgen.aids.sheet.fill.flat import Drawn
from refgen.aids.sheet.fill.placing import Placing
from refgen.aids.sheet.fill.stencil import Stencil as Stencil
from refgen.aids.sheet.fill.stencil import go_on, lay_out_sheet
from refgen.characters.character import Character
from refgen.characters.filling import Filled, fill
from refgen.characters.form import Form
from refgen.characters.table import Checked
from refgen.errors import RefgenError, RenderError
from refgen.game.game import Game
from refgen.game.system_info import SystemInfo
from refgen.render.page_format import PageFormat


class FillMode(Enum):
    """What is made of a character: what is to be drawn or placed on the pages of one PDF, or a PDF of its own."""

    DRAWN = "drawn"
    PLACED = "placed"
    FLAT = "flat"
    EDITABLE = "editable"


@dataclass(slots=True)
class Made:
    """What was made of a character; nothing where there is none, or it has ``errors``.

    ``data`` is a whole PDF. ``pages`` are those behind what is ``drawn`` or placed, or all of a sheet that was laid out
    in full.
    """

    character: Character | None
    errors: list[RefgenError] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    drawn: Sequence[Drawn] = ()
    placing: Placing | None = None
    pages: Sequence[bytes] = ()
    data: bytes = b""
    is_there: bool = False


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes the sheets of characters."""

    form: Form
    stencil: Stencil
    mode: FillMode

    @classmethod
    def of(cls, form: Form, page_format: PageFormat, mode: FillMode, *, calculates: bool = False) -> Maker:
        """A maker of sheets in a format. Raises RenderError when the sheet fits in no way."""
        stencil = Stencil.of(SystemInfo.of(form.game), form.sheet, page_format)
        if calculates and mode is FillMode.EDITABLE:
            stencil = replace(stencil, calculation=Calculation.of(form))
        return cls(form, stencil, mode)

    def packed(self) -> bytes:
        """What another machine makes the same of."""
        rules = replace(self.form.game.ruleset, kept={})  # what was worked out is worked out again
        parts = (rules, self.form.sheet, replace(self.stencil), self.mode)
        return compress(pickle.dumps(parts), level=1)

    @staticmethod
    @lru_cache(maxsize=2)
    def unpacked(packed: bytes) -> Maker:
        """The maker that was packed on another machine of ours."""
        rules, sheet, stencil, mode = pickle.loads(decompress(packed))  # noqa: S301 - a build of ours made it
        return Maker(Form(Game(rules), sheet), stencil, mode)

    def make(self, checked: Checked) -> Made:
        """The sheet of one character."""
        character, errors = checked
        made = Made(character, [*errors])
        if character is None or errors:
            return made
        filled = fill(self.form, character)
        made.errors += filled.faults
        placing = self.stencil.placer.place(filled)
        try:
            self._make(made, character, placing)
        except RenderError as error:
            made.errors.append(error)
        else:
            made.is_there = True
        return made

    def _make(self, made: Made, character: Character, placing: Placing) -> None:
        if placing.strange or placing.goes_on:
            made.pages = list(self._laid_out(made, character, placing))
        title = f"{self.stencil.system.title}: {character.name}"
        file = BytesIO()
        match self.mode:
            case FillMode.EDITABLE if not placing.strange:
                self.stencil.fillable.fill(file, title, placing, made.pages)
            case FillMode.DRAWN | FillMode.PLACED if placing.strange:
                pass
            case FillMode.DRAWN:
                made.drawn = self.stencil.overlays.draw(placing)
            case FillMode.PLACED:
                made.placing = placing
            case _:
                book = Book(file, self.stencil)
                if placing.strange:
                    book.add_laid_out(character.name, made.pages)
                else:
                    book.add(placing, made.pages)
                book.finish(title)
        made.data = file.getvalue()

    def _laid_out(self, made: Made, character: Character, placing: Placing) -> Iterator[bytes]:
        """The sheet where it cannot be stamped, and the pages that go on."""
        missing: frozenset[str] = frozenset()
        if placing.strange:
            sheet = lay_out_sheet(self.stencil, placing)
            missing = sheet.missing
            fields = ", ".join(dict.fromkeys(each.box.field.label for each in placing.strange))
            made.notes.append(f"{character.name}: laid out in full, without fields, for the letters of {fields}")
            yield sheet.data
        if placing.goes_on:
            more = go_on(self.stencil, placing)
            missing |= more.missing
            made.notes.append(f"{character.name}: goes on on another page")
            yield more.data
        made.errors += _missing(character, placing.filled, missing)


def _missing(character: Character, filled: Filled, missing: frozenset[str]) -> Iterator[RenderError]:
    """The errors of fields with letters that no font of this machine has."""
    for name, text in filled.texts.items():
        if letters := sorted(missing & {*text}):
            shown = ", ".join(f"{letter} (U+{ord(letter):04X})" for letter in letters)
            message = f"{character.name}: no font on this machine has {shown}, in {name}"
            hint = "Install one, such as the package fonts-noto-core of Debian."
            yield RenderError(message, span=character.place, hint=hint)
