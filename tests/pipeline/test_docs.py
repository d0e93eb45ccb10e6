"""docs/screens.md: its examples work, its messages are those that come, its numbers are those of the code."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from shutil import copytree

import pytest
from click.testing import CliRunner, Result
from lxml import html

from refgen.aids import distribute, kind
from refgen.aids import panels as panels_package
from refgen.aids.kinds import KINDS
from refgen.aids.panels.model import USUAL_FORMAT, Side, type_scale
from refgen.aids.screen.kind import screen_of_game
from refgen.aids.screen.spec import EdgeScaleSpec, PanelBlockSpec, PanelSpec, ScreenSpec
from refgen.cli import main
from refgen.commands.aids import screen as screen_command
from refgen.files import bundled_folder
from refgen.layout import lengths
from refgen.layout.page_format import PageFormat, Paper, Theme
from refgen.pipeline.project import ProjectSpec, ScreenSettings
from refgen.rules.toml import load_toml
from refgen.source import SourceFile
from tests.conftest import game

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "screens.md").read_text(encoding="utf-8")
EXAMPLE, PARTY, SETTINGS = re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)
MESSAGES: Sequence[str] = re.findall(r"```text\n(.*?)```", TEXT, re.DOTALL)

pytestmark = pytest.mark.usefixtures("shared_cache", "commands_share_games")

CROWDED = """
title = "Crowded"
system = "atari-isev"

[[panels]]
title = "Blows"

[[panels.blocks]]
title = "Chances to hit"
table = "hit-chances"
importance = "core"

[[panels.blocks]]
title = "Wounds"
table = "wound-levels"
importance = "core"

[[panels.blocks]]
title = "Points of damage"
table = "blow-points"

[[panels.blocks]]
title = "Initiative"
table = "initiative-odds"
importance = "rare"

[[panels.blocks]]
title = "Missiles"
table = "ranged-odds"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, from which refgen is run: the systems are those it ships with."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def screen(name: str, text: str, *options: str) -> Result:
    Path(name).write_text(text, encoding="utf-8")
    arguments = ["screen", name, *options, "--jobs", "1", "-q"]
    return CliRunner().invoke(main, arguments, catch_exceptions=False)


def columns(panel: html.HtmlElement) -> list[list[str]]:
    """The titles of the blocks of a panel, column by column."""
    found = panel.find_class("column")
    return [[head.text.strip() for head in column.iter("h2")] for column in found]


@pytest.mark.slow
def test_the_example_makes_what_is_told_of_it(folder: Path) -> None:
    result = screen("duel-night.toml", EXAMPLE, "--paper", "a4", "--strict")
    assert (result.exit_code, result.stderr) == (0, "")
    page = html.parse(folder / "build" / "duel-night" / "gm-screen-a4.html").getroot()
    task, duel, players = page.find_class("panel")
    assert columns(task) == [["To roll", "Chances", "4dF or better"], ["With d%", "4dF exactly"]]
    assert columns(duel) == [["Posture"], ["Wounds", "Modifiers"]]
    assert columns(players) == [["Say it first"]]
    assert [panel.find_class("level")[0].text for panel in (task, duel, players)] == ["Superb", "Terrible", "Superb"]
    (foot,) = duel.xpath("footer/text()")
    assert "Atari Isev" in foot
    assert "FUDGE, chapter 3" in foot


LARGE_A5 = "--paper a5 --orientation portrait --theme large-print"


def mentioned(message: str) -> str:
    """A message without its millimetres, which change with every stroke of a style sheet."""
    return re.sub(r"\d+\.\d mm", "… mm", message)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "name", "text", "options"),
    [
        (0, "crowded.toml", CROWDED, "--paper a4"),
        (1, "duel-night.toml", EXAMPLE.replace("fold = 3", "fold = 6"), LARGE_A5),
        (2, "duel-night.toml", re.sub('"atari-isev"\n(?=title = "Posture")', '"atari-isew"\n', EXAMPLE), "--paper a4"),
    ],
    ids=["too-full", "too-wide", "no-such-system"],
)
def test_the_messages_are_those_that_come(folder: Path, number: int, name: str, text: str, options: str) -> None:
    result = screen(name, text, *options.split())
    assert result.exit_code == 2
    assert mentioned(result.stderr) == mentioned(MESSAGES[number])


def test_the_party_of_the_example_is_shown(tmp_path: Path) -> None:
    copytree(bundled_folder("content") / "atari-isev", tmp_path / "atari-isev")
    (tmp_path / "atari-isev" / "screen.toml").write_text(PARTY, encoding="utf-8")
    made = screen_of_game(tmp_path / "atari-isev", game("atari-isev"))
    assert [block.block.title for block in made.panels[0].blocks] == ["Attributes", "Wounds", "Fighting", "Tonight"]


def test_the_settings_can_be_read_and_none_is_missing() -> None:
    spec = load_toml(SourceFile("refgen.toml", SETTINGS), ProjectSpec)
    assert spec.screen.model_fields_set == set(ScreenSettings.model_fields)
    names = [page_format.name(USUAL_FORMAT) for page_format in KINDS["screen"].options(**spec.screen.options()).formats]
    assert names == ["letter-portrait-ink-saving", "a5-portrait-ink-saving"]


@pytest.mark.parametrize("model", [ScreenSpec, PanelSpec, PanelBlockSpec, EdgeScaleSpec])
def test_every_key_is_told(model: type[ScreenSpec | PanelSpec | PanelBlockSpec | EdgeScaleSpec]) -> None:
    assert [key for key in model.model_fields if not re.search(rf"`{key}\b|^{key} = |, {key} = ", TEXT, re.M)] == []


COMMANDS = [re.split(r"  +", line)[0] for line in re.findall(r"^    refgen screen (.*)$", TEXT, re.MULTILINE)]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_one(command: str) -> None:
    context = screen_command.make_context("screen", shlex.split(command))
    assert context.params["what"] in (("fudge-1995",), ("duel-night.toml",), ("atari-isev",))


def constants() -> dict[str, object]:
    """The constants of the layout; where two have one name, that of the panel."""
    modules = [
        import_module(f"{panels_package.__name__}.{found.name}") for found in iter_modules(panels_package.__path__)
    ]
    return {name: value for module in [lengths, kind, *modules, distribute] for name, value in vars(module).items()}


def test_the_constants_are_those_of_the_code() -> None:
    rows = {name: float(number) for name, number in re.findall(r"^\| `(_?[A-Z_]+)` \| ([\d.]+)", TEXT, re.MULTILINE)}
    assert len(rows) == 16
    assert {name: constants()[name] for name in rows} == rows


@pytest.mark.parametrize(
    ("name", "page_format"),
    [
        ("A4, Letter", PageFormat(Paper.LETTER)),
        ("A5", PageFormat(Paper.A5)),
        ("A4, Letter in large print", PageFormat(Paper.A4, theme=Theme.LARGE_PRINT)),
        ("A5 in large print", PageFormat(Paper.A5, theme=Theme.LARGE_PRINT)),
    ],
)
def test_the_type_sizes_are_those_of_the_code(name: str, page_format: PageFormat) -> None:
    (row,) = re.findall(rf"^\| {name} \|(.*)\|$", TEXT, re.MULTILINE)
    scales = [type_scale(page_format, side) for side in (Side.GM, Side.PLAYERS)]
    told = [text for own in scales for text in (f"{own.usual:g}", f"{own.sizes[0]:g} – {own.sizes[-1]:g}")]
    assert [cell.strip() for cell in row.split("|")] == told
