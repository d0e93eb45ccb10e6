"""Letters that no font has: which are named, and what is printed all the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from refgen.blocks.letters import (
    MOST_LETTERS,
    SettableWords,
    hint_for,
    letter_faults,
    named_letters,
    unset_letters,
)
from refgen.blocks.text_blocks import TextBlock
from refgen.cli import main
from refgen.game import load_game
from refgen.look.look import Look, in_look
from tests.look.tiny import tiny_font

RULES = """\
# Small Roads

## Beasts

| d4 | Beast |
|---|---|
| 1 | wolf |
| 2 | 龍 |
| 3 | bear |
| 4 | fox |

## Weather

| d4 | Weather |
|---|---|
| 1 | sun |
| 2 | rain |
| 3 | fog |
| 4 | wind |
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Fair: +1, −2, ½ × “it’s”", ""),
        ("wolf 龍, bear 虎, 龍", "龍虎"),
        ("a b\u00a0c\u2003d", ""),  # blanks
        ("soft\u00adhyphen, joiner\u200d, word\u2060", ""),
        ("e\u0301 and é", ""),
        ("🐉\ufe0f", "🐉"),  # the selector of a shape is never seen
    ],
)
def test_letters_that_no_font_has_are_named_once_in_order(text: str, expected: str) -> None:
    assert unset_letters(text) == expected


def test_many_letters_are_counted() -> None:
    letters = "".join(map(chr, range(0x4E00, 0x4E00 + MOST_LETTERS + 3)))
    assert named_letters(letters[:2]) == "一 (U+4E00), 丁 (U+4E01)"
    assert named_letters(letters).endswith("and 3 more")


def test_a_hyphen_that_few_fonts_have_is_the_hyphen_of_a_keyboard(tmp_path: Path) -> None:
    words = SettableWords()
    assert (words.title("Half‑folk"), words.faults) == ("Half-folk", [])
    (tmp_path / "rules.md").write_text(
        "# Folk\n\n| d6 | Folk‐kind |\n|--|--|\n| 1‑3 | Half‑Orc |\n| 4‑6 | Elf |\n", "utf-8"
    )
    system = """title = "Folk"
about = "Folk."
source = "Ours"
document = "rules.md"
[tables.folk]
title = "Folk"
header = ["d6", "Folk‐kind"]
columns = [{ id = "d6", type = "interval" }, "folk"]
"""
    (tmp_path / "system.toml").write_text(system, encoding="utf-8")
    assert [*letter_faults(load_game(tmp_path))] == []


def test_a_title_goes_without_the_letter_and_content_stays_out_whole() -> None:
    words = SettableWords()
    assert words.title("🐉 Fights 🐉") == "Fights"
    assert SettableWords().title("Old 龍 roads") == "Old roads"  # never a part of a word
    assert SettableWords().title("龍") == "…"
    shown = words.block(TextBlock("🐉 Rules", ("Roll.",)), "Fights")
    assert shown == TextBlock("Rules", ("Roll.",))
    assert words.block(TextBlock("", ("Roll 龍.",)), "Fights") is None
    assert [fault.message for fault in words.faults] == [
        '"🐉 Fights 🐉" is printed without 🐉 (U+1F409), which no font has',
        '"🐉 Rules" is printed without 🐉 (U+1F409), which no font has',
        '"Fights" stays out: no font has 龍 (U+9F8D), in "Fights", text 1',
    ]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "rules.md").write_text(RULES, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_letters_that_a_font_draws_in_parts_ask_for_another_font_by_the_name_of_their_script() -> None:
    """As Noto Sans Arabic does: the stroke of beh with one dot below."""
    apart = "feature ccmp { sub uni0628 by stroke dot; } ccmp;"
    font = tiny_font("ab\u0627\u0628", apart, ["stroke", "dot"])
    look = Look("parted", fonts={"Look-Text": font, "Look-Text-Semi-Bold": font})
    with in_look(look):
        assert unset_letters("\u0627\u0628") == "\u0628"
        assert "the Arabic script" in hint_for("\u0628")
    assert "look.toml" in hint_for("龍")


SAID = 'rules.md:8:7: no font has 龍 (U+9F8D), in "Beasts"\n  hint: Name a font that has it in look.toml'


@pytest.mark.slow
def test_init_and_check_name_the_table_at_once_and_the_screen_has_the_others(project: Path) -> None:
    done = CliRunner().invoke(main, ["init", "rules.md"])
    assert done.exit_code == 0, done.stderr
    assert f"warning: {SAID}" in done.stderr
    assert (project / "build/small-roads/gm-screen-a4.pdf").exists()
    (fault,) = letter_faults(load_game(project / "content/small-roads"))
    assert fault.span is not None
    assert fault.span.short.endswith("rules.md:8")
    checked = CliRunner().invoke(main, ["check", "small-roads"])
    assert (checked.exit_code != 2, SAID in checked.stderr) == (True, True)
