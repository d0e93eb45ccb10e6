import pytest

from refgen.errors import ReadError
from refgen.readers.document import Document, Format
from refgen.readers.read import guess_format, read_document
from refgen.source import SourceFile

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

    def test_cells_know_their_place_behind_awkward_attributes(self) -> None:
        (grid,) = read(DOCBOOK, "rules.xml").sections[1].grids
        assert str(grid.rows[1][0].span) == "rules.xml:8:30"

    def test_a_ragged_row_is_refused(self) -> None:
        with pytest.raises(ReadError, match="this table row has 1 entries, its table has 2 columns") as caught:
            read(DOCBOOK.replace("<entry/>", ""), "rules.xml")
        assert caught.value.span is not None
        assert caught.value.span.line == 8

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
