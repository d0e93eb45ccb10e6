"""The site in a browser: nothing is wider than a phone or a desktop, all text stands out in light and in dark."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from lxml import html

from refgen.render.colour import MIN_CONTRAST
from tests.render.themes import contrast, theme

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


TAB_PROBE = """<!doctype html><title>probe</title><body>{frames}
<script>addEventListener("load", () => {{
  for (const frame of document.querySelectorAll("iframe")) {{
    const page = frame.contentDocument, seen = element => element.getClientRects().length > 0;
    const tabs = [...page.querySelectorAll(".tabs a")];
    frame.dataset.panels = [...page.querySelectorAll(".panel")].filter(seen).map(panel => panel.id);
    frame.dataset.least = Math.min(...tabs.map(tab => tab.getBoundingClientRect().height));
    frame.dataset.tabs = tabs.map(tab => tab.getAttribute("href"));
  }}
}});</script>"""


CUT_PROBE = """<!doctype html><title>probe</title><body>{frames}
<script>addEventListener("load", () => {{
  for (const frame of document.querySelectorAll("iframe")) {{
    const blocks = [...frame.contentDocument.querySelectorAll(".held")];
    const cut = blocks.filter(block => block.scrollWidth > block.clientWidth);
    frame.dataset.blocks = blocks.length;
    frame.dataset.cut = cut.map(block => block.querySelector("h2").textContent);
  }}
}});</script>"""


THUMB = 44
"""CSS pixels: the least height of what is touched (WCAG 2.2, 2.5.5)."""

SCHEMES = {"dark": 0, "light": 1}
"""What Chromium's own switch calls them."""

COLOUR_PROBE = """<!doctype html><title>probe</title><body>{frames}
<script>
const isSeen = colour => colour !== "rgba(0, 0, 0, 0)" && colour !== "none";
const ground = element => {{
  while (element && !isSeen(getComputedStyle(element).backgroundColor)) element = element.parentElement;
  return element ? getComputedStyle(element).backgroundColor : "none";
}};
addEventListener("load", () => {{
  for (const frame of document.querySelectorAll("iframe")) {{
    const page = frame.contentDocument, pairs = {{}};
    const texts = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {{
      const text = texts.currentNode.data.trim(), element = texts.currentNode.parentElement;
      if (!text || !element.getClientRects().length) continue;
      const style = getComputedStyle(element), bar = element.closest(".barred")?.querySelector(".bar");
      const colour = element.closest("svg") ? style.fill : style.color;
      for (const behind of bar ? [element, bar] : [element]) pairs[[colour, ground(behind)].join(" on ")] = text;
    }}
    frame.dataset.pairs = JSON.stringify(pairs);
    frame.dataset.paper = getComputedStyle(page.documentElement).backgroundColor;
  }}
}});</script>"""


def browser() -> str:
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip(f"no browser is installed: one of {', '.join(BROWSERS)}")
    return found


def measured(
    pages: list[Path], probe: str, folder: Path, *flags: str, width: int = 390, anchor: str = ""
) -> list[html.HtmlElement]:
    """The frame of each page, opened at an anchor, with what a probe found in it."""
    frames = "".join(
        f'<iframe src="{page.as_uri()}{anchor}" style="width:{width}px;height:800px;border:0"></iframe>'
        for page in pages
    )
    file = folder / "probe.html"
    file.write_text(probe.format(frames=frames), encoding="utf-8")
    command = [browser(), *FLAGS, *flags, f"--user-data-dir={folder / 'profile'}", "--dump-dom", file.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    found: list[html.HtmlElement] = html.fromstring(done.stdout).xpath("//iframe")
    assert len(found) == len(pages)
    return found


@pytest.mark.parametrize("width", [390, 1280], ids=["phone", "desktop"])
def test_no_page_is_wider_than_its_window(built: Path, tmp_path: Path, width: int) -> None:
    pages = sorted(built.rglob("*.html"))
    frames = measured(pages, PROBE, tmp_path, width=width)
    too_wide = {
        page.relative_to(built).as_posix(): frame.get("data-overflow")
        for page, frame in zip(pages, frames, strict=True)
        if frame.get("data-overflow") != "0"
    }
    assert too_wide == {}
    assert all(frame.get("data-heading") for frame in frames)


def in_hex(colour: str) -> str:
    """A colour as a browser gives it, "rgb(1, 2, 3)"; one that can be seen through has four numbers."""
    red, green, blue = (int(share) for share in re.findall(r"\d+", colour))
    return f"#{red:02x}{green:02x}{blue:02x}"


@pytest.mark.parametrize("scheme", SCHEMES)
def test_all_text_stands_out_from_what_is_behind_it(built: Path, tmp_path: Path, scheme: str) -> None:
    pages = sorted(built.rglob("*.html"))
    switch = f"--blink-settings=preferredColorScheme={SCHEMES[scheme]}"
    inks = {theme(scheme)[name] for name in ("ink", "muted")}
    too_faint = {}
    for page, frame in zip(pages, measured(pages, COLOUR_PROBE, tmp_path, switch), strict=True):
        assert in_hex(frame.get("data-paper")) == theme(scheme)["paper"]
        for pair, text in json.loads(frame.get("data-pairs")).items():
            colour, ground = (in_hex(part) for part in pair.split(" on "))
            if contrast(colour, ground) < (4.5 if colour in inks else MIN_CONTRAST):
                too_faint[f"{page.relative_to(built).as_posix()}: {text}"] = f"{colour} on {ground}"
    assert too_faint == {}


@pytest.mark.parametrize(("anchor", "shown"), [("", "all"), ("#panel-2", "panel-2"), ("#all", "all")])
def test_a_tab_shows_its_panel_alone_and_is_large_enough_for_a_thumb(
    built: Path, tmp_path: Path, anchor: str, shown: str
) -> None:
    for frame in measured(sorted(built.rglob("gm-screen-a4.html")), TAB_PROBE, tmp_path, width=820, anchor=anchor):
        panels = [tab[1:] for tab in frame.get("data-tabs").split(",")[1:]]
        assert len(panels) >= 5
        assert frame.get("data-panels").split(",") == (panels if shown == "all" else [shown])
        assert float(frame.get("data-least")) >= THUMB


@pytest.mark.parametrize("width", [820, 1100, 1280], ids=["tablet", "tablet-on-its-side", "desktop"])
def test_only_on_a_phone_must_a_block_be_scrolled_to_be_seen(built: Path, tmp_path: Path, width: int) -> None:
    screens = sorted(built.rglob("gm-screen-a4.html"))
    frames = measured(screens, CUT_PROBE, tmp_path, width=width)
    assert all(int(frame.get("data-blocks")) >= 20 for frame in frames)
    assert {path.parent.name: frame.get("data-cut") for path, frame in zip(screens, frames, strict=True)} == {
        path.parent.name: "" for path in screens
    }
