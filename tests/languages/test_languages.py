"""The files of languages: words, ranges, dice letters, and which language a tag names."""

from __future__ import annotations

import pickle
import re
from fractions import Fraction

import pytest

from refgen.languages import ENGLISH, KNOWN, data, decimal_mark, language_of

WITH_WORDS = [tag for tag in KNOWN if "numbers" in data(tag)]


def test_seven_languages_have_words() -> None:
    assert set(WITH_WORDS) == {"de", "en", "es", "fi", "fr", "pt", "ru"}


@pytest.mark.parametrize("tag", WITH_WORDS)
def test_a_language_has_a_word_for_every_number_to_twenty_the_tens_and_what_all_documents_have(tag: str) -> None:
    own = data(tag)
    known = {int(number) for number in own["numbers"]}
    assert known >= {*range(21), *range(20, 101, 10), 1000}
    assert {Fraction(number) for number in own["factors"]} >= {Fraction(1, 2), 2, 3}
    assert all(own["ranges"][kind] for kind in ("at_least", "at_most", "between", "either"))
    words = [word for table in ("numbers", "factors") for forms in own[table].values() for word in forms.split()]
    assert sorted(word for word in {*words} if words.count(word) > 1) == []
    assert [word for word in words if word != word.lower()] == []


@pytest.mark.parametrize("tag", WITH_WORDS)
def test_forms_of_ranges_have_words_and_the_right_names(tag: str) -> None:
    for kind, forms in data(tag)["ranges"].items():
        names = ["low", "high"] if kind in ("between", "either") else ["n"]
        assert [re.findall(r"\{(\w+)\}", form) for form in forms] == [names] * len(forms)
        assert [re.sub(r"\{\w+\}|\((?:[^\W\d_]|[ |'-])+\)|[^\W\d_]|[ '-]", "", form) for form in forms] == [""] * len(
            forms
        )


@pytest.mark.parametrize("tag", [tag for tag in KNOWN if "common_words" in data(tag)])
def test_common_words_are_listed_once_with_three_marks_among_them(tag: str) -> None:
    words, marks = data(tag)["common_words"].split(), data(tag)["marks"].split()
    assert len(words) == len({*words}) >= 40
    assert len(marks) == 3
    assert {*marks} <= {*words}


@pytest.mark.parametrize(
    ("tag", "mark", "letters", "three"),
    [
        ("de", "1,5", ("W",), "drei"),
        ("de-CH", "1.5", ("W",), "drei"),
        ("pt-BR", "1,5", (), "três"),
        ("es-MX", "1.5", (), "tres"),
        ("pl", "1,5", ("k",), "three"),
        ("en", "1.5", (), "three"),
        ("tr", "1,5", ("z",), "three"),
        ("nb", "1,5", (), ""),  # a language without a file
    ],
)
def test_a_region_has_the_words_of_its_language_and_a_mark_of_its_own(
    tag: str, mark: str, letters: tuple[str, ...], three: str
) -> None:
    language = language_of(tag)
    assert (language.decimal, language.dice_letters) == (mark, letters)
    assert language.numbers.get(three) == (3 if three else None)


def test_decimal_marks_are_those_of_babel() -> None:
    assert {tag: decimal_mark(f"{tag}-Latn") for tag in KNOWN} == {tag: decimal_mark(tag) for tag in KNOWN}


def test_a_tag_that_names_no_language_is_refused() -> None:
    with pytest.raises(ValueError, match='"deutsch" is no language'):
        language_of("deutsch")


def test_a_word_of_the_language_itself_counts_before_the_english_word() -> None:
    assert (ENGLISH.multiples["mil"], language_of("pt").multiples["mil"]) == (1_000_000, 1_000)
    assert language_of("de").multiples["Billion"] == 10**12


def test_in_running_text_only_sure_words_of_the_language_itself_are_numbers() -> None:
    german = language_of("de")
    assert "ein" in german.numbers
    assert "ten" in german.numbers
    assert {"ein", "ten", "drei"}.intersection(german.in_text) == {"drei"}


def test_a_language_is_the_same_in_another_process() -> None:
    assert pickle.loads(pickle.dumps(language_of("ru"))) is language_of("ru")


def test_within_a_text_a_language_has_the_words_of_the_text_alone() -> None:
    german = language_of("de").within("Ab 5 gelingt es, bei Zwei bis Drei\nnicht; 9 oder\nweniger")
    assert {"zwei", "drei"} <= german.numbers.keys()
    assert "vier" not in german.numbers
    ranges = german.ranges
    assert [len(forms) for forms in (ranges.at_least, ranges.at_most, ranges.between)] == [1, 2, 1]
