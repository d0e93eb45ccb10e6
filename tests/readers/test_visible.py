"""All that people see of a document, and none of its markup."""

from __future__ import annotations

import pytest

from refgen.readers.document import Format
from refgen.readers.read import visible_paragraphs
from refgen.source import SourceFile

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
