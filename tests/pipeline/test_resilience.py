"""Builds that are killed, run at once, find a damaged cache, or run elsewhere publish what a clean one does.

The long form of each is in ``make soak``.
"""

from __future__ import annotations

import itertools
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from ctypes import CDLL, c_uint32
from hashlib import sha256
from pathlib import Path
from shutil import copytree, rmtree
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from refgen.cli import main
from tests.figures import write_figure
from tests.pipeline.executors.test_processes import end_soon
from tests.pipeline.small_builds import build, clean_build, edit, touch, tree
from tests.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.slow

COMMAND = [sys.executable, "-m", "refgen.cli", "build", "-q", "--paper", "a4"]
WORDS = ("Average", "Middling")


def entries(folder: Path) -> list[Path]:
    return [path for path in sorted((folder / "cache").rglob("*")) if path.is_file()]


def damage(path: Path, generator: random.Random) -> None:
    """Flip a bit of a file, or cut it off."""
    data = bytearray(path.read_bytes())
    if generator.random() < 0.5:
        data[generator.randrange(len(data))] ^= 1 << generator.randrange(8)
    else:
        del data[generator.randrange(len(data)) :]
    path.write_bytes(data)


@pytest.mark.parametrize("count", [20, pytest.param(200, marks=pytest.mark.soak)])
def test_a_damaged_cache_costs_time_alone(folder: Path, count: int) -> None:
    """So many entries, some or all of them at a time: what is left of the cache is used, and nothing damaged is."""
    build("-q")
    before, generator = tree(folder / "build"), random.Random(1)
    while count > 0:
        rmtree(folder / "build")
        found = entries(folder)
        damaged = found if generator.random() < 0.5 else generator.sample(found, 3)
        for path in damaged:
            damage(path, generator)
        count -= len(damaged)
        build("-q")
        assert tree(folder / "build") == before
        assert {*found} <= {*entries(folder)}


def of_a_link(folder: Path) -> None:
    """Entries are links to a file of the user, and the whole cache is one to another folder."""
    for path in entries(folder):
        path.unlink()
        path.symlink_to(folder / "mine.txt")
    (folder / "cache").rename(folder / "elsewhere")
    (folder / "cache").symlink_to(folder / "elsewhere")


def of_folders(folder: Path) -> None:
    for path in entries(folder):
        path.unlink()
        path.mkdir()


def of_another_version(folder: Path) -> None:
    """Records of builds, whose key is the same in each version, are sound and have another shape."""
    records = [path for path in entries(folder) if path.read_bytes()[32:].startswith(b'{"read"')]
    assert records
    for path in records:
        data = b'{"read": {"content": "", "folders": {}}, "format": 7}'
        path.write_bytes(sha256(path.name.encode() + b"\0" + data).digest() + data)


def of_a_file(folder: Path) -> None:
    rmtree(folder / "cache" / "steps")
    (folder / "cache" / "steps").write_text("mine")


def unreadable(folder: Path) -> None:
    for path in entries(folder):
        path.chmod(0)


def unwritable(folder: Path) -> None:
    for path in (folder / "cache").rglob("*"):
        path.chmod(0o555 if path.is_dir() else 0o444)


def closed(folder: Path) -> None:
    (folder / "cache" / "steps").chmod(0)


OTHERS: Mapping[Callable[[Path], None], str] = {
    of_a_link: "",
    of_folders: "cannot write {folder}/cache/steps: is a directory",
    of_another_version: "",
    of_a_file: "cannot write {folder}/cache/steps: not a directory",
    unreadable: "",
    unwritable: "cannot write {folder}/cache/steps: permission denied",
    closed: "cannot write {folder}/cache/steps: permission denied",
}
"""Caches that are not as refgen leaves them, and why nothing can be kept there; "" if it can."""


@contextmanager
def without_rights_of_root() -> Iterator[None]:
    """Let the rights of files count for this thread, also if it is root's: capabilities 1 and 2 are taken from it."""
    header, rights = (c_uint32 * 2)(0x20080522, 0), (c_uint32 * 6)()
    libc = CDLL(None)
    libc.capget(header, rights)
    before = rights[0]
    rights[0] &= ~0b110
    libc.capset(header, rights)
    try:
        yield
    finally:
        rights[0] = before
        libc.capset(header, rights)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has capabilities")
@pytest.mark.parametrize("spoil", OTHERS)
def test_a_cache_of_another_user_or_version_costs_time_alone(folder: Path, spoil: Callable[[Path], None]) -> None:
    build("-q", "--only", "card,data")
    before = tree(folder / "build")
    (folder / "mine.txt").write_text("mine")
    rmtree(folder / "build")
    spoil(folder)
    with without_rights_of_root():
        told = build("-q", "--only", "card,data").stderr
    assert tree(folder / "build") == before
    assert (folder / "mine.txt").read_text() == "mine"
    reason = OTHERS[spoil].format(folder=folder)
    assert told == (f"warning: nothing is kept for the next build: {reason}\n" if reason else "")
    for path in (folder / "cache", folder / "cache" / "steps"):
        path.chmod(0o755)


class Place(NamedTuple):
    """Where and how a build runs."""

    variables: Mapping[str, str] = {}
    options: tuple[str, ...] = ("--jobs", "1")
    umask: int = 0o022
    order: str = ""


BACKWARDS = """
import os, sys
scan, names = os.scandir, os.listdir

class Backwards:
    def __init__(self, *arguments):
        with scan(*arguments) as found:
            self.found = iter([*found][::-1])
    def __iter__(self): return self.found
    def __next__(self): return next(self.found)
    def __enter__(self): return self
    def __exit__(self, *_): pass
    def close(self): pass

os.scandir, os.listdir = Backwards, lambda *arguments: names(*arguments)[::-1]
from refgen.cli import main
main()
"""
"""The command line, where all folders list their files the other way round."""

PLACES = {
    "zone": Place({"TZ": "Asia/Kathmandu"}),
    "locale": Place({"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"}),
    "plain-locale": Place({"LC_ALL": "C", "PYTHONUTF8": "0"}),
    "hash-seed": Place({"PYTHONHASHSEED": "7"}),
    "other-hash-seed": Place({"PYTHONHASHSEED": "4242"}),
    "epoch": Place({"SOURCE_DATE_EPOCH": "1"}),
    "umask": Place(umask=0o077),
    "two-jobs": Place(options=("--jobs", "2")),
    "four-jobs": Place(options=("--jobs", "4")),
    "file-order": Place(order=BACKWARDS),
    "no-cache": Place(options=("--no-cache", "--jobs", "1")),
}
ALL = Place(
    {"TZ": "Asia/Kathmandu", "LC_ALL": "tr_TR.UTF-8", "PYTHONHASHSEED": "7", "SOURCE_DATE_EPOCH": "1"},
    ("--no-cache", "--jobs", "2"),
    0o077,
    BACKWARDS,
)


@pytest.mark.parametrize(
    "place",
    [
        pytest.param(ALL, id="all-at-once"),
        *(pytest.param(place, id=name, marks=pytest.mark.soak) for name, place in PLACES.items()),
    ],
)
def test_the_same_bytes_wherever_and_however(folder: Path, place: Place, request: pytest.FixtureRequest) -> None:
    """In another folder, with other times of files, and each thing that may differ, one by one and all at once."""
    build("-q")
    other = copytree(folder / "content", folder / "else" / "where" / "content").parent
    (other / "refgen.toml").write_text("")
    touch(other)
    start = ["-c", place.order] if place.order else ["-m", "refgen.cli"]
    command = [sys.executable, *start, *COMMAND[3:], *place.options]
    environment = {**os.environ, "REFGEN_CACHE": str(other / "cache"), **place.variables}
    subprocess.run(command, cwd=other, env=environment, umask=place.umask, check=True)
    made = tree(folder / "build")
    assert tree(other / "build") == made
    if request.node.get_closest_marker("soak"):
        write_figure("bytes", request.node.callspec.id, f"{len(made)} files, the same bytes")


def test_two_builds_at_once_do_not_harm_each_other(cold: Path) -> None:
    both = [subprocess.Popen([*COMMAND, "--jobs", "1"]) for _ in range(2)]
    assert [process.wait(4 * PATIENCE) for process in both] == [0, 0]
    assert tree(cold / "build") == clean_build(cold)
    assert not list(cold.glob(".refgen-*"))


def children(process: int) -> Iterator[int]:
    """The processes that any thread of a process has started."""
    for path in Path(f"/proc/{process}/task").glob("*/children"):
        yield from map(int, path.read_text().split())


SIGNALS = {signal.SIGKILL: -9, signal.SIGTERM: 143, signal.SIGINT: 130}
"""The signals that builds are stopped with in turn, and the exit codes that follow."""


def started(*command: str, **pipes: int) -> subprocess.Popen[str]:
    """A command in a process that Ctrl-C reaches, also where these tests run in the background."""
    found: subprocess.Popen[str] = subprocess.Popen(command, text=True, preexec_fn=hear_signals, **pipes)  # type: ignore[call-overload]
    return found


def hear_signals() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def stop(process: subprocess.Popen[str], number: signal.Signals) -> int:
    """Stop a command by a signal: all processes that it started end by themselves. Returns the exit code."""
    if number != signal.SIGKILL:
        wait_until(lambda: process.poll() is not None or hears_signals(process.pid))
    left = family(process.pid)
    process.send_signal(number)
    _, said = process.communicate(timeout=PATIENCE)
    end_soon(left)
    assert "Traceback" not in (said or ""), said
    return process.returncode


def hears_signals(process: int) -> bool:
    """Whether a process has set a handler for SIGTERM, which Python alone has not."""
    status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    return bool(int(status.partition("SigCgt:")[2].split()[0], 16) >> (signal.SIGTERM - 1) & 1)


def family(process: int) -> list[int]:
    """The processes that a process has started, and those that they have."""
    found = [process]
    for each in found:
        with suppress(OSError):
            found += children(each)
    return found[1:]


def both_sets(folder: Path, words: list[str], *papers: str) -> list[dict[str, bytes]]:
    """What a build on these papers makes with the one word, and with the other; the document is left as it was."""
    sets = []
    for _ in words:
        build_on(papers)
        sets.append(tree(folder / "build"))
        edit(folder, *words)
        words.reverse()
    return sets


def build_on(papers: Sequence[str]) -> None:
    """Build in this process, on these papers; on all papers where none is named."""
    made = CliRunner().invoke(main, ["build", "-q", "--jobs", "1", *(f"--paper={paper}" for paper in papers)])
    assert made.exit_code == 0, made.output


@pytest.mark.parametrize("count", [3, pytest.param(300, marks=pytest.mark.soak)])
def test_builds_that_are_killed_leave_an_old_set_or_a_new_one(folder: Path, count: int) -> None:
    """Cold and incremental builds, stopped at any moment or at each step: nothing torn, no process left, true codes.

    So many are stopped; builds that are done before their moments come are not among them.
    """
    generator, words = random.Random(1), [*WORDS]
    sets = both_sets(folder, words, "a4")
    longest, codes = {True: 1.0, False: 1.0}, Counter[int]()
    command = [part for part in COMMAND if part != "-q"] + ["--jobs", "2", "--log", "json"]
    for turn in itertools.takewhile(lambda _: codes.total() - codes[0] < count, itertools.count()):
        edit(folder, *words)
        words.reverse()
        is_cold, at_a_step = bool(turn % 2), bool(turn // 2 % 2)
        if is_cold:
            rmtree(folder / "cache", ignore_errors=True)
        number = [*SIGNALS][turn % 3]
        start = time.monotonic()
        with started(*command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            if at_a_step and process.stderr:
                assert all(process.stderr.readline() for _ in range(turn % LINES))
            else:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(generator.uniform(0, 1.1) * longest[is_cold])
                    longest[is_cold] = time.monotonic() - start  # it was done
                longest[is_cold] *= 1.02
            code = stop(process, number)
        assert code in (0, SIGNALS[number])
        codes[code] += 1
        assert tree(folder / "build") in sets
    assert codes[143] or codes[130]
    build("-q")
    assert tree(folder / "build") == clean_build(folder)
    assert not list(folder.glob(".refgen-*"))
    if count > MANY:
        write_figure("kills", "builds", in_words(codes))


LINES, MANY = 17, 10
"""Lines of the log of a build of the small project; runs that are worth a figure."""


def in_words(codes: Counter[int]) -> str:
    """How so many runs ended, for the docs."""
    ways = ", ".join(f"{codes[code]} with {code}" for code in sorted(codes, key=abs) if code > 0)
    return f"{codes.total()} runs: {codes[-9]} killed, {ways}, {codes[0]} done before; none torn, no process left"


@pytest.mark.parametrize("count", [2, pytest.param(30, marks=pytest.mark.soak)])
@pytest.mark.parametrize("command", ["build --watch --paper a4", "serve"])
def test_watching_builds_that_are_killed_leave_an_old_set_or_a_new_one(folder: Path, command: str, count: int) -> None:
    """Each is stopped at any moment after an edit that it may have seen, or not."""
    generator, words, longest = random.Random(2), [*WORDS], 4 if count > MANY else 1.5
    papers = () if command == "serve" else ("a4",)
    sets, codes = both_sets(folder, words, *papers), Counter[int]()
    for turn in range(count):
        arguments = [sys.executable, "-m", "refgen.cli", *command.split(), "-q", "--jobs", "2"]
        with started(*arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            time.sleep(generator.uniform(0, longest))
            edit(folder, *words)
            words.reverse()
            time.sleep(generator.uniform(0, longest))
            number = [*SIGNALS][turn % 3]
            code = stop(process, number)
        assert code == SIGNALS[number]
        codes[code] += 1
        assert tree(folder / "build") in sets
    build_on(papers)
    assert tree(folder / "build") in sets
    assert not list(folder.glob(".refgen-*"))
    if count > MANY:
        write_figure("kills", command.partition(" --paper")[0], in_words(codes))
