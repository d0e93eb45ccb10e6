"""What commands say that they made: the files to print, from where one stands, and numbers of things in words."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from refgen.catalog import counted
from refgen.cli import main
from refgen.pipeline.result import BuildResult
from tests.aids.stranger import lantern_road


@pytest.fixture
def road(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a project with a small game, in which one stands."""
    project = tmp_path / "own"
    project.mkdir()
    (project / "refgen.toml").write_text('content = "."\n', encoding="utf-8")
    lantern_road(project)
    monkeypatch.chdir(project)
    return project


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [*map(str, arguments), "--jobs", "1"])


def test_things_are_counted_in_words() -> None:
    assert [counted(number, "file") for number in (0, 1, 2)] == ["0 files", "1 file", "2 files"]


@pytest.mark.parametrize(
    ("made", "printed"),
    [
        (["g/cards-a4.pdf", "g/cards.html", "g/cards.pdf", "a.css"], ["g/cards-a4.pdf"]),
        (["g/cards-tarot-single.pdf", "g/cards-tarot.pdf"], ["g/cards-tarot-single.pdf"]),
        (["g/gm-screen-a4-portrait.pdf", "h/gm-screen-a4.pdf"], ["g/gm-screen-a4-portrait.pdf", "h/gm-screen-a4.pdf"]),
        (["a.css", "g/gm-screen-a4.html"], ["g/gm-screen-a4.html"]),  # a browser prints it, where there is no Pango
        (["a.css"], []),
    ],
)
def test_files_to_print_are_pdfs_that_no_other_pdf_arranges(made: Sequence[str], printed: Sequence[str]) -> None:
    assert BuildResult(list(made)).to_print == printed


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "names"),
    [
        (["screen", "--paper", "a4"], ["gm-screen-a4.pdf"]),
        (["screen", "--paper", "a4", "--paper", "letter"], ["gm-screen-a4.pdf", "gm-screen-letter.pdf"]),
        (["session", "--paper", "a5"], ["session-a5.pdf"]),
        (["sheet", "--paper", "a4"], ["sheet-a4.pdf"]),
        (["cards", "--paper", "a4"], ["cards-a4.pdf"]),
    ],
)
def test_a_command_ends_with_the_pdfs_to_print(road: Path, command: Sequence[str], names: Sequence[str]) -> None:
    made = run(*command)
    assert made.exit_code == 0, made.stderr
    assert made.stdout.splitlines() == [str(Path("build", "lantern-road", name)) for name in names]
    assert all((road / line).is_file() for line in made.stdout.splitlines())


@pytest.mark.slow
def test_files_elsewhere_have_the_path_that_was_named(road: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (road / "deep").mkdir()
    monkeypatch.chdir(road / "deep")
    for output, shown in (
        (road / "deep" / "out", "out"),
        (road / "out", str(road / "out")),
        ("../more", "../more"),
    ):
        made = run("session", "--paper", "a4", "-o", output, "-q")
        assert (made.exit_code, made.stdout) == (0, "")
        made = run("session", "--paper", "a4", "-o", output)
        assert made.stdout == f"{shown}/lantern-road/session-a4.pdf\n"


@pytest.mark.slow
def test_sheets_of_characters_have_a_line_each_and_the_others_are_named(road: Path) -> None:
    (road / "party.csv").write_text("Name,Might\nAda,1\nBess,xyz\nCyr,2\n", encoding="utf-8")
    (road / "bad.toml").write_text("x = \n", encoding="utf-8")
    made = run("sheet", "lantern-road", "party.csv", "--paper", "a4")
    sheets = [str(Path("build", "lantern-road", "characters", f"{name}-a4.pdf")) for name in ("ada", "cyr")]
    assert (made.exit_code, made.stdout.splitlines()) == (2, [*sheets, "not made: the sheet of Bess"])
    merged = run("sheet", "lantern-road", "party.csv", "--merge", "all.pdf")
    assert merged.stdout.splitlines() == ["all.pdf", "not made: the sheet of Bess"]
    none = run("sheet", "lantern-road", "bad.toml")
    assert (none.exit_code, none.stdout) == (2, "not made: the sheet at bad.toml:1:5\n")
    lost = run("sheet", "lantern-road", "lost.toml")
    assert lost.stdout == "not made: the sheet (cannot read lost.toml: no such file or directory)\n"
    assert " files in " not in none.stderr  # no time of sheets that were not made


@pytest.mark.slow
def test_each_of_many_sheets_has_a_line(road: Path) -> None:
    names = [f"ada{number}" for number in range(30)]
    (road / "party.csv").write_text("\n".join(["Name", *names]), encoding="utf-8")
    made = run("sheet", "lantern-road", "party.csv", "--flatten")
    assert [Path(line).name for line in made.stdout.splitlines()] == [f"{name}-a4.pdf" for name in names]


@pytest.mark.slow
def test_a_build_of_one_thing_is_counted_in_words(road: Path) -> None:
    said = run("build", "--only", "data").stdout
    assert re.fullmatch(r"\d+ files, no open findings: build\n", said)
    rules = road / "lantern-road" / "rules.md"
    rules.write_text(rules.read_text(encoding="utf-8").replace("| 5 | Eno |\n", ""), encoding="utf-8")
    said = run("build", "--only", "data").stdout
    assert re.fullmatch(r"\d+ files, 1 open finding \(refgen check shows all\): build\n", said)


FOUND = Path("content", "a-page", "system.toml"), Path("build", "a-page", "gm-screen-a4.pdf")


@pytest.mark.slow
@pytest.mark.parametrize("closed", ["stdout", "stderr"])
def test_a_new_project_is_whole_though_nobody_reads_what_is_said(tmp_path: Path, closed: str) -> None:
    (tmp_path / "page.md").write_text(
        "# A page\n\n| Level | Gold |\n|---|---|\n| 1 | 20 |\n| 2 | 30 |\n", encoding="utf-8"
    )
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "refgen", "init", "page.md", "-o", "new", "-y"]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | {closed: write}
    with subprocess.Popen(command, cwd=tmp_path, text=True, **streams) as process:  # type: ignore[call-overload]
        os.close(write)
        said = process.communicate()
    assert (process.returncode, [each for each in said if each and "Traceback" in each]) == (0, [])
    assert [path for path in FOUND if not (tmp_path / "new" / path).is_file()] == []
