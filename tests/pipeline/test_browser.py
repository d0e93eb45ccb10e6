"""The site in a browser: nothing is wider than a phone or a desktop, all text stands out in light and in dark."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser

from refgen.look.colours import MIN_CONTRAST
from tests.conftest import RICHEST, SYSTEMS
from tests.layout.themes import contrast, theme
from tests.waiting import PATIENCE, wait_until

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


Scheme = Literal["light", "dark"]


@dataclass(frozen=True)
class Look:
    """What is asked of pages, in a window so wide."""

    probe: str
    width: int
    scheme: Scheme = "light"


@dataclass(frozen=True)
class Seen:
    """A page, and what a probe found in it."""

    page: str
    found: Mapping[str, Any]


SITE = {"phone": Look(PROBE, 390), "phone in the dark": Look(PROBE, 390, "dark"), "desktop": Look(PROBE, 1280)}
TABS = {"tabs": Look(TAB_PROBE, 820)}
TABLES = {"tablet": Look(CUT_PROBE, 820), "tablet on its side": Look(CUT_PROBE, 1100), "desktop": Look(CUT_PROBE, 1280)}
ANCHORS = {"": "all", "#panel-2": "panel-2", "#all": "all"}
"""What is shown of a screen at each."""


@cache
def site(chromium: Browser, built: Path, systems: tuple[str, ...]) -> Mapping[str, list[Seen]]:
    """What is found in each page of some games in each look; of those of tables, of one template, in one of sixteen.

    In a browser the page of an aid for US Letter is that of A4 once more.
    """
    pages = sorted(path for path in built.rglob("*.html") if not path.stem.endswith("-letter"))
    others = {system for system in SYSTEMS if system not in systems}
    theirs = [page for page in pages if others.isdisjoint(page.relative_to(built).parts)]
    some = [page for number, page in enumerate(theirs) if number % 16 == 0 or page.parent.name != "tables"]
    return seen(chromium, built, some, SITE)


@cache
def screens(chromium: Browser, built: Path, anchor: str) -> Mapping[str, list[Seen]]:
    """What is found in each screen at an anchor."""
    return seen(chromium, built, sorted(built.rglob("gm-screen-a4.html")), TABS | ({} if anchor else TABLES), anchor)


def seen(
    chromium: Browser, built: Path, pages: Sequence[Path], looks: Mapping[str, Look], anchor: str = ""
) -> Mapping[str, list[Seen]]:
    """What is found in pages in each look: opened once, all in frames of one page, which grow with the window."""
    assert pages
    addresses = [f"{page.as_uri()}{anchor}" for page in pages]
    frames = "".join(f'<iframe src="{address}"></iframe>' for address in addresses)
    found: dict[str, list[Seen]] = {}
    with TemporaryDirectory() as folder, chromium.new_page() as shown:
        file = Path(folder) / "frames.html"
        file.write_text(f"<!doctype html><title>frames</title>{STYLE}<body>{frames}", encoding="utf-8")
        for name, look in looks.items():
            shown.emulate_media(color_scheme=look.scheme)
            shown.set_viewport_size({"width": look.width, "height": 800})
            if shown.url != file.as_uri():
                shown.goto(file.as_uri(), timeout=10 * PATIENCE * 1000)
            each = shown.main_frame.child_frames
            assert [frame.url for frame in each] == addresses
            for frame in each:
                wait_until(partial(frame.evaluate, IS_SO, [look.width, look.scheme]))
            answers = [frame.evaluate(look.probe) for frame in each]
            names = [page.relative_to(built).as_posix() for page in pages]
            found[name] = [Seen(page, answer) for page, answer in zip(names, answers, strict=True)]
    return found


STYLE = "<style>body { margin: 0 } iframe { width: 100vw; height: 800px; border: 0 }</style>"
IS_SO = "([width, scheme]) => innerWidth === width && matchMedia(`(prefers-color-scheme: ${scheme})`).matches"


GAMES = pytest.mark.parametrize("systems", [RICHEST, pytest.param(SYSTEMS, marks=pytest.mark.soak)], ids=["two", "all"])


@GAMES
@pytest.mark.parametrize("window", ["phone", "desktop"])
def test_no_page_is_wider_than_its_window(
    chromium: Browser, built: Path, window: str, systems: tuple[str, ...]
) -> None:
    shown = site(chromium, built, systems)[window]
    assert {one.page: one.found["overflow"] for one in shown if one.found["overflow"]} == {}
    assert all(one.found["heading"] for one in shown)


def in_hex(colour: str) -> str:
    """A colour as a browser gives it, "rgb(1, 2, 3)"; one that can be seen through has four numbers."""
    red, green, blue = (int(share) for share in re.findall(r"\d+", colour))
    return f"#{red:02x}{green:02x}{blue:02x}"


@GAMES
@pytest.mark.parametrize("look", ["phone in the dark", "phone"])
def test_all_text_stands_out_from_what_is_behind_it(
    chromium: Browser, built: Path, look: str, systems: tuple[str, ...]
) -> None:
    scheme = SITE[look].scheme
    inks = {theme(scheme)[name] for name in ("ink", "muted")}
    too_faint = {}
    for one in site(chromium, built, systems)[look]:
        assert in_hex(one.found["paper"]) == theme(scheme)["paper"]
        for pair, text in one.found["pairs"].items():
            colour, ground = (in_hex(part) for part in pair.split(" on "))
            if contrast(colour, ground) < (4.5 if colour in inks else MIN_CONTRAST):
                too_faint[f"{one.page}: {text}"] = f"{colour} on {ground}"
    assert too_faint == {}


@pytest.mark.parametrize(("anchor", "shown"), ANCHORS.items())
def test_a_tab_shows_its_panel_alone_and_is_large_enough_for_a_thumb(
    chromium: Browser, built: Path, anchor: str, shown: str
) -> None:
    for one in screens(chromium, built, anchor)["tabs"]:
        panels = [tab[1:] for tab in one.found["tabs"][1:]]
        assert len(panels) >= 5
        assert one.found["panels"] == (panels if shown == "all" else [shown])
        assert one.found["least"] >= THUMB


@pytest.mark.parametrize("window", TABLES)
def test_only_on_a_phone_must_a_block_be_scrolled_to_be_seen(chromium: Browser, built: Path, window: str) -> None:
    found = screens(chromium, built, "")[window]
    assert all(one.found["blocks"] >= 20 for one in found)
    assert {one.page: one.found["cut"] for one in found} == {one.page: [] for one in found}
