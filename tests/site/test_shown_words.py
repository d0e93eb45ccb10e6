"""What stands in documents and files of a game and shows on pages: sound words pass `--strict`, others are named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from refgen.cli import main

SYSTEM = """title = "Small"
about = "A small game."
document = "{document}"
accent = "#1d4e79"
source = "Nobody"
[tables.numbers]
title = "Odds"
section = "Numbers"
header = ["Roll", "Chance"]
columns = [{{ id = "roll" }}, {{ id = "chance" }}]
"""
PAGE = """<h1 id="start">Rules</h1>
<p><a href="#odds">Chapter 2 of 3</a>: roll <b>1</b>2 or 6.</p>
<h2 id="odds">Numbers</h2>
<table id="chances"><tr><th>Roll</th><th>Chance</th></tr><tr><td>6</td><td>16.67%</td></tr></table>
<h2>Main</h2>
<p>Roll 8, as <a href="#chances">the table</a> has it.</p>
<h2>Line 2</h2>
<p>Roll 9.</p>
"""


def project(folder: Path, files: dict[str, str], system: str = SYSTEM) -> Path:
    game = folder / "small"
    game.mkdir()
    (folder / "refgen.toml").touch()
    (game / "system.toml").write_text(system.format(document=next(iter(files))), encoding="utf-8")
    for name, text in files.items():
        (game / name).write_text(text, encoding="utf-8")
    return folder


def refgen(command: str, folder: Path, *options: str) -> Result:
    return CliRunner().invoke(main, [command, "--project", str(folder), *options], catch_exceptions=False)


def site(folder: Path) -> Result:
    return refgen("build", folder, "--only", "site", "--strict", "--jobs", "1", "-o", str(folder / "out"))


@pytest.mark.slow
def test_numbers_within_links_and_in_parts_shift_no_other_in_the_read_back(tmp_path: Path) -> None:
    result = site(project(tmp_path, {"rules.html": PAGE}))
    assert "warning" not in result.stderr
    assert result.exit_code == 0
    page = (tmp_path / "out" / "small" / "rules.html").read_text(encoding="utf-8")
    assert re.findall(r'href="#(n\.\d)">(.*?)<', page) == [
        ("n.3", "1"),
        ("n.3", "2"),
        ("n.4", "6"),
        ("n.5", "6"),
        ("n.6", "16.67%"),
        ("n.7", "8"),
        ("n.8", "9"),
    ]
    assert '<a href="#numbers-2">Chapter </a>' in page  # "numbers" is what is known of them


@pytest.mark.slow
def test_ids_of_a_page_are_its_own_whatever_sections_and_tables_are_called(tmp_path: Path) -> None:
    assert site(project(tmp_path, {"rules.html": PAGE})).exit_code == 0
    for name in ("rules.html", "tables/numbers.html"):
        page = (tmp_path / "out" / "small" / name).read_text(encoding="utf-8")
        ids = re.findall(r'\bid="?([^" >]+)', page)
        assert len(ids) == len(set(ids)), name


@pytest.mark.slow
def test_links_to_an_id_lead_to_that_of_the_named_document(tmp_path: Path) -> None:
    links = "<a href='b.html#fight'>There</a>, <a href='#fight'>here</a>, <a href='c.html#fight'>gone</a>."
    first = f"<h1>Rules</h1><p>{links}</p><h2>Fight</h2><p>a</p>"
    second = "<h1>More</h1><h2 id='fight'>Combat</h2><p>b</p>"
    system = 'title = "S"\nabout = "S."\ndocuments = ["*.html"]\naccent = "#1d4e79"\nsource = "S"\n[tables]\n'
    result = site(project(tmp_path, {"a.html": first, "b.html": second}, system))
    assert (result.exit_code, "warning" in result.stderr) == (0, False)
    page = (tmp_path / "out" / "small" / "rules" / "a.html").read_text(encoding="utf-8")
    assert 'href="b.html#combat">There' in page
    assert 'href="#fight">here</a>, gone.' in page


def test_an_id_that_stands_twice_in_a_document_is_a_note(tmp_path: Path) -> None:
    result = refgen("check", project(tmp_path, {"rules.html": PAGE.replace('"odds"', '"start"')}))
    assert 'small/rules.html:3:1: remark: the id "start": links to it lead to small/rules.html:1:1' in result.stdout
    assert result.exit_code == 0


@pytest.mark.parametrize(
    ("old", "new", "place", "words"),
    [
        ("A small game.", "One sentence about the game.", "2:1", "write what the game is"),
        ('title = "Odds"', 'title = "Odds of {reaction}"', "7:1", "{reaction}: these words have no names in braces"),
        ('"Nobody"', '"{author}"', "5:1", "{author}: these words have no names in braces"),
    ],
)
def test_words_to_be_replaced_are_findings(tmp_path: Path, old: str, new: str, place: str, words: str) -> None:
    system = SYSTEM.replace(old, new.replace("{", "{{").replace("}", "}}"))
    result = refgen("check", project(tmp_path, {"rules.html": PAGE}, system))
    (line,) = [line for line in result.stdout.splitlines() if "warning" in line]
    assert line.startswith(f"small/system.toml:{place}: warning: ")
    assert words in line
    assert result.exit_code == 1


def test_choices_of_a_sheet_and_the_title_of_a_screen_name_facts_like_all_words_of_aids(tmp_path: Path) -> None:
    choices = 'title = "Sheet"\nwho = ["Name", { label = "Mood", choices = ["{reaction}", "b"] }]\n'
    folder = project(tmp_path, {"rules.html": PAGE, "sheet.toml": choices})
    result = refgen("check", folder)
    assert 'there is no fact "reaction"' in result.stderr
    assert result.exit_code == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Od\\u2028ds", "a character that no page can show (U+2028)"),
        ("Od\\u0007ds", "a character that no page can show (U+0007)"),
        ("Odds " * 1000, "a title of 5,000 letters, for which no page has room"),
    ],
)
def test_a_title_that_no_page_can_show_is_blamed_at_its_place(tmp_path: Path, text: str, words: str) -> None:
    folder = project(tmp_path, {"rules.html": PAGE}, SYSTEM.replace('title = "Odds"', f'title = "{text}"'))
    result = refgen("check", folder)
    assert result.stderr.startswith(f"small/system.toml:7:1: {words}")
    assert result.exit_code == 2


@pytest.mark.slow
def test_a_heading_that_fits_no_page_of_a_booklet_is_named(tmp_path: Path) -> None:
    page = PAGE.replace(">Numbers<", f">{'Numbers' * 400}<")
    system = SYSTEM.replace('section = "Numbers"\n', "")
    folder = project(tmp_path, {"rules.html": page}, system)
    result = refgen("build", folder, "--only", "booklet", "--jobs", "1", "-o", str(tmp_path / "out"))
    assert 'small/booklet-a5: "NumbersNumbers' in result.stderr
    assert "refgen" not in result.stderr.partition("hint")[2]
    assert result.exit_code == 2
