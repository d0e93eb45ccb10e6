"""The wheel: what a user installs holds everything, and works from any folder."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]


def run(*command: str | Path, folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_installed_wheel_builds_the_bundled_systems_from_any_folder(tmp_path: Path) -> None:
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path, folder=ROOT)
    (wheel,) = tmp_path.glob("refgen-*.whl")
    environment = tmp_path / "environment"
    venv.create(environment)
    python = environment / "bin" / "python"
    uv = Path(sys.executable).parent / "uv"
    locked: list[str | Path] = ["--require-hashes", "-r", ROOT / "requirements.lock"]
    run(uv, "pip", "install", "--quiet", "--python", python, *locked, folder=tmp_path)
    run(uv, "pip", "install", "--quiet", "--python", python, "--no-deps", wheel, folder=tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    run(environment / "bin" / "refgen", "build", "harmonies", "--paper", "a4", folder=elsewhere)
    made = {path.name for path in (elsewhere / "build" / "harmonies").iterdir()}
    assert {"gm-screen-a4.pdf", "sheet-a4.pdf", "cards-a4.pdf", "tables.json", "index.html"} <= made
