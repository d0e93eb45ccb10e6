"""The party on a GM screen: on the panels that screen.toml says, or on a panel of its own."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest
from click.testing import CliRunner

from refgen.aids.kind import AidSources
from refgen.aids.kinds import KINDS
from refgen.aids.panels.model import Panels
from refgen.cli import main
from refgen.errors import AidError
from refgen.files import bundled_folder
from tests.conftest import game

ATARI = "atari-isev"
ISTA, HANNO = (
    bundled_folder("content") / ATARI / "characters" / f"{name}.toml" for name in ("ista-venn", "hanno-rill")
)
EFFECTS = ("Attack Effect", "Defence Effect")
PANEL = """
[[panels]]
title = "Who is here"
party = ["attributes.will.level", "wounds"]
blocks = ["posture"]
"""


def screen(folder: Path, text: str, *typed: Path) -> Panels:
    """The screen of a game with such a screen.toml, for a party in typed files."""
    copytree(bundled_folder("content") / ATARI, folder / ATARI)
    (folder / ATARI / "screen.toml").write_text(text, encoding="utf-8")
    made = KINDS["screen"].make(AidSources(folder / ATARI, game(ATARI), inputs=typed))
    assert isinstance(made, Panels)
    return made


def shown(made: Panels) -> list[tuple[str, list[list[str]]]]:
    """The title, the heads and the first row of each block on the last panel."""
    blocks = [one.block for one in made.panels[-1].blocks]
    contents = [(block.title, block.contents()) for block in blocks]
    return [(title, [[*found.heads], [*found.rows[0]]]) for title, found in contents]


def test_chosen_fields_of_the_characters_in_the_game_stand_above_the_blocks(tmp_path: Path) -> None:
    made = screen(tmp_path, f'characters = ["characters/ista-venn.toml", "characters/hanno-rill.toml"]\n{PANEL}')
    assert made.faults == ()
    assert shown(made) == [
        ("Attributes", [["", "Ista Venn", "Hanno Rill"], ["Will", "Good", "Fair"]]),
        ("Wounds", [["", "Ista Venn", "Hanno Rill"], ["Scratched", "☐☐", "☐☐☐☐"]]),
        (
            "Offensive and defensive tactics",
            [["Posture", "Attack Effect", "Defence Effect"], ["All-out Offence", "+2", "−2"]],
        ),
    ]


def test_typed_files_take_the_place_of_those_of_the_game(tmp_path: Path) -> None:
    made = screen(tmp_path, f'characters = ["characters/hanno-rill.toml"]\n{PANEL}', ISTA)
    assert shown(made)[0] == ("Attributes", [["", "Ista Venn"], ["Will", "Good"]])


def test_a_party_that_no_panel_shows_has_a_panel_of_its_own(tmp_path: Path) -> None:
    made = screen(tmp_path, '[[panels]]\ntitle = "Combat"\nblocks = ["posture"]\n', ISTA, HANNO)
    assert [panel.title for panel in made.panels] == ["Combat", "Party"]
    assert [title for title, _ in shown(made)] == [
        "Attributes",
        "Skills",
        "Wounds",
        "Fighting",
        "Weapons",
        "Fudge points",
    ]


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        (PANEL, "the panel shows the party, and there are no characters", 4),
        (f'characters = ["../x.toml"]\n{PANEL}', '"../x.toml" leads out of atari-isev', 5),
        (
            'characters = ["characters/ista-venn.toml"]' + PANEL.replace("will.level", "wil.level"),
            'there is no part or field "attributes.wil.level" to show',
            4,
        ),
    ],
)
def test_a_party_that_cannot_be_shown_is_reported_at_its_panel(
    tmp_path: Path, text: str, message: str, place: int
) -> None:
    with pytest.raises(AidError) as told:
        screen(tmp_path, text)
    assert (told.value.message, told.value.span and told.value.span.line) == (message, place)


def test_a_panel_shows_something(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="a panel has `blocks`, or shows the `party`"):
        screen(tmp_path, '[[panels]]\ntitle = "Nothing"\n')


def test_characters_are_of_the_screen_of_one_game(tmp_path: Path) -> None:
    (tmp_path / "night.toml").write_text('title = "Night"\n', encoding="utf-8")
    said = CliRunner().invoke(main, ["screen", str(tmp_path / "night.toml"), "--characters", str(ISTA)])
    assert (said.exit_code, "there is no game" in said.output) == (2, True)
