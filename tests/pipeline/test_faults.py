"""A disk that fails at any moment leaves old files or new ones, a true message, and nothing that the next run minds."""

from __future__ import annotations

import errno
import gc
import os
import re
import tempfile
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from shutil import copytree, rmtree
from typing import NamedTuple

import pytest
from click.testing import CliRunner, Result

from refgen.aids.sheet.template import SheetTemplate
from refgen.cli import main
from refgen.layout.page_format import PageFormat
from refgen.pipeline.output_files import read_manifest
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
    "example": Work(("init", "--example", "soundings", "-y"), again=False),
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
SELDOM = ("site", "screen", "picture", "fill", "init", "schemas")
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
    monkeypatch.setattr(threading, "active_count", lambda: 1)  # with more, fonts are not written into refgen's folder
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


@dataclass
class Trials:
    """The trials of a work, each on a disk of its own; ``old`` are the files before the work, ``new`` those after."""

    work: Work
    start: Path
    folder: Path
    codes: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        renewed(self.start, self.folder)
        run(*self.work.command)  # what is made once, is made
        with FaultyDisk(renewed(self.start, self.folder)).here() as self.counted:
            run(*self.work.command)
        self.old, self.new = files(self.start), files(self.folder)
        self.clean = self._clean_build()

    def try_on(self, disk: FaultyDisk) -> None:
        """Do the work on a disk: exit code 2 and the cause, or all is well; and do the work again on a sound disk."""
        renewed(self.start, self.folder)
        with disk.here():
            result = CliRunner().invoke(main, self.work.command)
        case = f"{disk.failed[:1]} fails with {errno.errorcode[disk.number]}: {result.output}"
        assert disk.failed, case
        assert result.exception is None or isinstance(result.exception, SystemExit), case
        assert result.exit_code in (0, 2), case
        self.codes.append(result.exit_code)
        check_message(result, disk, case)
        check_files(files(self.folder), self.old, self.new, self.work, case)
        is_next = bool(result.exit_code) or self.work.again
        del result  # with its traceback, and the fonts in the frames of that
        if is_next:
            self._check_next(case)

    def _check_next(self, case: str) -> None:
        """The next run makes what a run without a fault makes, of the cache too, and leaves nothing lying about."""
        run(*self.work.command)
        assert files(self.folder) == self.new, case
        if self.work.command[0] == "build":
            rmtree(self.folder / "build")
            run(*self.work.command)
            assert files(self.folder) == self.clean, case
        if litter(self.folder):
            gc.collect()  # WeasyPrint removes the folder of some fonts when the fonts are garbage
        assert not litter(self.folder), case

    def _clean_build(self) -> dict[str, bytes]:
        """The files that a build makes without an earlier one, and without a cache."""
        if self.work.command[0] == "build":
            rmtree(self.folder / "build")
            run(*self.work.command, "--no-cache")
        return files(self.folder)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "every"), soaked([name for name in WORKS if name not in SELDOM]))
def test_whichever_change_of_the_disk_fails_files_are_old_or_new(
    start: Path, trial: Path, name: str, every: bool
) -> None:
    """The k-th change fails, alone or with all that follow."""
    trials = Trials(WORKS[name], start, trial)
    assert name == "clean" or trials.old != trials.new
    for number, error, lasting in points(trials.counted.changes, every=every):
        trials.try_on(FaultyDisk(trial, number, error, lasting))
    reported = trials.codes.count(2)
    assert reported
    if every:
        changes = len(trials.counted.changes)
        figure = f"{len(trials.codes)} faults, at each of {changes} changes: {reported} reported, none torn"
        write_figure("disk", f"a change fails: {name}", figure)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "every"), soaked(["build"]))
def test_a_disk_that_is_full_at_any_percent_leaves_old_files_or_new(
    start: Path, trial: Path, name: str, every: bool
) -> None:
    """The disk takes so many percent of the bytes that the work writes."""
    if name == "clean":
        return  # it writes nothing
    trials = Trials(WORKS[name], start, trial)
    for percent in range(100) if every else (0, 10, 60, 80, 90, 99):
        room = trials.counted.written * percent // 100
        trials.try_on(FaultyDisk(trial, number=errno.ENOSPC, room=room))
    reported = trials.codes.count(2)
    assert reported
    if every:
        write_figure("disk", f"full at 0 to 99%: {name}", f"{len(trials.codes)} runs: {reported} reported, none torn")


def check_message(result: Result, disk: FaultyDisk, case: str) -> None:
    """An error has the cause and a path of the project; a cache that cannot be written is a warning."""
    reason = os.strerror(disk.number).lower()
    if result.exit_code:
        found = re.search(rf"cannot (?:write|make|remove) (.*): {reason}|^(.*) cannot be made: {reason}", result.output)
        assert found is not None, case
        assert Path(found[1] or found[2]).absolute().is_relative_to(disk.within), case
    elif re.match("(?:open|write|mkdir|replace) cache/", disk.failed[0]):
        assert f"nothing is kept for the next build: cannot write {disk.within / 'cache'}" in result.output, case


def check_files(now: dict[str, bytes], old: dict[str, bytes], new: dict[str, bytes], work: Work, case: str) -> None:
    """All files are old, or all are new but those of steps that failed."""
    if not work.whole:
        assert all(now.get(path) in (old.get(path), new.get(path)) for path in {*now, *old, *new}), case
    elif now not in (old, new):
        failed = tuple(f"build/{step}" for step in re.findall(r"(\S+/\S+) \(\w+\) cannot be made", case))
        assert failed, case
        rest = {path: data for path, data in new.items() if not path.startswith(failed)}
        assert now | {MANIFEST: b""} == rest | {MANIFEST: b""}, case
        listed = {f"build/{entry.path}": entry.sha256 for entry in read_manifest(Path("build"))}
        made = {path: sha256(data).hexdigest() for path, data in now.items() if path.startswith("build/")}
        assert {path: made[path] for path in made if path != MANIFEST} == listed, case


MANIFEST = "build/manifest.json"
