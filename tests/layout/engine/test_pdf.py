"""PDFs for everybody: title, language, bookmarks and tags, as PDF/UA-1 wants them (checked by tests.layout.tagged)."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from lxml.html import document_fromstring

from refgen.aids.cards.job import DeckJob
from refgen.aids.cards.kind import CardsKind
from refgen.aids.cards.model import Card, CardDeck, make_deck
from refgen.aids.kind import AidJob
from refgen.aids.panels.job import PanelsJob
from refgen.aids.panels.model import USUAL_FORMAT, Panels
from refgen.aids.screen.kind import ScreenKind, screen_of_game
from refgen.aids.sheet.job import SheetJob
from refgen.aids.sheet.kind import SheetKind
from refgen.aids.sheet.parts import SheetPages
from refgen.aids.sheet.planner import SheetPlanner
from refgen.blocks.table_block import TableBlock, folded_table
from refgen.blocks.table_cells import ShownCell, ShownColumn, band
from refgen.blocks.text_blocks import FactsBlock, GlossaryBlock
from refgen.characters.make_sheet import make_sheet
from refgen.files import bundled_folder
from refgen.game import SystemInfo
from refgen.layout.page_format import PageFormat
from refgen.layout.preview import LONGEST, png_size, previews
from refgen.words import ENGLISH
from tests.aids.cards.decks import faces_of, html_of
from tests.conftest import LETTER, game, ours
from tests.layout.laid_out import pdf_of
from tests.layout.tagged import faults, outline, read_tags

pytestmark = pytest.mark.slow

FOLDER = bundled_folder("content") / "interactive-history"
AIDS = ("screen", "sheet", "cards")


@cache
def screen() -> Panels:
    return screen_of_game(FOLDER, game("interactive-history"))


@cache
def sheet_pages() -> SheetPages:
    return SheetPlanner(make_sheet(FOLDER, game("interactive-history")), PageFormat(), ENGLISH).pages()


@cache
def deck() -> CardDeck:
    return make_deck(FOLDER, game("interactive-history"))


Made = Mapping[str, bytes]
Opened = Mapping[str, pikepdf.Pdf]


@pytest.fixture(scope="module")
def data(built: Path) -> Made:
    """The PDF of each aid, as it was built."""
    return {aid: (built / f"{job.name}{suffix}.pdf").read_bytes() for aid, (job, suffix) in jobs().items()}


@cache
def jobs() -> Mapping[str, tuple[AidJob, str]]:
    """The job that makes each aid for A4, and what the name of its file ends with."""
    system = SystemInfo.of(game("interactive-history"))
    return {
        "screen": (PanelsJob(ScreenKind.names, system, screen(), [USUAL_FORMAT]), "-a4"),
        "sheet": (SheetJob(SheetKind.names, system, sheet_pages().sheet, [PageFormat()]), "-a4"),
        "cards": (DeckJob(CardsKind.names, system, deck(), [PageFormat()]), ""),
    }


@pytest.fixture(scope="module")
def read(data: Made) -> Opened:
    return {aid: pikepdf.open(io.BytesIO(pdf)) for aid, pdf in data.items()}


@cache
def deck_with(block: FactsBlock | GlossaryBlock | TableBlock) -> pikepdf.Pdf:
    """A deck of one card with one block."""
    system = SystemInfo("game", "Game", "About", "#123456", "Source")
    page = html_of(system, faces_of(system, CardDeck((Card(1, "Card", (block,)),))))
    return pikepdf.open(io.BytesIO(pdf_of(page)))


@pytest.mark.parametrize("aid", AIDS)
def test_a_screen_reader_finds_nothing_amiss(read: Opened, aid: str) -> None:
    assert faults(read[aid]) == []


@pytest.mark.parametrize(
    ("aid", "title"),
    [("screen", "GM screen"), ("sheet", "Society record"), ("cards", "quick-reference cards")],
)
def test_a_pdf_says_what_it_is_who_made_it_and_from_what(read: Opened, aid: str, title: str) -> None:
    system = ours("interactive-history").spec
    info = read[aid].docinfo
    found = {key: str(info[key]) for key in ("/Title", "/Author", "/Creator", "/Subject")}
    expected = {"/Title": f"{system.title}: {title}", "/Subject": system.source}
    assert found == {**expected, "/Author": "refgen", "/Creator": "refgen"}


@pytest.mark.parametrize("aid", ["sheet", "cards"])  # for screens tests/pipeline/test_resilience.py says so
def test_the_same_aid_gives_the_same_bytes(data: Made, aid: str) -> None:
    job, suffix = jobs()[aid]
    assert job.make().files[f"{job.name}{suffix}.pdf"] == data[aid]


def test_every_panel_is_a_bookmark_and_under_it_its_blocks(read: Opened) -> None:
    assert outline(read["screen"]) == [
        (panel.title, [shown.block.title for shown in panel.blocks if shown.block.title]) for panel in screen().panels
    ]


def test_every_page_of_a_sheet_is_a_bookmark_and_under_it_its_parts(read: Opened) -> None:
    assert outline(read["sheet"]) == [
        (f"Society record, page {page.number + 1}", [placed.part.title for placed in page.parts()])
        for page in sheet_pages().pages
    ]


def test_every_card_is_a_bookmark_and_under_it_its_blocks(read: Opened) -> None:
    cards = [(card.title, [block.title for block in card.blocks if block.title]) for card in deck().cards]
    assert outline(read["cards"]) == [*cards, ("Interactive History", [])]  # the back, which all of them have


def test_the_headings_are_those_of_the_panels(read: Opened) -> None:
    kinds = [tag.kind for tag in read_tags(read["screen"]).all("H1", "H2", "H3")]
    titles = [title for panel in outline(read["screen"]) for title in ("H1", *("H2" for _ in panel[1]))]
    assert kinds == titles


def test_a_list_of_facts_has_an_item_for_each_with_its_title_and_its_figure() -> None:
    pdf = deck_with(FactsBlock("", (("Boxes", "5"), ("Dice", "4dF"))))
    (facts,) = read_tags(pdf).all("L")
    assert [item.kind for item in facts.tags] == ["LI", "LI"]
    assert [[part.kind for part in item.tags] for item in facts.tags] == [["Lbl", "LBody"]] * 2


def test_an_explanation_of_several_lines_is_one_body_of_its_item() -> None:
    long = "Roll two dice, add the stat, and look the sum up. " * 3
    pdf = deck_with(GlossaryBlock("", (("Move", long), ("Aid", "Ask."))))
    (terms,) = read_tags(pdf).all("L")
    assert [[part.kind for part in item.tags if part.kind != "Span"] for item in terms.tags] == [["Lbl", "LBody"]] * 2
    assert faults(pdf) == []


@pytest.mark.parametrize("title", ["Odds", ""])
def test_the_mark_of_a_computed_block_is_read_as_a_word(title: str) -> None:
    pdf = deck_with(replace(table(["Fair* 0"]), title=title, tag="computed"))
    assert [str(tag.entries.ActualText) for tag in read_tags(pdf).all("Span") if "/ActualText" in tag.entries] == [
        "computed"
    ]
    assert faults(pdf) == []


def table(rows: list[str]) -> TableBlock:
    """A table of rows such as "Fair* 0 Good* +1": what has an asterisk is a header; "-" is a blank cell."""
    cells = tuple(
        tuple(ShownCell("" if word == "-" else word.strip("*"), "start", header="*" in word) for word in row.split())
        for row in rows
    )
    columns = tuple(ShownColumn(f"Column {number}", "", "start") for number in range(len(cells[0])))
    return TableBlock("", columns, cells)


@pytest.mark.parametrize(
    ("what", "rows", "wanted"),
    [
        ("a plain table", ["Fair* 0 a", "Good* 1 b"], [[0, 0], [1, 1]]),
        ("names in the middle", ["0 Fair* a", "1 Good* b"], [[0, 0], [1, 1]]),
        ("a folded one", ["Fair* 0 Great* 2", "Good* 1 Superb* 3"], [[0, 1], [2, 3]]),
        ("a folded one, names last", ["0 Fair* 2 Great*", "1 Good* 3 Superb*"], [[0, 1], [2, 3]]),
        ("a folded one with a gap", ["Fair* 0 Great* 2", "Good* 1 - -"], [[0, 1], [2, None, None]]),
    ],
)
def test_a_cell_names_the_head_of_its_row_and_of_its_column(
    what: str, rows: list[str], wanted: list[list[int | None]]
) -> None:
    """``wanted``: for each cell that is no head, which head of the table's rows it names, counted from 0."""
    pdf = deck_with(table(rows))
    (found,) = read_tags(pdf).all("Table")
    head, body = found.tags
    columns = [str(cell.entries.ID) for cell in head.all("TH")]
    names = [str(cell.entries.ID) for cell in body.all("TH")]
    for row, heads in zip(body.all("TR"), wanted, strict=True):
        cells = [(column, cell) for column, cell in zip(columns, row.tags, strict=True) if cell.kind == "TD"]
        expected = [
            [names[number], column] if number is not None else [column]
            for number, (column, _) in zip(heads, cells, strict=True)
        ]
        assert [cell.ids() for _, cell in cells] == expected, what


def test_a_cell_over_all_columns_is_the_head_of_its_own_row_alone() -> None:
    plain = table(["Axe* 1", "Bow* 2"])
    pdf = deck_with(replace(plain, rows=(band("Blades", 2), plain.rows[0], band("Shot " * 20, 2), plain.rows[1])))
    (found,) = read_tags(pdf).all("Table")
    head, body = found.tags
    columns = [str(cell.entries.ID) for cell in head.all("TH")]
    names = [str(cell.entries.ID) for cell in body.all("TH")]
    assert [[cell.kind for cell in row.tags] for row in body.all("TR")] == [["TH"], ["TH", "TD"], ["TD"], ["TH", "TD"]]
    assert [cell.ids() for cell in body.all("TD")] == [[names[1], columns[1]], columns, [names[2], columns[1]]]
    assert faults(pdf) == []


def test_in_a_folded_table_a_cell_over_the_columns_of_a_group_parts_no_other_group() -> None:
    plain = table(["Axe* 1", "Bow* 2"])
    pdf = deck_with(folded_table(replace(plain, rows=(band("Blades", 2), *plain.rows, plain.rows[0])), 2))
    (found,) = read_tags(pdf).all("Table")
    head, body = found.tags
    columns = [str(cell.entries.ID) for cell in head.all("TH")]
    names = [str(cell.entries.ID) for cell in body.all("TH")]
    assert [cell.ids() for cell in body.all("TD")] == [
        [names[1], columns[3]],
        [names[2], columns[1]],
        [names[3], columns[3]],
    ]


def test_a_chart_is_a_figure_in_its_place_that_says_in_words_what_it_shows(built: Path) -> None:
    page = (built / LETTER / "gm-screen-letter.html").read_text(encoding="utf-8")
    written = (built / LETTER / "gm-screen-letter.pdf").read_bytes()
    pdf = pikepdf.open(io.BytesIO(written))
    charts, figures = document_fromstring(page).xpath("//svg"), list(read_tags(pdf).all("Figure"))
    assert len(figures) == len(charts) > 0
    pages = {page.objgen: number for number, page in enumerate(pdf.pages)}
    with pypdfium2.PdfDocument(written) as document:
        for chart, figure in zip(charts, figures, strict=True):
            text_page = document[pages[figure.entries.Pg.objgen]].get_textpage()
            inside = text_page.get_text_bounded(*map(float, figure.entries.A.BBox))
            labels = {label.text_content() for label in chart.xpath(".//text")}
            assert [label for label in labels if label not in inside] == []
            assert str(figure.entries.Alt) == chart.findtext("title")


def test_previews_are_small_pictures_of_the_first_pages(data: Made) -> None:
    pictures = previews(data["screen"], 2)
    assert [png_size(picture) for picture in pictures] == [(LONGEST, 566)] * 2
    assert pictures == previews(data["screen"], 2)
    assert pictures[0] != pictures[1]
    assert all(1_000 < len(picture) < 60_000 for picture in pictures)


def test_there_are_no_more_previews_than_pages(data: Made) -> None:
    assert [png_size(picture) for picture in previews(data["sheet"], 9)] == [(566, LONGEST)] * 2
