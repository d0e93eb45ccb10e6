from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refgen.errors import SourceError
from refgen.source import Passage, SourceFile, plain_text


def source(text: str) -> SourceFile:
    return SourceFile("rules.txt", text)


def test_positions_count_lines_and_columns_from_one() -> None:
    file = source("ab\ncd\r\nef\rg")
    assert [file.position(offset) for offset in (0, 1, 3, 7, 10)] == [(1, 1), (1, 2), (2, 1), (3, 1), (4, 1)]


def test_a_span_prints_as_compilers_write_places() -> None:
    assert str(source("one\ntwo").span(5, 6)) == "rules.txt:2:2"


@pytest.mark.slow
@given(st.text(alphabet="ab \n\r\t|", max_size=60), st.data())
def test_every_cut_of_a_passage_points_at_its_own_text(text: str, data: st.DataObject) -> None:
    file = source(text)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    cut = file.passage[start:end]
    assert file.text[cut.span.start : cut.span.end] == cut.text == text[start:end]


@given(st.text(alphabet="ab \n\r\t\u00a0", max_size=60))
def test_collapsing_keeps_the_words_and_their_places(text: str) -> None:
    file = source(text)
    collapsed = file.passage.collapsed()
    assert collapsed.text == " ".join(text.replace("\u00a0", "x").split()).replace("x", "\u00a0")
    for index, character in enumerate(collapsed.text):
        if character != " ":
            assert file.text[collapsed.origins[index]] == character


@given(st.text(alphabet="ab\n\r", max_size=40))
def test_lines_are_those_of_the_text(text: str) -> None:
    lines = source(text).passage.lines()
    assert [line.text for line in lines] == text.replace("\r\n", "\n").replace("\r", "\n").split("\n")[: len(lines)]


def test_joined_passages_remember_both_places() -> None:
    file = source("head ... tail")
    joined = Passage.joined([file.passage[0:4], file.passage[9:13]], " ")
    assert joined.text == "head tail"
    assert str(joined[5:].span) == "rules.txt:1:10"


def test_a_passage_with_an_entity_at_its_end_ends_where_the_entity_does() -> None:
    text = SourceFile("rules.xml", "x 5&lt;").passage
    joined = Passage.joined([text[:3], text[3:].replaced("<")])
    for passage in (joined, joined.collapsed(), joined[2:], joined.strip()):
        assert passage.span.end == 7


def test_plain_collapses_no_break_spaces_too() -> None:
    assert plain_text(" a\u00a0 b\n") == "a b"


@pytest.mark.parametrize(
    ("raw", "place", "message"),
    [
        (b"ok\nna\xefve", "rules.txt:2:3", "byte 0xef is not UTF-8"),
        (b"a\nb\0c", "rules.txt:2:2", "NUL byte"),
    ],
    ids=["latin-1", "nul"],
)
def test_what_is_not_text_is_refused_at_its_place(tmp_path: Path, raw: bytes, place: str, message: str) -> None:
    path = tmp_path / "rules.txt"
    path.write_bytes(raw)
    with pytest.raises(SourceError, match=message) as caught:
        SourceFile.read(path, "rules.txt")
    assert str(caught.value.span) == place
    assert caught.value.hint


def test_a_missing_file_is_named() -> None:
    with pytest.raises(SourceError, match=r"cannot read nowhere\.md: no such file"):
        SourceFile.read(Path("nowhere.md"))


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "rules.md"
    path.write_bytes(b"\xef\xbb\xbf# Rules")
    assert SourceFile.read(path).text == "# Rules"
