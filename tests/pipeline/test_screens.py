"""`refgen screen` and [screen] of refgen.toml: which files they write, and what is said of screens that do not work."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from lxml import html
from pypdfium2 import PdfDocument

from refgen.aids.panels import job
from refgen.aids.panels.job import FittedPanels, fit_panels
from refgen.aids.panels.model import Panels
from refgen.cli import main
from refgen.errors import RenderError
from refgen.game import SystemInfo
from refgen.layout.page_format import PageFormat, Paper
from refgen.layout.preview import png_size
from tests.pipeline.small_builds import leave_out
from tests.resolver.systems.small import project

pytestmark = pytest.mark.usefixtures("shared_cache")

OWN = """
title = "Mixed"

[[panels]]
title = "Skills"

[[panels.blocks]]
system = "fate"
title = "The ladder"
table = "skills"

[[panels.blocks]]
system = "apocalypse"
title = "A move"
steps = ["Roll {dice} and add the stat."]
"""

SECOND_PANEL = """
[[panels]]
title = "Moods"

[[panels.blocks]]
system = "grids"
table = "moods"
"""

PLAYERS = """
[[players]]
title = "For players"

[[players.blocks]]
text = "Say what you do."
"""

OWN_OF_FUDGE = """
system = "fudge-1995"

[[panels]]
title = "Levels"

[[panels.blocks]]
table = "levels"
"""

OF_FATE = f"""
[[panels]]
title = "Rolling"

[[panels.blocks]]
table = "skills"

[[panels.blocks]]
steps = ["Roll {{dice}}."]
{PLAYERS}
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project of three small systems, of which one has a screen, with players' side."""
    (project(tmp_path, "fate", "apocalypse", "grids") / "content" / "fate" / "screen.toml").write_text(OF_FATE)
    for name in ("apocalypse", "grids"):
        leave_out(tmp_path / "content" / name, "screen")
    return tmp_path


def refgen(command: str, root: Path, *arguments: str | Path) -> Result:
    """Run a command on the project, in this process, into the project's folder ``build``."""
    usual = ["--project", root, "-o", root / "build", "--jobs", "1", "-q"]
    return CliRunner().invoke(main, [command, *map(str, [*arguments, *usual])], catch_exceptions=False)


def own_file(root: Path, name: str, text: str) -> Path:
    (root / name).write_text(text, encoding="utf-8")
    return root / name


def written(root: Path) -> set[str]:
    """The pages that a build wrote, by system or own screen."""
    output = root / "build"
    return {path.relative_to(output).as_posix() for kind in ("html", "pdf") for path in output.rglob(f"*.{kind}")}


def both(name: str) -> set[str]:
    return {f"{name}.html", f"{name}.pdf"}


def pages(path: Path) -> list[tuple[int, int, str]]:
    """The width and height of each page in millimetres, and its words."""
    with PdfDocument(path) as document:
        return [
            (round(page.get_width() * 25.4 / 72), round(page.get_height() * 25.4 / 72), words(page))
            for page in document
        ]


def words(page: Any) -> str:
    return " ".join(page.get_textpage().get_text_range().split())


@pytest.mark.slow
def test_without_a_choice_a_screen_is_made_on_a4_and_letter(root: Path) -> None:
    assert refgen("screen", root).exit_code == 0
    assert written(root) == both("fate/gm-screen-a4") | both("fate/gm-screen-letter")
    gm, players = pages(root / "build" / "fate" / "gm-screen-a4.pdf")
    assert gm[:2] == players[:2] == (297, 210)
    assert "Rolling" in gm[2]
    assert "For players" in players[2]


@pytest.mark.slow
def test_each_format_of_a_screen_is_a_job_so_that_one_screen_keeps_two_workers_busy(
    root: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two workers make the same bytes as one, and nothing of theirs stays in the folder for temporary files."""
    monkeypatch.setenv("REFGEN_CACHE", "none")
    temporary = tmp_path_factory.mktemp("temporary")
    monkeypatch.setenv("TMPDIR", str(temporary))
    command = [sys.executable, "-m", "refgen.cli", "screen", "fate", "--project", str(root), "--jobs", "2"]
    shown = subprocess.run([*command, "-o", str(root / "two")], check=True, capture_output=True, text=True).stderr
    assert {line.partition(" ")[2].rpartition(",")[0] for line in shown.splitlines() if line.startswith("[")} == {
        "fate/gm-screen (a4)",
        "fate/gm-screen (letter)",
    }
    assert refgen("screen", root, "fate").exit_code == 0
    assert contents(root / "two") == contents(root / "build")
    assert list(temporary.iterdir()) == []


@pytest.mark.slow
def test_pictures_show_the_first_format_that_could_be_made(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFGEN_CACHE", "none")

    def failing_on_a4(
        system: SystemInfo, page_title: str, screen: Panels, page_format: PageFormat, *rest: Any
    ) -> FittedPanels:
        if page_format.paper is Paper.A4:
            raise RenderError("no room on A4")
        return fit_panels(system, page_title, screen, page_format, *rest)

    pictures = root / "build" / "fate"
    assert refgen("screen", root).exit_code == 0
    on_a4 = {path.name: png_size(path.read_bytes()) for path in pictures.glob("*.png")}
    monkeypatch.setattr(job, "fit_panels", failing_on_a4)
    assert refgen("screen", root).exit_code == 2
    on_letter = {path.name: png_size(path.read_bytes()) for path in pictures.glob("*.png")}
    assert on_a4 == {"gm-screen-1.png": (800, 566), "gm-screen-2.png": (800, 566)}
    assert on_letter == {"gm-screen-1.png": (800, 619), "gm-screen-2.png": (800, 619)}


def contents(folder: Path) -> dict[Path, bytes]:
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_a_chosen_format_is_the_only_one_that_is_made(root: Path) -> None:
    chosen = ["--paper", "a5", "--orientation", "portrait", "--theme", "ink-saving", "--no-players"]
    assert refgen("screen", root, "fate", *chosen).exit_code == 0
    assert written(root) == both("fate/gm-screen-a5-portrait-ink-saving")
    ((width, height, text),) = pages(root / "build" / "fate" / "gm-screen-a5-portrait-ink-saving.pdf")
    assert (width, height) == (148, 210)
    assert "Rolling" in text


@pytest.mark.slow
def test_on_a_sheet_the_panels_of_a_side_stand_side_by_side(root: Path) -> None:
    own = own_file(root, "mixed.toml", OWN + SECOND_PANEL + PLAYERS)
    assert refgen("screen", root, own, "--paper", "a5", "--imposition", "sheet").exit_code == 0
    gm, players = pages(root / "build" / "mixed" / "gm-screen-a5-sheet.pdf")
    assert gm[:2] == players[:2] == (2 * 210, 148)
    assert "panel 1 of 2" in gm[2]
    assert "panel 2 of 2" in gm[2]
    assert "players’ side 1 of 1" in players[2]


def test_a_file_of_ones_own_mixes_systems(root: Path) -> None:
    moves = root / "content" / "apocalypse" / "system.toml"
    moves.write_text(moves.read_text().replace('source = "made for the tests"', 'source = "Moves"'), encoding="utf-8")
    own = own_file(root, "mixed.toml", OWN)
    assert refgen("screen", root, own, "--paper", "a4", "--strict").exit_code == 0
    assert written(root) == both("mixed/gm-screen-a4")
    ((_, _, text),) = pages(root / "build" / "mixed" / "gm-screen-a4.pdf")
    assert "Superb" in text
    assert "Roll 2d6 and add the stat." in text
    page = html.parse(root / "build" / "mixed" / "gm-screen-a4.html")
    (source,) = page.xpath("//footer/text()")
    assert page.xpath("//title/text()") == ["Mixed: GM screen"]
    assert source.startswith("made for the tests. Moves.")


@pytest.mark.slow
def test_systems_and_own_files_can_be_asked_for_together(root: Path) -> None:
    own = own_file(root, "mixed.toml", OWN)
    assert refgen("screen", root, "fate", own, "--paper", "a5").exit_code == 0
    assert written(root) == both("fate/gm-screen-a5") | both("mixed/gm-screen-a5")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bad", "line", "message", "hint"),
    [
        ('system = "fata"\ntable = "skills"', 6, 'there is no game "fata"', "Did you mean fate?"),
        ('system = "fate"\ntable = "skill"', 6, 'there is no table "skill"', "Did you mean skills?"),
    ],
)
def test_a_panel_that_cannot_be_made_is_named_and_the_others_are_made(
    root: Path, bad: str, line: int, message: str, hint: str
) -> None:
    text = f'title = "Mixed"\nsystem = "fate"\n[[panels]]\ntitle = "Bad"\n\n[[panels.blocks]]\n{bad}\n{SECOND_PANEL}'
    result = refgen("screen", root, own_file(root, "mixed.toml", text), "--paper", "a4")
    assert result.exit_code == 2
    assert result.stderr == f"{root.name}/mixed.toml:{line}:1: {message}\n  hint: {hint}\n"
    ((_, _, made),) = pages(root / "build" / "mixed" / "gm-screen-a4.pdf")
    assert "Moods" in made
    assert "panel 1 of 1" in made


def test_a_system_of_the_edge_that_is_not_there_is_named_too(root: Path) -> None:
    text = f'edge_scale = {{ system = "fata", ladder = "skill" }}\n{OWN}'
    result = refgen("screen", root, own_file(root, "mixed.toml", text), "--paper", "a4")
    assert result.exit_code == 2
    assert result.stderr.splitlines()[0] == f'{root.name}/mixed.toml:1:1: there is no game "fata"'


def test_a_file_beside_the_reader_is_named_as_it_was_given(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_file(root, "mixed.toml", OWN.replace('"skills"', '"skill"'))
    monkeypatch.chdir(root)
    assert refgen("screen", root, "mixed.toml").stderr.startswith('mixed.toml:7:1: there is no table "skill"')


@pytest.mark.parametrize(
    ("title", "what", "message"),
    [
        ("a system", ["grids.toml"], 'the name "grids" is taken'),
        ("another file", ["mixed.toml", "other/mixed.toml"], 'the name "mixed" is taken'),
        ("a file that is not there", ["none.toml"], "no such file or directory"),
        ("an unknown system", ["fata"], 'there is no game "fata"'),
    ],
    ids=lambda value: value.replace(" ", "-") if isinstance(value, str) and " " in value else "",
)
def test_what_cannot_be_asked_for_is_refused(root: Path, title: str, what: list[str], message: str) -> None:
    (root / "other").mkdir()
    for name in ("grids.toml", "mixed.toml", "other/mixed.toml"):
        own_file(root, name, OWN)
    result = refgen("screen", root, *(root / name if name.endswith(".toml") else name for name in what))
    assert result.exit_code == 2
    assert message in result.stderr.splitlines()[0], title
    assert written(root) == set()


SETTINGS = """
[screen]
papers = ["a5"]
orientation = "portrait"
theme = "ink-saving"
players = false
files = ["mixed.toml"]
"""


@pytest.fixture
def settled(root: Path) -> Path:
    """A project whose refgen.toml chooses how screens are made, and which own ones."""
    own_file(root, "mixed.toml", OWN + PLAYERS)
    own_file(root, "refgen.toml", SETTINGS)
    return root


NAMES = both("fate/gm-screen-a5-portrait-ink-saving") | both("mixed/gm-screen-a5-portrait-ink-saving")


@pytest.mark.slow
@pytest.mark.parametrize(("command", "arguments"), [("build", ["--only", "screen"]), ("screen", [])])
def test_a_project_chooses_formats_and_own_screens(settled: Path, command: str, arguments: list[str]) -> None:
    assert refgen(command, settled, *arguments).exit_code == 0
    assert written(settled) == NAMES
    for name in NAMES:
        if name.endswith(".pdf"):
            assert len(pages(settled / "build" / name)) == 1, "without the players' side"


@pytest.mark.slow
def test_a_single_system_is_made_without_the_projects_own_screens(settled: Path) -> None:
    assert refgen("build", settled, "fate", "--only", "screen").exit_code == 0
    assert written(settled) == both("fate/gm-screen-a5-portrait-ink-saving")


@pytest.mark.slow
def test_an_option_beats_refgen_toml(settled: Path) -> None:
    chosen = ["--paper", "a4", "--orientation", "landscape", "--theme", "colour", "--players"]
    assert refgen("screen", settled, "fate", *chosen).exit_code == 0
    assert written(settled) == both("fate/gm-screen-a4")
    assert len(pages(settled / "build" / "fate" / "gm-screen-a4.pdf")) == 2


@pytest.mark.slow
def test_the_paper_of_a_build_beats_refgen_toml_and_the_rest_stays(settled: Path) -> None:
    assert refgen("build", settled, "fate", "--only", "screen", "--paper", "letter").exit_code == 0
    assert written(settled) == both("fate/gm-screen-letter-portrait-ink-saving")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ('[screen]\npapers = ["a3"]', "refgen.toml:2:11: "),
        ("[screen]\npapers = []", "refgen.toml:2:1: "),
        ('[screen]\npaper = ["a4"]', "refgen.toml:2:1: "),
        ('[screen]\nform = "sheet"', 'refgen.toml:2:1: "form" is called "imposition" now'),
        pytest.param('[screen]\nfiles = ["none.toml"]', "none.toml", marks=pytest.mark.slow),
        ('[screen]\nfiles = ["../mixed.toml"]', "../mixed.toml"),
    ],
)
def test_settings_that_cannot_be_are_errors(root: Path, settings: str, message: str) -> None:
    own_file(root, "refgen.toml", settings)
    result = refgen("screen", root)
    assert result.exit_code == 2
    assert message in result.stderr.splitlines()[0]


@pytest.mark.slow
def test_a_projects_own_screen_is_made_by_its_name(settled: Path) -> None:
    assert refgen("screen", settled, "mixed").exit_code == 0
    assert written(settled) == both("mixed/gm-screen-a5-portrait-ink-saving")


@pytest.mark.slow
def test_a_project_without_systems_takes_from_those_that_refgen_ships_with(tmp_path: Path) -> None:
    own_file(tmp_path, "refgen.toml", '[screen]\npapers = ["a5"]\nfiles = ["mine.toml"]\n')
    own_file(tmp_path, "mine.toml", OWN_OF_FUDGE)
    assert refgen("screen", tmp_path, "mine").exit_code == 0
    assert written(tmp_path) == both("mine/gm-screen-a5")


@pytest.mark.slow
def test_the_screen_of_a_system_has_no_title_of_its_own(root: Path) -> None:
    (root / "content" / "fate" / "screen.toml").write_text(f'title = "Mine"\n{OF_FATE}')
    result = refgen("screen", root, "fate")
    assert result.exit_code == 2
    assert "fate/screen.toml:1:1: title is for screens that belong to no system" in result.stderr
