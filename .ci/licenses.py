"""The licences of all packages that are installed with refgen, as Markdown.

In: pyproject.toml, requirements.lock, and the metadata of the packages that are installed. Out: licenses.md, on stdout.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from importlib.metadata import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]

PYTHONS = ("3.11.0", "3.99.0")
"""Versions of Python for which the lock may name different packages."""

_PACKAGE = re.compile(r"^(?P<requirement>[\w.-]+==[^\\\n]+?) \\\n(?P<rest>(?:    .*\n)+)", re.MULTILINE)
_NEEDED_BY = re.compile(r"^    #(?: via|  ) +([\w.-]+)$", re.MULTILINE)

HEAD = """\
# Licences of the packages that are installed with refgen

refgen has the MIT licence ([LICENSE](LICENSE)). Each package stands here with the licence that
its own metadata names; the texts, and those of the libraries inside a wheel, are in the package's `.dist-info` folder.
`make licenses` writes this file from requirements.lock.

The font of signs within refgen is a part of DejaVu Sans, with the Bitstream Vera licence
(`templates/fonts/LICENSE-DejaVu.txt`).

| package | version | licence | installed with |
|---|---|---|---|
"""


def licences(root: Path = ROOT) -> str:
    """The text of licenses.md. Raises PackageNotFoundError for a package that is not installed."""
    packages = [*_packages((root / "requirements.lock").read_text(encoding="utf-8"))]
    needed_by: dict[str, set[str]] = {}
    for requirement, parents in packages:
        needed_by.setdefault(canonicalize_name(requirement.name), set()).update(parents)
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {"refgen": project["dependencies"]}
    wanted |= {f"refgen[{extra}]": names for extra, names in project["optional-dependencies"].items()}
    reasons: dict[str, str] = {}
    for reason, requirements in wanted.items():
        for name in _with_all_they_need(requirements, needed_by):
            reasons.setdefault(name, reason)
    rows = [
        f"| {requirement.name} | {str(requirement.specifier).removeprefix('==')} "
        f"| {_licence(requirement.name)} | {reasons[requirement.name]} |\n"
        for requirement, _ in packages
        if requirement.name in reasons
    ]
    return HEAD + "".join(rows)


def _packages(lock: str) -> Iterator[tuple[Requirement, set[str]]]:
    """Each package of the lock that this kind of Python takes, with the names of the packages that need it."""
    for found in _PACKAGE.finditer(lock):
        requirement = Requirement(found["requirement"])
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"python_full_version": each}) for each in PYTHONS):
            yield requirement, {*_NEEDED_BY.findall(found["rest"])}


def _with_all_they_need(requirements: list[str], needed_by: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    new = {canonicalize_name(Requirement(each).name) for each in requirements}
    while new:
        found |= new
        new = {name for name, parents in needed_by.items() if parents & new} - found
    return found


def _licence(package: str) -> str:
    """The expression of a package's licence; of older metadata its short text, or its classifiers."""
    known = metadata(package)
    text = known.get("License-Expression") or known.get("License") or ""
    classifiers = (each.split(" :: ")[-1] for each in known.get_all("Classifier", []) if each.startswith("License"))
    return text if text and "\n" not in text else ", ".join(classifiers) or "not named"


if __name__ == "__main__":
    print(licences(), end="")
