"""The read-back: what is not on the page as the model says is named, with its place; what is, is not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from fractions import Fraction
from typing import Any

import pikepdf
import pytest

from refgen.aids.cards.model import Card, CardDeck
from refgen.aids.sheet.parts import SheetPages
from refgen.aids.sheet.planner import SheetPlanner
from refgen.blocks.table_block import TableBlock
from refgen.blocks.table_cells import ShownCell, ShownColumn
from refgen.blocks.text_blocks import FactsBlock, GlossaryBlock, ListBlock, QuoteBlock, StepsBlock, TextBlock
from refgen.blocks.typesetting import Footnote
from refgen.characters.sheet import CharacterSheet, Field, FieldKind, SheetPage, SheetPart, SheetRow
from refgen.errors import RenderError
from refgen.layout.page_format import PageFormat
from refgen.layout.pieces import Mismatch
from refgen.layout.readback.compare import read_back
from refgen.layout.readback.places import PageBox, PdfFont, TextRun, faults_of_run
from refgen.words import ENGLISH
from tests.aids.cards.decks import faces_of
from tests.layout.made_pages import (
    SYSTEM,
    Aid,
    cells,
    changed_html,
    changed_pdf,
    expected,
    found,
    in_pdf,
    page,
    rendered,
    screen_of,
)

WOUNDS = TableBlock(
    "Wounds",
    (ShownColumn("Level", "", "start"), ShownColumn("Modifier", "to all", "end")),
    (cells("Hurt", "−1"), cells("Very hurt", "−2"), cells("Incapacitated", "−3")),
    tag="computed",
    note="After the fight the shift is taken off.",
    source="rules.md:1",
)
ODDS = TableBlock(
    "Odds",
    (ShownColumn("Roll", "", "start"), ShownColumn("Chance", "", "bars")),
    (
        (ShownCell("+1", "start"), ShownCell("40%", "end", bar=100, sign="*", value=Fraction(40, 100))),
        (ShownCell("+2", "start"), ShownCell("12%", "end", bar=30, value=Fraction(12, 100))),
    ),
    footnotes=(Footnote("*", "The rules say 41%."),),
)
STEPS = StepsBlock("A task", ("Name the trait.", "Roll 4dF and add it."))
FACTS = FactsBlock("Facts", (("Boxes", "3"), ("Minutes", "10")))
TEXT = TextBlock("", ("well-being " * 30,))
LIST = ListBlock("Gear", ("A rope.", "A lantern."))
TERMS = GlossaryBlock("", (("Prone", "lies on the ground."), ("Stunned", "does nothing.")))
QUOTE = QuoteBlock("", ("Whoever falls, falls far.", "So they say."))
SCREEN = screen_of(
    page(0, "Fights", (STEPS, WOUNDS), (ODDS, TEXT)),
    page(1, "Rest", (FACTS, replace(WOUNDS, title="")), (LIST, TERMS, QUOTE)),
)
CARDS = CardDeck(tuple(Card(number, f"Card {number}", (STEPS, replace(WOUNDS, title=""))) for number in range(1, 11)))
DECK = faces_of(SYSTEM, CARDS)
BLANK = CharacterSheet(
    "Character sheet",
    (
        SheetPage(
            (
                SheetPart("person", "Person", "fields", (SheetRow("Name", (Field("person.name", "Name"),)),)),
                SheetPart(
                    "traits",
                    "Traits",
                    "rows",
                    (
                        SheetRow("Will", (Field("traits.will", "Will: Level", FieldKind.CHOICE, ("Good",)),)),
                        SheetRow("Luck", (Field("traits.luck", "Luck: Level"),)),
                    ),
                    ("Level",),
                ),
                SheetPart(
                    "notes",
                    "Notes",
                    "area",
                    (SheetRow("", (Field("notes", "Notes", FieldKind.AREA, lines=3),)),),
                ),
                SheetPart(
                    "boxes",
                    "Boxes",
                    "tracks",
                    (SheetRow("Hurt", (Field("hurt.1", "Hurt, box 1", FieldKind.BOX),), "−1 to all"),),
                    block=replace(WOUNDS, title=""),
                ),
            ),
        ),
    ),
)
SHEET = SheetPlanner(BLANK, PageFormat(), ENGLISH).pages()
AIDS: dict[str, Aid] = {"screen": SCREEN, "deck": DECK, "sheet": SHEET}


SCREEN_FIRST = ["screen", *(pytest.param(kind, marks=pytest.mark.slow) for kind in [*AIDS][1:])]
"""A screen is compared before every commit, and the other aids in ``make test``."""


@pytest.mark.parametrize("kind", SCREEN_FIRST)
def test_what_was_made_of_an_aid_is_what_it_says(kind: str) -> None:
    assert found(AIDS[kind], rendered(AIDS[kind])) == []


def with_rows(aid: Aid, change: Callable[[tuple[Any, ...]], tuple[Any, ...]]) -> Aid:
    """The aid with changed rows in the first table of wounds that it has."""
    done: list[TableBlock] = []

    def walk(value: Any) -> Any:
        if isinstance(value, TableBlock) and "Wounds" in (value.title or "Wounds") and not done:
            done.append(value)
            return replace(value, rows=change(value.rows))
        if isinstance(value, tuple) and not hasattr(value, "_fields"):
            return tuple(walk(item) for item in value)
        if hasattr(value, "__dataclass_fields__") and not isinstance(value, TableBlock):
            names = [own.name for own in fields(value) if own.name not in ("aid", "panel", "sheet", "card")]
            return replace(value, **{name: walk(getattr(value, name)) for name in names})
        return value

    changed: Aid = walk(aid)
    assert done
    return changed


PLACES = {
    "screen": ('"Fights", "Wounds"', 'page 1, "Wounds"'),
    "deck": ('"Card 1"', 'page 1, "Card 1"'),
    "sheet": ('"page 1", "Boxes"', 'page 1, "Boxes"'),
}
"""Where that table stands, in the HTML and in the PDF of each aid."""


def both(kind: str, where: str, what: str) -> list[str]:
    html_place, pdf_place = PLACES[kind]
    return [f"game/x.html: {html_place}, {where}: {what}", f"game/x.pdf: {pdf_place}, {where}: {what}"]


@pytest.mark.slow
@pytest.mark.parametrize("kind", AIDS)
def test_a_cell_that_the_model_has_otherwise(kind: str) -> None:
    changed = with_rows(AIDS[kind], lambda rows: (rows[0], cells("Very hurt", "−4"), rows[2]))
    assert found(changed, rendered(AIDS[kind])) == both(kind, "row 2, column 2", '"−4" is not there, but "−2"')


@pytest.mark.parametrize("kind", SCREEN_FIRST)
def test_a_row_that_only_the_model_has(kind: str) -> None:
    changed = with_rows(AIDS[kind], lambda rows: (*rows[:2], cells("Nearly out", "−5"), rows[2]))
    first = both(kind, "row 3, column 1", '"Nearly out" is not there')
    second = both(kind, "row 3, column 2", '"−5" is not there')
    assert found(changed, rendered(AIDS[kind])) == [first[0], second[0], first[1], second[1]]


@pytest.mark.parametrize(
    ("kind", "html_place", "pdf_place"),
    [
        ("screen", '"Fights", before "Wounds", row 2', 'page 1, before "Wounds", row 2'),
        pytest.param("deck", 'before "Card 1", row 2', 'page 1, before "Card 1", row 2', marks=pytest.mark.slow),
        pytest.param(
            "sheet", '"page 1", before "Boxes", row 2', 'page 1, before "Boxes", row 2', marks=pytest.mark.slow
        ),
    ],
)
def test_a_row_that_only_the_page_has(kind: str, html_place: str, pdf_place: str) -> None:
    changed = with_rows(AIDS[kind], lambda rows: (rows[0], rows[2]))
    surplus = 'column 1: "Veryhurt −2" stands there, which the model does not have'
    assert found(changed, rendered(AIDS[kind])) == [
        f"game/x.html: {html_place}, {surplus}",
        f"game/x.pdf: {pdf_place}, {surplus}",
    ]


@pytest.mark.parametrize("kind", SCREEN_FIRST)
def test_two_cells_that_changed_places(kind: str) -> None:
    swapped = with_rows(AIDS[kind], lambda rows: (cells("Hurt", "−2"), cells("Very hurt", "−1"), rows[2]))
    first = both(kind, "row 1, column 2", '"−2" is not there, but "−1"')
    second = both(kind, "row 2, column 2", '"−1" is not there, but "−2"')
    assert found(swapped, rendered(AIDS[kind])) == [first[0], second[0], first[1], second[1]]


@pytest.mark.slow
def test_figures_that_only_together_are_the_same() -> None:
    printed = with_rows(SCREEN, lambda rows: (cells("1", "12"), *rows[1:]))
    model = with_rows(SCREEN, lambda rows: (cells("11", "2"), *rows[1:]))
    assert in_pdf(model, rendered(printed)) == [
        'page 1, "Wounds", row 1, column 1: "11" is not there, but "1"',
        'page 1, "Wounds", row 1, column 2: "2" is not there, but "12"',
    ]


@pytest.mark.parametrize(
    ("title", "change", "line"),
    [
        ("a title", {"title": "Scratches"}, '"Scratches", title: "Scratches" is not there, but "Wounds"'),
        (
            "a tag",
            {"tag": ""},
            'before "Wounds", head 1: "◊" stands there, which the model does not have',
        ),
        (
            "a note",
            {"note": "Another note."},
            '"Wounds", note: "Another note." is not there, but "Afterthefighttheshiftistakenoff."',
        ),
        ("a footnote", {"footnotes": (Footnote("*", "No."),)}, '"Wounds", footnote *: "No." is not there'),
    ],
)
def test_the_words_around_a_table_count_too(title: str, change: dict[str, Any], line: str) -> None:
    changed = screen_of(page(0, "Fights", (STEPS, replace(WOUNDS, **change)), (ODDS, TEXT)), SCREEN[1])
    assert f"page 1, {line}" in in_pdf(changed, rendered(SCREEN)), title


def test_the_ladder_along_the_edge_counts_too() -> None:
    edge = (("+1", "Good"), ("0", "Fair+"))
    changed = screen_of(*(replace(page, panel=replace(page.panel, edge=edge)) for page in SCREEN))
    assert in_pdf(changed, rendered(SCREEN)) == [
        f'page {page}, edge, "Fair+": "Fair+" is not there, but "Fair"' for page in (1, 2)
    ]


@pytest.mark.slow
def test_a_table_that_is_clipped() -> None:
    made = rendered(SCREEN, ".block-table { height: 20mm; overflow: hidden }")
    lines = in_pdf(SCREEN, made)
    assert any(line.startswith('page 1, "Wounds", row 3, column 1: "Incapacitated" is clipped by ') for line in lines)
    assert not any('"Wounds", row 1' in line for line in lines)


@pytest.mark.slow
def test_a_table_that_stands_outside() -> None:
    made = rendered(SCREEN, ".block-facts { margin-left: -40mm }")
    lines = in_pdf(SCREEN, made)
    assert 'page 2, "Facts", fact "Boxes": "Boxes" reaches 38.6 mm out of its place' in lines


@pytest.mark.slow
def test_a_title_that_is_longer_than_its_card() -> None:
    name = "Atitlemuchlongerthanacardiswideandwithoutanyplacetobreak"
    deck = faces_of(SYSTEM, replace(CARDS, cards=(replace(CARDS.cards[0], title=name), *CARDS.cards[1:])))
    assert any(f'"{name}", title: "{name}" reaches' in line for line in in_pdf(deck, rendered(deck)))


@pytest.mark.slow
def test_blocks_that_overlap() -> None:
    lines = in_pdf(SCREEN, rendered(SCREEN, ".held + .held { margin-top: -4mm }"))
    assert any('"Wounds" and ' in line and line.endswith("overlap") for line in lines), lines


@pytest.mark.slow
def test_text_that_is_painted_over() -> None:
    cover = "content: ''; position: absolute; top: 0; left: 0; width: 30mm; height: 12mm; background: #fff"
    lines = in_pdf(SCREEN, rendered(SCREEN, f".column::after {{ {cover} }}"))
    assert 'page 1, "A task", title: "Atask" is painted over' in lines
    assert not any('"Wounds"' in line for line in lines)


@pytest.mark.slow
def test_a_font_that_is_none_of_ours() -> None:
    lines = in_pdf(SCREEN, rendered(SCREEN, ".facts dd { font-family: monospace }"))
    assert len(lines) == 2
    assert all(
        line.startswith('page 2, "Facts", fact "') and line.endswith("which is no font of ours") for line in lines
    )


def test_a_character_that_a_font_has_no_glyph_for() -> None:
    run = TextRun("a⚅", PageBox(10, 10, 20, 20), PdfFont("ABCDEF+Refgen-Sans", embedded=True), None, 0)
    page = PageBox(0, 0, 100, 100)
    assert list(faults_of_run(run, "there", page)) == [("there", '"a⚅": Refgen-Sans has no glyph for ⚅ (U+2685)')]
    assert list(faults_of_run(replace(run, text="a"), "there", page)) == []


def fonts(pdf: pikepdf.Pdf) -> Iterator[pikepdf.Object]:
    for font in pdf.pages[0].Resources.Font.values():
        yield from font.DescendantFonts


@pytest.mark.slow
def test_a_font_that_is_not_embedded() -> None:
    def strip(pdf: pikepdf.Pdf) -> None:
        for font in fonts(pdf):
            if "Serif" in str(font.BaseFont):
                del font.FontDescriptor.FontFile3

    lines = in_pdf(DECK, changed_pdf(rendered(DECK), strip))
    assert (
        'page 1, "Card 1", title: "Card1" is set in Refgen-Serif-Semi-Bold, which is not embedded as a subset' in lines
    )
    assert not any("row 1" in line and "embedded" in line for line in lines)


def test_a_figure_that_was_changed_in_the_file() -> None:
    def swap(pdf: pikepdf.Pdf) -> None:
        contents = pdf.pages[1].Contents
        data = contents.read_bytes()
        three, one = glyph(pdf, "3"), glyph(pdf, "1")
        assert three in data
        contents.write(data.replace(three, one))

    lines = in_pdf(SCREEN, changed_pdf(rendered(SCREEN), swap))
    assert 'page 2, "Facts", fact "Boxes": "3" is not there, but "1"' in lines


def glyph(pdf: pikepdf.Pdf, character: str) -> bytes:
    """The glyph of a character as the semibold font of a page shows it, from the font's map to Unicode."""
    (font,) = [font for font in pdf.pages[1].Resources.Font.values() if "Sans-Semi" in str(font.BaseFont)]
    lines = font.ToUnicode.read_bytes().decode().lower().splitlines()
    return next(line.split()[0].encode() for line in lines if line.endswith(f" <{ord(character):04x}>"))


def with_field(called: str, **change: Any) -> SheetPages:
    def walk(value: Any) -> Any:
        if isinstance(value, Field):
            return replace(value, **change) if value.name == called else value
        if isinstance(value, tuple):
            return tuple(walk(item) for item in value)
        if hasattr(value, "__dataclass_fields__"):
            names = [own.name for own in fields(value)]
            return replace(value, **{name: walk(getattr(value, name)) for name in names})
        return value

    changed: SheetPages = walk(SHEET)
    return changed


@pytest.mark.slow
def test_a_field_of_another_name() -> None:
    assert found(with_field("traits.luck", name="traits.fate"), rendered(SHEET)) == [
        'game/x.html: "page 1", field "traits.fate": is not there',
        'game/x.html: "page 1", field "traits.luck": is there, which the model does not have',
        'game/x.pdf: page 1, field "traits.fate": is not there',
        'game/x.pdf: page 1, field "traits.luck": is there, which the model does not have',
    ]


@pytest.mark.slow
def test_a_field_with_another_tooltip() -> None:
    assert found(with_field("traits.luck", label="Fate: Level"), rendered(SHEET)) == [
        'game/x.html: "page 1", field "traits.luck": label "Luck: Level" and tooltip "Luck: Level"'
        ' in place of "Fate: Level"',
        'game/x.pdf: page 1, field "traits.luck": tooltip "Luck: Level" in place of "Fate: Level"',
    ]


@pytest.mark.slow
def test_a_field_that_is_there_twice_and_one_that_stands_outside() -> None:
    def spoil(pdf: pikepdf.Pdf) -> None:
        fields = {str(field.T): field for field in pdf.pages[0].Annots}
        fields["notes"].T = pikepdf.String("person.name")
        fields["hurt.1"].Rect = pikepdf.Array([-10, 300, 0, 310])

    assert in_pdf(SHEET, changed_pdf(rendered(SHEET), spoil)) == [
        'page 1, field "person.name": is there 2 times',
        'page 1, field "notes": is not there',
        'page 1, field "person.name": tooltip "Notes" in place of "Name"',
        'page 1, field "hurt.1": the field reaches 110.8 mm out of its place',
    ]


@pytest.mark.parametrize(
    ("title", "old", "new", "line"),
    [
        (
            "a dead link",
            "../assets/css/tokens.css",
            "../assets/css/token.css",
            'the link "../assets/css/token.css" leads nowhere',
        ),
        ("a dead anchor", "<h1>", '<a href="#nowhere"></a><h1>', 'the link "#nowhere" leads nowhere'),
        ("an id that is there twice", "<h1>", '<h1 id="all">', 'two elements have the id "all"'),
        (
            "a tab that says something else",
            ">Rest</a>",
            ">Best</a>",
            "the tabs are All, Fights, Best, and the panels All, Fights, Rest",
        ),
        ("a text beside the parts", "</body>", "7</body>", '"7" stands beside all parts'),
        ("a figure", "−2</td>", "−7</td>", '"Fights", "Wounds", row 2, column 2: "−2" is not there, but "−7"'),
        ("a panel that is missing", 'data-frame="1"', "", "1 parts, but the model has 2"),
    ],
)
def test_faults_of_html(title: str, old: str, new: str, line: str) -> None:
    assert found(SCREEN, changed_html(rendered(SCREEN), old, new)) == [f"game/x.html: {line}"], title


def test_a_page_too_few() -> None:
    def cut(pdf: pikepdf.Pdf) -> None:
        del pdf.pages[1]

    assert found(SCREEN, changed_pdf(rendered(SCREEN), cut)) == [
        "game/x.pdf: 1 pages; 2 pages with 2 parts were laid out, and the model has 2 parts"
    ]


def test_bytes_that_are_no_pdf() -> None:
    with pytest.raises(RenderError, match=r"game/x\.pdf is not a PDF that can be read"):
        read_back(expected(SCREEN), replace(rendered(SCREEN), pdf=b"%PDF-"))


def test_a_mismatch_says_its_place() -> None:
    assert str(Mismatch("a.pdf", "page 2", "gone")) == "a.pdf: page 2: gone"
    assert str(Mismatch("a.pdf", "", "gone")) == "a.pdf: gone"
