"""The whole way: five rule documents in, screens, sheets, cards, data and a site out."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pikepdf
import pypdfium2
import pytest
from lxml import html

import refgen
from refgen.aids.cards.model import make_deck
from refgen.aids.kinds import KINDS
from refgen.aids.screen.kind import screen_of_game
from refgen.aids.sheet.planner import SheetPlanner
from refgen.blocks.table_block import TableBlock
from refgen.characters.make_sheet import make_sheet
from refgen.characters.sheet import AGAIN
from refgen.files import bundled_folder
from refgen.layout.page_format import PageFormat, Paper
from refgen.layout.preview import png_size
from refgen.words import ENGLISH
from tests.conftest import BOOKLETS, LETTER, ON_PAPER, RICHEST, RICHEST_AND_SOAK, SYSTEMS, game, ours
from tests.layout.html_faults import outside
from tests.layout.tagged import faults
from tests.pipeline.small_builds import SCREEN, make_project
from tests.resolver.systems.small import project

pytestmark = pytest.mark.slow

MILLIMETRE = 72 / 25.4
PAPERS = {"a4": (210, 297), "letter": (215.9, 279.4)}


def pages(path: Path) -> Iterator[tuple[tuple[float, float], str]]:
    """The size in millimetres and the text of each page."""
    with pypdfium2.PdfDocument(path) as document:
        for page in document:
            width, height = page.get_size()
            yield (width / MILLIMETRE, height / MILLIMETRE), page.get_textpage().get_text_range()


@pytest.mark.parametrize(("system", "paper"), ON_PAPER)
@pytest.mark.parametrize(("name", "landscape"), [("gm-screen", True), ("sheet", False), ("cards", False)])
def test_every_pdf_has_its_pages_on_its_paper(built: Path, system: str, paper: str, name: str, landscape: bool) -> None:
    folder = bundled_folder("content") / system
    expected = {
        "gm-screen": lambda: len(screen_of_game(folder, game(system)).panels),
        "sheet": lambda: len(make_sheet(folder, game(system)).pages),
        "cards": lambda: 2 * -(-_copies(folder, system) // 9),
    }[name]()
    found = [size for size, _ in pages(built / system / f"{name}-{paper}.pdf")]
    short, long = PAPERS[paper]
    size = (long, short) if landscape else (short, long)
    assert found == [pytest.approx(size, abs=0.1)] * expected


def _copies(folder: Path, system: str) -> int:
    """How many cards are printed, every card on one: no card of our decks goes on on another."""
    return sum(card.count for card in make_deck(folder, game(system)).cards)


@pytest.mark.parametrize("name", ["gm-screen", "sheet", "cards"])
def test_pages_that_are_laid_out_are_xml_as_well(built: Path, name: str) -> None:
    """Else WeasyPrint's own parser reads them, forty times slower."""
    for system in (LETTER, *RICHEST):
        (page, *_) = sorted((built / system).glob(f"{name}*.html"))
        assert ElementTree.parse(page).getroot().tag == "html"


@pytest.mark.parametrize("system", RICHEST_AND_SOAK)
def test_every_word_of_a_screen_is_in_its_pdf(built: Path, system: str) -> None:
    screen = screen_of_game(bundled_folder("content") / system, game(system))
    texts = [" ".join(text.split()) for _, text in pages(built / system / "gm-screen-a4.pdf")]
    for panel, text in zip(screen.panels, texts, strict=True):
        assert panel.title in text
        for block in (own.block for own in panel.blocks):
            assert block.title in text, block.title
            if isinstance(block, TableBlock):
                figures = [cell.text for row in block.rows for cell in row if " " not in cell.text]
                assert [figure for figure in figures if figure not in text] == []


def field_name(field: Any) -> str:
    """The name of a field, with those of its groups; of a widget that has none, that of its field."""
    if "/T" not in field:
        return field_name(field.Parent)
    return f"{field_name(field.Parent)}.{field.T}" if "/Parent" in field else str(field.T)


@pytest.mark.parametrize(("system", "paper"), ON_PAPER)
def test_every_field_of_a_sheet_is_in_its_pdf_once_with_its_tooltip(built: Path, system: str, paper: str) -> None:
    sheet = make_sheet(bundled_folder("content") / system, game(system))
    set_pages = SheetPlanner(sheet, PageFormat(Paper(paper)), ENGLISH).pages().pages
    with pikepdf.open(built / system / f"sheet-{paper}.pdf") as pdf:
        widgets = [[(field_name(one), str(one.TU)) for one in page.obj.get("/Annots", [])] for page in pdf.pages]
    wanted = [[(field.name.partition(AGAIN)[0], field.label) for field in page.fields()] for page in set_pages]
    assert list(map(sorted, widgets)) == list(map(sorted, wanted))
    found = {name for page in widgets for name, _ in page}
    assert {field.name for field in sheet.fields()} <= {*found}


def test_fonts_are_embedded(built: Path) -> None:
    for path in sorted(built.glob("*/*.pdf")):
        with pikepdf.open(path) as pdf:
            fonts = {str(font) for page in pdf.pages for font in _fonts(page.Resources)}
            descriptors = [object_ for object_ in pdf.objects if _is_descriptor(object_)]
            assert fonts
            assert descriptors
            assert all(any(f"/FontFile{n}" in object_ for n in ("", "2", "3")) for object_ in descriptors), path


@pytest.mark.parametrize("system", RICHEST_AND_SOAK)
@pytest.mark.parametrize(
    "name",
    [
        "gm-screen-a4",
        "sheet-a4",
        "cards",
        "session-a4",
        *(pytest.param(f"{name}-letter", marks=pytest.mark.soak) for name in ("gm-screen", "sheet")),
    ],
)
def test_every_pdf_can_be_read_aloud(built: Path, system: str, name: str) -> None:
    with pikepdf.open(built / system / f"{name}.pdf") as pdf:
        assert faults(pdf) == []


@pytest.mark.parametrize("system", RICHEST_AND_SOAK)
def test_every_panel_and_the_first_page_of_the_rest_have_a_small_picture(built: Path, system: str) -> None:
    panels = len(screen_of_game(bundled_folder("content") / system, game(system)).panels)
    names = {f"gm-screen-{number}.png" for number in range(1, panels + 1)}
    sizes = {(800, 566), (566, 800)}
    if has_booklet := bool([*(built / system).glob("booklet-*.pdf")]):  # in make soak all games have
        names |= {f"booklet-{number}.png" for number in range(1, 6)}
        sizes |= {(564, 800)}
    names |= {f"{kind.names.stem}-1.png" for name, kind in KINDS.items() if name != "booklet"}
    assert has_booklet or system not in BOOKLETS
    found = {path.name: path.read_bytes() for path in (built / system).glob("*.png")}
    assert names <= set(found)
    of_kinds = {name for name in found for kind in KINDS.values() if name.startswith(f"{kind.names.stem}-")}
    assert of_kinds == set(found)
    assert {name for name in found if name.startswith(("gm-screen", "booklet", "sheet", "cards"))} <= names
    assert {png_size(data) for data in found.values()} == sizes
    assert [name for name, data in found.items() if len(data) > 60_000] == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_picture_is_on_the_page_of_its_system_in_its_size(built: Path, system: str) -> None:
    images = html.parse(str(built / system / "index.html")).getroot().xpath("//img")
    assert {image.get("src") for image in images} == {path.name for path in (built / system).glob("*.png")}
    for image in images:
        size = png_size((built / system / image.get("src")).read_bytes())
        assert (int(image.get("width")), int(image.get("height"))) == size
        assert image.get("alt")
        assert (built / system / image.getparent().get("href").partition("#")[0]).is_file()


def test_a_build_for_the_other_paper_replaces_the_pictures(tmp_path: Path) -> None:
    (project(tmp_path, "fate") / "content" / "fate" / "screen.toml").write_text(SCREEN, encoding="utf-8")
    fate, output = refgen.project(tmp_path).games["fate"], tmp_path / "build" / "fate"
    for paper, size in (("a4", (800, 566)), ("letter", (800, 619))):
        result = fate.build(output.parent, only=["screen", "site"], papers=[paper], jobs=1)
        assert (result.errors, result.mismatches) == ([], [])
        assert [png_size(path.read_bytes()) for path in output.glob("*.png")] == [size] * 2
    site = html.parse(str(output / "index.html")).getroot()
    assert [image.get("height") for image in site.xpath("//img")] == ["619"] * 2
    assert "gm-screen-a4.pdf" in site.xpath("//@href")


def _fonts(resources: pikepdf.Object) -> list[object]:
    """The fonts of a page, and of the cards that stand on it."""
    forms = [form.Resources for form in resources.get("/XObject", {}).values() if "/Resources" in form]
    return [font for held in (resources, *forms) for font in held.get("/Font", {}).values()]


def _is_descriptor(candidate: object) -> bool:
    return isinstance(candidate, pikepdf.Dictionary) and candidate.get("/Type") == "/FontDescriptor"


@pytest.mark.parametrize("system", SYSTEMS)
def test_data_is_json_that_names_its_schema(built: Path, system: str) -> None:
    tables = json.loads((built / system / "tables.json").read_text(encoding="utf-8"))
    report = json.loads((built / system / "check.json").read_text(encoding="utf-8"))
    assert (tables["schema"], report["schema"]) == ("refgen/tables/3", "refgen/check/2")
    printed = [table["id"] for table in tables["tables"] if table["kind"] != "fact"]
    assert printed == list(ours(system).tables)


def test_every_link_of_the_site_leads_somewhere(built: Path) -> None:
    pages = {path: html.parse(str(path)).getroot() for path in sorted(built.rglob("*.html"))}
    ids = {path: frozenset(page.xpath("//@id")) for path, page in pages.items()}
    checked = 0
    for path, page in pages.items():
        for link in map(unquote, page.xpath("//@href | //@src")):
            target, _, anchor = link.partition("#")
            assert ":" not in target, f"{path}: {link} leads out of the site"
            there = (path.parent / target).resolve() if target else path
            assert there.is_file(), f"{path}: {link}"
            is_question = "=" in anchor  # what is asked of a page of odds or dice stands in its address
            assert is_question or not anchor or there.suffix != ".html" or anchor in ids[there], f"{path}: {link}"
            checked += 1
    assert checked > 100


def test_every_place_that_search_finds_is_there(built: Path) -> None:
    script = (built / "assets" / "search" / "pages.js").read_text(encoding="utf-8")
    pages = json.loads(script.removeprefix("window.refgenPages = ").removesuffix(";\n"))
    kinds = {part["title"] for page in pages for part in page["parts"]}
    assert {"GM screen", "Sheet", "Quick-reference cards", "Wounds"} <= kinds
    for page in pages:
        ids = {"", *html.parse(str(built / page["path"])).getroot().xpath("//@id")}
        assert [part["anchor"] for part in page["parts"] if part["anchor"] not in ids] == [], page["path"]


def test_nothing_is_loaded_from_outside_the_output_folder(built: Path) -> None:
    files = {path.relative_to(built).as_posix(): path for path in built.rglob("*") if path.is_file()}
    texts = {name: path.read_text("utf-8") for name, path in files.items() if path.suffix in (".html", ".css")}
    assert {Path(name).suffix for name in texts} == {".html", ".css"}
    assert {name: found for name, text in texts.items() if (found := outside(name, text, files))} == {}


@pytest.mark.parametrize(("system", "paper"), ON_PAPER)
def test_every_page_of_the_site_links_all_aids(built: Path, system: str, paper: str) -> None:
    links = html.parse(str(built / system / "index.html")).getroot().xpath("//@href")
    names = {f"{aid}-{paper}.pdf" for aid in ("gm-screen", "sheet", "cards", "session")}
    others = {"sheet.html", "cards.html", "cards.pdf", "tables.json", "check.json"}
    assert names | others <= {*links}
    assert {"gm-screen-a4.html", f"gm-screen-{paper}.html"} & {*links}  # that of the first paper


def test_a_killed_build_leaves_the_output_as_it_was(tmp_path: Path) -> None:
    """Killed with all its processes when its first aid is made, and others are not."""
    project, output = make_project(tmp_path / "own"), tmp_path / "build"
    command = [
        sys.executable,
        "-m",
        "refgen.cli",
        "build",
        "--log",
        "json",
        "--project",
        str(project),
        "-o",
        str(output),
    ]
    subprocess.run([*command, "--only", "data"], check=True, stderr=subprocess.DEVNULL)
    before = {path: path.read_bytes() for path in output.rglob("*") if path.is_file()}
    assert before
    with subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True) as process:
        assert process.stderr
        next(line for line in map(json.loads, process.stderr) if line["event"] == "done" and line["kind"] != "read")
        os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    assert {path: path.read_bytes() for path in output.rglob("*") if path.is_file()} == before
