"""Filled sheets of characters, for the pipeline, which knows no kind of aid.

In: the Form of a game, and characters. Out: a SheetMaker, which makes a PDF of each character, or the parts of a PDF of
many characters.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO
from zlib import compress, decompress

from refgen.aids.sheet.drawing import Placing
from refgen.aids.sheet.form_fields import FormTemplate
from refgen.aids.sheet.template import CharacterDrawing, SheetTemplate, lay_out_continuation, lay_out_sheet
from refgen.characters.character import Character
from refgen.characters.filling import fill
from refgen.characters.form import Form
from refgen.characters.validation import CheckedCharacter
from refgen.errors import RefgenError, RenderError
from refgen.game import GameModel, SystemInfo
from refgen.layout.page_format import PageFormat

if TYPE_CHECKING:  # a PDF of one character with fields is no book
    from refgen.aids.sheet.character_book import CharacterBook


@dataclass(slots=True)
class MadeSheet:
    """The sheet of a character, empty if there is no character or it has ``errors``.

    ``data`` is a whole PDF. For a PDF of many characters there is a ``drawing``, and ``pages``: the continuation pages,
    or all pages of a sheet that was laid out in full.
    """

    character: Character | None
    errors: list[RefgenError] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    drawing: CharacterDrawing | None = None
    pages: Sequence[bytes] = ()
    data: bytes = b""


@dataclass(frozen=True, slots=True)
class SheetMaker:
    """Makes the sheets of characters: ``editable`` or for print, each a PDF of its own or part of a ``merged`` PDF."""

    form: Form
    template: SheetTemplate
    editable: bool
    merged: bool

    @classmethod
    def of(
        cls, form: Form, page_format: PageFormat, *, editable: bool, merged: bool, calculates: bool = False
    ) -> SheetMaker:
        """A maker of sheets in a format. Raises RenderError if the sheet does not fit its pages."""
        template = SheetTemplate.of(SystemInfo.of(form.game), form.sheet, page_format)
        if calculates and editable and not merged:
            from refgen.aids.sheet.interactive import Calculation

            template = replace(template, calculation=Calculation.of(form))
        return cls(form, template, editable, merged)

    def packed(self) -> bytes:
        """The maker as bytes for another process, with the results of its layouts, which are slow to make."""
        _ = self._filled_form or self.template.print_base
        rules = replace(self.form.game.ruleset, kept={})  # computed values are computed again there
        parts = rules, self.form.sheet, self.template, self.editable, self.merged
        return compress(pickle.dumps(parts), level=1)

    @staticmethod
    @lru_cache(maxsize=2)
    def unpacked(packed: bytes) -> SheetMaker:
        """The maker from the bytes that another process of refgen packed."""
        rules, sheet, *others = pickle.loads(decompress(packed))  # noqa: S301 - a process of ours made it
        return SheetMaker(Form(GameModel(rules), sheet), *others)

    @property
    def _filled_form(self) -> FormTemplate | None:
        if not self.editable:
            return None
        return self.template.repeated_form if self.merged else self.template.form

    def book(self, file: BinaryIO) -> CharacterBook:
        """A PDF of many characters, to be written into a file; for a single character it is for print."""
        from refgen.aids.sheet.character_book import CharacterBook

        return CharacterBook(file, self.template, editable=self.editable and self.merged)

    def make(self, checked: CheckedCharacter) -> MadeSheet:
        """The sheet of one character."""
        character, errors = checked
        if character is None or errors:
            return MadeSheet(character, errors)
        placing = self.template.placer.place(fill(self.form, character))
        made = MadeSheet(character, placing.filled.faults)
        try:
            made.pages = list(self._laid_out(placing, made))
            if not placing.unsupported:
                made.drawing = self.template.draw(placing, self._filled_form)
            if not self.merged:
                made.data = self._pdf(character, placing, made)
                made.drawing, made.pages = None, ()
        except RenderError as error:
            return MadeSheet(character, [*made.errors, error], made.notes)
        return made

    def _pdf(self, character: Character, placing: Placing, made: MadeSheet) -> bytes:
        """A PDF of one character."""
        system = self.template.system
        title = system.words("aid-of-game", game=system.title, aid=character.name)
        if self._filled_form and made.drawing:
            calculation, values = self.template.calculation, placing.unplaced_values
            script = calculation.unplaced_script(values) if calculation else ""
            return self._filled_form.write(title, made.drawing.values, script, made.pages)
        file = BytesIO()
        book = self.book(file)
        book.add(character, made.drawing, made.pages)
        book.finish(title)
        return file.getvalue()

    def _laid_out(self, placing: Placing, made: MadeSheet) -> Iterator[bytes]:
        """The whole sheet where it cannot be stamped onto the form, and its continuation pages."""
        name, missing = placing.filled.character.name, set[str]()
        if placing.unsupported:
            fields = ", ".join(dict.fromkeys(each.box.field.label for each in placing.unsupported))
            made.notes.append(f"{name}: laid out in full, without fields, for the letters of {fields}")
            sheet = lay_out_sheet(self.template, placing)
            missing |= sheet.missing
            yield sheet.data
        if placing.overflows:
            made.notes.append(f"{name}: continues on another page")
            more = lay_out_continuation(self.template, placing)
            missing |= more.missing
            yield more.data
        made.errors += _missing_letters(placing, missing)


def _missing_letters(placing: Placing, missing: Iterable[str]) -> Iterator[RenderError]:
    """The errors for fields with letters that no font on this machine has."""
    character = placing.filled.character
    for name, text in placing.filled.texts.items():
        if letters := sorted({*missing} & {*text}):
            shown = ", ".join(f"{letter} (U+{ord(letter):04X})" for letter in letters)
            message = f"{character.name}: no font on this machine has {shown}, in {name}"
            hint = "Install one, such as the package fonts-noto-core of Debian."
            yield RenderError(message, span=character.place, hint=hint)
