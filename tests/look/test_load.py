"""look.toml: what becomes of names, what follows from what is said, and what is refused, with its place and a hint."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import font_source_sans_pro
import pytest
from fontTools.ttLib import TTCollection, TTFont
from PIL import Image

from refgen.errors import RefgenError, each_error
from refgen.layout.templates import look_files
from refgen.look.colours import HEAT_STEPS, printed_contrast, token_colour
from refgen.look.find import find_look
from refgen.look.look import USUAL, Look
from tests.look.tiny import tiny_font

OWN = Path(font_source_sans_pro.__file__).parent / "files" / "SourceSansPro-Black.ttf"


def look(folder: Path, text: str, **files: bytes) -> Look:
    """The look of a game without a project."""
    game = folder / "game"
    game.mkdir(exist_ok=True)
    (game / "look.toml").write_text(text)
    for name, data in files.items():
        (game / name.replace("_", ".")).write_bytes(data)
    return find_look(None, game)


def errors(folder: Path, text: str, **files: bytes) -> list[str]:
    """The errors of a look, each with its hint."""
    with pytest.raises(RefgenError) as caught:
        look(folder, text, **files)
    return [f"{error} {error.hint}".strip() for error in each_error(caught.value)]


def changed_font(change: Callable[[Any], object]) -> bytes:
    with TTFont(OWN) as font:
        change(font)
        made = BytesIO()
        font.save(made)
        return made.getvalue()


def picture(**size: int) -> bytes:
    made = BytesIO()
    Image.new("1", (size.get("width", 4), size.get("height", 4))).save(made, "PNG")
    return made.getvalue()


def test_without_look_toml_there_is_the_usual_look(tmp_path: Path) -> None:
    assert find_look(tmp_path, tmp_path) is USUAL
    assert look_files(USUAL) == {}


def test_what_the_game_says_counts_key_by_key(tmp_path: Path) -> None:
    (tmp_path / "look.toml").write_text('licence = "CC0"\n[palette]\nrust = "#8a3b12"\n[colours]\naccent = "rust"\n')
    own = '[palette]\nmoss = "#3f5d2e"\n[colours]\nink = "moss"\n[colours.cards]\nblows = "rust"\n'
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "look.toml").write_text(own)
    found = find_look(tmp_path, tmp_path / "game")
    assert (found.licence, found.accent, found.colour("ink"), found.cards) == (
        "CC0",
        "#8a3b12",
        "#3f5d2e",
        {"blows": "#8a3b12"},
    )
    assert found.folder == "game/look"
    assert find_look(tmp_path, None).folder == "assets/look"


def test_what_is_not_said_follows_from_paper_and_ink(tmp_path: Path) -> None:
    found = look(tmp_path, '[colours]\npaper = "#f6ecd6"\nink = "#2a1d14"\n')
    assert found.colour("tint") not in (token_colour("tint"), found.colour("paper"))
    assert printed_contrast(found.colour("muted"), found.colour("tint")) >= 4.5
    assert found.colour("heat-0") == "#f6ecd6"
    assert not found.is_dark
    night = look(tmp_path, '[colours]\npaper = "#101418"\nink = "#e8e4da"\n')
    assert night.is_dark
    assert night.dark == night.light


def test_an_accent_that_the_look_does_not_say_is_made_readable_on_its_ground(tmp_path: Path) -> None:
    night = look(tmp_path, '[colours]\npaper = "#101418"\nink = "#e8e4da"\n')
    assert printed_contrast(night.accent_for("#7a2e1d"), "#101418") >= 4.5
    assert look(tmp_path, "radius = 1\n").accent_for("#7a2e1d") == "#7a2e1d"


def test_figures_can_be_read_on_each_step_of_heat_on_paper_and_in_the_dark(tmp_path: Path) -> None:
    found = look(tmp_path, '[colours]\nheat_low = "#ffffff"\nheat_middle = "#f7d0c0"\nheat_high = "#b9836c"\n')
    for step in range(HEAT_STEPS + 1):
        assert printed_contrast(found.colour("ink"), found.colour(f"heat-{step}")) >= 4.5
        assert printed_contrast(found.dark_colour("ink"), found.dark_colour(f"heat-{step}")) >= 4.5


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (
            '[colours]\naccent = "rusty"\n[palette]\nrust = "#8a3b12"\n',
            'game/look.toml:2:1: "rusty" is no colour of [palette] Did you mean rust?',
        ),
        (
            '[colours]\naccent = "#ff8800"\n',
            "game/look.toml:2:1: accent (#ff8800) on tint (#f6f3ee) has a contrast of 2.16:1, and "
            "text needs 4.5:1 #aa5900 can be read there.",
        ),
        (
            '[colours]\nheat_middle = "#7fb3a0"\nheat_high = "#f3e6b0"\n',
            "game/look.toml:2:1: heat must become darker, or lighter, all the way Let each be darker than the one "
            "before, or each lighter: grey print has nothing else.",
        ),
        (
            '[colours.cards]\nblows = "#7a7a7a"\n',
            "game/look.toml:2:1: the title (#ffffff) on cards of the kind blows (#7a7a7a) has a contrast of 4.29:1, "
            "and text needs 4.5:1 #747474 can be read there.",
        ),
        (
            '[fonts]\ntext = "comic-sans"\n',
            'game/look.toml:2:1: no font called "comic-sans" ships with refgen Did you mean source-sans?',
        ),
        (
            '[fonts]\ntext = "own.ttf"\n',
            "game/look.toml:2:1: the font of text has no bold face "
            'Write text = { regular = "…", bold = "…" }: heads of tables and names of rows are bold.',
        ),
        (
            '[fonts]\ntitles = "../../own.ttf"\n',
            'game/look.toml:2:1: "../../own.ttf" leads out of game Put the file into the folder.',
        ),
        (
            '[logo]\nlight = "https://example.org/logo.png"\n',
            "game/look.toml:2:1: cannot read https://example.org/logo.png: no such file or directory "
            "Check the path and its permissions.",
        ),
    ],
)
def test_what_cannot_be_used_is_refused_at_its_place(tmp_path: Path, text: str, error: str) -> None:
    assert errors(tmp_path, text) == [error]


TITLES = '[fonts]\ntitles = "own.ttf"\n'
FIGURES = '[fonts]\nfigures = { regular = "own.ttf", bold = "own.ttf" }\n'


@pytest.mark.parametrize(
    ("change", "text", "reason"),
    [
        (lambda font: setattr(font["OS/2"], "fsType", 2), TITLES, "ask that it is not embedded at all"),
        (lambda font: setattr(font["OS/2"], "fsType", 0x100), TITLES, "ask that no part of it is taken"),
        (lambda font: font["hmtx"].metrics.update({"one": (200, 0)}), FIGURES, "are not of one width"),
    ],
)
def test_fonts_that_may_not_be_embedded_or_have_uneven_figures_are_refused(
    tmp_path: Path, change: Callable[[Any], object], text: str, reason: str
) -> None:
    (error,) = errors(tmp_path, text, own_ttf=changed_font(change))
    assert error.startswith("game/look.toml:")
    assert reason in error


@pytest.mark.slow
def test_a_font_with_a_damaged_letter_is_refused(tmp_path: Path) -> None:
    with TTFont(OWN.with_name("SourceSansPro-It.otf"), recalcBBoxes=False) as font:
        font["CFF "].cff[0].CharStrings["A"].bytecode = b"\x0a\x0e"  # calls a subroutine without its number
        made = BytesIO()
        font.save(made)
    (error,) = errors(tmp_path, '[fonts]\ntitles = "own.otf"\n', own_otf=made.getvalue())
    assert error.startswith("game/look.toml:2:1: own.otf is damaged: ")


def test_a_collection_of_fonts_is_refused_with_their_names_and_the_command_that_takes_one_out(tmp_path: Path) -> None:
    collection = TTCollection()
    collection.fonts = [TTFont(BytesIO(tiny_font("ab"))), TTFont(BytesIO(tiny_font("cd")))]
    collection.save(made := BytesIO())
    (error,) = errors(tmp_path, '[fonts]\ntitles = "own.ttc"\n', own_ttc=made.getvalue())
    assert "own.ttc is a collection of fonts: 0 Tiny, 1 Tiny" in error
    assert error.endswith("fonttools ttLib --no-recalc-timestamp -y 0 -o font.otf own.ttc")


@pytest.mark.slow
def test_a_font_for_figures_takes_these_alone_and_leaves_them_out_of_the_text(tmp_path: Path) -> None:
    fonts = look(tmp_path, FIGURES, own_ttf=OWN.read_bytes()).fonts
    with TTFont(BytesIO(fonts["Look-Figures"])) as figures, TTFont(BytesIO(fonts["Look-Text"])) as text:
        assert {*map(chr, figures.getBestCmap())} == {*"0123456789+−±% "}
        assert {*map(chr, text.getBestCmap())}.isdisjoint("0123456789+−±%")


SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 10">%s</svg>'


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"GIF89a", "is no picture in PNG, JPEG or SVG"),
        (picture(width=5000, height=4001), "5,000 x 4,001 pixels"),
        (SVG % b"<script>alert(1)</script>", "asks for more than it holds: <script>"),
        (SVG % b'<image href="http://example.org/a.png"/>', "asks for more than it holds: <image>"),
        (SVG % b'<rect style="fill: url(http://example.org/a)"/>', "asks for more than it holds: <rect>"),
        (SVG % b'<rect onclick="f()"/>', "asks for more than it holds: <rect>"),
        (SVG % b'<a><animate attributeName="href" to="javascript:f()"/></a>', "asks for more than it holds: <animate>"),
        (SVG % b"<style>rect { fill: u\\72l(//example.org/a) }</style>", "asks for more than it holds: <style>"),
        (SVG % b"<style>@Import '//example.org/a'</style>", "asks for more than it holds: <style>"),
        (
            b'<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY s "<script/>">]>' + SVG % b"&s;",
            "asks for more than it holds: <?",
        ),
        (b'<?xml version="1.0"?><?xml-stylesheet href="//example.org/a"?>' + SVG, "than it holds: <?"),
        (b"<svg ", "is no well-formed SVG"),
    ],
)
def test_pictures_that_are_none_or_ask_for_more_are_refused(tmp_path: Path, data: bytes, reason: str) -> None:
    (error,) = errors(tmp_path, '[logo]\nsmall = "logo.svg"\n', logo_svg=data)
    assert error.startswith("game/look.toml:2:1: ")
    assert reason in error


@pytest.mark.slow
def test_the_files_of_a_look_are_style_sheet_fonts_pictures_and_drawings_in_its_ink(tmp_path: Path) -> None:
    text = '[colours]\nink = "#2a1d14"\n[fonts]\ntext = "atkinson-hyperlegible"\n[logo]\nsmall = "logo.svg"\n'
    found = look(tmp_path, text, logo_svg=SVG % b'<rect fill="url(#a)"/>')
    files = look_files(found)
    assert found.small_ratio == 3
    assert {"game/look/look.css", "game/look/look-text.ttf", "game/look/logo-small.svg"} < {*files}
    assert b"#2a1d14" in files["game/look/icons/die-ink.svg"]
    css = files["game/look/look.css"].decode()
    assert '--sans: "Look Text", "Refgen Sans", "Refgen Symbols", sans-serif;' in css
    assert "&" not in css
