"""Documents of every format are read: their format, their encoding, their sections, and their visible words."""

from __future__ import annotations

from pathlib import Path

import pytest

import refgen
from refgen.errors import ReadError, RefgenError, SourceError
from refgen.readers.document import BINARY, Document, Format
from refgen.readers.read import READERS, THROUGH_PANDOC, guess_format, open_document, read_document, visible_paragraphs
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


SEEN = [
    ("plaintext", "Two\nlines  here.\n\nRules 3\n", ["Two lines here.", "Rules 3"]),
    (
        "markdown",
        '---\ndate: 2008\n---\n# Rules 3\n\nRoll **4**dF, see [page](http://a.b/7 "8")[^1] &#8722;2, 2*3.\n\n[1]: http://c/9\n',
        ["# Rules 3", "Roll 4dF, see [page −2, 2*3."],
    ),
    (
        "docbook",
        '<!DOCTYPE a><a id="5"><title>Rules 3</title>\n\n<para>Roll <b>4</b>dF &lt; 2</para><!-- 6 --></a>',
        ["Rules 3", "Roll 4dF < 2"],
    ),
    (
        "html",
        "<html><head><title>x 1</title></head><h1>Rules 3</h1><table width=5><tr><td>1<td>2</table><p>a <b>4</b>dF&lt;6"
        "<script>7</script>",
        ["Rules 3", "1", "2", "a 4dF<6"],
    ),
    ("csv", "a,b\n1,2\n", ["a,b 1,2"]),
]


@pytest.mark.parametrize(("known", "text", "expected"), SEEN, ids=[case[0] for case in SEEN])
def test_what_is_seen(known: str, text: str, expected: list[str]) -> None:
    assert [seen.text for seen in visible_paragraphs(SourceFile("x", text), Format(known))] == expected


@pytest.mark.parametrize(("known", "text"), [case[:2] for case in SEEN], ids=[case[0] for case in SEEN])
def test_each_word_knows_its_place(known: str, text: str) -> None:
    source = SourceFile("x", text)
    for seen in visible_paragraphs(source, Format(known)):
        place = seen.text.find("2")
        if place >= 0:
            span = seen[place : place + 1].span
            assert source.text[span.start : span.end] == "2"


def test_the_file_in_a_patch_is_seen_and_the_patch_is_not() -> None:
    text = "--- /dev/null\n+++ b/x.txt\n@@ -0,0 +1,2 @@\n+Roll 4dF\n+now.\n"
    assert [seen.text for seen in visible_paragraphs(SourceFile("x.txt", text))] == ["Roll 4dF now."]


XML = """<?xml version="1.0" encoding="{encoding}"?>
<chapter>
  <title>{title}</title>
  <para>{title}: throw 2d6.</para>
  <informaltable><tgroup cols="2"><tbody>
    <row><entry>{title}</entry><entry>7</entry></row>
  </tbody></tgroup></informaltable>
</chapter>
"""

PATCH = "# HG changeset patch\ndiff -r 0 -r 1 rules.xml\n--- /dev/null\n+++ b/rules.xml\n@@ -0,0 +1,8 @@\n"

WORDS = [
    ("GB2312", "规则"),
    ("Big5", "規則"),
    ("Shift_JIS", "ルール"),
    ("EUC-JP", "ルール"),
    ("ISO-2022-JP", "ルール"),
    ("UTF-7", "règle"),
    ("ISO-8859-1", "règle"),
    ("windows-1252", "règle – été"),
    ("KOI8-R", "правила"),
    ("utf8", "правила"),
]


def in_patch(text: str) -> str:
    return PATCH + "".join(f"+{line}" for line in text.splitlines(keepends=True))


@pytest.mark.parametrize("wrapped", [False, True])
@pytest.mark.parametrize(("encoding", "word"), WORDS)
def test_what_python_can_decode_is_read(tmp_path: Path, encoding: str, word: str, *, wrapped: bool) -> None:
    path = tmp_path / "rules.xml"
    text = XML.format(encoding=encoding, title=word)
    if wrapped and encoding != "UTF-7":  # in which a plus sign begins something
        text = in_patch(text)
    path.write_bytes(text.encode(encoding))
    document = refgen.read(path)
    assert document.source.text == text
    (section,) = document.sections
    assert (section.title, section.paragraphs[0].text) == (word, f"{word}: throw 2d6.")
    cells = section.grids[0].rows[0]
    assert [cell.text for cell in cells] == [document.printed(cell.span) for cell in cells] == [word, "7"]


@pytest.mark.slow
@pytest.mark.parametrize("encoding", [encoding for encoding, _ in WORDS])
def test_harmonies_is_the_same_in_any_of_them(tmp_path: Path, encoding: str) -> None:
    ours = refgen.load("harmonies")
    text = ours.ruleset.documents[0].text.replace('encoding="UTF-8"', f'encoding="{encoding}"')
    (tmp_path / "actions.xml").write_bytes(text.encode(encoding))
    theirs = refgen.load("harmonies", document=tmp_path / "actions.xml")
    assert [table.to_csv() for table in theirs.tables.values()] == [table.to_csv() for table in ours.tables.values()]


@pytest.mark.parametrize(
    ("encoding", "raw", "message"),
    [
        ("x-klingon", "ASCII", 'says encoding="x-klingon", which refgen does not read'),
        ("zip", "ASCII", 'says encoding="zip", which refgen does not read'),
        ("rot13", "ASCII", 'says encoding="rot13", which refgen does not read'),
        ("idna", "ASCII", 'says encoding="idna", which refgen does not read'),
        ("punycode", "ASCII", 'says encoding="punycode", which refgen does not read'),
        ("unicode_escape", "ASCII", 'says encoding="unicode_escape", which refgen does not read'),
        ("UTF-16", "ASCII", 'says encoding="UTF-16", and is in another'),
        ("cp037", "ASCII", 'says encoding="cp037", and is in another'),
        ("ISO-8859-1", "UTF-8", 'says encoding="ISO-8859-1", and its bytes are UTF-8'),
        ("EUC-JP", "latin-1", "rules.xml:3:11: byte 0xe8 is not EUC-JP"),
        ("UTF-8", "latin-1", "rules.xml:3:11: byte 0xe8 is not UTF-8"),
    ],
)
def test_the_rest_is_refused_by_its_name(tmp_path: Path, encoding: str, raw: str, message: str) -> None:
    path = tmp_path / "rules.xml"
    path.write_bytes(XML.format(encoding=encoding, title="rule" if raw == "ASCII" else "règle").encode(raw))
    with pytest.raises(RefgenError) as caught:
        refgen.read(path)
    assert message in str(caught.value)
    assert "UTF-8" in caught.value.hint


def test_half_a_pair_of_surrogates_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "rules.xml"
    path.write_bytes(XML.format(encoding="UTF-7", title="+2AA-").encode("ascii"))
    with pytest.raises(RefgenError, match="and is in another"):
        refgen.read(path)


def test_a_declaration_that_markdown_quotes_is_none_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "rules.md"
    path.write_text('# Règle\n\n<?xml version="1.0" encoding="Shift_JIS"?>\n\nThrow 2d6.\n', encoding="utf-8")
    assert refgen.read(path).sections[0].title == "Règle"


DOCBOOK = """<?xml version="1.0"?>
<!DOCTYPE chapter [ <!ENTITY % remote SYSTEM "http://refgen.invalid/x.dtd"> %remote; ]>
<chapter><title>Action</title>
  <para>Roll <emphasis>two</emphasis> dice &lt; 9.</para>
  <section><title>Odds</title>
  <table id="odds"><title>Chances</title><tgroup cols="2"><tbody>
    <row><entry>-1</entry><entry>40%</entry></row>
    <row><entry note="a > b">0</entry><entry/></row>
  </tbody></tgroup></table></section>
</chapter>
"""


def read(text: str, name: str = "rules.txt", form: Format | None = None) -> Document:
    return read_document(SourceFile(name, text), form)


def grid_texts(document: Document) -> list[list[list[str]]]:
    return [
        [[cell.text for cell in row] for row in grid.rows] for section in document.sections for grid in section.grids
    ]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("rules.md", "x", Format.MARKDOWN),
        ("rules.en.sgml.patch", "<chapter/>", Format.DOCBOOK),
        ("rules", "<chapter/>", Format.DOCBOOK),
        ("rules.txt", "[TABLE] x [END TABLE]", Format.FLATTENED),
        ("rules.txt", "x", Format.PLAINTEXT),
    ],
)
def test_the_format_is_told_by_name_then_content(name: str, text: str, expected: Format) -> None:
    assert guess_format(name, text) == expected


def test_an_empty_document_is_refused() -> None:
    with pytest.raises(ReadError, match="the document is empty"):
        read(" \n\n")


class TestDocBook:
    def test_tables_and_sections(self) -> None:
        document = read(DOCBOOK, "rules.xml")
        assert [section.title for section in document.sections] == ["Action", "Odds"]
        assert grid_texts(document) == [[["-1", "40%"], ["0", ""]]]

    def test_prose_loses_its_markup_and_keeps_its_places(self) -> None:
        (paragraph,) = read(DOCBOOK, "rules.xml").sections[0].paragraphs
        assert paragraph.text == "Roll two dice < 9."
        assert str(paragraph[5:8].span) == "rules.xml:4:24"

    def test_paragraphs_without_a_blank_between_share_no_word(self) -> None:
        item = "<listitem><para>hit<footnote><para>Hard.</para></footnote></para><para>roll</para></listitem>"
        text = f"<chapter><itemizedlist>{item}</itemizedlist></chapter>"
        (words,) = read(text, "rules.xml").sections[0].lists[0].items
        assert words.text == "hit roll"
        assert str(words[4:8].span) == f"rules.xml:1:{text.index('roll') + 1}"

    def test_cells_know_their_place_behind_awkward_attributes(self) -> None:
        (grid,) = read(DOCBOOK, "rules.xml").sections[1].grids
        assert str(grid.rows[1][0].span) == "rules.xml:8:30"

    def test_broken_xml_is_refused_at_its_line(self) -> None:
        with pytest.raises(ReadError, match="not well-formed XML") as caught:
            read(DOCBOOK.replace("</section>", ""), "rules.xml")
        assert caught.value.span is not None
        assert caught.value.span.line == 10

    def test_a_file_in_a_patch_is_read_in_the_patch(self) -> None:
        lines = DOCBOOK.splitlines()
        added = "\n".join("+" + line for line in lines)
        patch = f"changeset\n--- /dev/null\n+++ b/rules.xml\n@@ -0,0 +1,{len(lines)} @@\n{added}\n"
        document = read(patch, "rules.sgml.patch")
        (grid,) = document.sections[1].grids
        assert [cell.text for cell in grid.rows[0]] == ["-1", "40%"]
        assert str(grid.rows[0][0].span) == "rules.sgml.patch:11:18"

    def test_a_patch_of_a_part_is_refused(self) -> None:
        with pytest.raises(ReadError, match="the patch changes a file"):
            read("--- a/x.xml\n+++ b/x.xml\n@@ -3,2 +3,2 @@\n-a\n+b\n", "x.patch")


class TestPlainText:
    def test_columns_are_parted_by_two_blanks(self) -> None:
        document = read("Title\n\nSome words here:\nLevel    Value  \nGood one   +1\nFair        0\n")
        assert grid_texts(document) == [[["Level", "Value"], ["Good one", "+1"], ["Fair", "0"]]]

    def test_a_term_with_its_meaning_is_no_heading(self) -> None:
        document = read("Attributes\n\nHealth: how tough one is\n\nWill: how firm\n")
        assert [section.title for section in document.sections] == ["Attributes"]
        assert len(document.sections[0].paragraphs) == 2

    def test_bullets(self) -> None:
        document = read("Why\n\n  • you like dice\n  • you own\n    many\n")
        assert [item.text for item in document.sections[0].lists[0].items] == ["you like dice", "you own many"]

    def test_crlf_reads_the_same(self) -> None:
        text = "Title\n\nLevel  Value\nGood  +1\nFair  0\n"
        assert grid_texts(read(text)) == grid_texts(read(text.replace("\n", "\r\n")))


class TestFlattened:
    TEXT = (
        "Start ----------- 3.1 Terms ----------- Words. - - - - - - 3.21 Dice - - - - - - More. "
        "[TABLE] Rolled: | 3-4 | 5 --------|-----|---- Result: | -4 | -3 [END TABLE] End."
    )

    def test_sections_are_framed_by_rules(self) -> None:
        document = read(self.TEXT)
        assert [(section.title, section.level) for section in document.sections] == [("", 0), ("Terms", 2), ("Dice", 2)]

    def test_a_table_with_one_row_is_a_grid(self) -> None:
        assert grid_texts(read(self.TEXT)) == [[["Rolled:", "3-4", "5"], ["Result:", "-4", "-3"]]]

    def test_line_breaks_make_no_difference(self) -> None:
        broken = (
            self.TEXT.replace("[TABLE] ", "[TABLE]\n").replace(" --------|", "\n--------|").replace("---- ", "----\n")
        )
        assert grid_texts(read(broken)) == grid_texts(read(self.TEXT))

    @pytest.mark.parametrize("text", ["a [TABLE] b", "a [END TABLE] b", "[TABLE] a [TABLE] b [END TABLE]"])
    def test_a_marker_without_its_partner_is_refused(self, text: str) -> None:
        with pytest.raises(ReadError, match="without its partner"):
            read(text, form=Format.FLATTENED)
