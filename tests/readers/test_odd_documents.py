"""Documents nobody cleaned up: read right, or refused with their place."""

from __future__ import annotations

from pathlib import Path

import pytest

from refgen.errors import ReadError
from refgen.readers.document import Format
from refgen.readers.read import open_document, read_document
from refgen.source import SourceFile


def shape(text: str, form: Format) -> list[tuple[int, int]]:
    """Rows and columns of each grid."""
    document = read_document(SourceFile("rules", text), form)
    return [(len(grid.rows), len(grid.rows[0])) for section in document.sections for grid in section.grids]


@pytest.mark.slow
def test_a_table_of_five_thousand_rows() -> None:
    rows = "".join(f"{row} | {row % 7}\n" for row in range(5_000))
    assert shape(f"a | b\n--|--\n{rows}", Format.MARKDOWN) == [(5_001, 2)]
    columns = "".join(f"{row:<8} {row % 7}\n" for row in range(5_000))
    assert shape(f"Rolls\n\nRoll     Result\n{columns}", Format.PLAINTEXT) == [(5_001, 2)]


@pytest.mark.slow
def test_a_line_of_a_megabyte() -> None:
    words = "words " * 120_000
    table = "[TABLE] Rolled: | 1 | 2 --------|---|--- Result: | 3 | 4 [END TABLE]"
    assert shape(f"{words} ---------- 3.1 Odds ---------- {table} {words}", Format.FLATTENED) == [(2, 3)]
    assert shape(words, Format.PLAINTEXT) == []
    assert shape(f"{words}\n\na | b\n--|--\n1 | {words}", Format.MARKDOWN) == [(2, 2)]


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_line_endings_make_no_difference(ending: str) -> None:
    assert shape("# A\n\na | b\n--|--\n1 | 2\n".replace("\n", ending), Format.MARKDOWN) == [(2, 2)]


def test_a_table_with_a_head_only() -> None:
    assert shape("a | b\n--|--\n", Format.MARKDOWN) == [(1, 2)]


def test_a_byte_order_mark_does_not_hide_the_first_table(tmp_path: Path) -> None:
    path = tmp_path / "rules.md"
    path.write_bytes(b"\xef\xbb\xbfa | b\n--|--\n1 | 2\n")
    document = read_document(SourceFile.read(path))
    assert [cell.text for cell in document.sections[0].grids[0].rows[0]] == ["a", "b"]
    assert document.sections[0].grids[0].rows[0][0].span.column == 1


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("rules.pdf", "pdftotext"),
        ("rules.PDF", "pdftotext"),
        ("rules.doc", "docx"),
        ("prices.xlsx", "CSV"),
        ("tables.json", "CSV"),
        ("rules.adoc", "asciidoctor"),
        ("rules.typ", "pandoc -f typst"),
    ],
)
def test_what_is_no_text_is_refused_with_what_to_do(tmp_path: Path, name: str, hint: str) -> None:
    (tmp_path / name).write_bytes(b"%PDF-1.7\x00\xff")
    with pytest.raises(ReadError, match=f"{name} is in a format that refgen does not read: ") as caught:
        open_document(tmp_path / name, name)
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("known", "text"),
    [
        ("JSON", '{"table": [{"name": "Wounds", "rows": [["1-2", "Bruise"]]}]}\n'),
        ("JSON", '[\n  {"name": "Wounds"}\n]\n'),
        ("AsciiDoc", "== Wounds\n\n[cols=2]\n|===\n|d6 |Wound\n\n|1-2 |Bruise\n|===\n"),
        ("Typst", '#set text(font: "Serif")\n\n= Wounds\n\n#table(columns: 2, [d6], [Wound])\n'),
        ("DokuWiki", "===== Wounds =====\n\n^ d6 ^ Wound ^\n| 1-2 | Bruise |\n"),
        ("Textile", "h2. Wounds\n\n|_. d6|_. Wound|\n|1-2|Bruise|\n"),
        ("RTF", "{\\rtf1\\ansi Wounds}\n"),
    ],
)
def test_text_of_a_format_that_is_not_read_is_refused_by_its_name(known: str, text: str) -> None:
    with pytest.raises(ReadError, match=f"this looks like {known}, which refgen does not read") as caught:
        read_document(SourceFile("rules.txt", text))
    assert caught.value.span is not None
    assert read_document(SourceFile("rules.txt", text), Format.PLAINTEXT).sections


@pytest.mark.parametrize(
    "text",
    ["==== WOUNDS ====\n\nRoll 2^6 or 3^2 dice.\n", "[Note: the 3rd edition]\n", "h. 1. Wounds\n", "# let it go\n"],
)
def test_plain_text_with_signs_of_other_formats_is_read(text: str) -> None:
    assert read_document(SourceFile("rules.txt", text)).sections


@pytest.mark.slow
def test_a_document_of_a_thousand_small_tables_is_read_in_one_pass() -> None:
    part = "**Word** rolls *2d6* &lt; `x`<br>on.\n\n* item **1**\n\n| a | b |\n|--|--|\n| x[^1] | 2* |\n\n* star\n\n"
    document = read_document(SourceFile("rules.md", part * 1_000 + "[^1]: note\n"))
    assert {len(grid.notes) for grid in document.tables} == {2}
    assert len(document.tables) == 1_000
