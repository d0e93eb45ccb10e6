"""Games of which nothing but pages is made: other processes read them, and nobody can tell by the output."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

import pytest

import refgen
from refgen.pipeline import apart
from refgen.pipeline.prepare import SITE
from refgen.pipeline.read_game import Wanted
from refgen.site.published import Published
from tests.resolver.systems.small import project

GAMES = ("fate", "grids", "percentile")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project of three games, of which none takes long."""
    return project(tmp_path / "project", *GAMES)


def built(folder: Path, jobs: int, *only: str) -> tuple[Mapping[str, bytes], refgen.BuildResult]:
    output = folder.parent / f"{jobs} {only}"
    result = refgen.project(folder).build(output, only=only, jobs=jobs, cache=False)
    return {path: (output / path).read_bytes() for path in result.files}, result


@pytest.mark.parametrize("only", [("site", "data"), pytest.param(("site",), marks=pytest.mark.slow)])
def test_two_processes_make_what_one_makes(
    folder: Path, only: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    alone, expected = built(folder, 1, *only)
    monkeypatch.setattr("refgen.pipeline.site.make_game_site", None)  # not here
    files, result = built(folder, 2, *only)
    assert files == alone
    assert (result.findings, result.mismatches, result.notes) == (
        expected.findings,
        expected.mismatches,
        expected.notes,
    )


@pytest.mark.slow
def test_an_error_is_that_of_the_game_and_takes_no_other_down(folder: Path) -> None:
    (folder / "content" / GAMES[1] / "system.toml").write_text("nothing = 1\n", encoding="utf-8")
    (alone, expected), (files, result) = built(folder, 1, "site"), built(folder, 2, "site")
    assert list(map(str, result.errors)) == list(map(str, expected.errors)) != []
    assert files == alone
    assert {f"{name}/index.html" for name in (GAMES[0], GAMES[2])} <= files.keys()


@pytest.mark.slow
def test_what_costs_the_processes_is_done_here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone, _ = built(folder, 1, "site")
    monkeypatch.setattr(apart, "whole", killed)
    assert built(folder, 2, "site")[0] == alone


def test_games_with_more_rules_and_explorers_come_first(tmp_path: Path) -> None:
    specs = {"long": "x" * 30_000, "explored": "\n[explorers.a]\n[explorers.b]\n", "short": "x", "gone": None}
    for name, spec in specs.items():
        (tmp_path / name).mkdir()
        if spec is not None:
            (tmp_path / name / "system.toml").write_text(spec, encoding="utf-8")
    folders = {name: tmp_path / name for name in specs}
    wanted = Wanted(frozenset({SITE}), {})
    tasks = [apart.Task(name, folders, {}, wanted, Published(), tmp_path, ()) for name in ("gone", "short", *specs)]
    first = list(dict.fromkeys(task.name for task in apart.long_first(tasks)))
    assert first == ["explored", "long", "short", "gone"]


def killed(_task: apart.Task) -> NoReturn:
    os._exit(1)
