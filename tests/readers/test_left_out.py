"""What the format of a document leaves out is named by `refgen check`, with its place; entities are their words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import refgen
from refgen.checks.document_numbers import paragraphs_of
from refgen.cli import main
from refgen.game import load_game

SYSTEM = """title = "G"
about = "A game."
document = "{name}"
accent = "#1d4e79"
source = "Somebody"

[tables]
"""


def notes(folder: Path, name: str, text: str, *options: str) -> list[str]:
    """The notes of `refgen check` about a document: place, what is left out, why."""
    game = folder / "content" / "game"
    game.mkdir(parents=True)
    (folder / "refgen.toml").touch()
    (game / name).write_text(text, encoding="utf-8")
    (game / "system.toml").write_text(SYSTEM.format(name=name), encoding="utf-8")
    checked = CliRunner().invoke(main, ["check", "--project", str(folder), "--format", "json", *options])
    report = json.loads(checked.stdout)
    assert (checked.exit_code, report["errors"]) == (0, [])
    return [
        f"{one['span']['line']}:{one['span']['column']} {one['printed']}: {one['rule'].partition('. ')[0]}"
        for one in report["findings"]
    ]


QUOTES = "> " * 20


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```\nroll 2d6\n```\n", ["3:1 ``` roll 2d6 ```: this code is left out"]),
        ("    roll 2d6\n", ["3:5 roll 2d6: this code is left out"]),
        ("> ```\n> roll 2d6\n> ```\n", ["3:1 > ``` > roll 2d6 > ```: this code is left out"]),
        ("- a\n\n  ```\n  roll 2d6\n  ```\n", []),
        ("| a | b |\n|---|---|\n| 1 | 2 | 3 |\n", ["5:11 3: this table row has 3 cells, its head has 2"]),
        (f"{QUOTES}hit 3\n", [f"3:1 {QUOTES}hit 3: this is left out, for it stands in too many quotes"]),
        (f"{QUOTES[2:]}hit 3\n", []),
        ('a [b](c "hit 3")\n', ['3:10 hit 3: the words of "title" stand apart from the text']),
        ('a [b](c "Rules")\n', []),
        (
            "Right Left\n----- ----\nlong words\n",
            ["4:1 ----- ----: the table whose columns these dashes part is read as words, or left out as code"],
        ),
        ("Words\n\n- - -\n\nWords\n\n---\n", []),
        (
            "+---+---+\n| a | b |\n+===+====+\n| 1 | 2 |\n+---+---+\n",
            ["4:3 a: these lines are parted by bars, but they are no table"],
        ),
    ],
)
def test_what_markdown_leaves_out(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert notes(tmp_path, "rules.md", f"# Rules\n\n{text}") == expected


def test_a_limit_lets_quotes_stand_deeper(tmp_path: Path) -> None:
    assert notes(tmp_path, "rules.md", f"# Rules\n\n{QUOTES}hit 3\n", "--limit", "nesting=30") == []


DOCBOOK = """<!DOCTYPE article PUBLIC "-//OASIS//DTD DocBook XML V4//EN" "docbookx.dtd" [
<!ENTITY n "three"><!ENTITY all "&n; of <emphasis>&n;</emphasis>"><!ENTITY other SYSTEM "other.xml">]>
<article><section><title>On &n;</title>
<para>It rests on &n; three, &all;, 6&#8211;7&nbsp;&frac12;.</para>
<informaltable><tgroup cols="1"><tbody><row><entry>&n;</entry></row></tbody></tgroup></informaltable>
{more}</section></article>
"""


def test_entities_are_read_as_the_words_that_they_stand_for(tmp_path: Path) -> None:
    assert notes(tmp_path, "rules.xml", DOCBOOK.format(more="")) == []
    (section,) = (one for one in refgen.read(tmp_path / "content" / "game" / "rules.xml").sections if one.title)
    assert section.title == "On three"
    assert [words.text for words in section.paragraphs] == ["It rests on three three, three of three, 6–7\xa0½."]
    assert [[cell.text for cell in row] for row in section.grids[0].rows] == [["three"]]
    place = section.paragraphs[0][len("It rests on ") :].span
    assert (place.line, place.column) == (4, 19)


def test_a_fact_has_the_value_of_its_entity(tmp_path: Path) -> None:
    notes(tmp_path, "rules.xml", DOCBOOK.format(more=""))
    game = tmp_path / "content" / "game"
    with (game / "system.toml").open("a", encoding="utf-8") as file:
        file.write('[facts]\nn = { title = "N", text = "rests on {n} three" }\n')
    assert str(refgen.load(game).facts["n"].text) == "three"


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("<para>Add &other; 4.</para>", ["6:11 &other;: the document does not say what this stands for"]),
        ("<para>Add &undeclared; 4.</para>", ["6:11 &undeclared;: the document does not say what this stands for"]),
        ("<programlisting>roll 5</programlisting>", ["6:17 roll 5: this <programlisting> is left out"]),
        ("<note><title>Odd</title><simpara>See 3.</simpara></note>", []),
        ("&all;<para/>", ["6:1 &all;: this is left out, for it stands in <section> itself"]),
        (
            "odd 1<para>even</para>odd <emphasis>2</emphasis>",
            [
                "6:1 odd 1: this is left out, for it stands in <section> itself",
                "6:23 odd: this is left out, for it stands in <section> itself",
                "6:37 2: this <emphasis> is left out",
            ],
        ),
    ],
)
def test_what_docbook_leaves_out(tmp_path: Path, more: str, expected: list[str]) -> None:
    assert notes(tmp_path, "rules.xml", DOCBOOK.format(more=more)) == expected


def test_elements_inside_an_entity_are_no_traceback(tmp_path: Path) -> None:
    document = tmp_path / "rules.xml"
    document.write_text(
        '<!DOCTYPE article [<!ENTITY p "<para>5</para>">]><article><title>A</title>&p;<para>6</para></article>', "utf-8"
    )
    read = CliRunner().invoke(main, ["read", str(document)])
    assert read.exit_code == 0
    assert "rules.xml:1:75: this is left out, for it stands in <article> itself" in read.stdout


def test_words_of_html_outside_all_cells(tmp_path: Path) -> None:
    page = "<html><h1>T</h1><table><tr>stray 4<td>5</td></tr></table></html>"
    assert notes(tmp_path, "rules.html", page) == ["1:28 stray 4: this stands in no cell of its table, and is left out"]


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<html><h1>T</h1><table><p>odd</p><tr><td>5</table>", ["1:27 odd: this stands in no cell of its table"]),
        (
            "<html><head><meta><title>Odd</title></head><h1>T</h1></html>",
            ["1:26 Odd: this stands in the head of the page"],
        ),
        ("<html><title>T</title><h1>T</h1></html>", []),
        ("<html><h1>T</h1><img alt='odd'></html>", ['1:27 odd: the words of "alt" stand apart from the text']),
    ],
)
def test_what_html_leaves_out(tmp_path: Path, page: str, expected: list[str]) -> None:
    assert [note.partition(", and is")[0] for note in notes(tmp_path, "rules.html", page)] == expected


def test_navigation_of_html_is_reported_once_and_its_numbers_are_no_numbers_of_the_rules(tmp_path: Path) -> None:
    page = "<html><nav>Chapter 7</nav><h1>T</h1><p>Roll.</p><nav>Chapter 8</nav></html>"
    told = "1:12 Chapter 7: this is navigation of the page"
    assert notes(tmp_path, "rules.html", page) == [told]
    ruleset = load_game(tmp_path / "content" / "game").ruleset
    assert [text.text for text in paragraphs_of(ruleset)["game/rules.html"]] == ["T", "Roll."]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$$$$\n\nTwo coins.", ["4:1 $$$$: this is left out, for a line of signs is drawn as a rule"]),
        ("----\n\nTwo coins $$$$.", []),
        (".. raw:: html\n\n   <p>hit 3</p>\n", ["6:7 hit 3: this HTML is left out"]),
    ],
)
def test_what_restructuredtext_leaves_out(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert notes(tmp_path, "rules.rst", f"Title\n=====\n\n{text}\n\nEnd.\n") == expected
