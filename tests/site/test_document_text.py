"""Words of a document in runs: emphasis, links and numbers."""

from __future__ import annotations

from operator import attrgetter
from pathlib import Path

from refgen.readers.read import open_document
from refgen.site.document_text import DocumentRun, text_runs
from refgen.span import SpanIndex


def of_markdown(folder: Path, text: str, number: str = "") -> list[DocumentRun]:
    """The runs of the first paragraph of a document, in which the first ``number`` has a note."""
    (folder / "rules.md").write_text(text, encoding="utf-8")
    document = open_document(folder / "rules.md")
    (paragraph, *_) = document.sections[0].paragraphs
    start = text.find(number)
    notes = {document.source.span(start, start + len(number)): "n1"} if number else {}
    marks = SpanIndex(document.marks, attrgetter("span")).within(paragraph.span)
    return list(text_runs(paragraph, marks, notes, lambda written: f"to {written}"))


def test_words_that_stand_out(tmp_path: Path) -> None:
    assert of_markdown(tmp_path, "Roll **two** *blue* dice.") == [
        DocumentRun("Roll "),
        DocumentRun("two", strong=True),
        DocumentRun(" "),
        DocumentRun("blue", emphasis=True),
        DocumentRun(" dice."),
    ]


def test_marks_within_marks(tmp_path: Path) -> None:
    assert of_markdown(tmp_path, "**Roll *two* dice**") == [
        DocumentRun("Roll ", strong=True),
        DocumentRun("two", strong=True, emphasis=True),
        DocumentRun(" dice", strong=True),
    ]


def test_a_link_leads_where_the_document_says(tmp_path: Path) -> None:
    assert of_markdown(tmp_path, "See [the table](#odds).") == [
        DocumentRun("See "),
        DocumentRun("the table", link="to #odds"),
        DocumentRun("."),
    ]


def test_a_number_has_its_note_and_is_set_for_print(tmp_path: Path) -> None:
    assert of_markdown(tmp_path, "Take -2 to the roll.", "-2") == [
        DocumentRun("Take "),
        DocumentRun("−2", note="n1"),
        DocumentRun(" to the roll."),
    ]


def test_a_number_in_a_link_is_the_link(tmp_path: Path) -> None:
    assert of_markdown(tmp_path, "[Rule 12](#x)", "12") == [
        DocumentRun("Rule ", link="to #x"),
        DocumentRun("12", link="to #x"),
    ]


def test_braces_and_tags_are_words(tmp_path: Path) -> None:
    assert of_markdown(tmp_path, "{{ 7 * 7 }} &lt;script&gt;") == [DocumentRun("{{ 7 * 7 }} <script>")]
