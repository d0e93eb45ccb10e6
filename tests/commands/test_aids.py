"""``refgen cards``: what it makes of a game of one's own, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pikepdf
import pytest
from click.testing import CliRunner, Result

from refgen.cli import main
from tests.aids.cards.test_model import RULES, SYSTEM

CARDS = """
back = "Skirmish!"
[[cards]]
each = "row"
table = "weapons"
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "games" / "content" / "skirmish"
    folder.mkdir(parents=True)
    (tmp_path / "games" / "refgen.toml").write_text("", encoding="utf-8")
    (folder / "rules.md").write_text(RULES, encoding="utf-8")
    (folder / "system.toml").write_text(SYSTEM, encoding="utf-8")
    (folder / "cards.toml").write_text(CARDS, encoding="utf-8")
    return tmp_path / "games"


def cards(project: Path, *options: str) -> Result:
    output = str(project / "out")
    arguments = ["cards", "--project", str(project), "-o", output, "--jobs", "1", "-q", *options]
    return CliRunner().invoke(main, arguments, catch_exceptions=False)


def made(project: Path) -> list[str]:
    return sorted(path.name for path in (project / "out" / "skirmish").glob("*"))


def pages(project: Path, name: str) -> int:
    with pikepdf.open(project / "out" / "skirmish" / name) as pdf:
        return len(pdf.pages)


@pytest.mark.slow
def test_sheets_and_faces_of_a_deck(project: Path) -> None:
    assert cards(project, "--paper", "a3").exit_code == 0
    assert made(project) == ["cards-1.png", "cards-a3.pdf", "cards.html", "cards.pdf"]
    assert (pages(project, "cards-a3.pdf"), pages(project, "cards.pdf")) == (2, 4)


@pytest.mark.slow
def test_a_card_a_page_in_a_size_of_ones_own(project: Path) -> None:
    assert cards(project, "--size", "60x90", "--landscape", "--imposition", "single").exit_code == 0
    assert pages(project, "cards-60x90-landscape-single.pdf") == 6


@pytest.mark.slow
def test_other_tables_take_pictures_and_a_saved_object(project: Path) -> None:
    url = "https://example.org/deck/"
    assert cards(project, "--paper", "a4", "--format", "tabletop-simulator", "--url", url).exit_code == 0
    folder = project / "out" / "skirmish" / "cards-tabletop-simulator"
    assert sorted(path.name for path in folder.glob("*")) == ["back-1.png", "deck.json", "fronts-1.png"]
    (deck,) = json.loads((folder / "deck.json").read_text(encoding="utf-8"))["ObjectStates"]
    assert [card["Nickname"] for card in deck["ContainedObjects"]] == ["Dagger", "Spear", "Axe"]
    assert deck["CustomDeck"]["1"]["FaceURL"] == f"{url}fronts-1.png"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--size", "pokr"], 'there is no card size "pokr"'),
        (["--size", "20x30"], "too small for words"),
        (["--size", "200x205", "--imposition", "fold"], "does not fit on a4 (fold)"),
        (["--gutter", "40"], "40"),
        (["--paper", "a9"], "a9"),
        (["nosuch"], "nosuch"),
    ],
)
def test_what_cannot_be_made_is_refused_and_nothing_is_written(project: Path, options: list[str], message: str) -> None:
    result = cards(project, *options)
    assert result.exit_code == 2
    assert message in result.stderr
    assert not (project / "out" / "skirmish").exists()


@pytest.mark.slow
def test_a_card_that_is_too_full_is_left_out_alone_with_its_line(project: Path) -> None:
    path = project / "content" / "skirmish" / "cards.toml"
    path.write_text(f'{CARDS}[[cards]]\ntitle = "Long"\nblocks = [{{ text = "{"word " * 900}" }}]\n', encoding="utf-8")
    result = cards(project, "--imposition", "single")
    assert result.exit_code == 2
    assert 'cards.toml:6:1: skirmish/cards: "Long" is too full by' in result.stderr
    assert pages(project, "cards-single.pdf") == 6


def test_a_game_without_cards_says_so(project: Path) -> None:
    (project / "content" / "skirmish" / "cards.toml").unlink()
    result = cards(project, "skirmish", "--format", "json")
    assert result.exit_code == 2
    assert "Skirmish has no cards" in result.stderr
