"""Sheets of characters: their values are seen and read, the same stamped as laid out in full.

The boxes of a character are as many, and marked by the same damage, as the rules give for the character's Health.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pikepdf
import pypdfium2
import pytest
from PIL import ImageChops

from refgen.aids.sheet.planner import continuation_html
from refgen.aids.sheet.template import lay_out_continuation, lay_out_sheet
from refgen.characters.character import WrittenValue
from refgen.layout.page_format import PageFormat, Theme
from refgen.words import Words
from tests.aids.sheet.sheets import (
    book,
    fields,
    form,
    loaded,
    named,
    picture,
    placed,
    ready,
    spoken,
    template,
    texts,
    too_long,
    value,
    words,
)
from tests.conftest import RICHEST_AND_SOAK, SYSTEMS, others_in_soak
from tests.layout.laid_out import pdf_of
from tests.layout.tagged import faults, read_tags
from tests.layout.type_sizes import texts_under

pytestmark = pytest.mark.slow

ONE = "fudge-1995"
SCRIPTS = ["عمر", "ქეთევან", "Z\u1ecd\u0308e"]


@pytest.mark.parametrize("system", others_in_soak(["interactive-history"], SYSTEMS))
def test_stamped_and_laid_out_in_full_look_the_same(system: str) -> None:
    """Of a page fewer than one dot in a thousand differ by more than a quarter of black: edges of letters."""
    for placing in ready(system)[:1]:
        stamped, laid_out = book(system, [placing]), lay_out_sheet(template(system), placing).data
        for page in range(len(template(system).pages.pages)):
            one, other = picture(stamped, page), picture(laid_out, page)
            assert one.size == other.size
            differing = ImageChops.difference(one, other).histogram()
            assert sum(differing[64:]) < one.width * one.height / 1000
            assert sum(differing[255 - 16 :]) == 0


@pytest.mark.parametrize("system", RICHEST_AND_SOAK)
def test_every_text_of_a_flattened_sheet_can_be_copied(system: str) -> None:
    for placing in ready(system):
        found = " ".join(words(book(system, [placing])))
        wanted = [word for each in placing.written for line in each.lines for word in line.split()]
        assert not [word for word in wanted if word not in found]


@pytest.mark.parametrize("system", RICHEST_AND_SOAK)
def test_every_value_of_a_form_is_read_back(system: str) -> None:
    for placing in ready(system):
        with pikepdf.open(io.BytesIO(form(system, placing))) as pdf:
            found = fields(pdf)
            assert not pdf.check_pdf_syntax()
            there = {name: value(one) for name, one in found.items() if one.FT != "/Btn"}
            ticked = {name for name, one in found.items() if one.FT == "/Btn" and value(one) == "/Yes"}
        assert {name: text for name, text in there.items() if text} == texts(placing)
        assert ticked == {box.name for box in placing.ticked}


def test_a_form_and_print_look_the_same() -> None:
    for placing in ready(ONE):
        flat, filled_in = picture(book(ONE, [placing]), 0), picture(form(ONE, placing), 0)
        assert sum(ImageChops.difference(flat, filled_in).histogram()[128:]) < flat.width * flat.height / 1000


def test_no_viewer_has_to_make_appearances() -> None:
    with pikepdf.open(io.BytesIO(form(ONE, ready(ONE)[0]))) as pdf:
        assert not pdf.Root.AcroForm.NeedAppearances
        for name, one in fields(pdf).items():
            shown = one.AP.N
            assert isinstance(shown, pikepdf.Stream) or set(shown.keys()) == {"/Yes", "/Off"}, name
            assert str(one.TU), name


def test_what_is_typed_has_letters_of_three_scripts() -> None:
    with pikepdf.open(io.BytesIO(template(ONE).form.base.data)) as pdf:
        known = pdf.Root.AcroForm.DR.Font["/Fill"].ToUnicode.read_bytes()
    assert all(f"<{letter.encode('utf-16-be').hex()}>".encode() in known for letter in "aéŻŵΩήЖё")


def test_forms_are_tagged_and_named_for_the_character() -> None:
    placing = ready(ONE)[0]
    with pikepdf.open(io.BytesIO(form(ONE, placing))) as pdf:
        assert faults(pdf) == []
        assert len(list(read_tags(pdf).all("Form"))) == len(fields(pdf))
        assert placing.filled.character.name in pdf.Root.Metadata.read_bytes().decode()
        assert str(pdf.docinfo.Title) == placing.filled.character.name


def test_pages_that_go_on_are_tagged_with_their_sheet() -> None:
    placing = too_long(ONE)
    data = form(ONE, placing, [lay_out_continuation(template(ONE), placing).data])
    with pikepdf.open(io.BytesIO(data)) as pdf:
        assert len(pdf.pages) > len(template(ONE).pages.pages)
        assert faults(pdf) == []


NOT_CLAIMED = ["no claim to be PDF/UA-1"]
"""Of sheets that are flattened or joined: their charts are read as text, row by row, and are no tables."""


@pytest.mark.parametrize("editable", [False, True], ids=["flattened", "editable"])
def test_a_party_is_read_character_by_character(editable: bool) -> None:
    placings = [*ready(ONE)[:2], too_long(ONE)]
    others = {placings[2].filled.character.name: lay_out_continuation(template(ONE), placings[2]).data}
    with pikepdf.open(io.BytesIO(book(ONE, placings, others, editable=editable))) as pdf:
        assert faults(pdf) == NOT_CLAIMED
        sections = read_tags(pdf).tags
        names = [each.filled.character.name for each in placings]
        assert [str(section.entries.T) for section in sections] == names
        heads = [[spoken(tag) for tag in section.all("H1")] for section in sections]
        assert heads == [[names[0]], [names[1]], [names[2], ""]]  # the last is that of the page that goes on
        assert len(list(read_tags(pdf).all("Form"))) == (len(fields(pdf)) if editable else 0)


def test_every_value_of_a_flattened_sheet_is_read_with_what_it_is() -> None:
    values: dict[str, WrittenValue] = {
        "attributes.health.level": "Great",
        "attributes.will.notes": "Iron",
        "gifts.1": "Luck",
    }
    character = named("atari-isev", "Orlin", {**values, "wounds.hurt": 1, "weapons.1.weapon": "Axe (old)"})
    with pikepdf.open(io.BytesIO(book("atari-isev", [placed("atari-isev", character)]))) as pdf:
        assert [text for tag in read_tags(pdf).all("H1", "P") if (text := spoken(tag))] == [
            "Orlin",
            "Attributes. Health Level: Great. Will Notes: Iron",
            "Wounds. Scratched points: 1–2. Scratched: 4 boxes. Hurt points: 3–4. Hurt: 2 boxes, 1 ticked. "
            "Very Hurt points: 5–6. Very Hurt: 1 box. Incapacitated points: 7–8. Incapacitated: 1 box. "
            "Near Death points: 9+. Near Death: 1 box",
            "Fighting. Wounded: −1",
            "Weapons. Axe (old)",
            "Fudge points. At the start: 2 boxes",
            "Gifts. Luck",
        ]


def test_only_the_boxes_that_a_character_has_are_there() -> None:
    """On the form, and in print. (The number of boxes is compared with the rules in test_wound_charts.py.)"""
    values: dict[str, WrittenValue] = {"attributes.health.level": "Poor", "wounds.scratched": 1}
    placing = placed("atari-isev", named("atari-isev", "Orlin", values))
    with pikepdf.open(io.BytesIO(form("atari-isev", placing))) as pdf:
        shown = [name for name, one in fields(pdf).items() if one.FT == "/Btn" and not int(one.F) & 2]
    assert sorted(shown) == sorted(box.name for boxes in placing.rows for box in boxes)


@pytest.mark.parametrize("editable", [False, True])
def test_a_party_has_an_entry_for_each_and_no_collisions(editable: bool) -> None:
    placings = ready(ONE)
    with pikepdf.open(io.BytesIO(book(ONE, placings, editable=editable))) as pdf:
        assert not pdf.check_pdf_syntax()
        with pdf.open_outline() as outline:
            assert [entry.title for entry in outline.root] == [each.filled.character.name for each in placings]
        assert len(pdf.pages) == len(placings) * len(template(ONE).pages.pages)
        if editable:
            found = fields(pdf)
            assert len(found) == len(placings) * len(template(ONE).boxes)
            for placing in placings:
                name = placing.filled.character.file_name
                assert value(found[f"{name}.{loaded(ONE).form.sheet.name_key}"]) == placing.filled.character.name


def test_a_thousand_pages_stand_under_few_nodes() -> None:
    placing = ready(ONE)[0]
    with pikepdf.open(io.BytesIO(book(ONE, [placing] * 600))) as pdf:
        assert len(pdf.pages) == 600
        assert len(pdf.Root.Pages.Kids) == 3


def test_a_sheet_more_takes_less_than_three_kilobytes() -> None:
    placing = ready("atari-isev")[0]
    assert len(book("atari-isev", [placing] * 101)) - len(book("atari-isev", [placing])) < 100 * 3000


@pytest.mark.parametrize("name", others_in_soak(SCRIPTS[::2], ["עומר", *SCRIPTS]))
def test_other_scripts_are_laid_out_in_full(name: str) -> None:
    placing = placed(ONE, named(ONE, name))
    assert [each.text for each in placing.unsupported] == [name]
    assert not lay_out_sheet(template(ONE), placing).missing


def test_a_letter_that_no_font_has_is_reported() -> None:
    placing = placed(ONE, named(ONE, "\U00012000"))
    assert lay_out_sheet(template(ONE), placing).missing == {"\U00012000"}


def test_nothing_is_cut() -> None:
    """A long text, and lines that the sheet has not, go on on another page."""
    notes = " ".join(f"word{number}" for number in range(2000))
    skills = {f"skills.{number}.skill": f"Skill {number}" for number in range(1, 120)}
    placing = placed("atari-isev", named("atari-isev", "Orlin", {"story": notes, **skills}))
    assert placing.overflows
    found = words(lay_out_continuation(template("atari-isev"), placing).data)
    assert [word for word in found if word.startswith("word")] == notes.split()
    stamped = " ".join([*words(book("atari-isev", [placing])), *found])
    assert not [text for text in skills.values() if text not in stamped]


def test_every_page_says_whose_it_is() -> None:
    values: dict[str, WrittenValue] = {"story": "word " * 1500}
    placing = placed("atari-isev", named("atari-isev", "Orlin", values))
    for data in (book("atari-isev", [placing]), lay_out_continuation(template("atari-isev"), placing).data):
        with pypdfium2.PdfDocument(data) as document:
            pages = [page.get_textpage().get_text_range() for page in document]
        assert len(pages) == 2
        for number, text in enumerate(pages, start=1):
            assert placing.filled.character.name in text
            assert f"page {number} of 2" in text


@pytest.mark.parametrize("joined", [False, True], ids=["alone", "in a party"])
def test_the_name_is_one_field_with_a_widget_on_every_page(joined: bool) -> None:
    placing = ready("atari-isev")[0]
    data = book("atari-isev", [placing], editable=True) if joined else form("atari-isev", placing)
    with pikepdf.open(io.BytesIO(data)) as pdf:
        name = fields(pdf)[
            f"{placing.filled.character.file_name}.character.name" if joined else "character.name"
        ].Parent
        assert str(name.V) == placing.filled.character.name
        assert [kid.P.objgen for kid in name.Kids] == [page.obj.objgen for page in pdf.pages]
        assert not [kid for kid in name.Kids if "/T" in kid or "/V" in kid]
        assert len({kid.AP.N.objgen for kid in name.Kids}) == 2


def test_a_name_is_read_once_though_it_stands_on_every_page() -> None:
    placing = ready("atari-isev")[0]
    with pikepdf.open(io.BytesIO(book("atari-isev", [placing]))) as pdf:
        assert faults(pdf) == NOT_CLAIMED
        assert [spoken(tag) for tag in read_tags(pdf).all("H1")] == [placing.filled.character.name]


LEVELS = ("Legendary", "Superb", "Great", "Good", "Fair", "Mediocre", "Poor", "Terrible")
HIDDEN = 2


def filled_in(system: str, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The fields of a form by their names, but for those that are hidden."""
    with pikepdf.open(io.BytesIO(form(system, placed(system, named(system, "Orlin", values))))) as pdf:
        return {name: value(one) for name, one in fields(pdf).items() if not int(one.F) & HIDDEN}


def test_these_are_all_levels_and_games_with_a_chart_by_a_level() -> None:
    by_level = [system for system in SYSTEMS if any(spec.by for spec in loaded(system).ruleset.spec.tracks.values())]
    assert by_level == ["atari-isev"]
    assert tuple(level.name for level in loaded("atari-isev").ladders["trait"].levels) == LEVELS
    assert tuple(row[0].text for row in loaded("polyhedral-fudge").tables["damage-ratings"].rows) == LEVELS


@pytest.mark.parametrize("level", LEVELS)
def test_each_health_has_its_chart(level: str) -> None:
    """ "1-2 (5)": five boxes, which one or two points mark."""
    found = filled_in("atari-isev", {"attributes.health.level": level})
    chart = {row[0].text: row[1:] for row in loaded("atari-isev").tables["wound-levels"].rows}[level]
    shown = []
    for wound in ("scratched", "hurt", "very-hurt", "incapacitated", "near-death"):
        own = [name for name in found if name.startswith(f"wounds.{wound}.")]
        boxes = len(own) - 1
        points = found[f"wounds.{wound}.points"].replace("–", "-")
        shown.append(f"{points} ({boxes})" if boxes > 1 else points)
        assert sorted(own) == sorted(f"wounds.{wound}.{each}" for each in ("points", *range(1, boxes + 1)))
    assert shown == [cell.text for cell in chart]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("armor", [0, 3])
def test_each_damage_capacity_has_its_thresholds(level: str, armor: int) -> None:
    """From which damage on there is which wound: what the wound track says, over the rating that the table says."""
    game = loaded("polyhedral-fudge")
    values = {"damage-rating.damage-capacity": level, "damage-rating.armor": armor}
    found = filled_in("polyhedral-fudge", values)
    (rating,) = (int(row[1 + armor].text) for row in game.tables["damage-ratings"].rows if row[0].text == level)
    assert found["damage-rating.dr"] == str(rating)
    for row in game.tables["wound-track"].rows:
        low = int(row[0].text.rstrip("+").split("-")[0])
        assert found[f"wounds.{row[1].text.lower().replace(' ', '-')}.from"] == str(low + rating)


def test_continuation_pages_count_in_the_language_of_the_project_and_in_large_print() -> None:
    german = replace(template("atari-isev").system, words=Words("de"))
    parts = [{"title": "Notes", "text": "word " * 800, "rows": ()}]
    pdf = pdf_of(continuation_html(german, "Orlin", parts, PageFormat(theme=Theme.LARGE_PRINT)))
    with pypdfium2.PdfDocument(pdf) as document:
        texts = [page.get_textpage().get_text_range() for page in document]
    assert len(texts) > 1
    assert all(f"Seite {number} von {len(texts)}" in text for number, text in enumerate(texts, start=1))
    assert texts_under(pdf, 12) == []
