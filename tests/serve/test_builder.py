"""The process that builds: files are seen before all is published, and it ends when its owner says so."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue

import pytest

from refgen.api import building
from refgen.api.settings import BuildOrder, BuildSettings
from refgen.pipeline.store import CACHE_VARIABLE
from refgen.serve.builder import Builder, EarlyFiles, OrderResult, PartsOrder
from refgen.serve.served_pages import ServedPages
from refgen.serve.watch_session import WatchSession
from tests.resolver.systems.small import project
from tests.waiting import PATIENCE

SCREEN = '[[panels]]\ntitle = "Ladder"\nblocks = [{ table = "skills" }]\n'


@pytest.fixture
def asked(tmp_path: Path) -> BuildOrder:
    """A build of a small game with a screen."""
    folder = project(tmp_path, "fate") / "content" / "fate"
    (folder / "screen.toml").write_text(SCREEN, encoding="utf-8")
    settings = BuildSettings(output=str(tmp_path / "build"), only=("screen",), papers=("a4",), jobs=1)
    return BuildOrder(settings, str(tmp_path))


FATE = PartsOrder(frozenset({"fate"}))


@contextmanager
def builder(
    order: BuildOrder, *, shows: bool = False
) -> Iterator[tuple[Builder, SimpleQueue[EarlyFiles | OrderResult]]]:
    """A builder, and what it tells."""
    told: SimpleQueue[EarlyFiles | OrderResult] = SimpleQueue()
    with closing(Builder(order, told.put, shows)) as found:
        yield found, told


def until_built(told: SimpleQueue[EarlyFiles | OrderResult]) -> tuple[dict[str, bytes], OrderResult]:
    """All files that are shown, and then the end of the build."""
    shown: dict[str, bytes] = {}
    while not isinstance(each := told.get(timeout=PATIENCE), OrderResult):
        shown |= each.files
    return shown, each


@pytest.mark.slow
def test_pages_and_pdfs_are_shown_and_then_published(asked: BuildOrder) -> None:
    without_cache = replace(asked, settings=replace(asked.settings, cache=False))
    with builder(without_cache, shows=True) as (process, told):
        process.give(FATE)
        shown, built = until_built(told)
    assert (built.order, built.result.errors) == (building_order(1), [])
    made = Path(asked.settings.output) / "fate"
    assert shown["fate/gm-screen-a4.pdf"] == (made / "gm-screen-a4.pdf").read_bytes()
    assert shown["fate/gm-screen-a4.html"] == (made / "gm-screen-a4.html").read_bytes()


def building_order(number: int) -> PartsOrder:
    return replace(FATE, number=number)


@pytest.mark.slow
def test_an_order_that_comes_during_a_build_takes_its_place(asked: BuildOrder) -> None:
    rules = Path(str(asked.folder)) / "content" / "fate" / "rules.md"
    with builder(asked) as (process, told):
        process.give(FATE)
        rules.write_text(rules.read_text(encoding="utf-8").replace("+5", "+6"), encoding="utf-8")
        process.give(FATE)
        _, built = until_built(told)
        if built.order == building_order(1):  # it was done before
            _, built = until_built(told)
    assert built.order == building_order(2)
    assert "+6" in (Path(asked.settings.output) / "fate" / "gm-screen-a4.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_game_whose_rules_have_not_changed_is_not_read_again(asked: BuildOrder) -> None:
    screen = Path(str(asked.folder)) / "content" / "fate" / "screen.toml"
    before = building.refresh_project(asked, None)
    game = before.games["fate"]
    screen.write_text(SCREEN.replace("Ladder", "Skills"), encoding="utf-8")
    assert building.refresh_project(asked, before).games["fate"] is game
    rules = screen.with_name("rules.md")
    rules.write_text(rules.read_text(encoding="utf-8").replace("+5", "+6"), encoding="utf-8")
    assert building.refresh_project(asked, before).games["fate"] is not game


@pytest.mark.slow
def test_a_game_that_changes_once_it_is_read_is_built_as_it_is_now(
    asked: BuildOrder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the build would keep a record that files of today have the pages of yesterday."""
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    read = building.refresh_project(asked, None)
    assert "+5" in str(read.games["fate"].tables["skills"].rows)
    rules = tmp_path / "content" / "fate" / "rules.md"
    rules.write_text(rules.read_text(encoding="utf-8").replace("+5", "+6"), encoding="utf-8")
    for project_read in (read, None):  # the second build finds the record of the first
        building.build(asked, project=project_read)
        assert "+6" in (tmp_path / "build" / "fate" / "gm-screen-a4.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_process_that_is_killed_is_reported_and_the_next_order_starts_another(asked: BuildOrder) -> None:
    with builder(asked) as (process, told):
        process.give(FATE)
        os.kill(process._process.pid, signal.SIGKILL)  # type: ignore[union-attr]  # it runs
        _, built = until_built(told)
        assert [error.message for error in built.result.errors] == ["the process that builds ended by SIGKILL"]
        process.give(FATE)
        _, built = until_built(told)
        assert built.result.errors == []


def test_an_order_that_comes_as_the_process_ends_is_built_by_another(
    asked: BuildOrder, monkeypatch: pytest.MonkeyPatch
) -> None:
    with builder(asked) as (process, told):
        process.give(FATE)
        until_built(told)
        ended = process._process
        assert ended is not None
        poll, still_runs = ended.poll, iter([None])
        ended.kill()
        ended.wait()
        monkeypatch.setattr(ended, "poll", lambda: next(still_runs, ended.returncode) if poll() else None)
        process.give(FATE)
        while until_built(told)[1].result.errors:
            continue  # the end of the process may be reported first


def test_files_of_the_order_that_is_being_built_are_served(tmp_path: Path) -> None:
    project(tmp_path, "fate")
    pages, now, before = ServedPages(tmp_path / "build"), building_order(2), building_order(1)
    order = BuildOrder(BuildSettings(output=str(tmp_path / "build")), str(tmp_path))
    session = WatchSession(order, lambda _: None, pages)
    session._builder.order = now
    session._handle(EarlyFiles(before, {"fate/cards-a4.pdf": b"%PDF of an order that gave way to another"}))
    session._handle(EarlyFiles(now, {"fate/gm-screen-a4.pdf": b"%PDF"}))
    assert [pages.read(["fate", name]) for name in ("cards-a4.pdf", "gm-screen-a4.pdf")] == [None, b"%PDF"]
