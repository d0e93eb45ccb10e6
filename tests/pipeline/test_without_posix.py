"""Every command but serve, without Pango, and without all that Windows lacks: modules, fork, signals, C functions."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from refgen.cli import COMMANDS
from refgen.errors import PublishError
from refgen.files import path_inside
from refgen.pipeline.publish import publish
from tests.absent import NO_PANGO, NO_POSIX, environment, refgen, refgen_in_turn
from tests.pipeline.small_builds import make_project

DOCUMENT = "# Lantern\r\n\r\n| Skill | Chance |\r\n|---|---|\r\n| Able | 50% |\r\n| Good | 67% |\r\n"
SPEC = r"""
title = "Lantern"
about = "A game."
document = 'my rules\the lantern.md'
source = "Lantern"

[tables.lantern]
title = "Lantern"
section = "Lantern"
header = ["Skill", "Chance"]
columns = ["skill", { id = "chance", type = "percent" }]
"""
"""A document with the line ends of Windows, in a folder with a blank in its name, named with a backslash."""

ALONE = ("--jobs", "1")
"""One process: the build starts others, and without fork each loads all again."""

WITH_ARGUMENTS = {
    "build": ["--only", "screen,site,data", "--paper", "a4"],
    "cards": ["fate", *ALONE],
    "check": ["lantern"],
    "conditions": ["interactive-history", "--bundled"],
    "doctor": [],
    "export": ["grids", "-o", "rules"],
    "init": ["new rules.md", "--yes"],
    "look": [],
    "odds": ["4dF"],
    "read": ["new rules.md"],
    "schema": ["system"],
    "screen": ["fate", "--paper", "a4", *ALONE],
    "session": ["lantern", "--paper", "a4", *ALONE],
    "sheet": ["lantern", "--paper", "a4", *ALONE],
    "tables": ["lantern"],
    "clean": [],
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("absent", "incomplete"), [(NO_POSIX, ()), pytest.param(NO_PANGO, ("doctor",), marks=pytest.mark.soak)]
)
def test_every_command_but_serve_runs(absent: str, incomplete: Sequence[str], tmp_path: Path) -> None:
    """The commands that tell what is ``incomplete`` end with 1."""
    assert WITH_ARGUMENTS.keys() == COMMANDS.keys() - {"serve"}
    project = make_project(tmp_path / "a project")
    (project / "new rules.md").write_bytes(DOCUMENT.encode())
    lantern = project / "content" / "lantern"
    (lantern / "my rules").mkdir(parents=True)
    (lantern / "my rules" / "the lantern.md").write_bytes(DOCUMENT.encode())
    (lantern / "system.toml").write_text(SPEC.replace("\n", "\r\n"), encoding="utf-8", newline="")
    temporary = tmp_path / "temporary files"  # not among those of other tests, which see that no process locks them
    temporary.mkdir()
    variables = {"REFGEN_CACHE": str(tmp_path / "the cache"), "TMPDIR": str(temporary)}
    windows = environment(tmp_path / "absent", absent, **variables)
    told = refgen_in_turn(windows, project, *([command, *given] for command, given in WITH_ARGUMENTS.items()))
    for command, (code, said) in zip(WITH_ARGUMENTS, told, strict=True):
        assert code == (command in incomplete), (command, said)
    assert {path.name for path in (project / "build").iterdir()} >= {"fate", "grids", "lantern", "index.html"}
    assert (project / "build/fate/gm-screen-a4.html").is_file()
    assert (project / "build/fate/gm-screen-a4.pdf").is_file() is (absent == NO_POSIX)


@pytest.mark.slow
def test_what_needs_posix_says_so(tmp_path: Path) -> None:
    done = refgen(environment(tmp_path / "absent", NO_POSIX), tmp_path, "serve", "--bundled")
    assert done.returncode == 2
    assert done.stderr.splitlines()[0] == "serve and --watch run on Linux and macOS alone"


def test_files_that_differ_in_case_only_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PublishError, match=r'"a/Odds\.html" and "a/odds\.html" differ in case only'):
        publish(tmp_path / "out", {"a/odds.html": b"", "a/Odds.html": b""}, {}, [])
    assert not (tmp_path / "out").exists()


def test_a_backslash_parts_folders_unless_a_file_has_the_very_name(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    assert path_inside(tmp_path, r"rules\a b.md") == tmp_path / "rules" / "a b.md"
    (tmp_path / r"rules\a b.md").touch()
    assert path_inside(tmp_path, r"rules\a b.md") == tmp_path / r"rules\a b.md"
    shutil.rmtree(tmp_path / "rules")
