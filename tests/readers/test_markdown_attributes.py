import pytest

from refgen.readers.document import Document
from refgen.readers.markdown import read_markdown
from refgen.readers.markdown_words import words_of_markdown
from refgen.source import SourceFile
from tests.readers.places import the_grid


def read(text: str) -> Document:
    return read_markdown(SourceFile("rules.md", text).passage)


def words(document: Document) -> list[str]:
    """The titles, paragraphs and items of a document."""
    found = []
    for section in document.sections:
        paragraphs = [paragraph.text for paragraph in section.paragraphs]
        items = [item.text for block in section.lists for item in block.items]
        found += [title for title in [section.title] if title] + paragraphs + items
    return found


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("# Rules\n{: .no_toc }\n\nRoll.\n", ["Rules", "Roll."]),
        ("Roll.\n{: .note }\n", ["Roll."]),
        ("- Roll\n{:toc}\n\nOn.\n", ["On.", "Roll"]),
        ("::: {.box #odds}\nRoll.\n:::\n", ["Roll."]),
        ("::: note\nRoll.\n:::\n", ["Roll."]),
        ("# Rules {#rules .top}\n", ["Rules"]),
        ("# Rules {-}\n", ["Rules"]),
        ("See *Fudge*{: .title } and [the *odds*](a.md){target=_blank}.\n", ["See Fudge and the odds."]),
        ("[Fudge\n*dice*]{.title-ref key='a b'} roll.\n", ["Fudge dice roll."]),
        ("<details>\n<summary>Index</summary>\n{: .text-delta }\n</details>\n", ["Index"]),
        ("Roll {2d6}, [2]{3} or *x*{y}.\n", ["Roll {2d6}, [2]{3} or x{y}."]),
        ("::: tip Roll twice\n", ["::: tip Roll twice"]),
        ("{curly} words\n", ["{curly} words"]),
    ],
)
def test_attributes_are_no_words_and_all_else_is(text: str, shown: list[str]) -> None:
    assert words(read(text)) == shown
    assert words(read(text.replace("\n", "\r\n"))) == shown


def test_words_around_attributes_know_their_place() -> None:
    (paragraph,) = read("[Fudge]{.title-ref} is *so*{: .r } fair\n").sections[0].paragraphs
    assert (paragraph[9:11].span.column, paragraph[12:].span.column) == (25, 36)


def test_an_id_is_that_of_the_heading_or_table_above() -> None:
    document = read("# Odds {#chances}\n\n## More\n{: #more .c }\n\na | b\n--|--\n1 | 2\n{: #both }\n")
    assert [section.id for section in document.sections] == ["chances", "more"]
    assert the_grid(document).id == "both"
    assert [cell.text for cell in the_grid(document).rows[-1]] == ["1", "2"]


def test_attributes_are_left_out_of_the_words_of_a_document_that_is_not_parsed() -> None:
    text = SourceFile("rules.md", "# Odds {#d6}\n{: .n2 }\n\n*Roll*{: .x3 } {4}\n").passage
    assert words_of_markdown(text).text.split() == ["#", "Odds", "Roll", "{4}"]
    crlf = SourceFile("rules.md", text.text.replace("\n", "\r\n")).passage
    assert words_of_markdown(crlf).text.split() == ["#", "Odds", "Roll", "{4}"]
