"""Builds that find what earlier ones made: nothing is done twice, and what comes out is what a clean build makes."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree, rmtree
from typing import Any

import pytest
from click.testing import CliRunner, Result

from refgen.cli import main
from refgen.pipeline import run, work
from refgen.pipeline.cache import surroundings
from refgen.pipeline.work import Done, Job
from tests.pipeline.executors.test_processes import end_soon
from tests.resolver.systems.small import project

SCREEN = '[[panels]]\ntitle = "Traits"\nblocks = [{ table = "skills" }]\n'
CARDS = '[[cards]]\ntitle = "Margins"\nblocks = [{ table = "margins" }]\n'
LOADED = """
import sys
from refgen.cli import main
try:
    main()
finally:
    heavy = ("weasyprint", "pydantic", "jinja2", "lxml", "icepool", "pikepdf", "fontTools", "multiprocessing")
    print([name for name in heavy if name in sys.modules])
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of two games, with a screen, a deck and a cache of their own; where commands are run."""
    fate = project(tmp_path, "fate", "grids") / "content" / "fate"
    (fate / "screen.toml").write_text(SCREEN, encoding="utf-8")
    (fate / "cards.toml").write_text(CARDS, encoding="utf-8")
    monkeypatch.setenv("REFGEN_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is made by builds of this process, as it is."""
    made: list[str] = []

    def counted(do: Callable[..., Done]) -> Callable[..., Done]:
        def note(job: Job, **kept: Any) -> Done:
            made.append(job.name)
            return do(job, **kept)

        return note

    monkeypatch.setattr(run, "do", counted(work.do))
    return made


def build(*options: str, code: int = 0) -> Result:
    result = CliRunner().invoke(main, ["build", "--paper", "a4", "--jobs", "1", *options])
    assert result.exit_code == code, result.output
    return result


def explained(*options: str) -> list[str]:
    return build("--explain", *options).stdout.splitlines()


def tree(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def clean_build(folder: Path) -> dict[str, bytes]:
    """What a build makes without a cache."""
    build("--no-cache", "-q", "-o", "clean")
    found = tree(folder / "clean")
    rmtree(folder / "clean")
    return found


def edit(folder: Path, old: str, new: str) -> None:
    rules = folder / "content" / "fate" / "rules.md"
    text = rules.read_text(encoding="utf-8")
    assert old in text
    rules.write_text(text.replace(old, new), encoding="utf-8")


def test_a_second_build_makes_nothing(folder: Path, done: list[str]) -> None:
    build("-q")
    first = {path: path.stat().st_ino for path in (folder / "build").rglob("*")}
    assert sorted(done) == ["fate/cards", "fate/gm-screen"]
    assert "2 of 2 aids as they were" in build().stdout
    assert len(done) == 2
    assert {path: path.stat().st_ino for path in (folder / "build").rglob("*")} == first
    assert explained() == ["nothing to do: no file that is read has changed, and the output is as it was left"]


def test_a_second_build_loads_nothing_that_makes_pages(folder: Path) -> None:
    build("-q")
    command = [sys.executable, "-c", LOADED, "build", "-q", "--paper", "a4"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "[]\n"


@pytest.mark.slow
def test_an_edit_of_a_cell_makes_the_aids_that_show_it(folder: Path, done: list[str]) -> None:
    build("-q")
    edit(folder, "Average", "Middling")
    assert explained() == [
        "changed: fate/rules.md",
        "kept     fate/cards (a4)",
        "to make  fate/gm-screen (a4): what it shows has changed",
        "1 of 2 to lay out; data and pages of the site are made anew",
    ]
    done.clear()
    build("-q")
    assert done == ["fate/gm-screen"]
    assert tree(folder / "build") == clean_build(folder)
    edit(folder, "Middling", "Average")
    done.clear()
    build("-q")
    assert done == []  # it is known from before
    assert tree(folder / "build") == clean_build(folder)


@pytest.mark.slow
def test_words_that_no_page_shows_lay_out_nothing(folder: Path, done: list[str]) -> None:
    build("-q")
    edit(folder, "add the skill", "add your skill, or what else is agreed on at the table")
    done.clear()
    build("-q")
    assert done == []
    assert tree(folder / "build") == clean_build(folder)


def touch(folder: Path) -> None:
    for path in (folder / "content").rglob("*"):
        os.utime(path, (time.time() + 1e6, 1))


def remove_output(folder: Path) -> None:
    rmtree(folder / "build")


def spoil_output(folder: Path) -> None:
    (folder / "build" / "fate" / "index.html").write_text("spoilt")


def add_game(folder: Path) -> None:
    project(folder / "other", "clock")
    copytree(folder / "other" / "content" / "clock", folder / "content" / "clock")


def remove_game(folder: Path) -> None:
    rmtree(folder / "content" / "grids")


def add_file(folder: Path) -> None:
    (folder / "content" / "fate" / "errata.toml").write_text("", encoding="utf-8")


def choose_theme(folder: Path) -> None:
    (folder / "refgen.toml").write_text('[screen]\ntheme = "ink-saving"\n', encoding="utf-8")


CHANGES = [remove_output, spoil_output, add_game, remove_game, add_file, choose_theme]


@pytest.mark.slow
def test_after_any_change_the_output_is_that_of_a_clean_build(folder: Path) -> None:
    build("-q")
    for change in CHANGES:
        change(folder)
        build("-q")
        if change is choose_theme:  # the screens in colour stay, and are still listed
            remove_output(folder)
            build("-q")
        assert tree(folder / "build") == clean_build(folder), change.__name__


def test_touched_files_are_not_changed_ones(folder: Path, done: list[str]) -> None:
    build("-q")
    done.clear()
    touch(folder)
    assert explained()[0].startswith("nothing to do")
    build("-q")
    assert done == []


def test_other_fonts_or_packages_make_everything_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build("-q")
    known = {**surroundings.surroundings(), "the packages installed": "others"}
    for module in ("refgen.pipeline.cache.steps", "refgen.pipeline.record", "refgen.api.building"):
        monkeypatch.setattr(f"{module}.surroundings", lambda: known)
    assert explained()[:2] == [
        "to make  fate/cards (a4): changed: the packages installed",
        "to make  fate/gm-screen (a4): changed: the packages installed",
    ]


def test_an_error_is_told_again(folder: Path) -> None:
    edit(folder, "| Average  | +1    |", "| Average  | plus  |")
    told = [build("-q", code=2).stderr for _ in range(2)]
    assert told[0] == told[1] != ""


def entries(folder: Path) -> Iterator[Path]:
    return (path for path in sorted((folder / "cache").rglob("*")) if path.is_file())


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, pytest.param(200, marks=pytest.mark.soak)])
def test_a_damaged_cache_costs_time_alone(folder: Path, count: int, done: list[str]) -> None:
    build("-q")
    before, generator = tree(folder / "build"), random.Random(1)
    for _ in range(count):
        remove_output(folder)
        for path in entries(folder):
            data = bytearray(path.read_bytes())
            if generator.random() < 0.5:
                data[generator.randrange(len(data))] ^= 1 << generator.randrange(8)
            else:
                del data[generator.randrange(len(data)) :]
            path.write_bytes(data)
        done.clear()
        build("-q")
        assert len(done) == 2
        assert tree(folder / "build") == before


def test_a_cache_that_cannot_be_written_is_told_and_costs_nothing_else(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "file").write_text("")
    monkeypatch.setenv("REFGEN_CACHE", str(folder / "file" / "cache"))
    result = build("-q")
    told = f"cannot write {folder / 'file' / 'cache' / 'steps'}: not a directory"
    assert result.stderr == f"warning: nothing is kept for the next build: {told}\n"
    assert (folder / "build" / "fate" / "gm-screen-a4.pdf").is_file()


def test_no_cache_takes_nothing_and_keeps_nothing(folder: Path, done: list[str]) -> None:
    for _ in range(2):
        build("-q", "--no-cache")
    assert len(done) == 4
    assert list(entries(folder)) == []
    assert explained("--no-cache")[0] == "to make  fate/cards (a4): there is no cache"


def test_clean_forgets_everything(folder: Path, done: list[str]) -> None:
    build("-q")
    assert CliRunner().invoke(main, ["clean"]).stdout == f"removed {folder / 'cache' / 'steps'}\n"
    assert CliRunner().invoke(main, ["clean"]).stdout == "the cache is empty\n"
    build("-q")
    assert len(done) == 4


def test_check_compares_and_writes_nothing(folder: Path) -> None:
    assert "manifest.json is missing" in build("--check", code=1).stdout
    assert not (folder / "build").exists()
    build("-q")
    assert build("--check").stdout == "build is up to date\n"
    edit(folder, "Average", "Middling")
    (folder / "build" / "assets" / "css" / "site.css").unlink()
    rmtree(folder / "content" / "grids")
    before = tree(folder / "build")
    said = build("--check", code=1).stdout.splitlines()
    assert "assets/css/site.css is missing" in said
    assert "fate/gm-screen-a4.pdf is not as the content says" in said
    assert "grids/index.html is of content that is gone" in said
    assert "fate/cards-a4.pdf is not as the content says" not in said
    assert said[-1] == f"build: {len(said) - 1} differences"
    assert tree(folder / "build") == before


def test_the_manifest_says_what_each_file_is_made_of(folder: Path) -> None:
    build("-q")
    data = json.loads((folder / "build" / "manifest.json").read_text(encoding="utf-8"))
    made = {entry["path"]: entry for entry in data["made"]}
    assert {*made, "manifest.json"} == {*tree(folder / "build")}
    names = ["cards.toml", "rules.md", "screen.toml", "system.toml"]
    assert [*made["fate/gm-screen-a4.pdf"]["inputs"]] == [f"fate/{name}" for name in names]


@pytest.mark.slow
def test_the_same_bytes_wherever_and_however(folder: Path) -> None:
    """Another folder, zone, locale, hash seed, umask, time of files, number of jobs."""
    build("-q")
    other = copytree(folder / "content", folder / "else" / "where" / "content").parent
    (other / "refgen.toml").write_text("")
    touch(other)
    variables = {"TZ": "Asia/Kathmandu", "LC_ALL": "tr_TR.UTF-8", "PYTHONHASHSEED": "7", "SOURCE_DATE_EPOCH": "1"}
    command = [sys.executable, "-m", "refgen.cli", "build", "-q", "--no-cache", "--paper", "a4", "--jobs", "2"]
    subprocess.run(command, cwd=other, env={**os.environ, **variables}, umask=0o077, check=True)
    assert tree(other / "build") == tree(folder / "build")


@pytest.mark.slow
def test_two_builds_at_once_do_not_harm_each_other(folder: Path) -> None:
    command = [sys.executable, "-m", "refgen.cli", "build", "-q", "--paper", "a4", "--jobs", "1"]
    both = [subprocess.Popen(command) for _ in range(2)]
    assert [process.wait(60) for process in both] == [0, 0]
    assert tree(folder / "build") == clean_build(folder)
    assert not list(folder.glob(".refgen-*"))


@pytest.mark.slow
@pytest.mark.parametrize("count", [3, pytest.param(300, marks=pytest.mark.soak)])
def test_builds_that_are_killed_leave_an_old_set_or_a_new_one(folder: Path, count: int) -> None:
    """Cold and incremental builds, killed at any moment: nothing torn, no process left, and the next is a clean one."""
    generator, words = random.Random(1), ["Average", "Middling"]
    build("-q")
    sets = [tree(folder / "build")]
    edit(folder, *words)
    build("-q")
    sets.append(tree(folder / "build"))
    command = [sys.executable, "-m", "refgen.cli", "build", "-q", "--paper", "a4", "--jobs", "2"]
    for number in range(count):
        words.reverse()
        edit(folder, *words)
        if number % 2:
            CliRunner().invoke(main, ["clean"])
        with subprocess.Popen(command) as process:
            time.sleep(generator.uniform(0.2, 2.5))
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
            process.kill()
        end_soon(map(int, children))
        assert tree(folder / "build") in sets
    build("-q")
    assert tree(folder / "build") == clean_build(folder)
    assert not list(folder.glob(".refgen-*"))
