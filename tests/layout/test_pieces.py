"""Which text is which piece: everything is found where it is whole, and as much as can be where it is not."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refgen.layout.pieces import PageFault, Piece, align, normalize_text

WORDS = st.text("ab1", min_size=1, max_size=3)


def pieces(texts: Sequence[str]) -> list[Piece]:
    return [Piece(text, f"piece {number}") for number, text in enumerate(texts)]


@st.composite
def pages(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """The texts of some pieces, and the same on a page, each broken into lines somewhere."""
    wanted = draw(st.lists(WORDS, max_size=6))
    lines = []
    for text in wanted:
        breaks = sorted(draw(st.sets(st.integers(1, len(text) - 1)))) if len(text) > 1 else []
        lines += [text[start:stop] for start, stop in zip([0, *breaks], [*breaks, len(text)], strict=True)]
    return wanted, lines


@pytest.mark.slow
@given(pages())
def test_a_page_that_says_the_model_has_no_faults(page: tuple[list[str], list[str]]) -> None:
    wanted, lines = page
    found = align(pieces(wanted), lines)
    assert found.faults == ()
    assert ["".join(lines[number] for number in span) for _, span in found.texts] == wanted
    assert [number for _, span in found.texts for number in span] == list(range(len(lines)))


@pytest.mark.slow
@given(st.lists(WORDS, max_size=5), st.lists(WORDS, max_size=5))
def test_as_much_is_found_as_can_be(wanted: list[str], lines: list[str]) -> None:
    """Against the slow way: every choice of pieces, the heaviest that stands in order.

    What stands where it should from the start is taken as it is, and leaves nothing to choose.
    """
    found = align(pieces(wanted), lines)
    spans = [span for _, span in found.texts]
    assert all(earlier.stop <= later.start for earlier, later in pairwise(spans))
    assert all("".join(lines[number] for number in span) == piece.text for piece, span in found.texts)
    if not found.texts or found.texts[0][0].text != wanted[0] or spans[0].start:
        assert sum(len(piece.text) for piece, _ in found.texts) == heaviest(wanted, lines)
    assert bool(found.faults) == (len(found.texts) < len(wanted) or sum(map(len, spans)) < len(lines))


def heaviest(wanted: Sequence[str], lines: Sequence[str]) -> int:
    chosen = (choice for size in range(len(wanted) + 1) for choice in combinations(wanted, size))
    return max(len("".join(choice)) for choice in chosen if stands(choice, lines))


def stands(choice: Sequence[str], lines: Sequence[str]) -> bool:
    """Whether texts can be found in order, each in whole lines that follow each other."""
    if not choice:
        return True
    return any(
        "".join(lines[start:stop]) == choice[0] and stands(choice[1:], lines[stop:])
        for start in range(len(lines))
        for stop in range(start + 1, len(lines) + 1)
    )


def faults(wanted: Sequence[str], lines: Sequence[str]) -> list[str]:
    return [f"{where}: {what}" for where, what in align(pieces(wanted), lines).faults]


def test_what_stands_instead_is_said() -> None:
    assert faults(["a", "b", "c"], ["a", "x", "c"]) == ['piece 1: "b" is not there, but "x"']
    assert faults(["a", "b", "c"], ["a", "c"]) == ['piece 1: "b" is not there']
    assert faults(["a", "c"], ["a", "x", "y", "c"]) == [
        'before piece 1: "x y" stands there, which the model does not have'
    ]
    assert faults(["a"], ["a", "x"]) == ['at the end: "x" stands there, which the model does not have']


def test_a_long_text_in_its_place_counts_for_more_than_a_figure_that_moved() -> None:
    assert faults(["1", "Very hurt", "2"], ["2", "Veryhurt", "1"]) == [
        'piece 0: "1" is not there, but "2"',
        'piece 2: "2" is not there, but "1"',
    ]


def test_blanks_do_not_count() -> None:
    assert faults(["", "a b\u00a0c"], ["ab", "c"]) == []


def test_how_a_font_makes_a_letter_does_not_count_but_which_letter_does() -> None:
    assert [normalize_text(text) for text in ("ﬁt", "e\u0301", "soft\u00adhyphen", "zero\u200bwidth")] == [
        "fit",
        "\u00e9",
        "softhyphen",
        "zerowidth",
    ]
    assert [normalize_text(text) for text in ("x²", "½", "−2", "-2")] == ["x²", "½", "−2", "-2"]


def extended(*texts: str) -> tuple[list[PageFault], list[str]]:
    """The faults of a header, a cell and a footer among the texts of an extended page, and the pieces left out."""
    pieces = (Piece("Odds", "header"), Piece("42%", "cell", box=0), Piece("Source", "footer"))
    made = align(pieces, texts, is_extended=True)
    return [*made.faults], [piece.text for piece in made.left_out]


def test_templates_of_a_project_may_add_words_around_pieces() -> None:
    assert extended("Odds", "new", "42%", "Source") == ([], [])
    assert extended("»ODDS«", "42%", "©Me·Source") == ([], [])


def test_templates_of_a_project_may_leave_out_words_that_are_no_content() -> None:
    assert extended("42%", "©Me") == ([], ["Odds", "Source"])
    assert extended("Odds", "43%", "Source") == ([("cell", '"42%" is not there')], [])


@pytest.mark.parametrize(
    ("text", "lines", "is_read"),
    [
        pytest.param("Zauberbücher", ["Zauber\x02", "bücher"], True, id="a word that is broken"),
        pytest.param("Zauberbuchseite", ["Zauber\x02", "buch\x02", "seite"], True, id="a word that is broken twice"),
        pytest.param("Hand-zu-Hand", ["Hand\x02", "zu-Hand"], True, id="a hyphen of the text"),
        pytest.param("d6-1", ["d6\x02", "1"], True, id="a minus of the text"),
        pytest.param("Hand-zu-Hand", ["Hand", "zu-Hand"], False, id="a hyphen of the text that is not there"),
        pytest.param("Zauberbuch", ["Zauber-", "buch"], False, id="a hyphen within a line"),
        pytest.param("Zauberbuch", ["Zauber\x02", "buck"], False, id="a word that goes on otherwise"),
        pytest.param("Zauber", ["Zauber\x02"], False, id="a hyphen behind the last word"),
        pytest.param("1250", ["12\x02", "50"], False, id="a figure that is broken"),
        pytest.param("d61", ["d\x02", "61"], False, id="a roll that is broken"),
    ],
)
def test_a_hyphen_at_the_end_of_a_line_is_of_the_text_or_breaks_a_word(
    text: str, lines: Sequence[str], is_read: bool
) -> None:
    assert (faults([text], lines) == []) == is_read


def test_a_hyphen_at_the_end_of_a_line_is_said_as_it_is_seen() -> None:
    assert faults(["Zauberbuch"], ["Zauber\x02", "buck"]) == ['piece 0: "Zauberbuch" is not there, but "Zauber-buck"']
