"""The index of a site: the same bytes of the same pages; a site without index where Pagefind is missing or fails."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from gzip import decompress
from pathlib import Path
from typing import Any

import pagefind_bin
import pytest

from refgen.limits import ENVIRONMENT
from refgen.pipeline import search_index
from refgen.pipeline.search_index import Groups, index_of, search_files
from refgen.site.search import FOLDER, PAGES, IndexedPage


def page(path: str, words: str, game: str = "Fate & Co") -> IndexedPage:
    part = {"anchor": "first", "title": "A <b>part</b>", "text": words}
    return {"path": path, "title": path, "game": game, "kind": "Rules", "parts": [part]}  # type: ignore[list-item]


def groups(pages: list[IndexedPage]) -> Groups:
    """Pages by what their paths begin with; a page of no game stands alone."""
    found: dict[str, list[IndexedPage]] = {}
    for each in pages:
        game, slash, _ = each["path"].partition("/")
        found.setdefault(game + slash, []).append(each)
    return {name: partial(list[IndexedPage], some) for name, some in found.items()}


PAGES_OF_A_SITE = [page("fate/rules.html", "The ladder"), page("fate/tables/odds.html", "{{ 1 }} </p> 50%")]


def test_an_index_has_what_a_page_loads_and_no_more() -> None:
    made = search_files(groups(PAGES_OF_A_SITE))
    assert made.fault == ""
    kinds = {Path(path).suffix for path in made.files}
    assert kinds == {".js", ".json", ".pagefind", ".pf_filter", ".pf_fragment", ".pf_index", ".pf_meta"}
    scripts = {path for path in made.files if path.endswith(".js")}
    assert scripts == {PAGES, f"{FOLDER}/pagefind.js", f"{FOLDER}/pagefind-worker.js"}


@pytest.mark.slow
def test_the_same_pages_give_the_same_bytes_wherever_and_in_whatever_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = search_files(groups(PAGES_OF_A_SITE)).files
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setenv("PAGEFIND_FORCE_LANGUAGE", "de")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pagefind.toml").write_text('glob = "*.txt"', encoding="utf-8")
    assert search_files(groups(PAGES_OF_A_SITE)).files == first
    other = search_files(groups(PAGES_OF_A_SITE[::-1])).files
    assert {path: data for path, data in other.items() if path != PAGES} == {
        path: data for path, data in first.items() if path != PAGES
    }


def test_pages_go_to_the_index_in_the_order_of_their_paths_a_game_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["fate/rules.html", "fate-2/rules.html", "compare.html", "fate/b/c.html", "fate/b.html", "Ämter/a.html"]
    handed_over: list[str] = []
    happened: list[str] = []

    def index_of(pages: Iterable[tuple[str, str]]) -> dict[str, bytes]:
        handed_over.extend(happened[-1] + path for path, _ in pages)
        return {"pagefind-entry.json": b""}

    def noted(name: str, read: Callable[[], Iterable[IndexedPage]]) -> Iterator[IndexedPage]:
        happened.append(f"after {name}: ")
        yield from read()

    monkeypatch.setattr(search_index, "index_of", index_of)
    noting = {name: partial(noted, name, read) for name, read in groups([page(name, "") for name in names]).items()}
    search_files(noting)
    assert handed_over == [
        "after compare.html: compare.html",
        "after fate-2/: fate-2/rules.html",
        "after fate/: fate/b.html",
        "after fate/: fate/b/c.html",
        "after fate/: fate/rules.html",
        "after Ämter/: Ämter/a.html",
    ]


@pytest.mark.slow
def test_the_games_of_an_index_are_in_order_each_time() -> None:
    """Pagefind writes them in any order."""
    games = ["Fate & Co", "Ämter", "A" * 30, "Zoo", ""]
    pages = [page(f"{number}.html", "The ladder", game) for number, game in enumerate(games)]
    first, again = (search_files(groups(pages)).files for _ in range(2))
    assert again == first
    (games_of_filter,) = (data for path, data in first.items() if path.endswith(".pf_filter"))
    packed = decompress(games_of_filter)
    places = [packed.index(game.encode()) for game in sorted(filter(None, games))]
    assert places == sorted(places)


TOO_LONG = "it took longer than 300 seconds. The limit index-seconds is 300; --limit index-seconds=NUMBER changes it."


@pytest.mark.parametrize(
    ("title", "error", "reason"),
    [
        ("not installed", ImportError(), "the package pagefind_bin is not installed"),
        ("no program for this machine", FileNotFoundError("no pagefind"), "no pagefind"),
        ("it hangs", subprocess.TimeoutExpired("pagefind", 1), TOO_LONG),
        ("it fails", subprocess.CalledProcessError(3, "pagefind", b"", b"Error:\n it is full"), "Error: it is full"),
        ("it is killed", subprocess.CalledProcessError(-9, "pagefind", b"", b""), "it stopped with -9"),
    ],
)
def test_a_site_without_an_index_has_its_words_and_says_so(
    title: str, error: Exception, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: Any) -> None:
        raise error

    monkeypatch.setattr(search_index, "index_of", fail)
    made = search_files(groups(PAGES_OF_A_SITE))
    assert list(made.files) == [PAGES], title
    assert made.fault == f"the site is searched without Pagefind: {reason}"


def test_a_missing_package_is_an_import_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pagefind_bin", None)
    assert search_files(groups(PAGES_OF_A_SITE)).fault.endswith("the package pagefind_bin is not installed")


HTML_PAGES = {
    f"{name}.html": f"<!doctype html><html lang=en><title>{name}</title><body><p>{name} rules"
    for name in ("fate", "ladder <1>", "Ämter/ü", "b,c")
}


def test_each_page_is_a_fragment() -> None:
    found = [path for path in index_of(HTML_PAGES.items()) if path.endswith(".pf_fragment")]
    assert len(found) == len(HTML_PAGES)


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The program in the place of Pagefind: a script to be written."""
    path = tmp_path / "pagefind"
    monkeypatch.setattr(pagefind_bin, "get_executable", lambda: path)
    return path


def write(program: Path, *commands: str) -> None:
    program.write_text("\n".join(["#!/bin/sh", *commands, ""]), encoding="utf-8")
    program.chmod(0o755)


def test_a_program_that_ends_too_early_is_an_error(program: Path) -> None:
    write(program, "exit 3")
    with pytest.raises(subprocess.CalledProcessError) as error:
        index_of([("a.html", "x" * 2**20)])
    assert error.value.stderr == b"it ended before it had answered"


def test_each_page_is_made_when_it_takes_it(program: Path) -> None:
    """All pages of hundreds of games at once do not go into memory."""
    write(program, "exit 3")
    pages = ((f"{number}.html", "x" * 2**10) for number in range(10_000))
    with pytest.raises(subprocess.CalledProcessError):
        index_of(pages)
    assert next(pages)


def test_what_it_complains_of_is_reported(program: Path) -> None:
    answer = base64.b64encode(json.dumps({"payload": {"type": "Error", "message": "full"}}).encode()).decode()
    write(program, f"printf '{answer},{answer},'", "sleep 60")
    with pytest.raises(subprocess.CalledProcessError) as error:
        index_of([])
    assert error.value.stderr == b"full"


@pytest.mark.slow
def test_a_program_that_takes_too_long_is_ended(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(program, "exec sleep 60")
    monkeypatch.setenv(ENVIRONMENT, "index-seconds=1")
    with pytest.raises(subprocess.TimeoutExpired):
        index_of(HTML_PAGES.items())
