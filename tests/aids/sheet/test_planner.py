"""The sheets of the five games on paper: heights are estimated as they turn out, and every column reaches the foot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from shutil import copytree
from unittest.mock import patch

import pytest

from refgen.aids.sheet import job as sheet_job
from refgen.aids.sheet.arranged_page import shared_lines
from refgen.aids.sheet.job import SheetJob
from refgen.aids.sheet.kind import SheetKind
from refgen.aids.sheet.parts import PlacedColumn, PlacedPage
from refgen.aids.sheet.planner import FittedSheet, SheetPlanner, fit_sheet
from refgen.characters.character_files import read_characters
from refgen.characters.filling import fill, filled_sheet
from refgen.characters.form import Form
from refgen.characters.make_sheet import make_sheet
from refgen.characters.sheet import CharacterSheet
from refgen.errors import RefgenError
from refgen.files import bundled_folder
from refgen.game import SystemInfo
from refgen.layout.lengths import PIXEL, SHEET_LINE
from refgen.layout.page_format import PageFormat, Paper, Theme
from refgen.look.look import USUAL as NO_LOOK
from refgen.look.look import in_look
from refgen.words import ENGLISH
from tests.aids.sheet.sheets import sheet
from tests.conftest import RICHEST, SYSTEMS, game, others_in_soak
from tests.layout.type_sizes import texts_under

USUAL = [PageFormat(Paper.A4), PageFormat(Paper.LETTER)]
LARGE = PageFormat(Paper.A4, theme=Theme.LARGE_PRINT)
LARGE_LETTER = PageFormat(Paper.LETTER, theme=Theme.LARGE_PRINT)


@cache
def fitted(system: str, page_format: PageFormat) -> FittedSheet:
    """A sheet as it is set. No page was higher than it was estimated, and so each was laid out once."""
    info = SystemInfo.of(game(system))
    with patch.object(SheetPlanner, "learn", side_effect=AssertionError("an estimate was too low")):
        return fit_sheet(info, sheet(system), page_format, system)


@pytest.fixture(scope="module", autouse=True)
def forgets_layouts() -> Iterator[None]:
    """A layout has a folder of fonts, which must go before the interpreter does."""
    yield
    fitted.cache_clear()


def heights(found: FittedSheet, page: PlacedPage) -> Iterator[tuple[PlacedColumn, list[float]]]:
    """The columns of a page, each with the heights of its parts in points, as they were measured."""
    blocks = iter(found.laid_out[page.number].parts[page.number].blocks)
    for column in page.columns:
        yield column, [next(blocks) * PIXEL for _ in column.parts]


RICH, RICH_TOO = RICHEST


@pytest.mark.slow
@pytest.mark.parametrize(
    ("system", "page_format"),
    others_in_soak([(RICH, USUAL[0]), (RICH_TOO, LARGE)], product(SYSTEMS, [*USUAL, LARGE])),
)
def test_every_column_reaches_the_foot_of_the_page(system: str, page_format: PageFormat) -> None:
    """But for less than a line; columns of charts alone are spread so far and no farther."""
    found = fitted(system, page_format)
    for page in found.pages.pages:
        for column, parts in heights(found, page):
            used = sum(parts) + (len(parts) - 1) * column.gap
            stretches = any(placed.part.stretches for placed in column.parts)
            assert used <= column.height + 0.5
            least = column.height - SHEET_LINE * page.size if stretches else 0.84 * column.height
            assert used >= least - 1, (system, page.number)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("page_format", USUAL, ids=["a4", "letter"])
def test_a_page_of_a_sheet_is_a_page_of_paper_in_readable_type(system: str, page_format: PageFormat) -> None:
    pages = SheetPlanner(sheet(system), page_format, ENGLISH).pages().pages
    assert [page.sheet_page for page in pages] == list(range(len(sheet(system).pages)))
    assert min(page.size for page in pages) >= 8.4


def test_the_lines_of_a_filled_list_stay_and_blank_ones_come_after_them() -> None:
    own = Form(game("atari-isev"), sheet("atari-isev"))
    path = bundled_folder("content") / "atari-isev" / "characters" / "ista-venn.toml"
    (character,) = read_characters(own, [path]).strict()
    filled = filled_sheet(own.sheet, fill(own, character))
    pages = SheetPlanner(filled, PageFormat(), ENGLISH).pages().pages
    shown = {field.name: field.value for page in pages for field in page.fields()}
    assert {field.name: field.value for field in filled.fields()}.items() <= shown.items()
    assert (shown["skills.1.skill"], shown["skills.7.skill"]) == ("Forging a hand", "")
    blank = SheetPlanner(sheet("atari-isev"), PageFormat(), ENGLISH).pages().pages
    assert [[part.part.id for part in page.parts()] for page in pages] == [
        [part.part.id for part in page.parts()] for page in blank
    ]


@pytest.mark.slow
@pytest.mark.parametrize("system", others_in_soak([RICH], SYSTEMS))
def test_no_page_of_large_print_on_letter_is_half_empty(system: str) -> None:
    """Where no order of the parts fills a page of fewer lines: at most a fifth of its columns stays blank."""
    found = fitted(system, LARGE_LETTER)
    for page in found.pages.pages:
        used = [
            (column, sum(parts) + (len(parts) - 1) * column.gap)
            for column, parts in heights(found, page)
            if parts and not column.parts[0].part.wide
        ]
        blank = sum(column.width * (column.height - height) for column, height in used)
        assert blank <= 0.2 * sum(column.width * column.height for column, _ in used), (system, page.number)


@pytest.mark.slow
@pytest.mark.parametrize("system", others_in_soak([RICH_TOO], SYSTEMS))
def test_large_print_takes_more_pages_and_keeps_every_part(system: str) -> None:
    found = fitted(system, LARGE).pages.pages
    assert min(page.size for page in found) >= 12
    shown = [placed.part.id for page in found for placed in page.parts()]
    assert shown == [part.id for part in sheet(system).parts()]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("system", "theme"),
    others_in_soak(
        [(RICH, Theme.INK_SAVING), (RICH_TOO, Theme.LARGE_PRINT)],
        product(SYSTEMS, [Theme.INK_SAVING, Theme.LARGE_PRINT]),
    ),
)
def test_every_theme_shows_what_the_sheet_says(system: str, theme: Theme, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are laid out here for other tests are taken as they are, but for large print, which has a look."""
    page_format = PageFormat(Paper.A4, theme=theme)
    if theme is not Theme.LARGE_PRINT:
        monkeypatch.setattr(sheet_job, "fit_sheet", lambda *_: fitted(system, page_format))
    with in_look(replace(NO_LOOK, theme=str(theme))):
        done = SheetJob(SheetKind.names, SystemInfo.of(game(system)), sheet(system), [page_format]).make()
    assert (done.errors, done.mismatches) == ([], [])
    if theme is Theme.LARGE_PRINT:
        assert [text for pdf in done.files.values() for text in texts_under(pdf, 12)] == []


@pytest.mark.parametrize(
    ("title", "least", "more", "expected"),
    [
        ("nothing left", [3, 2], 0, [0, 0]),
        ("no part that stretches", [0, 0], 5, [0, 0]),
        ("as many again for each", [4, 2], 6, [4, 2]),
        ("the first of two alike", [3, 0, 3], 1, [1, 0, 0]),
    ],
)
def test_lines_are_shared_out_by_what_there_is(title: str, least: list[int], more: int, expected: list[int]) -> None:
    assert shared_lines(least, more) == expected, title


def changed(folder: Path, old: str, new: str) -> CharacterSheet:
    copy = copytree(bundled_folder("content") / "harmonies", folder / "harmonies")
    text = (copy / "sheet.toml").read_text(encoding="utf-8")
    assert old in text
    (copy / "sheet.toml").write_text(text.replace(old, new, 1), encoding="utf-8")
    return make_sheet(copy, game("harmonies"))


@pytest.mark.parametrize(
    ("title", "old", "new", "message"),
    [
        ("too many lines", "lines = 14", "lines = 60", '"Character sheet", page 1 is too full by'),
        (
            "a wide part between others",
            'title = "Equipment"',
            'title = "Equipment"\nwide = true',
            "is as wide as the page",
        ),
        (
            "too wide a table",
            "fold = 5",
            f"fold = 8, heads = {{ odds = '{'o' * 20}' }}",
            '"Odds by final difficulty" is too wide by',
        ),
    ],
)
def test_what_does_not_fit_is_named_with_its_place(
    tmp_path: Path, title: str, old: str, new: str, message: str
) -> None:
    with pytest.raises(RefgenError) as caught:
        SheetPlanner(changed(tmp_path, old, new), PageFormat(Paper.LETTER), ENGLISH).pages()
    assert message in caught.value.message, title
    assert str(caught.value.span).startswith("harmonies/sheet.toml:")
    assert caught.value.hint
