"""What tests of builds share: a small project with a cache of its own, and what they do with it."""

from __future__ import annotations

import os
import time
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from refgen.aids.kind import AidJob
from refgen.cli import main
from refgen.pipeline import build_run
from refgen.pipeline.graph import JobResult, run_job
from tests.resolver.systems.small import project
from tests.sharing import shared

SCREEN = """
[[panels]]
title = "Traits"
blocks = [{ table = "skills" }]

[[panels]]
title = "Rolling"
blocks = [{ steps = ["Roll {dice}."] }]
"""
AIDS = ("screen", "sheet", "cards", "booklet", "session")
CARDS = '[[cards]]\ntitle = "Margins"\nblocks = [{ table = "margins" }]\n'


def make_project(folder: Path) -> Path:
    """A project of a game with a screen and a deck, and one without aids."""
    fate = project_of_a_screen(folder, SCREEN, "grids") / "content" / "fate"
    give_back(fate, "cards")
    (fate / "cards.toml").write_text(CARDS, encoding="utf-8")
    return folder


def project_of_a_screen(folder: Path, screen: str, *others: str) -> Path:
    """A project of a game with a screen and no other aid, and of other games without aids."""
    content = project(folder, "fate", *others) / "content"
    for name in others:
        leave_out(content / name, *AIDS)
    leave_out(content / "fate", *AIDS[1:])
    (content / "fate" / "screen.toml").write_text(screen, encoding="utf-8")
    return folder


def leave_out(folder: Path, *aids: str) -> None:
    """Let the game in a folder have no aids of some kinds."""
    system = folder / "system.toml"
    text = system.read_text(encoding="utf-8")
    head = "" if "[aids]" in text else "\n[aids]\n"
    system.write_text(text + head + "".join(f"{aid} = false\n" for aid in aids), encoding="utf-8")


def give_back(folder: Path, *aids: str) -> None:
    """Let the game in a folder have aids that it left out."""
    system = folder / "system.toml"
    text = system.read_text(encoding="utf-8")
    for aid in aids:
        text = text.replace(f"{aid} = false\n", "")
    system.write_text(text, encoding="utf-8")


def describe_sheet(folder: Path, text: str) -> None:
    """Let the game in a folder, which left its sheet out, have a sheet."""
    give_back(folder, "sheet")
    (folder / "sheet.toml").write_text(text, encoding="utf-8")


def count_jobs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is made by builds of this process, as it is."""
    made: list[str] = []

    def note(job: AidJob, **kept: Any) -> JobResult:
        made.append(job.name)
        return run_job(job, **kept)

    monkeypatch.setattr(build_run, "run_job", note)
    return made


def build(*options: str, code: int = 0) -> Result:
    """Build the project in this folder, in this process."""
    result = CliRunner().invoke(main, ["build", "--paper", "a4", "--jobs", "1", *options])
    assert result.exit_code == code, result.output
    return result


def explained(*options: str) -> list[str]:
    """What there is to do, line by line."""
    return build("--explain", *options).stdout.splitlines()


def tree(folder: Path) -> dict[str, bytes]:
    """All files in a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def clean_build(folder: Path) -> dict[str, bytes]:
    """What a build in this folder makes without a cache: of the same content it is made once."""
    parts = [sorted(tree(folder / part).items()) for part in ("content", "templates")]
    content = [*parts, *(path.read_bytes() for path in sorted(folder.glob("*.toml")))]
    name = f"clean-{sha256(repr(content).encode()).hexdigest()}"
    return tree(shared(name, lambda output: build("--no-cache", "-q", "-o", str(output))))


def edit(folder: Path, old: str, new: str) -> None:
    """Replace some words of a document."""
    rules = folder / "content" / "fate" / "rules.md"
    text = rules.read_text(encoding="utf-8")
    assert old in text
    rules.write_text(text.replace(old, new), encoding="utf-8")


def touch(folder: Path) -> None:
    """Give all files of content other times."""
    for path in (folder / "content").rglob("*"):
        os.utime(path, (time.time() + 1e6, 1))
