"""The sheets of the bundled games, their templates, and characters on these, for the tests of sheets."""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pikepdf
import pypdfium2

import refgen
from refgen.aids.sheet.character_book import CharacterBook
from refgen.aids.sheet.drawing import Placing
from refgen.aids.sheet.interactive import Calculation
from refgen.aids.sheet.template import SheetTemplate
from refgen.characters.character import WrittenValue
from refgen.characters.make_sheet import make_sheet
from refgen.characters.sheet import AGAIN, CharacterSheet
from refgen.files import bundled_folder
from refgen.game import SystemInfo
from refgen.layout.page_format import PageFormat
from tests.conftest import game
from tests.layout.tagged import Tag
from tests.sharing import shared

_lay_out = SheetTemplate.of
"""As it is, whatever a test puts in its place."""


@cache
def loaded(system: str) -> refgen.Game:
    return refgen.load(system)


@cache
def template(system: str) -> SheetTemplate:
    """The sheet of a game, laid out once for all workers."""

    def make(folder: Path) -> None:
        found = loaded(system)
        made = _lay_out(SystemInfo.of(found), found.sheet(), PageFormat())
        assert all((made.print_base, made.form, made.repeated_form))  # nearly all tests need them
        folder.mkdir()
        (folder / "template").write_bytes(pickle.dumps(made))

    found: SheetTemplate = pickle.loads((shared(f"sheet-template-{system}", make) / "template").read_bytes())
    return found


@cache
def calculating(system: str) -> SheetTemplate:
    """The same, whose computed fields follow what is typed."""
    return replace(template(system), calculation=Calculation.of(loaded(system).form))


def named(system: str, name: str, values: Mapping[str, WrittenValue] = MappingProxyType({})) -> refgen.Character:
    """A character of that name, and with some values."""
    return refgen.Character(name, {loaded(system).form.sheet.name_key: name, **values})


def placed(system: str, character: refgen.Character) -> Placing:
    return template(system).placer.place(loaded(system).fill(character))


def ready(system: str) -> list[Placing]:
    """The characters that come with a game, on their sheets."""
    return [placed(system, character) for character in loaded(system).characters.values()]


def too_long(system: str) -> Placing:
    """A character with more skills than the sheet has lines for."""
    return placed(
        system, named(system, "Orlin", {f"skills.{number}.skill": f"Skill {number}" for number in range(1, 80)})
    )


def book(
    system: str,
    placings: Iterable[Placing],
    others: Mapping[str, bytes] = MappingProxyType({}),
    *,
    editable: bool = False,
) -> bytes:
    """A PDF of characters, some with the pages of another PDF behind, by their names."""
    file = io.BytesIO()
    made = CharacterBook(file, template(system), editable=editable)
    for placing in placings:
        character = placing.filled.character
        own = template(system)
        drawing = own.draw(placing, own.repeated_form if editable else None)
        made.add(character, drawing, [others[character.name]] if character.name in others else [])
    made.finish("Party")
    return file.getvalue()


def form(system: str, placing: Placing, others: Sequence[bytes] = (), *, calculates: bool = False) -> bytes:
    made = calculating(system) if calculates else template(system)
    values = made.draw(placing, made.form).values
    script = Calculation.unplaced_script(placing.unplaced_values)
    return made.form.write(placing.filled.character.name, values, script, others)


def spoken(tag: Tag) -> str:
    """The words that an element is read as, whatever is drawn."""
    return str(tag.entries.get("/ActualText", ""))


def fields(pdf: pikepdf.Pdf) -> Mapping[str, Any]:
    """The widgets of a PDF by the whole names of their fields; of a field with several, the first in the PDF."""
    found: dict[str, Any] = {}
    for page in pdf.pages:
        for one in page.obj.get("/Annots", []):
            found.setdefault(_name(one), one)
    return found


def texts(placing: Placing) -> Mapping[str, str]:
    """The texts of fields; those that have widgets on several pages have one."""
    return {each.box.name: each.text for each in placing.written if AGAIN not in each.box.name}


def _name(field: Any) -> str:
    if "/T" not in field:
        return _name(field.Parent)
    assert "." not in str(field.T)
    return f"{_name(field.Parent)}.{field.T}" if "/Parent" in field else str(field.T)


def value(widget: Any) -> str:
    field = widget if "/T" in widget else widget.Parent
    return str(field.V) if "/V" in field else ""


def picture(data: bytes, page: int) -> Any:
    """A page in grey, at 144 dots an inch, with its fields."""
    with pypdfium2.PdfDocument(data) as document:
        document.init_forms()
        return document[page].render(scale=2).to_pil().convert("L")


def words(data: bytes) -> list[str]:
    """All words of a PDF."""
    with pypdfium2.PdfDocument(data) as document:
        return [word for page in document for word in page.get_textpage().get_text_range().split()]


@cache
def sheet(system: str) -> CharacterSheet:
    """The blank sheet of a game."""
    return make_sheet(bundled_folder("content") / system, game(system))
