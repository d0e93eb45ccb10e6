"""PDFs run nothing, lead nowhere but where the author says, tell nothing of the machine, and are what they claim to be.

Every time that is tried with a game that would do all of this, and in ``make soak`` with all PDFs of the five games: on
all papers, in all themes, with the options of each kind.
"""

from __future__ import annotations

import io
import socket
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pikepdf
import pypdf
import pytest

import refgen
from refgen.aids.kinds import KINDS
from refgen.aids.sheet.template import SheetTemplate
from tests.conftest import SYSTEMS, Builds, public_game
from tests.figures import write_figure
from tests.layout import verapdf
from tests.layout.pdf_contents import forbidden
from tests.layout.tagged import faults
from tests.sharing import Shared
from tests.site.hostile import AWAY, hostile_aids

pytestmark = pytest.mark.slow

SOMEBODY = "machine-of-somebody"
OPTIONS: Sequence[tuple[str, Sequence[str], Mapping[str, object]]] = (
    ("screen", ["a5"], {}),
    ("screen", ["a4", "letter", "a5"], {"orientation": "portrait"}),
    ("screen", ["a4", "letter"], {"imposition": "sheet", "players": False}),
    *(
        (kind, ["a4", "letter"], {"theme": theme})
        for kind in ("screen", "sheet", "session")
        for theme in ("ink-saving", "large-print")
    ),
    ("session", ["a5"], {}),
    ("sheet", ["a4", "letter"], {"calculate": True}),
    ("card", [], {"papers": ["a4", "a3"], "theme": "ink-saving", "calibration": True, "offset": (0.7, -0.3)}),
    *(("card", ["a4", "letter"], {"imposition": imposition}) for imposition in ("fronts", "fold", "single")),
    ("card", [], {"papers": ["a3"], "size": "tarot", "gutter": 4.0, "landscape": True, "flip": "short"}),
)
"""What a build of everything does not make: the kind of aid, the papers, and the options."""

UNCLAIMED = {"calculates", "print", "party.pdf", "party-print.pdf"}
"""Folders and names of PDFs that claim no standard: of fields that calculate, and of sheets that are repeated."""


def read(folder: Path) -> Mapping[Path, bytes]:
    """All PDFs in a folder."""
    return {path: path.read_bytes() for path in sorted(folder.rglob("*.pdf"))}


@pytest.fixture(scope="module", params=["a hostile game", pytest.param("the five games", marks=pytest.mark.soak)])
def pdfs(request: pytest.FixtureRequest, shared: Shared) -> Iterator[Mapping[Path, bytes]]:
    """PDFs of each kind, by their paths."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SheetTemplate, "of", cache(SheetTemplate.of))  # a sheet is laid out once for all fillings
        if request.param == "a hostile game":
            yield read(shared(f"pdfs-{SOMEBODY}", make_hostile))
        else:
            made = request.getfixturevalue("built"), shared("all-pdfs", request.getfixturevalue("make_all"))
            yield {path: data for folder in made for path, data in read(folder).items()}


def make_hostile(folder: Path) -> None:
    project, output = refgen.project(hostile_aids(folder)), folder / "build"
    options = {"card": {"calibration": True}}
    settings = refgen.BuildSettings(output=output, papers=["a4"], only=[*KINDS], jobs=1, options=options)
    assert project.build(settings).errors == []
    fill(project.games["trap"], [folder / "content" / "trap" / "party.csv"], output)


@pytest.fixture(scope="module")
def make_all(build_all: Builds) -> Any:
    """Makes what the build of everything has not."""

    def make(folder: Path) -> None:
        for number, (kind, papers, chosen) in enumerate(OPTIONS):
            output = folder / ("calculates" if "calculate" in chosen else str(number))
            build_all(output, [], only=[kind], papers=papers, options={kind: chosen})
            assert len([*output.rglob("*.pdf")]) >= len(SYSTEMS) * max(len(papers), 1)
        for system in SYSTEMS:
            fill(public_game(system), [*public_game(system).characters.values()], folder)

    return make


def fill(game: refgen.Game, characters: Sequence[Any], output: Path) -> None:
    """The sheets of characters: with fields, with fields that calculate, and for print; each alone, and together."""
    options: Mapping[str, Mapping[str, Any]] = {
        "filled": {},
        "calculates": {"calculate": True},
        "print": {"editable": False},
        "party": {"merge": output / game.id / "party.pdf"},
        "party-print": {"merge": output / game.id / "party-print.pdf", "editable": False},
    }
    for name, chosen in options.items():
        assert game.fill_sheets(characters, output / name, jobs=1, **chosen).errors == []


def told(found: Mapping[Path, Sequence[str]]) -> dict[str, Sequence[str]]:
    return {str(path): faults for path, faults in found.items() if faults}


def test_nothing_runs_leads_out_or_tells_of_the_machine(
    pdfs: Mapping[Path, bytes], request: pytest.FixtureRequest
) -> None:
    machine = [SOMEBODY, str(Path.home()), str(Path.cwd())]
    machine += [name for name in (socket.gethostname(),) if len(name) > 6]
    found = {
        path: forbidden(data, machine, links=AWAY, calculates="calculates" in path.parts) for path, data in pdfs.items()
    }
    assert told(found) == {}
    if request.node.get_closest_marker("soak"):
        figure = f"{len(pdfs):,} PDFs, {counted(pdfs):,} objects, none that must not be there"
        write_figure("pdfs", f"looked through, {request.node.callspec.id}", figure)


def counted(pdfs: Mapping[Path, bytes]) -> int:
    """The objects of all PDFs."""
    return sum(len(pdf.objects) for pdf in map(pikepdf.open, pdfs))


def test_two_parsers_read_the_same(pdfs: Mapping[Path, bytes]) -> None:
    for path, data in pdfs.items():
        other = pypdf.PdfReader(io.BytesIO(data), strict=True)
        with pikepdf.open(io.BytesIO(data)) as pdf, pdf.open_outline() as outline:
            assert pdf.check_pdf_syntax() == [], path
            assert other.metadata is not None
            assert str(pdf.docinfo["/Title"]) == other.metadata.title, path
            assert len(pdf.pages) == len(other.pages), path
            assert [entry.title for entry in outline.root] == [
                entry.title for entry in other.outline if not isinstance(entry, list)
            ], path


def test_a_pdf_is_what_it_claims_to_be(pdfs: Mapping[Path, bytes]) -> None:
    """The rules of PDF/UA-1 that tests know by themselves; veraPDF, below, knows all that a program can."""
    claims = {path: verapdf.claim(path) for path in pdfs}
    assert [path for path, standard in claims.items() if bool(standard) is bool(UNCLAIMED & {*path.parts})] == []
    found = {path: faults(pikepdf.open(io.BytesIO(pdfs[path]))) for path in pdfs if claims[path] == "ua1"}
    assert told(found) == {}


@pytest.mark.soak
def test_verapdf_finds_no_fault(pdfs: Mapping[Path, bytes], request: pytest.FixtureRequest) -> None:
    judged = verapdf.judged(pdfs)
    assert told({path: each.broken for path, each in judged.items()}) == {}
    for name, standard in verapdf.STANDARDS.items():
        checks = [each.checks for each in judged.values() if each.standard == standard]
        figure = f"{len(checks)} judged, {sum(checks):,} checks, no rule broken"
        write_figure("pdfs", f"{name} by veraPDF {verapdf.VERSION}, {request.node.callspec.id}", figure)
