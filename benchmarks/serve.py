"""From a saved file to the reloaded page in a browser, and to its PDF (goals: 300 ms and 1.5 s), on each game.

The file describes a screen; or one of the rules is saved with it, so that these are read and checked again.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.measure import BIN
from refgen.bundle import bundled

TIMES = 5
PAGE, PRINT = "gm-screen-a4.html", "gm-screen-a4.pdf"
LOADED = "addEventListener('load', () => { window.loaded = performance.timeOrigin + performance.now() })"


def run() -> Iterator[str]:
    """Edit the title of a panel of each game five times; beside it, what the same browser needs to load the page."""
    browser = shutil.which("chromium")
    if browser is None:
        yield "no chromium is installed"
        return
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        root = Path(folder)
        shutil.copytree(bundled("content"), root / "content")
        (root / "refgen.toml").write_text("", encoding="utf-8")
        with _serving(root) as server, playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"]) as it:
            page = it.new_page(bypass_csp=True)  # Playwright waits by evaluating text
            page.add_init_script(LOADED)
            url = server.stdout.readline().split()[1] if server.stdout else ""
            _until((root / "build" / "manifest.json").is_file, 600)
            for game in sorted(path.name for path in (root / "content").iterdir()):
                page.goto(f"{url}{game}/{PAGE}")
                for with_rules in (False, True):
                    yield _line(game, page, root, with_rules=with_rules)
            server.terminate()
            server.communicate()


def _serving(root: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "REFGEN_CACHE": str(root / "cache")}
    command: list[str | Path] = [BIN / "refgen", "serve", root, "-o", root / "build", "--quiet"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


def _line(game: str, page: Any, root: Path, *, with_rules: bool) -> str:
    """The medians for a game, each edit after the one before is built."""
    folder, made = root / "content" / game, root / "build" / game / PRINT
    screen, rules = folder / "screen.toml", folder / "system.toml"
    text, shown, printed, alone = screen.read_text(encoding="utf-8"), [], [], []
    title = text.partition('title = "')[2].partition('"')[0]
    for number in range(TIMES):
        time.sleep(1)
        before, begun = made.stat().st_ino, time.time()
        if with_rules:
            rules.write_text(f"{rules.read_text(encoding='utf-8')}\n", encoding="utf-8")
        screen.write_text(text.replace(title, f"Edit {number}", 1), encoding="utf-8")
        page.wait_for_function(f"window.loaded > {begun * 1000} && document.body.innerText.includes('Edit {number}')")
        shown.append(page.evaluate("window.loaded") / 1000 - begun)
        _until(lambda before=before: made.stat().st_ino != before, 60)  # type: ignore[misc]
        printed.append(time.time() - begun)
        begun = time.time()
        page.reload()
        alone.append(page.evaluate("window.loaded") / 1000 - begun)
    page_ms, alone_ms = (f"{1000 * median(times):.0f} ms" for times in (shown, alone))
    saved = "screen and rules" if with_rules else "screen"
    return f"{game:20} {saved:16} page {page_ms} (of these the browser {alone_ms}), PDF {median(printed):.2f} s"


def _until(what: Callable[[], bool], seconds: float) -> None:
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            raise SystemExit("nothing was built")
        time.sleep(0.005)
