"""What ``refgen read`` shows of a document: its tables, and with ``--sections`` its text, all with places."""

from __future__ import annotations

from refgen.export.document import document_data, document_lines
from refgen.readers.document import Document
from refgen.readers.read import read_document
from refgen.source import SourceFile

TEXT = """# Dice

Roll **2d6**
and add.

| Rank | Cost |
|------|------|
| Vizier | 5\\* |
| Fool |

\\* In gold.

* one
* two

a | b
1 | 2
"""


def document() -> Document:
    return read_document(SourceFile("rules.md", TEXT))


AFTER = [
    "",
    "rules.md:16:1: these lines are parted by bars, but they are no table",
    "  hint: Put a line of dashes (--|--) under their head.",
    "",
    "rules.md:9:3: note: this table row has 1 cell, its head has 2: the rest of it is blank",
]
TABLE = [
    "  table at rules.md:6:1: 2 rows under 1 of head",
    "    Rank | Cost",
    "    Vizier | 5",
    "    Fool | ",
    "    note at rules.md:11:4: Vizier, Cost: In gold.",
]


def test_the_outline_has_tables_lists_faults_and_notes() -> None:
    assert list(document_lines(document())) == [
        "rules.md: markdown, 1 section",
        "",
        "# Dice  (3 paragraphs, 1 list, 1 table)",
        "  list 1: 2 items, rules.md:13:3",
        *TABLE,
        *AFTER,
    ]


def test_the_text_stands_in_the_order_of_the_document_as_sentences_see_it() -> None:
    assert list(document_lines(document(), text=True)) == [
        "rules.md: markdown, 1 section",
        "",
        "# Dice  (3 paragraphs, 1 list, 1 table)",
        "  3:1  Roll 2d6 and add.",
        *TABLE,
        "  11:2  * In gold.",
        "  list 1: 2 items, rules.md:13:3",
        "    13:3  one",
        "    14:3  two",
        "  16:1  a | b 1 | 2",
        *AFTER,
    ]


def test_blocks_that_are_no_paragraphs_are_text_too() -> None:
    table = "---------- 3.1 Odds ---------- Roll. [TABLE] Good 1 Fair 0 [END TABLE]"
    lines = list(document_lines(read_document(SourceFile("rules.txt", table)), text=True))
    assert lines[-2:] == ["  1:32  Roll.", "  1:46  Good 1 Fair 0"]


def test_json_has_paragraphs_where_text_is_wanted_and_notes_where_there_are_any() -> None:
    (section,) = document_data(document(), text=True)["sections"]
    assert [(words["text"], words["line"], words["column"]) for words in section["paragraphs"]] == [
        ("Roll 2d6 and add.", 3, 1),
        ("* In gold.", 11, 2),
        ("a | b 1 | 2", 16, 1),
    ]
    data = document_data(document())
    assert "paragraphs" not in data["sections"][0]
    assert [note["reading"] for note in data["notes"]] == ["the rest of it is blank"]
    assert [note["text"] for note in data["sections"][0]["tables"][0]["notes"]] == ["Vizier, Cost: In gold."]
