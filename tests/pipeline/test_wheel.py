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
    """Of one game, again, and in an order of hashes of its own."""
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path, folder=ROOT)
    (wheel,) = tmp_path.glob("refgen-*.whl")
    examples = {f"refgen/bundled/content/examples/{name}/system.toml" for name in EXAMPLES}
    assert examples <= {*ZipFile(wheel).namelist()}
    environment = with_our_libraries(tmp_path / "environment")
    python, uv = environment / "bin" / "python", Path(sys.executable).parent / "uv"
    run(uv, "pip", "install", "--quiet", "--python", python, "--no-deps", wheel, folder=tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    run(python, "-c", "import refgen, sys; assert refgen.__file__.startswith(sys.prefix)", folder=elsewhere)
    run(environment / "bin" / "refgen", "build", "harmonies", "-q", folder=elsewhere, PYTHONHASHSEED="7")
    found, expected = contents(elsewhere / "build" / "harmonies"), contents(built / "harmonies")
    assert {*found} == {*expected}
    assert [name for name, data in found.items() if data != expected[name]] == []
