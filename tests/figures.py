"""Figures that long runs write into the docs: a test of ``make soak`` or ``make fuzz`` that measures something says

    write_figure("limits", "nesting", "0.4 s, 90 MB; one more is refused")

which writes, into the block ``limits`` of docs/security.md, the row of ``nesting`` again and leaves all other rows:

    <!-- figures: limits -->
    | | figure | measured | commit |
    |---|---|---|---|
    | nesting | 0.4 s, 90 MB; one more is refused | 2026-11-26 | 4aec6045 |
    <!-- until here -->

Each case of a parametrized test may write a row of its own, also from several processes at once. A figure is plain text
without a bar. To add a block: put its two marks (nothing between) under the promise in docs/security.md, name the test
there, run the test with ``-m soak``, and commit the page with what the run wrote. ``tests/test_security.py`` compares
the blocks of the page with the calls of ``write_figure``, and wants a row with date and commit in each.

In: the name of a block, of a row, and its figure. Out: docs/security.md with the row. A document with tables of its own
(docs/checks.md) has its block changed by ``in_block`` and ``with_block``.
"""

from __future__ import annotations

import fcntl
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SECURITY = ROOT / "docs" / "security.md"
END = "<!-- until here -->\n"
HEAD = "| | figure | measured | commit |\n|---|---|---|---|\n"


def write_figure(block: str, name: str, figure: str, document: Path = SECURITY) -> None:
    """Write a figure into its row of a block, with today's date and the commit that was measured."""
    assert not {*"|\n"} & {*name, *figure}, "it stands in a cell of a table"
    row = f"| {name} | {figure} | {datetime.now(UTC).date()} | {commit()} |\n"
    with document.open("r+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # other processes of this run write their rows
        text = file.read()
        rows = dict(rows_of(in_block(text, block))) | {name: row}
        file.seek(0)
        file.truncate()
        file.write(with_block(text, block, HEAD + "".join(rows[key] for key in sorted(rows))))


def rows_of(block: str) -> list[tuple[str, str]]:
    """The rows of a block of figures: the name of each, and its line."""
    return [(line.split("|")[1].strip(), line) for line in block.removeprefix(HEAD).splitlines(keepends=True)]


def begin(block: str) -> str:
    """The mark at which a block begins."""
    return f"<!-- figures: {block} -->\n"


def in_block(text: str, block: str) -> str:
    """The text between the marks of a block."""
    assert text.count(begin(block)) == 1, f"the page has no block {block}, or two"
    return text.partition(begin(block))[2].partition(END)[0]


def with_block(text: str, block: str, new: str) -> str:
    """A text with something else between the marks of a block."""
    old = begin(block) + in_block(text, block) + END
    return text.replace(old, begin(block) + new + END)


def blocks(text: str) -> list[str]:
    """The names of the blocks of figures in a text."""
    return re.findall(r"^<!-- figures: (.*) -->$", text, re.MULTILINE)


def commit() -> str:
    """The commit that is measured; with "+" if files of refgen or of its tests have changed since."""
    name = _git("rev-parse", "--short=8", "HEAD")
    return name + ("+" if _git("status", "--porcelain", "--", ".", ":!docs") else "")


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout.strip()
