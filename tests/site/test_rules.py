"""The blocks of a document, each once and in order, whatever its format."""

from __future__ import annotations

from pathlib import Path

import pytest

from refgen.blocks.typesetting import typeset
from refgen.game import load_game
from refgen.readers.document import Grid, ItemList
from refgen.readers.read import open_document
from refgen.rules.model import RuleTable
from refgen.site.game_pages import make_pages
from refgen.site.html import page_html
from refgen.site.rules import Paragraph, RulesList, RulesPage, RulesTable, blocks_of
from refgen.source import Passage
from tests.conftest import SYSTEMS, game
from tests.rules.game_files import write_game


def shown(folder: Path, name: str, text: str) -> list[str]:
    """The blocks of a document: what each is, and its first words."""
    (folder / name).write_text(text, encoding="utf-8")
    found = []
    for section in open_document(folder / name).sections:
        for printed in blocks_of(section, []):
            match printed.content:
                case Grid() as grid:
                    found.append(f"table {grid.rows[0][0].text}")
                case ItemList() as block:
                    found.append(f"list {block.items[0].text}")
                case Passage() as passage:
                    found.append(f"{'raw' if printed.is_raw else 'text'} {passage.text}")
                case RuleTable():
                    found.append("table")
    return found


def test_markdown(tmp_path: Path) -> None:
    text = "One.\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\nTwo.\n\n- first\n- second\n\nThree.\n"
    assert shown(tmp_path, "rules.md", text) == ["text One.", "table A", "text Two.", "list first", "text Three."]


def test_the_words_of_a_list_stand_there_once(tmp_path: Path) -> None:
    items = "<itemizedlist><listitem><para>first</para></listitem></itemizedlist>"
    text = f"<chapter><title>T</title><para>One.</para>{items}</chapter>"
    assert shown(tmp_path, "rules.xml", text) == ["text One.", "list first"]
    assert shown(tmp_path, "rules.txt", "Title\n\nBefore it.\n\n- first\n- second\n") == [
        "text Before it.",
        "list first",
    ]


def test_columns_that_no_table_of_the_game_reads_stay_text(tmp_path: Path) -> None:
    text = "Title\n\nName    Number\nGood    2\nFair    0\n"
    assert shown(tmp_path, "rules.txt", text) == ["text Name Number Good 2 Fair 0"]


def words(page: RulesPage) -> str:
    found = []
    for block in (block for section in page.sections for block in section.blocks):
        match block.content:
            case Paragraph():
                found += [run.text for run in block.content.runs]
            case RulesList():
                found += [run.text for item in block.content.items for run in item]
            case RulesTable():
                rows = (*block.content.heads, *block.content.rows)
                found += [block.content.caption, *(run.text for row in rows for cell in row for run in cell)]
    return " ".join(found)


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_number_of_a_document_stands_on_its_page_with_what_is_known_of_it(system: str) -> None:
    (page,) = [page for page in make_pages(game(system), []) if isinstance(page, RulesPage)]
    known = " ".join(note.explanation.printed for note in page.notes)
    titles = " ".join(section.title for section in page.sections)
    for entry in game(system).coverage().entries:
        assert entry.text in known or entry.text in titles, entry
        assert typeset(entry.text) in words(page) or entry.text in titles, entry


def test_a_row_of_one_cell_stands_there_once_over_the_width(tmp_path: Path) -> None:
    document = '<table><tr><th>Weapon</th><th>Cost</th></tr><tr><td colspan="2">Blades</td></tr></table>'
    system = 'title = "G"\nabout = "A game."\ndocument = "rules.html"\naccent = "#123456"\nsource = "S"\n[tables]\n'
    made = load_game(write_game(tmp_path / "game", {"system.toml": system, "rules.html": document}))
    (page,) = (page for page in make_pages(made, []) if isinstance(page, RulesPage))
    (table,) = (block.content for block in page.sections[0].blocks)
    assert isinstance(table, RulesTable)
    assert [["".join(run.text for run in runs) for runs in row] for row in table.rows] == [["Blades"]]
    assert '<td colspan="2">Blades</td>' in page_html(page)
