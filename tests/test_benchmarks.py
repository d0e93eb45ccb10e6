"""Each benchmark runs, at its smallest size, on a project of one small game. What it measures is not judged."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import refgen
from benchmarks import builds, cards, reading, resolver, screens, sheets, site, startup
from benchmarks.__main__ import BENCHMARKS

RULES = """# Armies

## Forces

Each round, roll 2d6 and add your rank; 8 or more wins.

| Force | Soldiers | Reserve |
|-------|----------|---------|
| Guard | 500,000  | 200,000 |
| Fleet | 20,000   | 1,000   |
"""

SYSTEM = """title = "Armies"
about = "A game of armies."
documents = ["*.md"]
accent = "#5b3f8c"
source = "Armies"

[aids]
booklet = false
session = false

[tables.forces]
title = "Forces"
section = "Forces"
header = ["Force", "Soldiers", "Reserve"]
columns = [
  { id = "force", title = "Force" },
  { id = "soldiers", title = "Soldiers", type = "number" },
  { id = "reserve", title = "Reserve", type = "number" },
]
"""

CARDS = """[kinds.force]
icon = "star"
colour = "#5b3f8c"
[[cards]]
each = "row"
table = "forces"
kind = "force"
title = "{force}"
blocks = [{ facts = ["soldiers", "reserve"] }]
"""

FILES = {
    builds.EDITED.name: RULES,
    "system.toml": SYSTEM,
    "cards.toml": CARDS,
    "screen.toml": '[[panels]]\ntitle = "Forces"\nblocks = [{ table = "forces" }]\n',
    "sheet.toml": 'title = "Army"\n[[pages]]\n[[pages.parts]]\ntitle = "Who"\nfields = ["Name", "Player"]\n',
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of the game whose document the benchmarks edit."""
    game = tmp_path / "content" / builds.EDITED.parent
    game.mkdir(parents=True)
    for name, text in FILES.items():
        (game / name).write_text(text, encoding="utf-8")
    (tmp_path / "refgen.toml").write_text("", encoding="utf-8")
    return tmp_path


def in_own_process(name: str, arguments: str) -> Iterator[str]:
    """The lines of a benchmark that starts a browser: tests have another, and no process can have two."""
    program = f"from pathlib import Path; from benchmarks import {name}; print(*{name}.run({arguments}), sep='\\n')"
    root = Path(__file__).parent.parent
    done = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True)
    yield from done.stdout.splitlines()


SMALLEST: dict[str, Callable[[Path], Iterator[str]]] = {
    "startup": lambda _: startup.run(1),
    "reading": lambda _: reading.run(10, 1),
    "resolver": lambda _: resolver.run(1, 0, ["3d6"]),
    "screens": lambda folder: screens.run(refgen.project(folder), 1),
    "sheets": lambda _: sheets.run(1, 2, 2),
    "cards": lambda folder: cards.run(refgen.project(folder), 8),
    "builds": lambda folder: builds.run(2, folder / "content", 1),
    "serve": lambda folder: in_own_process("serve", f"Path({str(folder / 'content')!r}), 1"),
    "site": lambda folder: site.run((3,), folder, 1),
}


def test_every_benchmark_is_tried() -> None:
    assert [*SMALLEST] == [benchmark.__name__.removeprefix("benchmarks.") for benchmark in BENCHMARKS]


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALLEST)
def test_a_benchmark_runs(name: str, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    assert [*SMALLEST[name](project)]
