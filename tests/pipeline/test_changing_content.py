"""Content that changes while it is read: the output is of one state, or the build says what changed; the next is right.

A clock that jumps, and times of files that say nothing, change nothing: only what files hold counts.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import copytree, rmtree

import pytest
from click.testing import CliRunner

from refgen import files as reading
from refgen.cli import main
from tests.figures import write_figure
from tests.pipeline.small_builds import build, clean_build, edit, tree

ONLY = ("-q", "--only", "card,data,site")
Change = Callable[[Path], object]


def write_over(folder: Path) -> None:
    edit(folder, "Middling", "Fairish")


def replace_both(folder: Path) -> None:
    """Two files of a game at once, each by a new file that takes its name."""
    game = folder / "content" / "fate"
    for name, old, new in (("rules.md", "Middling", "Fairish"), ("cards.toml", "Margins", "Edges")):
        text = (game / name).read_text(encoding="utf-8")
        (game / "new").write_text(text.replace(old, new), encoding="utf-8")
        (game / "new").replace(game / name)


def delete(folder: Path) -> None:
    (folder / "content" / "fate" / "cards.toml").unlink()


def delete_rules(folder: Path) -> None:
    (folder / "content" / "fate" / "rules.md").unlink()


def delete_game(folder: Path) -> None:
    rmtree(folder / "content" / "grids")


CHANGES = (write_over, replace_both, delete, delete_rules, delete_game)


@contextmanager
def before_reading(number: int, within: Path, change: Change) -> Iterator[list[str]]:
    """Change content just before it is opened for the k-th time. Gives the names of the files that were opened."""
    opened, original = list[str](), reading.open_file

    @contextmanager
    def counted(path: Path, *, links: bool) -> Iterator[tuple[int, os.stat_result]]:
        if path.is_relative_to(within):
            opened.append(path.name)
            if len(opened) == number:
                change(within.parent)
        with original(path, links=links) as found:
            yield found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "open_file", counted)
        patch.setattr("refgen.pipeline.digests.open_file", counted)
        yield opened


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "every"),
    [
        pytest.param(replace_both, False, id="a few points"),
        *(pytest.param(change, True, id=change.__name__, marks=pytest.mark.soak) for change in CHANGES),
    ],
)
def test_content_that_changes_while_it_is_read(folder: Path, change: Change, every: bool) -> None:
    build(*ONLY)
    edit(folder, "Average", "Middling")
    start = {name: copytree(folder / name, folder / "start" / name) for name in ("content", "cache", "build")}
    with before_reading(0, folder / "content", change) as opened:
        build(*ONLY)
    old = tree(folder / "build")
    points: Sequence[int] = range(1, len(opened) + 1)
    if not every:  # before the deck is read, when the rules were
        points = [point for point in points if opened[point - 1] == "cards.toml"][3:7]
    reported = 0
    for point in points:
        for name, place in start.items():
            rmtree(folder / name, ignore_errors=True)  # there is no build where the game was not there
            copytree(place, folder / name)
        with before_reading(point, folder / "content", change):
            result = CliRunner().invoke(main, ["build", "--paper", "a4", "--jobs", "1", *ONLY])
        made = tree(folder / "build")
        again = CliRunner().invoke(main, ["build", "--paper", "a4", "--jobs", "1", *ONLY])
        now = tree(folder / "build")
        assert result.exit_code in (0, 2), (point, result.output, result.exception)
        said = result.exit_code == 2 or "changed while it was built" in result.output
        assert said or made in (old, now), (point, result.output)
        reported += said
        rmtree(folder / "build")
        if again.exit_code == 0:
            build(*ONLY)
            assert tree(folder / "build") == clean_of(folder), point
    if every:
        write_figure(
            "content", change.__name__.replace("_", " "), f"at each of {len(opened)} readings; {reported} reported"
        )


def clean_of(folder: Path) -> dict[str, bytes]:
    """What a build of the content as it is makes without a cache."""
    build(*ONLY, "--no-cache", "-o", str(folder / "clean"))
    made = tree(folder / "clean")
    rmtree(folder / "clean")
    return made


@pytest.mark.slow
@pytest.mark.parametrize("year", [1971, 2105])
def test_no_time_counts(folder: Path, monkeypatch: pytest.MonkeyPatch, year: int) -> None:
    """The clock jumps there and back, all files are of then, and an edit leaves their times as they were."""
    jumps = iter(range(10**9))
    now, then = time.time, (year - 1970) * 365.25 * 86400.0
    monkeypatch.setattr(time, "time", lambda: then if next(jumps) % 2 else now())
    build("-q")
    for old, new in (("Average", "Midling"), ("Midling", "Avarage"), ("Avarage", "Average")):
        edit(folder, old, new)
        for path in folder.rglob("*"):
            os.utime(path, (then, then))
        build("-q")
        assert tree(folder / "build") == clean_build(folder)
