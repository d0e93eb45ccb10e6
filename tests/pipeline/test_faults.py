"""A disk that fails at any moment leaves old files or new ones, a true message, and nothing that the next run minds."""

from __future__ import annotations

import errno
import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from shutil import copytree, rmtree
from typing import NamedTuple

import pytest
from click.testing import CliRunner, Result

from refgen.aids.sheet.template import SheetTemplate
from refgen.cli import main
from refgen.layout.page_format import PageFormat
from tests.checks.small import write as write_crossing
from tests.figures import write_figure
from tests.pipeline.faulty_disk import FaultyDisk
from tests.pipeline.small_builds import edit, give_back, make_project, tree
from tests.pipeline.test_new_game import RULES
from tests.sharing import Shared

ERRORS = (errno.ENOSPC, errno.EIO, errno.EACCES, errno.EROFS)
BUILD = ("build", "-q", "--paper", "a4", "--jobs", "1", "--only")


class Work(NamedTuple):
    """A command that changes files; its files are ``whole`` together, or each for itself. ``again``: run it twice."""

    command: tuple[str, ...]
    whole: bool = False
    again: bool = True


WORKS = {
    "build": Work((*BUILD, "card,data"), whole=True),
    "site": Work((*BUILD, "card,data,site"), whole=True),
    "screen": Work((*BUILD, "screen", "--no-cache"), whole=True),
    "clean": Work(("clean",)),
    "init": Work(("init", "rules.md", "-y")),
    "fill": Work(("sheet", "fate", "party.csv", "-o", "out", "-q")),
    "fill-merged": Work(("sheet", "fate", "party.csv", "--merge", "out/party.pdf", "-q"), whole=True),
    "new-character": Work(("sheet", "fate", "--new", "Orlin"), whole=True, again=False),
    "accept": Work(("check", "crossing", "--accept", "hold", "--reason", "Why."), whole=True, again=False),
    "pin": Work(("check", "crossing", "--pin"), whole=True),
    "look": Work(("look", "night", "--copy"), whole=True, again=False),
    "picture": Work(("look", "night", "fate", "-o", "night.png"), whole=True),
    "schemas": Work(("schema", "--all", "-o", "schemas")),
}
SELDOM = ("site", "screen", "picture", "fill")
"""What takes long, or makes what others make too."""


@pytest.fixture(scope="session")
def start(shared: Shared) -> Path:
    """A project that was built, and edited since; each trial has a copy of the project, where it runs."""

    def make(folder: Path) -> None:
        folder.mkdir()
        make_project(folder)
        give_back(folder / "content" / "fate", "sheet")
        write_crossing(folder / "content", ("hold 6", "hold 5"))
        for name, text in {"rules.md": RULES, "party.csv": "Name\nOrlin\nBerra\n"}.items():
            (folder / name).write_text(text, encoding="utf-8")
        (folder / "tmp").mkdir()
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("REFGEN_CACHE", str(folder / "cache"))
            patch.chdir(folder)
            run(*BUILD, "card,data")
        edit(folder, "Average", "Middling")

    return shared("faults", make)


@pytest.fixture
def trial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder where trials run, with its own cache and temporary files; blank sheets are laid out once."""
    folder = tmp_path / "trial"
    monkeypatch.setenv("REFGEN_CACHE", str(folder / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", str(folder / "tmp"))
    known: dict[PageFormat, SheetTemplate] = {}
    make = SheetTemplate.of
    monkeypatch.setattr(SheetTemplate, "of", lambda *of: known.get(of[-1]) or known.setdefault(of[-1], make(*of)))
    monkeypatch.chdir(tmp_path)
    return folder


def renewed(start: Path, trial: Path) -> Path:
    """The folder of the trials as it was at the start: no command writes into a file that is there."""
    os.chdir(start)
    rmtree(trial, ignore_errors=True)
    copytree(start, trial, symlinks=True, copy_function=os.link)
    os.chdir(trial)
    return trial


def run(*command: str, code: int = 0) -> Result:
    result = CliRunner().invoke(main, command)
    assert result.exit_code == code, (command, result.output, result.exception)
    return result


def files(folder: Path) -> dict[str, bytes]:
    """All files but the cache, and what stands beside files that are being written."""
    return {path: data for path, data in tree(folder).items() if not is_apart(path)}


def is_apart(path: str) -> bool:
    return path.startswith(("cache/", "tmp/")) or any(part.startswith(".refgen-") for part in Path(path).parts)


def litter(folder: Path) -> list[Path]:
    return [*folder.rglob(".refgen-*"), *(folder / "tmp").iterdir()]


def kind(change: str) -> str:
    """The kind of a change: what is done, and to what, as far as the first folder says, without random letters."""
    return re.sub(r"-\w{8}(?=/|$)|#\d+", "-…", change.partition("/")[0])


def points(changes: Sequence[str], *, every: bool) -> Iterator[tuple[int, int, bool]]:
    """The changes to fail, each with its error, alone or with all that follow; else the first of each kind."""
    numbers = range(1, len(changes) + 1)
    firsts = {kind(changes[number - 1]): number for number in reversed(numbers)}
    for place, number in enumerate(numbers if every else sorted(firsts.values())):
        for lasting in (False, True) if every else (bool(place % 2),):
            yield number, ERRORS[place % len(ERRORS)], lasting


def soaked(every_time: Sequence[str]) -> list[object]:
    """Each work, some at a few points every time, all at every point in ``make soak``."""
    short = [pytest.param(name, False, id=name) for name in every_time]
    return [*short, *(pytest.param(name, True, id=f"{name}-all", marks=pytest.mark.soak) for name in WORKS)]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "every"), soaked([name for name in WORKS if name not in SELDOM]))
def test_whichever_change_of_the_disk_fails_files_are_old_or_new(
    start: Path, trial: Path, name: str, every: bool
) -> None:
    """The k-th change fails, alone or with all that follow: exit code 2 and the cause, or all is well."""
    work = WORKS[name]
    renewed(start, trial)
    run(*work.command)  # what is made once, is made
    with FaultyDisk(renewed(start, trial)).here() as counted:
        run(*work.command)
    old, new = files(start), files(trial)
    assert name == "clean" or old != new
    clean = clean_build(trial, work)
    codes = []
    for number, error, lasting in points(counted.changes, every=every):
        renewed(start, trial)
        with FaultyDisk(trial, number, error, lasting).here() as disk:
            result = CliRunner().invoke(main, work.command)
        told = f"{disk.failed[0]} fails with {errno.errorcode[error]}{' and all after' * lasting}: {result.output}"
        assert result.exception is None or isinstance(result.exception, SystemExit), told
        codes.append(result.exit_code)
        check_message(result, disk, error, told)
        check_files(files(trial), old, new, work, told)
        check_next(trial, new, clean, work, told, result.exit_code)
    assert {0, 2} >= {*codes}
    if every:
        write_figure("disk", name, f"{len(codes)} faults at {len(counted.changes)} changes: {codes.count(2)} told")


def check_message(result: Result, disk: FaultyDisk, error: int, told: str) -> None:
    """An error has the cause and a path of the project; a cache that cannot be written is a warning."""
    reason = os.strerror(error).lower()
    if result.exit_code:
        found = re.search(rf"cannot (?:write|make|remove) (.*): {reason}|^(.*) cannot be made: {reason}", result.output)
        assert found is not None, told
        assert Path(found[1] or found[2]).absolute().is_relative_to(disk.within), told
    elif re.match("(?:open|write|mkdir|replace) cache/", disk.failed[0]):
        assert f"nothing is kept for the next build: cannot write {disk.within / 'cache'}" in result.output, told


def check_files(now: dict[str, bytes], old: dict[str, bytes], new: dict[str, bytes], work: Work, told: str) -> None:
    if work.whole:
        assert now in (old, new), told
    else:
        assert all(now.get(path) in (old.get(path), new.get(path)) for path in {*now, *old, *new}), told


def clean_build(trial: Path, work: Work) -> dict[str, bytes]:
    """The files that a build makes without an earlier one, and without a cache."""
    if work.command[0] == "build":
        rmtree(trial / "build")
        run(*work.command, "--no-cache")
    return files(trial)


def check_next(trial: Path, new: dict[str, bytes], clean: dict[str, bytes], work: Work, told: str, code: int) -> None:
    """The next run makes what a run without a fault makes, of the cache too, and leaves nothing lying about."""
    if not code and not work.again:
        return
    run(*work.command)
    assert files(trial) == new, told
    if work.command[0] == "build":
        rmtree(trial / "build")
        run(*work.command)
        assert files(trial) == clean, told
    assert not litter(trial), told
