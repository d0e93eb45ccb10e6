"""From a saved file to its page in a browser, and to its PDF (goals: 0.5 s and 2 s).

Of each game the file that describes a screen; the same with one of the rules, so that these are read and checked again;
and of one game a cell of the rules, on a screen and on the page of the rules.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import count, islice
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple
from urllib.request import urlopen

from benchmarks.builds import CELL, EDITED
from benchmarks.measure import BIN
from refgen.files import bundled_folder

TIMES = 5
PAGE, PRINT = "gm-screen-a4.html", "gm-screen-a4.pdf"
SHOWS = """text => document.readyState === "complete" && document.body.textContent.includes(text)
    && document.body.getBoundingClientRect() && performance.timeOrigin + performance.now()"""
"""When a page shows a text, laid out, in milliseconds since 1970; false until then."""

Edit = Callable[[int], str]
"""Saves the edit of a number; returns what the page then says."""


def run(content: Path | None = None, times: int = TIMES) -> Iterator[str]:
    """Each edit so many times; beside it, what the same browser needs to load the page. ``content``: other games."""
    browser = shutil.which("chromium")
    if browser is None:
        yield "no chromium is installed"
        return
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        root = Path(folder)
        shutil.copytree(content or bundled_folder("content"), root / "content")
        (root / "refgen.toml").write_text("", encoding="utf-8")
        with _serving(root) as server, playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"]) as it:
            page = it.new_page(bypass_csp=True)  # Playwright waits by evaluating text
            url = server.stdout.readline().split()[1] if server.stdout else ""
            _until((root / "build" / "manifest.json").is_file, 600)
            seen = _Seen(page, url, root / "build", times)
            for game in sorted(path.parent.name for path in (root / "content").glob("*/system.toml")):
                for with_rules in (False, True):
                    edit = _of_screen(root / "content" / game, with_rules=with_rules)
                    yield seen.line(f"{game}/{PAGE}", "screen and rules" if with_rules else "screen", edit)
            for name in (PAGE, "rules.html"):
                yield seen.line(f"{EDITED.parent}/{name}", "a cell of rules", _of_cell(root / "content" / EDITED))


def _of_screen(folder: Path, *, with_rules: bool) -> Edit:
    """Another title of a panel."""
    screen, rules = folder / "screen.toml", folder / "system.toml"
    text = screen.read_text(encoding="utf-8")
    title = text.partition('title = "')[2].partition('"')[0]

    def edit(number: int) -> str:
        if with_rules:
            rules.write_text(f"{rules.read_text(encoding='utf-8')}\n", encoding="utf-8")
        screen.write_text(text.replace(title, f"Edit {number}", 1), encoding="utf-8")
        return f"Edit {number}"

    return edit


def _of_cell(document: Path) -> Edit:
    """Another number in a cell, with which the rules do not agree."""
    text = document.read_text(encoding="utf-8")

    def edit(number: int) -> str:
        cell = f"500,0{number:02}"
        document.write_text(CELL.sub(cell, text), encoding="utf-8")
        return cell

    return edit


@dataclass
class _Seen:
    """What a browser sees of the pages that are served at ``url``, and built into ``output``.

    Each edit has a number of its own: what was made once is kept.
    """

    page: Any
    url: str
    output: Path
    times: int
    numbers: Iterator[int] = field(default_factory=partial(count, 1))

    def line(self, path: str, saved: str, edit: Edit) -> str:
        """The medians of some edits, each after the one before is built."""
        printed = path.replace(path.rpartition("/")[2], PRINT)
        manifest, times = self.output / "manifest.json", list[_Times]()
        self.page.goto(f"{self.url}{path}")
        for number in islice(self.numbers, self.times):
            time.sleep(1)
            before, built, begun = self._file(printed), manifest.stat().st_ino, time.time()
            text = edit(number)
            shown = self.page.wait_for_function(SHOWS, arg=text).json_value() / 1000 - begun
            _until(lambda before=before: self._file(printed) != before, 60)  # type: ignore[misc]
            pdf = time.time() - begun
            _until(lambda built=built: manifest.stat().st_ino != built, 60)  # type: ignore[misc]
            published, begun = time.time() - begun, time.time()
            self.page.reload()
            times.append(_Times(shown, self.page.evaluate(SHOWS, text) / 1000 - begun, pdf, published))
        page, alone, pdf, published = map(median, zip(*times, strict=True))
        all_of_it = f"PDF {pdf:.2f} s, all published {published:.2f} s"
        return f"{path:34} {saved:16} {1000 * page:.0f} ms (to load it {1000 * alone:.0f}), {all_of_it}"

    def _file(self, path: str) -> bytes:
        with urlopen(f"{self.url}{path}") as answer:  # our own server
            return bytes(answer.read())


class _Times(NamedTuple):
    """Seconds from an edit until its page and its PDF are served, and all is published; ``alone`` is a mere reload."""

    page: float
    alone: float
    pdf: float
    published: float


@contextmanager
def _serving(root: Path) -> Iterator[subprocess.Popen[str]]:
    """The server of a project, stopped even where the benchmark fails."""
    environment = {**os.environ, "REFGEN_CACHE": str(root / "cache")}
    command: list[str | Path] = [BIN / "refgen", "serve", root, "-o", root / "build", "--quiet"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
        try:
            yield server
        finally:
            server.terminate()


def _until(what: Callable[[], bool], seconds: float) -> None:
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            raise SystemExit("nothing was built")
        time.sleep(0.02)
