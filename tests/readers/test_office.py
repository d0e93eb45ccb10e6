"""Word processors' files: read as the same text in Markdown, with places that a person finds; bounded, or refused."""

from __future__ import annotations

import io
import json
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pypandoc
import pytest
from click.testing import CliRunner

from refgen.cli import main
from refgen.errors import ReadError
from refgen.limits import changed_limits
from refgen.readers.document import Format
from refgen.readers.office.docx import read_docx
from refgen.readers.office.odt import read_odt
from refgen.readers.read import open_document
from tests.readers.case_files import describe
from tests.readers.office_files import office_file
from tests.readers.places import faults, printed, texts, the_grid

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases"
FOREIGN = CASES.parent / "foreign" / "opend6"
MARKDOWN = """# Odds

Roll dice.

| Level | Odds |
|---|---|
| Good one | +1 (5%) |
| A level with so many words that a narrow column would have to break it | |

1. wait
2. roll
"""


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["docx", "odt"])
def test_a_document_that_pandoc_writes(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"rules.{suffix}"
    pypandoc.convert_text(MARKDOWN, suffix, format="markdown", outputfile=str(path))
    document = open_document(path, "rules")
    (section,) = document.sections
    assert (document.format, section.title, section.level) == (Format(suffix), "Odds", 1)
    assert [(text.text, str(text.span)) for text in section.paragraphs] == [("Roll dice.", "rules: Odds, paragraph 1")]
    long = "A level with so many words that a narrow column would have to break it"
    assert texts(the_grid(document)) == [["Level", "Odds"], ["Good one", "+1 (5%)"], [long, ""]]
    assert printed(document) == texts(the_grid(document))
    assert [str(row[0].span) for row in the_grid(document).rows] == [
        f"rules: Odds, table 1, row {row}" for row in (1, 2, 3)
    ]
    assert [item.text for item in section.lists[0].items] == ["1. wait", "2. roll"]
    assert document.source.text.startswith("Odds\n\nRoll dice.\n")
    assert faults(document) == []


@pytest.mark.slow
@pytest.mark.skipif(not FOREIGN.is_dir(), reason="the documents of other games are not here")
def test_a_game_reads_the_same_from_docx_and_odt() -> None:
    docx, odt = (describe(open_document(FOREIGN / f"opend6.{suffix}")) for suffix in ("docx", "odt"))
    ours, theirs = ([line.lstrip("= ") for line in text.splitlines()] for text in (docx, odt))
    contents = "left out (paragraph 2) Table of Contents: this is a table of contents"
    assert ([line for line in ours if line != contents], docx.count("\n=")) == (theirs, 20)


def test_places_stand_in_the_json_of_read(tmp_path: Path) -> None:
    body = "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>d6</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
    (tmp_path / "rules.docx").write_bytes(office_file(body, Format.DOCX))
    said = CliRunner().invoke(main, ["read", str(tmp_path / "rules.docx"), "--format", "json"])
    (section,) = json.loads(said.stdout)["sections"]
    assert section["tables"][0]["rows"][0][0] == {"text": "d6", "line": 1, "column": 1, "place": "table 1, row 1"}


@pytest.mark.parametrize(("read", "name"), [(read_docx, "rules.docx"), (read_odt, "rules.odt")])
def test_what_is_no_such_file_is_refused(read: object, name: str) -> None:
    assert callable(read)
    for raw in (
        b"PK junk",
        _archive({"other.xml": "<a/>"}),
        _archive({"word/document.xml": "<a/>", "content.xml": "<a/>"}),
    ):
        with pytest.raises(ReadError, match=rf"{name[:5]}\.\w+ is no whole \w+ file") as caught:
            read(raw, name)
        assert caught.value.hint == "Open it in a word processor and save it again."


def test_a_file_with_a_document_type_is_refused() -> None:
    raw = _archive({"word/document.xml": '<!DOCTYPE a [<!ENTITY b "c">]><a><body>&b;</body></a>'})
    with pytest.raises(ReadError, match="no whole docx file"):
        read_docx(raw, "rules.docx")


@pytest.mark.parametrize(
    ("limit", "body", "message"),
    [
        ("xml-depth=10", "<w:sdt>" * 20 + "</w:sdt>" * 20, "its elements nest too deep"),
        ("file-bytes=2000", " " * 3000, "too large, once it is unpacked"),
    ],
)
def test_files_are_bounded_before_they_are_worked_out(limit: str, body: str, message: str) -> None:
    with changed_limits([limit]), pytest.raises(ReadError, match=message):
        read_docx(office_file(body, Format.DOCX), "rules.docx")


def test_repeated_rows_are_bounded() -> None:
    cell = "<table:table-cell><text:p>5</text:p></table:table-cell>"
    row = f'<table:table-row table:number-rows-repeated="900000">{cell}{cell}</table:table-row>'
    with pytest.raises(ReadError, match="its tables have more than"):
        read_odt(office_file(f"<table:table>{row}</table:table>", Format.ODT), "rules.odt")


@pytest.mark.skipif(not CASES.is_dir(), reason="the files as programs write them are not here")
@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("docx/struck-then-new.docx", "  Axe | 8"),
        ("docx/A44-sup.docx", "  Fair | 10² | 5"),
        ("docx/A28-flds.docx", "A second edition, page 17, see Table 3, on 1 May, Combat, eq sym auto end."),
        ("docx/A34-legacy.docx", "☒ Shield Bow text typed"),
        ("docx/every-row-marked-no-head.docx", "= d6 | Find"),
        ("docx/footnote-in-cell.docx", "note Fair, Odds: Only at court."),
        ("docx/S5-autonum.docx", "  6 | Sun | Hen"),
        ("odt/footnote-in-cell.odt", "note Fair, Odds: Only at court."),
        ("odt/numbered-first-column.odt", "  6 | Sun | Hen"),
        ("odt/B8-rep.odt", "  Fair | 3 | 3"),
        ("odt/B18-list.odt", "- 9. nine"),
    ],
)
def test_files_as_programs_write_them(file: str, line: str) -> None:
    assert line in describe(open_document(CASES / file, file)).splitlines()


def _archive(parts: dict[str, str]) -> bytes:
    made = io.BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return made.getvalue()
