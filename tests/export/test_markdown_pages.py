"""Markdown for other sites: words stay words, tables keep their cells, links resolve, in MkDocs and in Hugo."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import markdown
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from lxml import html
from markdown_it import MarkdownIt

from refgen.cli import main
from refgen.export.markdown_pages import Target, escape_markdown, fence_text, markdown_pages, paragraph, pipe_table
from refgen.game import load_game
from refgen.site.game_pages import make_pages
from refgen.site.tables import TablePage
from tests.conftest import SYSTEMS, game
from tests.site.hostile import DOCUMENTS, hostile_game


def python_markdown(text: str) -> str:
    """As MkDocs has it without a setting."""
    return str(markdown.markdown(text, extensions=["tables", "fenced_code", "toc"]))


def common_mark(text: str) -> str:
    """As Hugo has it, but for its links and anchors."""
    return str(MarkdownIt("commonmark", {"html": False}).enable("table").render(text))


PARSERS: dict[Target, Callable[[str], str]] = {Target.MKDOCS: python_markdown, Target.HUGO: common_mark}

WORDS = st.text(st.sampled_from("ab 1.)(-+#*_`~^=:!|<>&;{}[]\\/%$\"'"), min_size=1, max_size=30)


@pytest.mark.slow
@pytest.mark.parametrize("target", Target)
@given(words=WORDS)
def test_words_are_words(target: Target, words: str) -> None:
    made = html.fragment_fromstring(PARSERS[target](paragraph(escape_markdown(words))), create_parent="div")
    assert {element.tag for element in made.iter()} <= {"div", "p"}
    assert made.text_content().strip() == " ".join(words.split())


@pytest.mark.slow
@pytest.mark.parametrize("target", Target)
@given(words=WORDS)
def test_cells_are_cells(target: Target, words: str) -> None:
    made = html.fragment_fromstring(PARSERS[target](pipe_table(["A", "B"], [[escape_markdown(words), "x"]])))
    assert [cell.text_content().strip() for cell in made.iter("td")] == [" ".join(words.split()), "x"]
    assert {element.tag for element in made.iter()} == {"table", "thead", "tbody", "tr", "th", "td"}


@pytest.mark.parametrize("target", Target)
@pytest.mark.parametrize("text", ["  two  blanks\nand a line", "```\nin it\n```", "<b> & {{ x }}"])
def test_lines_are_kept(target: Target, text: str) -> None:
    made = html.fragment_fromstring(PARSERS[target](fence_text(text)))
    assert made.text_content() == f"{text}\n"


@cache
def pages(target: Target) -> dict[str, str]:
    return {path: data.decode() for path, data in markdown_pages([game("fudge-1995")], target).items()}


def body(text: str) -> str:
    return text.split("---\n", 2)[2]


@pytest.mark.slow
@pytest.mark.parametrize("target", Target)
def test_a_table_has_the_cells_of_its_page(target: Target) -> None:
    tables = [page for page in make_pages(game("fudge-1995"), []) if isinstance(page, TablePage)]
    assert len(tables) == len(game("fudge-1995").tables)
    for page in tables:
        made = html.fromstring(PARSERS[target](body(pages(target)[page.head.path.replace(".html", ".md")])))
        found = [[cell.text_content().strip() for cell in row] for row in made.xpath("//tbody/tr")]
        wanted = [[" ".join((cell.text + cell.sign).split()) for cell in row] for row in page.block.rows]
        assert found == wanted, page.head.path


@pytest.mark.slow
@pytest.mark.parametrize("target", Target)
def test_front_matter_says_title_and_source_and_no_date(target: Target) -> None:
    lines = pages(target)["fudge-1995/tables/success-rates.md"].splitlines()
    assert lines[0] == lines[3] == "---"
    front = dict(line.split(": ", 1) for line in lines[1:3])
    assert json.loads(front["title"]) == "Success rates"
    assert json.loads(front["source"]) == game("fudge-1995").ruleset.spec.source


@pytest.mark.slow
def test_lists_are_called_as_each_has_it() -> None:
    assert {"index.md", "fudge-1995/index.md", "fudge-1995/rules.md"} <= pages(Target.MKDOCS).keys()
    assert {"_index.md", "fudge-1995/_index.md", "fudge-1995/rules.md"} <= pages(Target.HUGO).keys()
    assert '({{< relref "tables/success-rates.md" >}})' in pages(Target.HUGO)["fudge-1995/tables.md"]
    assert "(tables/success-rates.md)" in pages(Target.MKDOCS)["fudge-1995/tables.md"]


@pytest.mark.parametrize("document", DOCUMENTS)
@pytest.mark.parametrize("target", Target)
def test_a_document_that_would_run_something_is_words(target: Target, document: str, tmp_path: Path) -> None:
    made = markdown_pages([load_game(hostile_game(tmp_path, document))], target)
    for text in map(bytes.decode, made.values()):
        root = html.fromstring(f"<div>{PARSERS[target](body(text))}</div>")
        assert not {element.tag for element in root.iter("script", "img", "iframe", "form", "input")}
        assert "{{ 6" not in body(text), "a template of Hugo's or of a plugin's"


@pytest.mark.slow
@pytest.mark.parametrize("systems", [["harmonies"], pytest.param(SYSTEMS, marks=pytest.mark.soak)], ids=len)
def test_mkdocs_takes_the_folder_and_warns_of_nothing(systems: Sequence[str], tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    result = CliRunner().invoke(main, ["export", *systems, "-o", str(docs)], catch_exceptions=False)
    assert result.output.endswith(f"files: {docs}\n")
    settings = {"site_name": "Rules", "validation": {"links": {"anchors": "warn", "unrecognized_links": "warn"}}}
    (tmp_path / "mkdocs.yml").write_text(json.dumps(settings), encoding="utf-8")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for system in systems:
        for table in game(system).tables:
            assert (tmp_path / "site" / system / "tables" / table / "index.html").is_file()


@pytest.mark.slow
def test_what_an_earlier_export_wrote_goes_and_what_others_wrote_is_kept(tmp_path: Path) -> None:
    export = ["export", "-o", str(tmp_path / "docs")]
    runner = CliRunner()
    assert runner.invoke(main, [*export, "harmonies"]).exit_code == 0
    (tmp_path / "docs" / "mine.md").write_text("mine", encoding="utf-8")
    assert runner.invoke(main, [*export, "fudge-1995"]).exit_code == 0
    assert not (tmp_path / "docs" / "harmonies").exists()
    assert (tmp_path / "docs" / "mine.md").read_text(encoding="utf-8") == "mine"
    (tmp_path / "docs" / "manifest.json").unlink()
    result = runner.invoke(main, export)
    assert (result.exit_code, "was not made by refgen" in result.output) == (2, True)
