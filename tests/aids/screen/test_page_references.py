"""References to the printed book: the pages that system.toml says, else those that the document marks."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pikepdf
import pytest
from pypdfium2 import PdfDocument

from refgen.aids.panels.job import PanelsJob
from refgen.aids.panels.model import USUAL_FORMAT, Panels
from refgen.aids.screen.kind import ScreenKind, screen_of_game
from refgen.aids.screen.page_references import PageIndex
from refgen.blocks.kinds import BlockSpec
from refgen.blocks.text_blocks import QuoteSpec
from refgen.errors import RefgenError
from refgen.game import GameModel, SystemInfo, load_game
from tests.aids.stranger import RULES, SYSTEM, lantern_road
from tests.layout.tagged import faults

SAID = '[pages]\n"Combat" = 30\n"range modifiers" = "34–35"\n"Names" = 9\n'


def road(folder: Path, *, rules: str = RULES, system: str = SYSTEM, more: str = "") -> GameModel:
    """The game with other rules, and with pages in its system.toml."""
    lantern_road(folder)
    (folder / "lantern-road" / "rules.md").write_text(rules, encoding="utf-8")
    (folder / "lantern-road" / "system.toml").write_text(f"{system}\n{more}", encoding="utf-8")
    return load_game(folder / "lantern-road")


def pages(game: GameModel, *tables: str) -> list[list[str]]:
    return [[*PageIndex(game).pages(BlockSpec(table=table))] for table in tables]


def test_a_table_has_its_own_page_or_that_of_the_nearest_section_around_it(tmp_path: Path) -> None:
    system = SYSTEM.replace('title = "Weapons"', 'title = "Weapons"\npage = 31')
    found = pages(road(tmp_path, system=system, more=SAID), "weapons", "range", "armour", "names", "finds")
    assert found == [["31"], ["34–35"], ["30"], ["9"], []]


def test_a_quotation_and_a_text_have_the_pages_of_their_words(tmp_path: Path) -> None:
    rules = RULES.replace("### Armour", "Roll 2d6 to hit.\n\n### Armour")
    rules = rules.replace("### Finds", "Roll 3d6 to run.\n\n### Finds")
    facts = "".join(
        f'{name} = {{ title = "Dice", text = "Roll {{{name}}} to {name}", type = "dice" }}\n' for name in ("hit", "run")
    )
    index = PageIndex(road(tmp_path, rules=rules, more=f'{SAID}"The road" = 101\n[facts]\n{facts}'))
    assert index.pages(BlockSpec(quote=QuoteSpec(section="The road"))) == ["101"]
    assert index.pages(BlockSpec(steps=["Run: {run}.", "Hit: {hit}.", "Or not."])) == ["34–35", "101"]
    assert index.pages(BlockSpec(text="Nothing of the book.")) == []


@pytest.mark.parametrize(
    ("mark", "found"),
    [
        ("\f\n", [["1"], ["2"], ["2"]]),
        ('<div role="doc-pagebreak" aria-label="Page 34"></div>\n\n', [[], ["34"], ["34"]]),
        ('<div epub:type="pagebreak" id="p34" title="34"/>\n\n', [[], ["34"], ["34"]]),
    ],
)
def test_pages_that_a_document_marks_are_taken(tmp_path: Path, mark: str, found: list[list[str]]) -> None:
    rules = RULES.replace("## Combat", f"{mark}## Combat")
    assert pages(road(tmp_path, rules=rules), "names", "weapons", "charms") == found


def test_a_heading_that_the_document_does_not_have_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RefgenError, match='has no section "Combatt"') as told:
        road(tmp_path, more='[pages]\n"Combatt" = 3\n')
    assert told.value.hint == "Did you mean Combat?"


def screen(folder: Path, text: str, more: str = SAID) -> Panels:
    game = road(folder, more=more)
    (folder / "lantern-road" / "screen.toml").write_text(text, encoding="utf-8")
    return screen_of_game(folder / "lantern-road", game)


SCREEN = """
page_references = true
[[panels]]
title = "A fight"
blocks = ["weapons", { table = "range", title = "Far and near" }, { text = "Run.", page = "A-3" }, "finds"]
[[panels]]
title = "Names"
page_references = false
blocks = ["names", { text = "Ask.", title = "Who?", page = 7 }]
"""


def test_references_stand_behind_titles_where_the_author_wants_them(tmp_path: Path) -> None:
    blocks = [block.block for panel in screen(tmp_path, SCREEN).panels for block in panel.blocks]
    assert [(block.title, block.page, block.note) for block in blocks] == [
        ("Weapons", "p. 30", ""),
        ("Far and near", "p. 34–35", ""),
        ("", "", "p. A-3"),
        ("Finds (d6)", "", ""),
        ("Names (d6)", "", ""),
        ("Who?", "p. 7", ""),
    ]


def test_references_without_any_page_are_refused(tmp_path: Path) -> None:
    made = screen(tmp_path, SCREEN, more="")
    (fault,) = made.faults
    assert (fault.message, fault.span and fault.span.line) == ("no page of Lantern Road is known", 5)
    assert [panel.title for panel in made.panels] == ["Names"]  # it wants none


@pytest.mark.slow
def test_references_are_printed_small_and_read_back(tmp_path: Path) -> None:
    made = screen(tmp_path, SCREEN)
    system = SystemInfo("lantern-road", "Lantern Road", "", "#1d4e79", "")
    done = PanelsJob(ScreenKind.names, system, made, [USUAL_FORMAT]).make()
    pdf = done.files["lantern-road/gm-screen-a4.pdf"]
    assert (done.errors, done.mismatches) == ([], [])
    assert "Weapons p. 30\r\n" in PdfDocument(pdf)[0].get_textpage().get_text_range()
    with pikepdf.open(BytesIO(pdf)) as opened:
        assert faults(opened) == []
