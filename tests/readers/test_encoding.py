"""An XML document is read in the encoding that its first line names, its places in its own letters."""

from __future__ import annotations

from pathlib import Path

import pytest

import refgen
from refgen.errors import RefgenError

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
