"""The docs site: the five games cold (goal: 2 s), rule sets of many files (goals: linear, 1,000 no slower than MkDocs).

From save to reloaded page: benchmarks/serve.py. ``python -m benchmarks.site 3000`` adds a rule set of 3,000 files.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.measure import BIN
from benchmarks.measure import run as measure

TIMES = 3
SITE_ALONE = ("--only", "site", "--no-cache", "--jobs", "1")
SIZES = (100, 300, 1000)
_TEXT = """
the creature target spell attack hit damage range feet level saving throw on a failed success half as much
within you can see until end of your next turn action bonus reaction weapon armor magic item rare wondrous
while wearing this gain advantage checks against resistance fire cold lightning poison force choose one
point radius cylinder cone line originates from chosen spreads around corners its area lightly obscured
duration
"""
WORDS = _TEXT.split()
KINDS = ("spells", "spells", "spells", "spells", "monsters", "monsters", "monsters", "items", "items", "chapters")
"""Of ten files; eight have a table."""


@dataclass(frozen=True, slots=True)
class Page:
    """A file of a rule set, and its table, if it has one: what it is called, and its columns."""

    folder: str
    title: str
    text: str
    columns: Sequence[str]


def run(sizes: Sequence[int] = SIZES, project: Path | None = None, times: int = TIMES) -> Iterator[str]:
    """The five games, then a rule set of each size: time of the processor, and memory."""
    with tempfile.TemporaryDirectory() as name:
        yield from _games(Path(name), project, times)
        yield from _rule_sets(Path(name), sizes, times)


def _games(folder: Path, project: Path | None, times: int) -> Iterator[str]:
    for cores, options in (("all cores", SITE_ALONE[:-2]), ("one core", SITE_ALONE)):
        command = [BIN / "refgen", "build", *(("--project", project) if project else ()), *options, "-o"]
        seconds, processor = zip(*(_timed(command, folder) for _ in range(times)), strict=True)
        yield f"five games, {cores}: {median(seconds):.2f} s, {median(processor):.2f} s of the processor"


def _rule_sets(folder: Path, sizes: Sequence[int], times: int) -> Iterator[str]:
    first: tuple[float, float] | None = None
    for size in sizes:
        ours, theirs = _projects(folder / str(size), size)
        commands: list[list[str | Path]] = [
            [BIN / "refgen", "build", "--project", ours, *SITE_ALONE, "-o"],
            [BIN / "mkdocs", "build", "--quiet", "--config-file", theirs / "mkdocs.yml", "--site-dir"],
        ]
        # In turns, so that what else the machine does strikes both alike.
        rounds = [
            [_timed(command, folder)[1] for command in commands] for _ in range(times if size < max(SIZES) else 1)
        ]
        our, their = (median(taken) for taken in zip(*rounds, strict=True))
        first = first or (our / size, their / size)
        memory = [measure([*command, _new(folder)], memory=True).megabytes for command in commands]
        own, other = (took / size / once for took, once in zip((our, their), first, strict=True))
        yield (
            f"{size} files, seconds of the processor: refgen {our:.1f}, MkDocs Material {their:.1f} "
            f"(refgen takes {our / their:.2f} times as long); a file takes {own:.2f} times as long as of {sizes[0]}, "
            f"with MkDocs {other:.2f} times; {memory[0]:.0f} MB, MkDocs {memory[1]:.0f} MB"
        )


def _timed(command: Sequence[str | Path], folder: Path) -> tuple[float, float]:
    """The seconds of a build into a new folder: on the clock, and of the processor."""
    run = measure([*command, _new(folder)])
    return run.seconds, run.processor


def _new(folder: Path) -> Path:
    """A folder that is not there yet. None is removed meanwhile: ext4 then takes its time to make new files."""
    return Path(tempfile.mkdtemp(dir=folder)) / "built"


def _projects(folder: Path, size: int) -> tuple[Path, Path]:
    """The same files as a project of refgen, and as one of MkDocs."""
    ours, theirs = folder / "ours", folder / "theirs"
    game = ours / "content" / "srd"
    tables = []
    for number, page in enumerate(_pages(size)):
        for place in (game, theirs / "docs"):
            file = place / page.folder / f"{number:04}.md"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(page.text, encoding="utf-8")
        if page.columns:
            tables.append(_table(number, page))
    (theirs / "docs" / "index.md").write_text("# Rules\n\nA rule set.\n", encoding="utf-8")
    (theirs / "mkdocs.yml").write_text("site_name: Rules\ntheme: {name: material}\n", encoding="utf-8")
    head = 'title = "Rules"\nabout = "A rule set."\ndocuments = ["*/*.md"]\naccent = "#1d4e79"\nsource = "Rules"\n'
    (game / "system.toml").write_text("\n".join([head, *tables]), encoding="utf-8")
    (ours / "refgen.toml").write_text("", encoding="utf-8")
    return ours, theirs


def _table(number: int, page: Page) -> str:
    heads = ", ".join(f'"{column}"' for column in page.columns)
    columns = ", ".join(f'{{ id = "c{place}", title = "{column}" }}' for place, column in enumerate(page.columns))
    return (
        f'[tables.t{number:04}]\ntitle = "{page.title}"\nsection = "{page.title}"\nheader = [{heads}]\n'
        f"columns = [{columns}]\n"
    )


def _pages(size: int) -> Iterator[Page]:
    """Spells, monsters, items and chapters, the same at each call."""
    chance = random.Random(size)  # words, no secrets
    for number in range(size):
        kind = KINDS[number % len(KINDS)]
        title = f"{' '.join(chance.sample(WORDS, 2)).title()} {number}"
        columns, rows = _rows(kind, chance) if number % 5 else ((), [])
        grid = ["", *(_line(row) for row in (columns, ["---"] * len(columns), *rows)), ""] if columns else []
        text = [f"# {title}", "", f"*{kind}, level {number % 9}*", "", *_prose(chance, 1), *grid, *_prose(chance, 3)]
        yield Page(kind, title, "\n".join(text) + "\n", columns)


def _rows(kind: str, chance: random.Random) -> tuple[tuple[str, ...], Sequence[tuple[str, ...]]]:
    if kind == "monsters":
        scores = [chance.randrange(3, 24) for _ in range(6)]
        return ("STR", "DEX", "CON", "INT", "WIS", "CHA"), [tuple(f"{one} ({one // 2 - 5:+d})" for one in scores)]
    if kind == "spells":
        return ("Slot", "Damage", "Area"), [(f"{slot}", f"{slot}d6 fire", f"{5 * slot} ft.") for slot in range(1, 10)]
    if kind == "items":
        goods = [(chance.choice(WORDS), f"{price} gp", f"{price / 2} lb.") for price in range(1, 9)]
        return ("Item", "Cost", "Weight"), goods
    levels = [(f"{level}", f"+{2 + level // 5}", chance.choice(WORDS), f"{level}d8") for level in range(1, 21)]
    return ("Level", "Bonus", "Features", "Dice"), levels


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _prose(chance: random.Random, count: int) -> list[str]:
    """Paragraphs, some of them under a heading, with emphasis here and there."""
    said: list[str] = []
    for number in range(count):
        words = chance.choices(WORDS, k=60)
        words[7] = f"**{words[7]}**"
        said += [f"## {words[3].title()} {words[9]}", ""] if number else []
        said += [f"{' '.join(words).capitalize()}, {chance.randrange(2, 60)} times.", ""]
    return said


if __name__ == "__main__":
    os.environ.setdefault("PYTHONHASHSEED", "0")
    for line in run([*SIZES, *map(int, sys.argv[1:])]):
        print(line)
