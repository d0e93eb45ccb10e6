from collections import Counter
from pathlib import Path

import pytest

from refgen.readers.document import LEFT_OUT, Document, join_documents
from refgen.readers.read import open_document, read_document
from refgen.readers.repeats import without_repeats
from refgen.source import SourceFile

CEPHEUS = Path(__file__).resolve().parents[3] / "shared" / "foreign" / "cepheus"
MENU = "<ul><li>Skills<li>Combat</ul>"
FOOT = "<table><tr><td>2016<td>Samardan</table><p>All rights.</p>"


def pages(*texts: str) -> list[Document]:
    return [read_document(SourceFile(f"{number}.html", f"<html>{text}")) for number, text in enumerate(texts, 1)]


def words(document: Document) -> list[str]:
    found = []
    for section in document.sections:
        found += [paragraph.text for paragraph in section.paragraphs]
        found += [item.text for block in section.lists for item in block.items]
        found += [cell.text for grid in section.grids for row in grid.rows for cell in row]
    return found


def test_what_most_pages_start_or_end_with_is_left_out() -> None:
    first, second, third = pages(f"{MENU}<p>One.</p>{FOOT}", f"{MENU}<h1>B</h1><p>Two.</p>{FOOT}", "<p>Three.</p>")
    found = without_repeats([first, second, third])
    assert [words(document) for document in found] == [["One."], ["Two."], ["Three."]]
    assert [(note.message, note.reading) for note in found[1].notes] == [("this stands on 2 pages", "left out")] * 3
    assert sorted(found[0].printed(place) for place in found[0].left_out)[1:] == ["All rights.", "Skills<li>Combat"]


def test_what_comes_again_in_the_middle_stays() -> None:
    documents = pages(*[f"<p>{name}</p><p>Armor: none.</p><p>End of {name}.</p>" for name in ("Elf", "Orc", "Imp")])
    assert without_repeats(documents) == documents


@pytest.mark.parametrize("count", [1, 2])
def test_few_pages_stay_whole(count: int) -> None:
    documents = pages(*[f"{MENU}<p>One.</p>"] * count)
    assert without_repeats(documents) == documents


def test_documents_in_other_formats_stay_whole() -> None:
    documents = [read_document(SourceFile(f"{name}.md", "Roll.\n\n- a\n- b\n")) for name in "abc"]
    assert without_repeats(documents) == documents


@pytest.mark.skipif(not CEPHEUS.exists(), reason="the documents of other games are not here")
@pytest.mark.slow
def test_of_a_site_navigation_and_footers_are_left_out_and_no_table() -> None:
    documents = [open_document(path, path.name) for path in sorted(CEPHEUS.glob("*.html"))]
    joined = join_documents(without_repeats(documents))
    assert len(joined.tables) == 228
    kinds = Counter(note.message for note in joined.notes if note.reading == LEFT_OUT)
    assert kinds == {
        "this is navigation of the page": len(documents),
        "this stands in the head of the page": len(documents) - 2,  # the title of the others stands in their text
        "this stands on 29 pages": len(documents),
    }
