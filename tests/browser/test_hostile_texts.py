"""Each text of a game's TOML files that may be free is made an element with a script: on every page it is words."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from shutil import copytree

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser

from refgen.aids.cards.model import make_deck
from refgen.aids.screen.kind import screen_of_game
from refgen.characters.make_sheet import make_sheet
from refgen.cli import main
from refgen.errors import RefgenError
from refgen.files import bundled_folder
from refgen.game import load_game
from tests.figures import write_figure

EXAMPLES = ("night-kiln", "soundings", "thornpost")
FILES = ("system.toml", "proof.toml", "screen.toml", "sheet.toml", "cards.toml")
SCRIPT = "<img src=x onerror='window.fault=1'>"
TEXT = re.compile(r'"(?:[^"\\\n]|\\.)+"')
LIVE = "window.fault !== undefined || document.querySelector('img[src=x], [onerror]') !== null"


def is_sound(folder: Path) -> bool:
    """Whether a game is read, and all that it says of aids fits."""
    with suppress(RefgenError):
        game = load_game(folder)
        errors = game.check().errors
        for make in (screen_of_game, make_sheet, make_deck):
            make(folder, game)
        return not errors
    return False


def spoil(folder: Path) -> int:
    """Write a script behind each text of a game's files behind which one may stand, and count them."""
    count = 0
    for path in (folder / name for name in FILES):
        text, position = path.read_text(encoding="utf-8"), 0
        while found := TEXT.search(text, position):
            spoilt = text[: found.end() - 1] + SCRIPT + text[found.end() - 1 :]
            path.write_text(spoilt, encoding="utf-8")
            if is_sound(folder):
                text, count, position = spoilt, count + 1, found.end() + len(SCRIPT)
            else:
                position = found.end()
        path.write_text(text, encoding="utf-8")
    return count


@pytest.mark.soak
@pytest.mark.parametrize("example", EXAMPLES)
def test_no_text_of_a_file_becomes_an_element(example: str, chromium: Browser, tmp_path: Path) -> None:
    folder = copytree(bundled_folder("content") / "examples" / example, tmp_path / "content" / example)
    (tmp_path / "refgen.toml").write_text("", encoding="utf-8")
    count = spoil(folder)
    output = tmp_path / "build"
    done = CliRunner().invoke(main, ["build", "--project", str(tmp_path), "-o", str(output), "-q"])
    assert done.exit_code in (0, 2), done.output  # some titles are too long for their cards
    pages = sorted(output.rglob("*.html"))
    page = chromium.new_page()
    live = []
    for path in pages:
        page.goto(path.as_uri())
        live += [path.name] if page.evaluate(LIVE) else []
    page.close()
    assert live == []
    shown = sum(path.read_text(encoding="utf-8").count("&lt;img src=x") for path in pages)
    assert shown > count
    write_figure("texts", example, f"{count} texts of TOML, {shown:,} times on {len(pages)} pages, none of them live")
