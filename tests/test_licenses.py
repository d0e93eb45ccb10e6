"""The packages that refgen stands on are listed with their licences, in the wheel and in the SBOM beside a release."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

from tests.figures import write_figure

ROOT = Path(__file__).resolve().parents[1]

ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (ROOT / "licenses.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ")
]


def test_the_list_is_that_of_the_lock() -> None:
    assert (ROOT / "licenses.md").read_text(encoding="utf-8") == runpy.run_path(str(ROOT / ".ci" / "licenses.py"))[
        "licences"
    ](), "make licenses"


def test_what_packages_and_extras_bring_is_listed_and_what_only_developers_need_is_not() -> None:
    with_what = {package: reason for package, _, _, reason in ROWS}
    assert with_what["weasyprint"] == with_what["pyphen"] == "refgen"  # WeasyPrint needs Pyphen
    assert with_what["tornado"] == "refgen[cluster]"
    assert "pytest" not in with_what


def test_each_package_names_a_licence() -> None:
    assert [package for package, _, licence, _ in ROWS if licence in ("", "not named", "UNKNOWN")] == []


@pytest.mark.soak
def test_the_sbom_names_the_same_packages_and_has_the_same_bytes_again(tmp_path: Path) -> None:
    """Its tool and the packages come from the registry."""
    texts = []
    for name in ("first.json", "again.json"):
        subprocess.run(["make", "--silent", "sbom", f"SBOM={tmp_path / name}"], cwd=ROOT, check=True, timeout=600)
        texts.append((tmp_path / name).read_bytes())
    assert texts[0] == texts[1]
    sbom = json.loads(texts[0])
    listed = {package for package, _, _, reason in ROWS if reason == "refgen"}
    assert {canonicalize_name(each["name"]) for each in sbom["components"]} == listed
    assert sbom["metadata"]["component"]["name"] == "refgen"
    pinned = len(re.findall(r"^\S+==", (ROOT / "requirements.lock").read_text(encoding="utf-8"), re.MULTILINE))
    write_figure(
        "packages", "packages", f"{pinned} pinned with hashes, {len(listed)} of them in the SBOM, each with a licence"
    )
