"""WeasyPrint is loaded where it can work, in the release that refgen knows; what it warns of is an error."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from functools import reduce
from importlib import import_module
from inspect import getsource
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from refgen.errors import RenderError
from refgen.layout import engine
from refgen.layout.engine import PRIVATE_NAMES, WANTED, PrivateName, lay_out
from tests.layout.laid_out import pages_of

PROJECT = Path(__file__).parents[3] / "pyproject.toml"


@pytest.mark.parametrize("private", PRIVATE_NAMES, ids=lambda private: private.name)
def test_every_private_name_is_there(private: PrivateName) -> None:
    *owners, name = private.name.split(".")
    owner = reduce(getattr, owners, import_module(private.module))
    assert hasattr(owner, name) or f"self.{name} = " in getsource(owner)


def test_the_releases_that_are_known_are_those_of_the_project() -> None:
    requirements = map(Requirement, tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["dependencies"])
    ranges = {each.name: each.specifier for each in requirements}
    for package, release in WANTED.items():
        major, *minor = map(int, release.split("."))
        following = f"{major}.{minor[0] + 1}" if minor else str(major + 1)
        assert release in ranges[package]
        assert f"{release}.99" in ranges[package]
        assert following not in ranges[package]


def test_with_another_release_nothing_is_laid_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "version", lambda package: {"weasyprint": "71.2"}.get(package, WANTED[package]))
    engine._missing_library.cache_clear()
    with pytest.raises(RenderError, match=r"with weasyprint 70, and weasyprint 71\.2 is") as error:
        lay_out("<html lang=en><title>A</title>", "page", {})
    assert error.value.hint == 'pip install "weasyprint==70.*"'


@pytest.mark.slow
def test_a_machine_without_fonts_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "fonts.conf").write_text(f"<fontconfig><cachedir>{tmp_path}</cachedir></fontconfig>")
    code = "from refgen.layout.engine import load_weasyprint\nload_weasyprint()"
    environment = {**os.environ, "FONTCONFIG_FILE": str(tmp_path / "fonts.conf")}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    said, hint = done.stderr.splitlines()[-2:]
    assert said.endswith("RenderError: no fonts are installed on this machine")
    assert hint == "On Debian: apt-get install fonts-dejavu-core"


def test_a_page_that_wants_more_than_assets_is_an_error() -> None:
    with pytest.raises(RenderError, match="page: Failed to load image"):
        pages_of('<html lang="en"><img src="file:///etc/hostname" alt="">')
