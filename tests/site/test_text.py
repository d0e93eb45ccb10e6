"""Words of a document in runs: emphasis, links and numbers."""

from __future__ import annotations

from pathlib import Path

from refgen.readers.read import open_document
from refgen.site.document_text import InlineMarks, TextRun, text_runs


def of_markdown(folder: Path, text: str, number: str = "") -> list[TextRun]:
    """The runs of the first paragraph of a document, in which the first ``number`` has a note."""
    (folder / "rules.md").write_text(text, encoding="utf-8")
    document = open_document(folder / "rules.md")
    (paragraph, *_) = document.sections[0].paragraphs
    start = text.find(number)
    notes = {document.source.span(start, start + len(number)): "n1"} if number else {}
    return list(
        text_runs(paragraph, InlineMarks(document.marks).within(paragraph.span), notes, lambda written: f"to {written}")
    )


def test_words_that_stand_out(tmp_path: Path) -> None:
    assert of_markdown(tmp_path, "Roll **two** *blue* dice.") == [
        TextRun("Roll "),
        TextRun("two", strong=True),
        TextRun(" "),
        TextRun("blue", emphasis=True),
        TextRun(" dice."),
    ]


def test_marks_within_marks(tmp_path: Path) -> None:
    assert of_markdown(tmp_path, "**Roll *two* dice**") == [
        TextRun("Roll ", strong=True),
        TextRun("two", strong=True, emphasis=True),
        TextRun(" dice", strong=True),
    ]


def test_a_link_leads_where_the_document_says(tmp_path: Path) -> None:
    assert of_markdown(tmp_path, "See [the table](#odds).") == [
        TextRun("See "),
        TextRun("the table", link="to #odds"),
        TextRun("."),
    ]


def test_a_number_has_its_note_and_is_set_for_print(tmp_path: Path) -> None:
    assert of_markdown(tmp_path, "Take -2 to the roll.", "-2") == [
        TextRun("Take "),
        TextRun("−2", note="n1"),
        TextRun(" to the roll."),
    ]


def test_a_number_in_a_link_is_the_link(tmp_path: Path) -> None:
    assert of_markdown(tmp_path, "[Rule 12](#x)", "12") == [TextRun("Rule ", link="to #x"), TextRun("12", link="to #x")]


def test_braces_and_tags_are_words(tmp_path: Path) -> None:
    assert of_markdown(tmp_path, "{{ 7 * 7 }} &lt;script&gt;") == [TextRun("{{ 7 * 7 }} <script>")]
