"""Wheel and source package: the same bytes wherever they are built, whole, and at work from any folder."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.conftest import LETTER
from tests.content.test_examples import EXAMPLES
from tests.pages import CommandStep, printed_as_told, steps
from tests.pipeline.test_tutorial import rules_of_tutorial

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]


UV = Path(sys.executable).parent / "uv"


def run(*command: str | Path, folder: Path, **variables: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        command, cwd=folder, env={**environment, **variables}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def packages(source: Path, output: Path, **variables: str) -> Path:
    """The folder of the source package, and of the wheel that is built from it."""
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", output, source, folder=source, **variables)
    return output


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packages of refgen as they are built where it is developed."""
    return packages(ROOT, tmp_path_factory.mktemp("dist"))


def with_our_libraries(environment: Path) -> Path:
    """A new environment that has the libraries of this one, compiled as they are, but not the refgen that it runs."""
    venv.create(environment)
    (site,) = environment.glob("lib/python*/site-packages")
    (site / "libraries.pth").write_text(sysconfig.get_paths()["purelib"], encoding="utf-8")
    return environment


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.soak  # and of `make release-check`
def test_packages_are_the_same_bytes_in_another_place_with_other_times_and_modes(dist: Path, tmp_path: Path) -> None:
    (source,) = dist.glob("*.tar.gz")
    shutil.unpack_archive(source, tmp_path, filter="data")
    (elsewhere,) = (path for path in tmp_path.iterdir() if path.is_dir())
    for path in elsewhere.rglob("*"):
        path.chmod(path.stat().st_mode & 0o700)
        os.utime(path, (10**9, 10**9))
    again = packages(elsewhere, tmp_path / "dist", PYTHONHASHSEED="7", TZ="Asia/Kathmandu", LC_ALL="C")
    assert len(contents(dist)) == 2
    assert contents(again) == contents(dist)
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path / "direct", folder=ROOT)
    assert contents(tmp_path / "direct").items() <= contents(dist).items()


def test_an_installed_wheel_builds_the_same_bytes_from_any_folder(built: Path, dist: Path, tmp_path: Path) -> None:
    """The cards and data of one game, in an order of hashes of its own; all that others need is in the wheel."""
    (wheel,) = dist.glob("refgen-*.whl")
    packed = {*ZipFile(wheel).namelist()}
    assert {
        f"{wheel.name.rpartition('-py3')[0]}.dist-info/licenses/{name}" for name in ("LICENSE", "licenses.md")
    } <= packed
    assert {f"refgen/bundled/content/examples/{name}/system.toml" for name in EXAMPLES} <= packed
    for folder in ("templates", "content"):
        assert {f"refgen/bundled/{folder}/{name}" for name in contents(ROOT / folder)} <= packed
    environment = with_our_libraries(tmp_path / "environment")
    python = environment / "bin" / "python"
    run(UV, "pip", "install", "--quiet", "--python", python, "--no-deps", wheel, folder=tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    run(python, "-c", "import refgen, sys; assert refgen.__file__.startswith(sys.prefix)", folder=elsewhere)
    command: list[str | Path] = [environment / "bin" / "refgen", "build", LETTER, "-q"]
    command += ["--only", "card,data", "--paper", "letter"]
    run(*command, folder=elsewhere, PYTHONHASHSEED="7")
    found, expected = contents(elsewhere / "build" / LETTER), contents(built / LETTER)
    assert {"cards-letter.pdf", "tables.json"} <= {*found} <= {*expected}
    assert [name for name, data in found.items() if data != expected[name]] == []


@pytest.mark.soak
@pytest.mark.parametrize("package", ["*.whl", "*.tar.gz"])
def test_what_a_registry_gives_runs_the_readme(dist: Path, tmp_path: Path, package: str) -> None:
    """A package with its libraries from the registry, in an environment that has nothing else: `make release-check`."""
    environment, folder = tmp_path / "environment", tmp_path / "elsewhere"
    venv.create(environment)
    (file,) = dist.glob(package)
    run(UV, "pip", "install", "--quiet", "--python", environment / "bin" / "python", file, folder=tmp_path)
    folder.mkdir()
    (folder / "rules.md").write_text(rules_of_tutorial(), encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = [step for step in steps(readme) if isinstance(step, CommandStep)]
    assert len(commands) == readme.count("$ refgen") > 0
    for command in commands:
        said = run(environment / "bin" / "refgen", *command.arguments, folder=folder)
        assert [line for line in command.printed if not printed_as_told(line, said)] == [], command.arguments
    (program,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    shown = re.sub(r"^(game\.(?:tables|actions|check).*?|refgen.*?)  # ", r"print(\1)  # ", program, flags=re.MULTILINE)
    values = run(environment / "bin" / "python", "-c", shown, folder=folder).splitlines()
    told = re.findall(r"# (?:Fraction\((\d+), (\d+)\)|(\(\)):)", program)
    assert values == [empty or f"{above}/{below}" for above, below, empty in told]
    assert (folder / "out" / "fudge-1995").is_dir()


@pytest.mark.soak
def test_uvx_runs_what_a_registry_gives(dist: Path, tmp_path: Path) -> None:
    (wheel,) = dist.glob("refgen-*.whl")
    said = run(UV, "tool", "run", "--isolated", "--from", wheel, "refgen", "--version", folder=tmp_path)
    assert said == f"refgen, version {wheel.name.split('-')[1]}\n"
