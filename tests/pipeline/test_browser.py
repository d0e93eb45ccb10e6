"""The site in a browser: nothing is wider than a phone or a desktop, all text stands out in light and in dark."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

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


@dataclass(frozen=True)
class View:
    """How pages are looked at: in a window so wide, at an anchor."""

    width: int = 390
    anchor: str = ""


@dataclass(frozen=True)
class Seen:
    """A page in a view, and what a probe found in it: the attributes of its frame."""

    page: str
    found: Mapping[str, str]


def _is_table(page: Path) -> bool:
    """Whether a page is that of a table: there are some two hundred, of one template, of which some are enough."""
    return page.parent.name == "tables"


@cache
def seen(built: Path, pattern: str, probe: str, views: tuple[View, ...], *flags: str) -> Mapping[View, list[Seen]]:
    """What a probe finds in each page whose name is like a pattern, in each view: all in one run of the browser."""
    pages = [page for number, page in enumerate(sorted(built.rglob(pattern))) if number % 8 == 0 or not _is_table(page)]
    assert pages
    frames = "".join(
        f'<iframe src="{page.as_uri()}{view.anchor}" style="width:{view.width}px;height:800px;border:0"></iframe>'
        for view in views
        for page in pages
    )
    with TemporaryDirectory() as folder:
        file = Path(folder) / "probe.html"
        file.write_text(probe.format(frames=frames), encoding="utf-8")
        command = [browser(), *FLAGS, *flags, f"--user-data-dir={folder}/profile", "--dump-dom", file.as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    found = [
        {name.removeprefix("data-"): value for name, value in frame.items()}
        for frame in html.fromstring(done.stdout).xpath("//iframe")
    ]
    names = [page.relative_to(built).as_posix() for page in pages]
    shown = [Seen(name, frame) for name, frame in zip(names * len(views), found, strict=True)]
    return {view: shown[number * len(pages) : (number + 1) * len(pages)] for number, view in enumerate(views)}


SCREENS = "gm-screen-a4.html"
IN_WINDOWS = {"phone": View(390), "desktop": View(1280)}
AT_TABS = {"": View(820), "#panel-2": View(820, "#panel-2"), "#all": View(820, "#all")}
ON_TABLES = {"tablet": View(820), "tablet-on-its-side": View(1100), "desktop": View(1280)}


@pytest.mark.parametrize("window", IN_WINDOWS)
def test_no_page_is_wider_than_its_window(built: Path, window: str) -> None:
    shown = seen(built, "*.html", PROBE, tuple(IN_WINDOWS.values()))[IN_WINDOWS[window]]
    assert {one.page: one.found["overflow"] for one in shown if one.found["overflow"] != "0"} == {}
    assert all(one.found["heading"] for one in shown)


def in_hex(colour: str) -> str:
    """A colour as a browser gives it, "rgb(1, 2, 3)"; one that can be seen through has four numbers."""
    red, green, blue = (int(share) for share in re.findall(r"\d+", colour))
    return f"#{red:02x}{green:02x}{blue:02x}"


@pytest.mark.parametrize("scheme", SCHEMES)
def test_all_text_stands_out_from_what_is_behind_it(built: Path, scheme: str) -> None:
    switch = f"--blink-settings=preferredColorScheme={SCHEMES[scheme]}"
    inks = {theme(scheme)[name] for name in ("ink", "muted")}
    too_faint = {}
    for one in seen(built, "*.html", COLOUR_PROBE, (View(),), switch)[View()]:
        assert in_hex(one.found["paper"]) == theme(scheme)["paper"]
        for pair, text in json.loads(one.found["pairs"]).items():
            colour, ground = (in_hex(part) for part in pair.split(" on "))
            if contrast(colour, ground) < (4.5 if colour in inks else MIN_CONTRAST):
                too_faint[f"{one.page}: {text}"] = f"{colour} on {ground}"
    assert too_faint == {}


@pytest.mark.parametrize(("anchor", "shown"), [("", "all"), ("#panel-2", "panel-2"), ("#all", "all")])
def test_a_tab_shows_its_panel_alone_and_is_large_enough_for_a_thumb(built: Path, anchor: str, shown: str) -> None:
    for one in seen(built, SCREENS, TAB_PROBE, tuple(AT_TABS.values()))[AT_TABS[anchor]]:
        panels = [tab[1:] for tab in one.found["tabs"].split(",")[1:]]
        assert len(panels) >= 5
        assert one.found["panels"].split(",") == (panels if shown == "all" else [shown])
        assert float(one.found["least"]) >= THUMB


@pytest.mark.parametrize("window", ON_TABLES)
def test_only_on_a_phone_must_a_block_be_scrolled_to_be_seen(built: Path, window: str) -> None:
    screens = seen(built, SCREENS, CUT_PROBE, tuple(ON_TABLES.values()))[ON_TABLES[window]]
    assert all(int(one.found["blocks"]) >= 20 for one in screens)
    assert {one.page: one.found["cut"] for one in screens} == {one.page: "" for one in screens}
