"""Reference booklets: all tables are on their pages, whole, and page numbers lead to them."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest

from refgen.aids.booklet import job
from refgen.aids.booklet.job import booklet_html, expected_parts, fit_booklet, on_paper, page_box
from refgen.aids.booklet.model import Booklet, BookletTable, Chapter, LinkedText, make_booklet
from refgen.aids.booklet.pages import (
    HEIGHT,
    WIDTH,
    BookletPage,
    ContentsLines,
    Heading,
    Item,
    TableNote,
    TableSlice,
    TableTitle,
    set_table,
)
from refgen.aids.booklet.planner import BookletPlanner
from refgen.aids.kind import FittedPages
from refgen.blocks.letters import SettableWords
from refgen.blocks.table_block import TableBlock
from refgen.blocks.table_cells import ShownCell, ShownColumn
from refgen.errors import RenderError
from refgen.game import SystemInfo
from refgen.layout.page_format import Paper
from refgen.layout.readback.compare import pdf_mismatches
from tests.conftest import BOOKLETS, LETTER, SYSTEMS, game, others_in_soak
from tests.layout.laid_out import pdf_of
from tests.layout.tagged import faults
from tests.layout.test_layout_cache import Pages

EACH = [system if system == "harmonies" else pytest.param(system, marks=pytest.mark.slow) for system in SYSTEMS]

SYSTEM = SystemInfo("toy", "Toy", "A game for tests.", "#1d4e79", "Toy, a document")


@cache
def booklet(system: str) -> Booklet:
    return make_booklet(game(system))


@cache
def planned(system: str) -> Sequence[BookletPage]:
    return BookletPlanner(SystemInfo.of(game(system)), booklet(system)).pages()


def items(pages: Sequence[BookletPage]) -> Iterator[tuple[int, Item]]:
    """All that stands on the pages, each with the number of its page, from 1."""
    return ((page.number + 1, placed.item) for page in pages for placed in page.items)


def titled(pages: Sequence[BookletPage]) -> dict[str, int]:
    """The page that each chapter and each table begins on, by its anchor."""
    return {item.anchor: page for page, item in items(pages) if isinstance(item, Heading | TableTitle) and item.anchor}


def table(rows: int, columns: int, anchor: str = "table", word: str = "word") -> BookletTable:
    heads = tuple(ShownColumn(f"Column {number}", "", "start" if not number else "end") for number in range(columns))
    cells = tuple(
        tuple(ShownCell(f"{word} {row}.{number}", heads[number].align, header=not number) for number in range(columns))
        for row in range(rows)
    )
    return BookletTable(anchor, TableBlock(f"Table {anchor}", heads, cells))


def toy(*tables: BookletTable) -> Booklet:
    return Booklet(("About.",), (Chapter("Chapter", "chapter", tables),))


# Planned pages


@pytest.mark.slow
@pytest.mark.parametrize("system", EACH)
def test_every_cell_of_every_table_stands_once_in_the_order_of_the_game(system: str) -> None:
    found = [cell.text for _, item in items(planned(system)) if isinstance(item, TableSlice) for cell in cells_of(item)]
    tables = [each for chapter in booklet(system).chapters for each in chapter.tables]
    wanted = [cell.text for each in tables for part in set_table(each.block) for row in part.block.rows for cell in row]
    assert found == wanted
    assert {table.id for table in game(system).tables.values()} <= {
        each.anchor.removeprefix("table-") for each in tables
    }


def cells_of(item: TableSlice) -> Iterator[ShownCell]:
    return (cell for row in item.block.rows for cell in row)


@pytest.mark.parametrize("system", EACH)
def test_the_contents_and_all_references_name_the_page_that_a_table_begins_on(system: str) -> None:
    pages = planned(system)
    there = titled(pages)
    listed = [line for _, item in items(pages) if isinstance(item, ContentsLines) for line in item.lines]
    assert {line.anchor: line.page for line in listed} == {
        anchor: page for anchor, page in there.items() if anchor != "contents"
    }
    references = [part for _, item in items(pages) if isinstance(item, TableNote) for part in item.words if part.anchor]
    assert references
    for part in references:
        assert part.text.endswith(f", p.\u00a0{there[part.anchor]}")


@pytest.mark.parametrize("system", EACH)
def test_no_table_is_wider_than_the_page_and_no_title_stands_last(system: str) -> None:
    pages = planned(system)
    assert max(item.width for _, item in items(pages) if isinstance(item, TableSlice)) <= WIDTH + 0.1
    for page in pages:
        assert not isinstance(page.items[-1].item, Heading | TableTitle)


@pytest.mark.slow
def test_a_computed_table_refers_to_the_tables_it_follows_from() -> None:
    tables = {each.anchor: each for chapter in booklet("interactive-history").chapters for each in chapter.tables}
    armies = tables["table-military-forces"]
    assert LinkedText("Army sizes", "table-armies") in armies.follows_from


def test_a_table_with_a_letter_that_no_font_has_stays_out_and_nothing_refers_to_it() -> None:
    beasts, other = table(2, 2, "beasts", "龍"), table(2, 2, "other")
    words = SettableWords()
    found = toy(beasts, replace(other, follows_from=(LinkedText("Beasts", "beasts"),))).settable(words)
    assert [one.anchor for one in found.chapters[0].tables] == ["other"]
    assert found.chapters[0].tables[0].follows_from == ()
    assert ["龍 (U+9F8D)" in fault.message for fault in words.faults] == [True]
    assert toy(beasts).settable(SettableWords()).chapters == ()


def test_a_table_of_more_columns_than_a_page_has_room_for_comes_in_parts_that_all_name_their_rows() -> None:
    wide = table(4, 30).block
    parts = set_table(wide)
    assert len(parts) > 1
    assert all([row[0].text for row in part.block.rows] == [row[0].text for row in wide.rows] for part in parts)
    assert [row[1:] for part in parts for row in zip(*part.block.rows, strict=True) if not row[0].header] == [
        row[1:] for row in list(zip(*wide.rows, strict=True))[1:]
    ]
    assert all(sum(part.widths) <= WIDTH for part in parts)


def test_rows_that_their_first_column_does_not_tell_apart_keep_the_columns_that_do() -> None:
    wide = table(4, 30).block
    rows = tuple((replace(row[0], text="alike"), *row[1:]) for row in wide.rows)
    for part in set_table(replace(wide, rows=rows)):
        assert [row[1].text for row in part.block.rows] == [f"word {row}.1" for row in range(4)]


def test_a_word_wider_than_a_page_is_an_error() -> None:
    with pytest.raises(RenderError, match="too wide for a booklet"):
        set_table(table(2, 2, word="w" * 200).block)


def test_a_long_narrow_table_is_folded() -> None:
    (folded,) = set_table(table(30, 2).block)
    assert len(folded.block.rows) < 30
    assert folded.whole


def test_a_table_longer_than_a_page_goes_on_under_its_head_and_never_with_one_row() -> None:
    pages = BookletPlanner(SYSTEM, toy(table(100, 5))).pages()
    slices = [item for _, item in items(pages) if isinstance(item, TableSlice)]
    titles = [item.words for _, item in items(pages) if isinstance(item, TableTitle)]
    assert len(slices) > 2
    assert min(len(each.block.rows) for each in slices) > 1
    assert titles == ["Table table", *["Table table, continued"] * (len(slices) - 1)]


# Laid out


def made_tables(last_word: str = "word") -> tuple[BookletTable, ...]:
    """Tables with notes that refer to each other; ``last_word`` stands in the last."""
    first = replace(table(12, 2, "first"), differs=(LinkedText("Findings", "wide"),))
    references = (LinkedText("Table first", "first"),)
    notes = ("A rule.", "Another.")
    second = replace(table(40, 5, "second"), notes=notes, place="toy/rules.md:12", follows_from=references)
    return first, second, table(3, 20, "wide", last_word)


@cache
def kept() -> Pages:
    """The pages of the toy's booklet, as they were laid out."""
    return Pages()


@cache
def fitted() -> FittedPages[BookletPage]:
    return fit_booklet(SYSTEM, toy(*made_tables()), "toy", kept())


def pdf() -> bytes:
    return fitted().pdf


def mismatches(pages: Sequence[BookletPage]) -> list[tuple[str, str]]:
    model = expected_parts(SYSTEM, pages)
    found = pdf_mismatches(model, pdf(), fitted().measured, "toy.pdf")
    return [(each.where, each.what) for each in found]


def damaged(number: int, item: Item) -> Sequence[BookletPage]:
    """The pages with another item in the place of the last of its kind on a page."""
    pages = list(fitted().pages)
    there = [placed for placed in pages[number].items if type(placed.item) is type(item)][-1]
    changed = tuple(replace(each, item=item) if each is there else each for each in pages[number].items)
    pages[number] = replace(pages[number], items=changed)
    return pages


def with_style(rule: str, system: SystemInfo, pages: Sequence[BookletPage]) -> str:
    return booklet_html(system, pages).replace("</style>", f"{rule}</style>", 1)


@pytest.mark.slow
def test_tables_that_come_out_higher_than_estimated_are_planned_again_with_less_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    booklet = toy(table(30, 5))
    monkeypatch.setattr(job, "booklet_html", partial(with_style, "td { padding-bottom: 3pt }"))
    found = fit_booklet(SYSTEM, booklet, "toy")
    assert found.pages != BookletPlanner(SYSTEM, booklet).pages()
    assert not any(boxes.overflows for page in found.measured for boxes in page.values())
    model = expected_parts(SYSTEM, found.pages)
    assert [*pdf_mismatches(model, found.pdf, found.measured, "toy.pdf")] == []


@pytest.mark.slow
def test_what_fits_in_no_way_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job, "booklet_html", partial(with_style, ".stack { padding-bottom: 800pt }"))
    with pytest.raises(RenderError, match="toy: the text of the cover fits no page of a booklet"):
        fit_booklet(SYSTEM, toy(table(2, 2)), "toy")


@pytest.mark.slow
def test_pages_say_what_was_planned() -> None:
    assert mismatches(fitted().pages) == []


@pytest.mark.slow
def test_a_page_number_that_is_another_is_named() -> None:
    (contents,) = (item for _, item in items(fitted().pages) if isinstance(item, ContentsLines))
    lines = (*contents.lines[:-1], replace(contents.lines[-1], page=99))
    assert mismatches(damaged(1, ContentsLines(lines)))[0][0] == 'page 2, contents, "Table wide"'


@pytest.mark.slow
def test_a_cell_that_is_another_is_named() -> None:
    page, last = [(page, item) for page, item in items(fitted().pages) if isinstance(item, TableSlice)][-1]
    row = last.block.rows[-1]
    rows = (*last.block.rows[:-1], (*row[:-1], replace(row[-1], text="other")))
    found = mismatches(damaged(page - 1, replace(last, block=replace(last.block, rows=rows))))
    assert any('"other" is not there' in what for _, what in found)


@pytest.mark.slow
def test_a_screen_reader_finds_nothing_amiss_and_hears_no_running_heads() -> None:
    for paper in (Paper.A5, Paper.HALF_LETTER):
        with pikepdf.open(io.BytesIO(on_paper(pdf(), paper))) as opened:
            assert faults(opened) == []


@pytest.mark.slow
def test_links_lead_to_the_pages_that_their_words_name() -> None:
    with pikepdf.open(io.BytesIO(pdf())) as opened:
        pages = {page.objgen: number for number, page in enumerate(opened.pages, start=1)}
        names: Any = opened.Root.Names.Dests.Names
        there = {str(name): pages[place[0].objgen] for name, place in zip(names[::2], names[1::2], strict=True)}
    assert there == titled(fitted().pages)


@pytest.mark.slow
def test_bookmarks_are_the_chapters_with_their_tables() -> None:
    with pikepdf.open(io.BytesIO(pdf())) as opened, opened.open_outline() as found:
        (cover,) = found.root
        assert [(one.title, [two.title for two in one.children]) for one in cover.children] == [
            ("Contents", []),
            ("Chapter", ["Table first", "Table second", "Table wide"]),
        ]


@pytest.mark.slow
def test_half_a_letter_has_the_same_pages_and_room_around_them() -> None:
    left, bottom, right, top = page_box(Paper.HALF_LETTER)
    assert (round((right - left) / 72, 3), round((top - bottom) / 72, 3)) == (5.5, 8.5)
    assert right - left - WIDTH > 0.8 * 72
    assert top - bottom - HEIGHT > 72
    half = on_paper(pdf(), Paper.HALF_LETTER)
    assert half == on_paper(pdf(), Paper.HALF_LETTER)
    with pikepdf.open(io.BytesIO(half)) as one, pikepdf.open(io.BytesIO(pdf())) as other:
        for page, same in zip(one.pages, other.pages, strict=True):
            assert page.Contents.read_bytes() == same.Contents.read_bytes()


@pytest.mark.slow
def test_pages_that_change_are_laid_out_alone_and_the_bytes_are_as_if_all_were(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = list[list[int]]()

    def make(system: SystemInfo, pages: Sequence[BookletPage]) -> str:
        made.append([page.number for page in pages])
        return booklet_html(system, pages)

    def fit(pages: Pages, last_word: str = "word") -> FittedPages[BookletPage]:
        made.clear()
        return fit_booklet(SYSTEM, toy(*made_tables(last_word)), "toy", pages)

    before, count = fitted(), len(fitted().measured)
    monkeypatch.setattr(job, "booklet_html", make)
    changed = fit(kept(), "other")
    shown = {page - 1 for page, item in items(changed.pages) if isinstance(item, TableSlice) and "other" in repr(item)}
    assert 0 < len(shown) < count
    assert made == [*([number] for number in range(count)), sorted(shown)]
    assert changed.pdf != before.pdf
    assert changed.pdf == fit(Pages(), "other").pdf
    assert made == [*([number] for number in range(count)), [*range(count)]]
    again = fit(kept())
    assert (again.pages, again.pdf, again.measured) == (before.pages, before.pdf, before.measured)
    assert made == [[number] for number in range(count)]


@pytest.mark.slow
def test_a_page_laid_out_alone_has_the_head_and_the_number_that_it_has_among_others() -> None:
    """They are compared as well wherever pages are read back; here a page comes first of those laid out."""
    cover, *others = fitted().pages
    whole = pdf_of(booklet_html(SYSTEM, [cover, *others]))
    for page in (cover, others[-1]):
        alone = pdf_of(booklet_html(SYSTEM, [page]))
        with pypdfium2.PdfDocument(whole) as one, pypdfium2.PdfDocument(alone) as other:
            texts = [pdf[number].get_textpage().get_text_range() for pdf, number in ((one, page.number), (other, 0))]
        assert texts[0] == texts[1]
        assert (f"{page.chapter}\r\n{page.number + 1}" in texts[0]) == (page is not cover)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("system", "name"),
    others_in_soak(
        [(LETTER, "booklet-half-letter.pdf"), *((system, "booklet-a5.pdf") for system in BOOKLETS)],
        product(SYSTEMS, ["booklet-half-letter.pdf", "booklet-a5.pdf"]),
    ),
)
def test_the_booklet_of_every_game_is_sound(built: Path, system: str, name: str) -> None:
    with pikepdf.open(built / system / name) as opened:
        assert faults(opened) == []
        assert len(opened.pages) == len(planned(system))
