"""Colours stand once, in css/tokens.css; text stands out from every ground, in every theme and in grey."""

from __future__ import annotations

import re
from collections.abc import Iterator
from colorsys import rgb_to_hls
from pathlib import Path
from typing import Any

import pytest
import tinycss2
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from refgen.aids.cards.model import CardDeck
from refgen.aids.sheet.parts import SheetPages
from refgen.aids.sheet.planner import sheet_html
from refgen.characters.sheet import CharacterSheet
from refgen.files import bundled_folder
from refgen.game import SystemInfo
from refgen.layout.page_format import PageFormat
from refgen.layout.templates import accents
from refgen.look.colours import (
    HEAT_STEPS,
    MIN_CONTRAST,
    dark_token_colour,
    heat_ramp,
    on_dark,
    pdf_colour,
    token_colour,
)
from refgen.look.colours import contrast as own_contrast
from refgen.site.html import page_html
from refgen.site.page import GameSummary, make_home
from tests.aids.cards.decks import faces_of, html_of
from tests.conftest import SYSTEMS, ours
from tests.layout.themes import CSS, MEDIA, contrast, grey, theme

DARK_GROUNDS = (dark_token_colour("paper"), dark_token_colour("tint"))
HEATS = tuple(f"heat-{step}" for step in range(HEAT_STEPS + 1))
GROUNDS = {
    "ink": ("paper", "tint", "bar", *HEATS),
    "muted": ("paper", "tint"),
    "accent": ("paper", "tint"),
    "paper": ("accent",),
}
"""The colours of text, and what text of each may stand on."""

LEAST_OF = {"ink": 4.5, "muted": 4.5, "accent": MIN_CONTRAST, "paper": MIN_CONTRAST}

DRAWN = {"ink": ("paper", "bar"), "muted": ("paper", "tint"), "accent": ("paper", "tint")}
"""Axes, lines and marks of charts, edges of fields, rules under titles: what they are drawn on."""


def accent_of(system: str) -> str:
    accent = ours(system).spec.accent
    assert accent
    return accent


def too_faint(colours: dict[str, str]) -> dict[str, float]:
    """The texts and drawings of a theme that stand out too little, with their contrasts."""
    wanted = [(front, ground, LEAST_OF[front]) for front, grounds in GROUNDS.items() for ground in grounds]
    wanted += [(front, ground, 3) for front, grounds in DRAWN.items() for ground in grounds]
    found = {(front, ground): contrast(colours[front], colours[ground]) for front, ground, _ in wanted}
    return {
        f"{front} on {ground}": found[front, ground] for front, ground, least in wanted if found[front, ground] < least
    }


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("name", MEDIA)
def test_everything_stands_out_from_what_it_stands_on(name: str, system: str) -> None:
    assert too_faint(theme(name, accent_of(system))) == {}


@pytest.mark.parametrize("system", SYSTEMS)
def test_everything_stands_out_in_grey_print(system: str) -> None:
    values = theme("print", accent_of(system))
    colours = {name: grey(value) for name, value in values.items() if value.startswith("#")}
    assert too_faint(colours) == {}


@pytest.mark.parametrize("name", MEDIA)
def test_a_page_without_a_system_has_an_accent_too(name: str) -> None:
    assert too_faint(theme(name)) == {}


def test_heat_grows_step_by_step_in_light_in_dark_and_in_grey() -> None:
    for colours in (theme("light"), theme("dark")):
        for shown in (colours, {name: grey(value) for name, value in colours.items() if value.startswith("#")}):
            steps = [contrast(shown[heat], shown["paper"]) for heat in HEATS]
            assert steps == sorted(steps)
            assert len(set(steps)) == len(steps)


@pytest.mark.parametrize("name", ["light", "dark"])
def test_heat_runs_through_more_than_one_hue(name: str) -> None:
    colours = theme(name)
    steps = [colours[heat] for heat in HEATS]
    assert steps == heat_ramp([steps[0], colours["heat-middle"], steps[-1]])
    assert abs(lightness_and_hue(steps[2])[1] - lightness_and_hue(steps[-1])[1]) > 0.25


def test_print_is_light_whatever_the_screen_is() -> None:
    assert theme("print", "#123456") == theme("light", "#123456")


@pytest.mark.parametrize("name", [name for name in MEDIA if name.startswith("ink-saving")])
def test_the_ink_saving_theme_has_one_ground_and_no_accent(name: str) -> None:
    colours = theme(name, accent_of(SYSTEMS[0]))
    assert {colours[ground] for ground in GROUNDS["ink"]} == {colours["paper"]}
    assert colours["accent"] == colours["ink"]


# What the table of grounds above takes for granted.


def declarations(contents: Any) -> Iterator[Any]:
    """All declarations of a style sheet, however deep."""
    for item in contents:
        if item.type == "declaration":
            yield item
        elif item.type in ("at-rule", "qualified-rule") and item.content is not None:
            yield from declarations(tinycss2.parse_blocks_contents(item.content, True, True))


@pytest.mark.parametrize("path", sorted(CSS.glob("*.css")), ids=lambda path: path.name)
def test_style_sheets_name_colours_by_their_roles(path: Any) -> None:
    roles = {f"var(--{name})" for name in ("ink", "muted", "accent", "paper", "lettering", "heading")}
    grounds = {f"var(--{name})" for name in ("paper", "tint", "bar", "rule", "accent", "ground", *HEATS)}
    found = list(declarations(tinycss2.parse_stylesheet(path.read_text(encoding="utf-8"), True, True)))
    assert found
    for declaration in found:
        value = tinycss2.serialize(declaration.value).strip()
        if declaration.name in ("color", "fill"):
            assert value in roles | grounds if declaration.name == "fill" else value in {*roles, "inherit"}, value
        elif declaration.name in ("background", "background-color"):
            assert value in {*grounds, "none", "transparent"}, value
        elif not declaration.name.startswith("--"):
            assert not [token for token in declaration.value if token.type == "hash"], f"{declaration.name}: {value}"


# The accent on dark ground.


def test_python_and_the_style_sheet_know_the_same_dark_grounds() -> None:
    dark = theme("dark")
    assert (dark["paper"], dark["tint"]) == DARK_GROUNDS
    assert dark["accent"] == on_dark(theme("light")["accent"])


@pytest.mark.parametrize(
    ("first", "second", "ratio"),
    [("#000000", "#ffffff", "21.00"), ("#777777", "#ffffff", "4.48"), ("#ff0000", "#ffffff", "4.00")],
)
def test_contrast_is_that_of_wcag(first: str, second: str, ratio: str) -> None:
    assert f"{own_contrast(first, second):.2f}" == f"{own_contrast(second, first):.2f}" == ratio


def lightness_and_hue(colour: str) -> tuple[float, float]:
    hue, lightness, _ = rgb_to_hls(*(int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)))
    return lightness, hue


COLOURS = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")


@pytest.mark.slow
@given(COLOURS)
def test_any_accent_stands_out_on_dark_ground(accent: str) -> None:
    assert min(contrast(on_dark(accent), ground) for ground in DARK_GROUNDS) >= MIN_CONTRAST


@pytest.mark.slow
@given(COLOURS)
def test_an_accent_is_lightened_only_where_it_must_be(accent: str) -> None:
    enough = all(contrast(accent, ground) >= MIN_CONTRAST for ground in DARK_GROUNDS)
    assert (on_dark(accent) == accent) == enough


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_accent_keeps_its_hue_and_is_not_lighter_than_needed(system: str) -> None:
    accent = accent_of(system)
    lightness, hue = lightness_and_hue(on_dark(accent))
    assert hue == pytest.approx(lightness_and_hue(accent)[1], abs=0.01)
    assert lightness > lightness_and_hue(accent)[0]
    assert min(contrast(on_dark(accent), ground) for ground in DARK_GROUNDS) < MIN_CONTRAST + 0.15


def test_pages_bring_both_accents() -> None:
    system = SystemInfo("game", "Game", "About", "#123456", "Source")
    summary = GameSummary("game", "Game", "About", "#123456", 0, 0, 0, 0, 0)
    pages = [
        html_of(system, faces_of(system, CardDeck(()))),
        sheet_html(system, SheetPages(CharacterSheet("Sheet", ()), ()), PageFormat()),
    ]
    (card,) = html.document_fromstring(page_html(make_home([(summary, [])]))).find_class("accented")
    for element in (*map(html.document_fromstring, pages), card):
        assert element.get("style").startswith(accents("#123456"))


ROOT = bundled_folder("templates").parent

HOLDERS = {
    "refgen/layout/templates.py": "the pale colour of large drawings; the white in which files of drawings are drawn",
    "refgen/rules/toml.py": "an example in a message of how a colour is written",
    "templates/cards/calibration.html": "black lines by which a printer is aligned",
    "templates/css/tokens.css": "the tokens",
    "templates/look/modern/look.toml": "a look that ships with refgen",
    "templates/look/night/look.toml": "a look that ships with refgen",
    "templates/look/parchment/look.toml": "a look that ships with refgen",
    "templates/serve/reload.js": "errors over a page of any colours, with no style sheet of refgen",
}
"""The files that may hold a colour, each with the reason; the drawings in icons and patterns are all white."""

_COLOUR = re.compile(r"(?<![&\w])#(?:[0-9a-f]{6}|[0-9a-f]{3})\b(?!\w)", re.IGNORECASE)
_ISSUE = re.compile(r"#\d{3}\b")


def colours(path: Path) -> set[str]:
    """The colours that a file holds; in Python, numbers of issues are no colours."""
    found = set(_COLOUR.findall(path.read_text(encoding="utf-8")))
    return {colour for colour in found if path.suffix != ".py" or not _ISSUE.fullmatch(colour)}


def test_no_other_file_holds_a_colour() -> None:
    files = [
        path
        for folder in ("refgen", "templates")
        for path in (ROOT / folder).rglob("*.*")
        if "bundled" not in path.parts
    ]
    texts = [path for path in files if path.suffix in (".py", ".html", ".css", ".js", ".svg", ".md", ".txt", ".toml")]
    holders = {path.relative_to(ROOT).as_posix(): found for path in texts if (found := colours(path))}
    drawings = {name for name in holders if name.endswith(".svg")}
    assert set.union(*(holders.pop(name) for name in drawings)) == {"#ffffff"}
    assert sorted(holders) == sorted(HOLDERS)


def test_no_file_of_python_holds_the_ink_as_numbers() -> None:
    ink = pdf_colour(token_colour("ink")).decode()
    assert [path for path in (ROOT / "refgen").rglob("*.py") if ink in path.read_text(encoding="utf-8")] == []
    assert ink == "0.121569 0.137255 0.156863"


def test_light_screens_have_the_colours_of_paper() -> None:
    css = (bundled_folder("templates") / "css" / "tokens.css").read_text(encoding="utf-8")
    found = re.findall(r"--([\w-]+): light-dark\((#\w+), (#\w+)\);", css)
    assert len(found) > 10
    for name, light, dark in found:
        assert (token_colour(name), dark_token_colour(name)) == (light, dark)


def test_an_unknown_token_has_no_colour() -> None:
    with pytest.raises(KeyError):
        token_colour("glow")
