from pathlib import Path

import pytest

from refgen.errors import ReadError, SourceError
from refgen.readers.document import BINARY, Format
from refgen.readers.read import READERS, THROUGH_PANDOC, guess_format, open_document, read_document
from refgen.source import SourceFile


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("rules.html", Format.HTML),
        ("RULES.HTM", Format.HTML),
        ("rules.csv", Format.CSV),
        ("rules.tsv", Format.TSV),
        ("rules.docx", Format.DOCX),
        ("rules.odt", Format.ODT),
        ("rules.mediawiki", Format.MEDIAWIKI),
        ("rules.wiki", Format.MEDIAWIKI),
        ("rules.rst", Format.RST),
        ("rules.org", Format.ORG),
        ("rules.tex", Format.LATEX),
        ("rules.latex", Format.LATEX),
    ],
)
def test_the_suffix_tells_the_format(name: str, expected: Format) -> None:
    assert guess_format(name, "x") == expected


@pytest.mark.parametrize("text", ["<!DOCTYPE html><p>x", "\n<html lang='en'>", '<?xml version="1.0"?>\n<html>'])
def test_a_page_without_a_suffix_is_known_by_how_it_starts(text: str) -> None:
    assert guess_format("rules", text) == Format.HTML


def test_every_format_has_a_reader_but_those_that_are_no_text() -> None:
    assert set(Format) - set(READERS) - THROUGH_PANDOC == BINARY


@pytest.mark.parametrize("document_format", [Format.DOCX, Format.ODT])
def test_text_is_not_read_as_a_format_that_is_none(document_format: Format) -> None:
    with pytest.raises(ReadError, match=f"{document_format} is not text"):
        read_document(SourceFile("rules", "words"), document_format)


def test_a_document_is_opened_under_the_name_it_is_shown_by(tmp_path: Path) -> None:
    path = tmp_path / "rules.csv"
    path.write_text("a,b\n", encoding="utf-8")
    document = open_document(path, "system/rules.csv")
    assert (document.format, str(document.sections[0].grids[0].span)) == (Format.CSV, "system/rules.csv:1:1")


def test_the_format_that_is_asked_for_wins_over_the_suffix(tmp_path: Path) -> None:
    path = tmp_path / "rules.csv"
    path.write_text("# Odds\n", encoding="utf-8")
    assert open_document(path, document_format=Format.MARKDOWN).format == Format.MARKDOWN


@pytest.mark.parametrize("name", ["rules.md", "rules.docx"])
def test_a_missing_file_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(SourceError, match=f"cannot read {name}: no such file"):
        open_document(tmp_path / name, name)
