"""``refgen doctor`` says what is there, what is missing, and how to get it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

from refgen.api import machine
from refgen.api.schemas import json_schema
from refgen.cli import main
from refgen.layout import engine


def doctor(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["doctor", *arguments], catch_exceptions=False)


def test_where_all_is_there_it_is_content(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("REFGEN_CACHE", str(tmp_path))
    (tmp_path / "steps/ab").mkdir(parents=True)
    (tmp_path / "steps/ab/entry").write_bytes(bytes(3 * machine.MEGABYTE))
    found = doctor()
    assert found.exit_code == 0
    assert {line[:9].strip() for line in found.stdout.splitlines()} == {"ok"}
    assert f"cache: {tmp_path}: 3 MB, which refgen clean empties" in found.stdout


def test_as_json_it_fits_its_schema() -> None:
    data = json.loads(doctor("--format", "json").stdout)
    assert [*Draft202012Validator(json_schema("doctor")).iter_errors(data)] == []
    assert [part["name"] for part in data["parts"]] == [
        "Python",
        "refgen",
        "packages",
        "Pango",
        "fonts",
        "Pagefind",
        "pandoc",
        "cache",
        "cores",
    ]


def test_a_package_out_of_its_range_is_named_with_the_range(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "requires", lambda _name: ["click>=99", "nothing-such>=1", 'lxml>=6; extra == "no"'])
    found = doctor()
    assert found.exit_code == 1
    assert "missing  click: 8." in found.stdout
    assert '           pip install "click>=99"\nmissing  nothing-such: not installed' in found.stdout
    assert "packages: 0 of 2 in their ranges" in found.stdout


@pytest.mark.parametrize(
    ("system", "release", "hint"),
    [
        ("linux", {"ID": "linuxmint", "ID_LIKE": "ubuntu debian"}, "apt-get install libpango"),
        ("linux", {"ID": "fedora"}, "dnf install pango"),
        ("linux", {"ID": "nixos"}, "Install Pango 1.44"),
        ("darwin", None, "brew install pango"),
        ("win32", None, "pacman -S mingw-w64-ucrt-x86_64-pango"),
    ],
)
def test_how_pango_is_installed_is_said_for_the_system(
    system: str, release: dict[str, str] | None, hint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def os_release() -> dict[str, str]:
        if release is None:
            raise FileNotFoundError
        return release

    monkeypatch.setattr(engine, "_missing_library", lambda: "Pango")
    monkeypatch.setattr("sys.platform", system)
    monkeypatch.setattr("platform.freedesktop_os_release", os_release)
    pango = next(part for part in machine.machine_data()["parts"] if part["name"] == "Pango")
    assert (pango["state"], pango["found"]) == ("missing", "there is no Pango, so that no PDF can be made")
    assert hint in pango["hint"]
