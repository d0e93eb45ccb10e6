import subprocess
import sys

import pytest

from refgen.errors import ReadError
from refgen.readers.document import Document, Format
from refgen.readers.pandoc.reader import read_pandoc
from refgen.source import SourceFile
from tests.readers.places import faults, places, printed, texts, the_grid

RST = """\
Odds
====

Roll *dice*, says the note [1]_.

+------+---------+
| Roll | Effect  |
+======+=========+
| Good | Hurts a |
| one  | lot     |
+------+---------+
| 1    | 2       |
+      +---------+
|      | 3       |
+------+---------+

.. [1] At night.
"""

MEDIAWIKI = """\
== Odds ==
{| class="wikitable" style="width: 2em"
|+ Chances of 1
! Level !! Odds
|-
| rowspan="2" | 1 || 2&nbsp;km
|- valign=top
| '''5'''%
|-
| colspan=2 | 2 <br> [[Levels|levels]]
|}
# wait
#* longer
# roll
"""

ORG = """\
* Odds
#+CAPTION: Chances
| Level    | Odds  |
|----------+-------|
| Good one | 5%    |
| Fair     |       |

1. wait
2. roll
"""

NESTED_RST = """\
- first

  - inner

    more

    - deep [#]_

Wound [#]_
  A hit. [#]_

.. [#] Deepest.
.. [#] Of the term.
.. [#] Of a hit.
"""

LATEX = r"""\documentclass{article}
\begin{document}
\section{Odds}
Words --- ``here'' and \emph{more}.
\begin{tabular}{lcc}
\hline
Level & Value & Odds \\ % a comment & more
\hline
Good one & $+1$ & 50\% \\
\multirow{2}{*}{A} & \textbf{b}c & caf\'e \\
 & 2--3 & \\
\multicolumn{2}{c}{2} & x \\
\end{tabular}
\end{document}
"""


def read(text: str, document_format: Format) -> Document:
    return read_pandoc(SourceFile("rules", text).passage, document_format)


class TestReStructuredText:
    def test_prose_is_placed_and_footnotes_follow_their_paragraph(self) -> None:
        (section,) = read(RST, Format.RST).sections
        assert (section.title, section.level) == ("Odds", 1)
        assert [(text.text, str(text.span)) for text in section.paragraphs] == [
            ("Roll dice, says the note.", "rules:4:1"),
            ("At night.", "rules:17:8"),
        ]

    def test_each_footnote_of_nested_lists_is_read_once(self) -> None:
        (section,) = read(NESTED_RST, Format.RST).sections
        assert [text.text for text in section.paragraphs] == [
            "Deepest.",
            "Wound",
            "Of the term.",
            "A hit.",
            "Of a hit.",
        ]

    def test_two_paragraphs_of_a_nested_item_share_no_word(self) -> None:
        (section,) = read(NESTED_RST, Format.RST).sections
        assert [[item.text for item in block.items] for block in section.lists] == [
            ["first inner more deep"],
            ["inner more deep"],
            ["deep"],
        ]

    def test_a_grid_table(self) -> None:
        document = read(RST, Format.RST)
        assert texts(the_grid(document)) == [
            ["Roll", "Effect"],
            ["Good one", "Hurts a lot"],
            ["1", "2"],
            ["1", "3"],
        ]
        assert the_grid(document).header_rows == 1
        assert places(document) == [["7:3", "7:10"], ["9:3", "9:10"], ["12:3", "12:10"], ["12:3", "14:10"]]
        assert faults(document) == []

    def test_a_cell_of_several_lines_reaches_from_its_first_word_to_its_last(self) -> None:
        assert printed(read(RST, Format.RST))[1] == ["Good | Hurts a |\n| one", "Hurts a |\n| one  | lot"]

    def test_what_a_table_drops_is_a_fault(self) -> None:
        document = read(
            ".. csv-table:: Chances of 4\n   :header: A, B\n   :widths: 1, 2\n\n   1, 2\n   4,5,6\n", Format.RST
        )
        assert texts(the_grid(document)) == [["A", "B"], ["1", "2"], ["4", "5"]]
        assert places(document) == [["2:13", "2:16"], ["5:4", "5:7"], ["6:4", "6:6"]]
        assert faults(document) == [("6:8", '"6" stands in the table, but pandoc leaves it out')]

    def test_no_file_is_opened(self) -> None:
        document = read("Text.\n\n.. include:: /etc/passwd\n", Format.RST)
        assert [text.text for text in document.sections[0].paragraphs] == ["Text."]
        assert faults(document) == [("3:1", "pandoc: Could not load include file /etc/passwd")]


class TestMediaWiki:
    def test_a_table_with_attributes_that_look_like_cells(self) -> None:
        document = read(MEDIAWIKI, Format.MEDIAWIKI)
        grid = the_grid(document)
        assert (grid.header_rows, grid.caption) == (1, "Chances of 1")
        assert texts(grid) == [["Level", "Odds"], ["1", "2 km"], ["1", "5%"], ["2 levels", "2 levels"]]
        assert places(document) == [["4:3", "4:12"], ["6:17", "6:22"], ["6:17", "8:6"], ["10:15", "10:15"]]
        assert printed(document)[1:] == [["1", "2&nbsp;km"], ["1", "5'''%"], ["2 <br> [[Levels|levels"] * 2]
        assert faults(document) == []

    def test_lists_keep_their_numbers(self) -> None:
        (section,) = read(MEDIAWIKI, Format.MEDIAWIKI).sections
        assert [[item.text for item in block.items] for block in section.lists] == [
            ["1. wait longer", "2. roll"],
            ["longer"],
        ]

    def test_what_pandoc_fills_or_drops_is_a_fault(self) -> None:
        document = read("{|\n! A !! B\n|-\n| 1\n|-\n| 2 || 3 || 4\n|}\n", Format.MEDIAWIKI)
        assert texts(the_grid(document)) == [["A", "B"], ["1", ""], ["2", "3"]]
        assert faults(document) == [
            ("4:3", "this table row has 1 cell, its table has 2"),
            ("6:13", '"4" stands in the table, but pandoc leaves it out'),
        ]


class TestOrg:
    def test_a_table_and_a_list(self) -> None:
        document = read(ORG, Format.ORG)
        grid = the_grid(document)
        assert (grid.header_rows, grid.caption) == (1, "Chances")
        assert texts(grid) == [["Level", "Odds"], ["Good one", "5%"], ["Fair", ""]]
        assert places(document) == [["3:3", "3:14"], ["5:3", "5:14"], ["6:3", "6:7"]]
        assert printed(document) == texts(grid)
        assert faults(document) == []
        assert [item.text for item in document.sections[0].lists[0].items] == ["1. wait", "2. roll"]

    def test_what_pandoc_fills_or_drops_is_a_fault(self) -> None:
        document = read("| A | B |\n|---+---|\n| 1 |\n| 2 | |\n| 3 | 4 | 5 |\n", Format.ORG)
        assert texts(the_grid(document)) == [["A", "B"], ["1", ""], ["2", ""], ["3", "4"]]
        assert faults(document) == [
            ("3:3", "this table row has 1 cell, its table has 2"),
            ("5:11", '"5" stands in the table, but pandoc leaves it out'),
        ]


class TestLaTeX:
    def test_a_tabular(self) -> None:
        document = read(LATEX, Format.LATEX)
        assert texts(the_grid(document)) == [
            ["Level", "Value", "Odds"],
            ["Good one", "+1", "50%"],
            ["A", "bc", "café"],
            ["A", "2–3", ""],
            ["2", "2", "x"],
        ]
        assert places(document) == [
            ["7:1", "7:9", "7:17"],
            ["9:1", "9:13", "9:19"],
            ["10:17", "10:30", "10:36"],
            ["10:17", "11:4", "11:8"],
            ["12:20", "12:20", "12:25"],
        ]
        assert printed(document)[1:4] == [["Good one", "+1", r"50\%"], ["A", "b}c", r"caf\'e"], ["A", "2--3", ""]]
        assert faults(document) == []

    def test_prose_knows_how_typists_write(self) -> None:
        (paragraph,) = read(LATEX, Format.LATEX).sections[0].paragraphs
        assert (paragraph.text, str(paragraph.span)) == ("Words — “here” and more.", "rules:4:1")
        assert LATEX[paragraph.span.start : paragraph.span.end] == r"Words --- ``here'' and \emph{more}."

    def test_a_short_row_and_an_unknown_command_are_faults(self) -> None:
        document = read("\\begin{tabular}{lc}\nA & B \\\\\nx \\\\\n1 & \\foo{q} 2 \\\\\n\\end{tabular}", Format.LATEX)
        assert texts(the_grid(document)) == [["A", "B"], ["x", ""], ["1", "2"]]
        assert faults(document) == [
            ("3:1", "this table row has 1 cell, its table has 2"),
            ("4:10", '"q" stands in the table, but pandoc leaves it out'),
        ]

    def test_a_table_that_pandoc_gives_up_is_a_fault(self) -> None:
        document = read("\\begin{tabular}{lc}\nA & B \\\\\nx & y & z \\\\\n\\end{tabular}", Format.LATEX)
        assert [message for _, message in faults(document)] == [r"pandoc: Skipped '\begin{tabular}'"]

    def test_broken_latex_is_refused_at_its_place(self) -> None:
        with pytest.raises(
            ReadError, match=r"pandoc cannot read this as latex: .*expecting \\end\{tabular\}"
        ) as caught:
            read("\\begin{tabular}{lc}\nA & B", Format.LATEX)
        assert caught.value.span is not None
        assert caught.value.span.line == 2

    def test_macros_without_end_are_refused(self) -> None:
        with pytest.raises(ReadError, match="Loop encountered in expanding macro"):
            read("\\def\\a{\\a\\a}\\a", Format.LATEX)


MARKDOWN = """\
# Odds

Roll *dice*.

| Level    | Odds    |
|----------|---------|
| Good one | +1 (5%) |
| A level with so many words that a narrow column would have to break it | |

1. wait
2. roll
"""


def test_a_paragraph_without_blanks_has_its_place_however_long_it_is() -> None:
    chinese = "".join(map(chr, range(0x4E00, 0x4E00 + 2500)))
    (section,) = read(f"== 规则 ==\n\n{chinese}\n\n投骰子。\n", Format.MEDIAWIKI).sections
    spans = [paragraph.span for paragraph in section.paragraphs]
    assert [(span.line, span.column, span.end - span.start) for span in spans] == [(3, 1, 2500), (5, 1, 4)]


def test_preformatted_lines_have_their_places() -> None:
    (section,) = read("== Rolls ==\n\n one two\n three\n\nMore.\n", Format.MEDIAWIKI).sections
    assert [(str(each.span), each.text) for each in section.paragraphs] == [
        ("rules:3:2", "one\N{NO-BREAK SPACE}two three"),
        ("rules:6:1", "More."),
    ]


COMMENTS = """\
Odds
====

..
   ====  ====
   Roll  Odds
   ====  ====

   {more}

.. A remark
   of two lines.

====  ====
Roll  Odds
====  ====
2     5%
====  ====
"""


@pytest.mark.parametrize("more", ["5%", "5% 2\n\n   " * 500], ids=["short", "long"])
def test_cells_are_not_found_in_comments_of_restructuredtext(more: str) -> None:
    document = read(COMMENTS.format(more=more), Format.RST)
    last = document.source.text.count("\n")
    assert places(document) == [[f"{last - 3}:1", f"{last - 3}:7"], [f"{last - 1}:1", f"{last - 1}:7"]]
    assert document.notes == ()


def test_a_paragraph_that_begins_like_a_comment_of_org_has_its_place() -> None:
    (section,) = read("* Rolls\n\n# A comment.\n\n## Roll 2d6.\n\n#6 wins.\n", Format.ORG).sections
    assert [(str(each.span), each.text) for each in section.paragraphs] == [
        ("rules:5:1", "## Roll 2d6."),
        ("rules:7:1", "#6 wins."),
    ]


def test_a_document_that_sends_pandoc_round_in_circles_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def never_ends(command: list[str], *, timeout: float, **_: object) -> None:
        raise subprocess.TimeoutExpired(command, timeout)

    monkeypatch.setattr(subprocess, "run", never_ends)
    with pytest.raises(ReadError, match="pandoc cannot read this as org: it takes longer than 30 seconds"):
        read("text", Format.ORG)


def test_without_pandoc_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypandoc", None)
    with pytest.raises(ReadError) as caught:
        read("text", Format.RST)
    assert caught.value.hint == "pip install refgen[pandoc]"
