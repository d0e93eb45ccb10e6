"""The wheel: what a user installs holds everything, and works from any folder."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.conftest import LETTER
from tests.content.test_examples import EXAMPLES

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]


def run(*command: str | Path, folder: Path, **variables: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        command, cwd=folder, env={**environment, **variables}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def with_our_libraries(environment: Path) -> Path:
    """A new environment that has the libraries of this one, compiled as they are, but not the refgen that it runs."""
    venv.create(environment)
    (site,) = environment.glob("lib/python*/site-packages")
    (site / "libraries.pth").write_text(sysconfig.get_paths()["purelib"], encoding="utf-8")
    return environment


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_an_installed_wheel_builds_the_same_bytes_from_any_folder(built: Path, tmp_path: Path) -> None:
    """The sheet, cards and data of one game, in an order of hashes of its own; all that others need is in the wheel."""
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path, folder=ROOT)
    (wheel,) = tmp_path.glob("refgen-*.whl")
    packed = {*ZipFile(wheel).namelist()}
    assert {f"refgen/bundled/content/examples/{name}/system.toml" for name in EXAMPLES} <= packed
    for folder in ("templates", "content"):
        assert {f"refgen/bundled/{folder}/{name}" for name in contents(ROOT / folder)} <= packed
    environment = with_our_libraries(tmp_path / "environment")
    python, uv = environment / "bin" / "python", Path(sys.executable).parent / "uv"
    run(uv, "pip", "install", "--quiet", "--python", python, "--no-deps", wheel, folder=tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    run(python, "-c", "import refgen, sys; assert refgen.__file__.startswith(sys.prefix)", folder=elsewhere)
    command: list[str | Path] = [environment / "bin" / "refgen", "build", LETTER, "--only", "sheet,card,data", "-q"]
    run(*command, folder=elsewhere, PYTHONHASHSEED="7")
    found, expected = contents(elsewhere / "build" / LETTER), contents(built / LETTER)
    assert {"sheet-letter.pdf", "cards-a4.pdf", "tables.json"} <= {*found} <= {*expected}
    assert [name for name, data in found.items() if data != expected[name]] == []
