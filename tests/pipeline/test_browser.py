"""The site in a browser, on a phone and on a desktop: nothing is wider than the window."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from lxml import html

pytestmark = pytest.mark.slow

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--allow-file-access-from-files",
    "--virtual-time-budget=5000",
)
PROBE = """<!doctype html><title>probe</title><body style="margin:0">{frames}
<script>addEventListener("load", () => {{
  for (const frame of document.querySelectorAll("iframe")) {{
    const page = frame.contentDocument.documentElement;
    frame.dataset.overflow = page.scrollWidth - page.clientWidth;
    frame.dataset.heading = frame.contentDocument.querySelector("h1, h2").textContent;
  }}
}});</script>"""


def browser() -> str:
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip(f"no browser is installed: one of {', '.join(BROWSERS)}")
    return found


@pytest.mark.parametrize("width", [390, 1280], ids=["phone", "desktop"])
def test_no_page_is_wider_than_its_window(built: Path, tmp_path: Path, width: int) -> None:
    pages = sorted(built.rglob("*.html"))
    frames = "".join(
        f'<iframe src="{page.as_uri()}" style="width:{width}px;height:800px;border:0"></iframe>' for page in pages
    )
    probe = tmp_path / "probe.html"
    probe.write_text(PROBE.format(frames=frames), encoding="utf-8")
    command = [browser(), *FLAGS, f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", probe.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    measured = html.fromstring(done.stdout).xpath("//iframe")
    assert len(measured) == len(pages)
    too_wide = {
        page.relative_to(built).as_posix(): frame.get("data-overflow")
        for page, frame in zip(pages, measured, strict=True)
        if frame.get("data-overflow") != "0"
    }
    assert too_wide == {}
    assert all(frame.get("data-heading") for frame in measured)
