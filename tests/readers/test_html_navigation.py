import pytest

from refgen.readers.document import Document, Inline
from refgen.readers.html import read_html
from refgen.source import SourceFile
from tests.readers.places import notes


def read(text: str) -> Document:
    return read_html(SourceFile("page.html", text).passage)


def words(document: Document) -> list[str]:
    """All words that are read of a page, in the order of its kinds of blocks."""
    found = []
    for section in document.sections:
        found += [section.title, *(paragraph.text for paragraph in section.paragraphs)]
        found += [item.text for block in section.lists for item in block.items]
        found += [cell.text for grid in section.grids for row in grid.rows for cell in row]
    return " ".join(found).split()


@pytest.mark.parametrize(
    "page",
    [
        "<nav><h2>Chapters</h2><ul><li><a href=b.html>Skills</a></ul></nav>",
        "<div role=navigation><a href=b.html>Skills</a> <form>Search</form></div>",
        "<header><a href=.>The game</a> | <nav>Skills</nav></header>",
        "<footer><p><a href=a.html>Skills</a></p><ul><li><a href=c.html>Combat</a></ul></footer>",
        "<table><tr><td><a href=a.html>Skills</a><td> &lt; <td><a href=c.html>Combat</a></table>",
        "<p><a rel=prev href=a.html>Skills</a> <a rel='next nofollow' href=c.html>Combat</a></p>",
        "<ul><li><a rel=prev href=a.html>Skills</a></ul>",
    ],
)
def test_what_leads_to_other_pages_is_left_out_and_noted(page: str) -> None:
    document = read(f"<html>{page}<p>Roll 2D6.</p></html>")
    assert words(document) == ["Roll", "2D6."]
    assert {note[1:] for note in notes(document)} == {("this is navigation of the page", "left out")}
    assert not [mark for mark in document.marks if mark.kind is Inline.LINK]


@pytest.mark.parametrize(
    "page",
    [
        "<table><tr><td><a href=#a>Pilot</a><td><a href=#b>Gun</a></table>",
        "<table><tr><th>Skill<th>Page<tr><td><a href=a.html>Pilot</a><td><a href=b.html>3</a></table>",
        "<table><tr><td><a href=a.html>Pilot</a></table>",
        "<header><h1>Pilot</h1> <a href=a.html>Skills</a></header>",
        "<article><header><a href=a.html>Pilot</a></header></article>",
        "<footer>Pilot needs a licence of 1,000.</footer>",
        "<ul class=nav><li><a href=a.html>Pilot</a><li><a href=b.html>Gun</a></ul>",
        "<nav></nav><p>Pilot</p>",
    ],
)
def test_links_that_may_be_rules_stay(page: str) -> None:
    document = read(f"<html>{page}</html>")
    assert "Pilot" in words(document)
    assert notes(document) == []


def test_a_note_is_placed_at_the_words_of_the_navigation() -> None:
    document = read("<html>\n<nav> <a href=a>One</a>\n<a href=b>Two</a> </nav>3")
    (place,) = document.left_out
    assert document.printed(place) == "One</a>\n<a href=b>Two"
