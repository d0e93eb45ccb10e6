"""The site in a browser: nothing is wider than a phone or a desktop, all text stands out in light and in dark."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser

from refgen.render.colour import MIN_CONTRAST
from tests.render.themes import contrast, theme
from tests.waiting import PATIENCE

pytestmark = pytest.mark.slow

TAB_PROBE = """() => {
  const seen = element => element.getClientRects().length > 0, tabs = [...document.querySelectorAll(".tabs a")];
  return {
    panels: [...document.querySelectorAll(".panel")].filter(seen).map(panel => panel.id),
    least: Math.min(...tabs.map(tab => tab.getBoundingClientRect().height)),
    tabs: tabs.map(tab => tab.getAttribute("href")),
  };
}"""

CUT_PROBE = """() => {
  const blocks = [...document.querySelectorAll(".held")];
  const cut = blocks.filter(block => block.scrollWidth > block.clientWidth);
  return {blocks: blocks.length, cut: cut.map(block => block.querySelector("h2").textContent)};
}"""

THUMB = 44
"""CSS pixels: the least height of what is touched (WCAG 2.2, 2.5.5)."""

PROBE = """() => {
  const page = document.documentElement;
  const isSeen = colour => colour !== "rgba(0, 0, 0, 0)" && colour !== "none";
  const ground = element => {
    while (element && !isSeen(getComputedStyle(element).backgroundColor)) element = element.parentElement;
    return element ? getComputedStyle(element).backgroundColor : "none";
  };
  const pairs = {}, texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode.data.trim(), element = texts.currentNode.parentElement;
    if (!text || !element.getClientRects().length) continue;
    const style = getComputedStyle(element), bar = element.closest(".barred")?.querySelector(".bar");
    const colour = element.closest("svg") ? style.fill : style.color;
    for (const behind of bar ? [element, bar] : [element]) pairs[[colour, ground(behind)].join(" on ")] = text;
  }
  return {
    overflow: page.scrollWidth - page.clientWidth,
    heading: document.querySelector("h1, h2").textContent,
    pairs, paper: getComputedStyle(page).backgroundColor,
  };
}"""
"""What all pages are asked at once: to open them takes longer than to ask."""


@dataclass(frozen=True)
class View:
    """How pages are looked at: in a window so wide, at an anchor."""

    width: int = 390
    anchor: str = ""


@dataclass(frozen=True)
class Seen:
    """A page in a view, and what a probe found in it."""

    page: str
    found: Mapping[str, Any]


def _is_table(page: Path) -> bool:
    """Whether a page is that of a table: there are some two hundred, of one template, of which some are enough."""
    return page.parent.name == "tables"


Scheme = Literal["light", "dark"]


@cache
def seen(
    chromium: Browser, built: Path, pattern: str, probe: str, views: tuple[View, ...], scheme: Scheme = "light"
) -> Mapping[View, list[Seen]]:
    """What a probe finds in each page whose name is like a pattern, in each view: all in frames of one page."""
    pages = [page for number, page in enumerate(sorted(built.rglob(pattern))) if number % 8 == 0 or not _is_table(page)]
    assert pages
    frames = "".join(
        f'<iframe src="{page.as_uri()}{view.anchor}" style="width:{view.width}px;height:800px;border:0"></iframe>'
        for view in views
        for page in pages
    )
    with TemporaryDirectory() as folder, chromium.new_page(color_scheme=scheme) as shown:
        file = Path(folder) / "frames.html"
        file.write_text(f'<!doctype html><title>frames</title><body style="margin:0">{frames}', encoding="utf-8")
        shown.goto(file.as_uri(), timeout=10 * PATIENCE * 1000)
        each = shown.main_frame.child_frames
        assert [frame.url for frame in each] == [f"{page.as_uri()}{view.anchor}" for view in views for page in pages]
        found = [frame.evaluate(probe) for frame in each]
    names = [page.relative_to(built).as_posix() for page in pages]
    all_seen = [Seen(name, frame) for name, frame in zip(names * len(views), found, strict=True)]
    return {view: all_seen[number * len(pages) : (number + 1) * len(pages)] for number, view in enumerate(views)}


SCREENS = "gm-screen-a4.html"
PHONE = View(390)
IN_WINDOWS = {"phone": PHONE, "desktop": View(1280)}
OPENED: Mapping[Scheme, tuple[View, ...]] = {"light": tuple(IN_WINDOWS.values()), "dark": (PHONE,)}
AT_TABS = {"": View(820), "#panel-2": View(820, "#panel-2"), "#all": View(820, "#all")}
ON_TABLES = {"tablet": View(820), "tablet-on-its-side": View(1100), "desktop": View(1280)}


@pytest.mark.parametrize("window", IN_WINDOWS)
def test_no_page_is_wider_than_its_window(chromium: Browser, built: Path, window: str) -> None:
    shown = seen(chromium, built, "*.html", PROBE, OPENED["light"], "light")[IN_WINDOWS[window]]
    assert {one.page: one.found["overflow"] for one in shown if one.found["overflow"]} == {}
    assert all(one.found["heading"] for one in shown)


def in_hex(colour: str) -> str:
    """A colour as a browser gives it, "rgb(1, 2, 3)"; one that can be seen through has four numbers."""
    red, green, blue = (int(share) for share in re.findall(r"\d+", colour))
    return f"#{red:02x}{green:02x}{blue:02x}"


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_all_text_stands_out_from_what_is_behind_it(chromium: Browser, built: Path, scheme: Scheme) -> None:
    inks = {theme(scheme)[name] for name in ("ink", "muted")}
    too_faint = {}
    for one in seen(chromium, built, "*.html", PROBE, OPENED[scheme], scheme)[PHONE]:
        assert in_hex(one.found["paper"]) == theme(scheme)["paper"]
        for pair, text in one.found["pairs"].items():
            colour, ground = (in_hex(part) for part in pair.split(" on "))
            if contrast(colour, ground) < (4.5 if colour in inks else MIN_CONTRAST):
                too_faint[f"{one.page}: {text}"] = f"{colour} on {ground}"
    assert too_faint == {}


@pytest.mark.parametrize(("anchor", "shown"), [("", "all"), ("#panel-2", "panel-2"), ("#all", "all")])
def test_a_tab_shows_its_panel_alone_and_is_large_enough_for_a_thumb(
    chromium: Browser, built: Path, anchor: str, shown: str
) -> None:
    for one in seen(chromium, built, SCREENS, TAB_PROBE, tuple(AT_TABS.values()))[AT_TABS[anchor]]:
        panels = [tab[1:] for tab in one.found["tabs"][1:]]
        assert len(panels) >= 5
        assert one.found["panels"] == (panels if shown == "all" else [shown])
        assert one.found["least"] >= THUMB


@pytest.mark.parametrize("window", ON_TABLES)
def test_only_on_a_phone_must_a_block_be_scrolled_to_be_seen(chromium: Browser, built: Path, window: str) -> None:
    screens = seen(chromium, built, SCREENS, CUT_PROBE, tuple(ON_TABLES.values()))[ON_TABLES[window]]
    assert all(one.found["blocks"] >= 20 for one in screens)
    assert {one.page: one.found["cut"] for one in screens} == {one.page: [] for one in screens}
