"""The words of titles, by language: one file a language has them for all who read titles."""

from __future__ import annotations

import pytest

from refgen.languages import KNOWN, data
from refgen.languages.title_words import has_word, title_words


@pytest.mark.parametrize(
    ("tag", "title", "is_about"),
    [
        ("en", "Skills and Training", True),
        ("pt-BR", "Lista de Perícias", True),
        ("pt-BR", "Skill list", True),  # English holds everywhere
        ("ru", "Навыки", True),
        ("en", "Talent", False),
        ("de", "Talente", True),
        ("", "Talente", True),  # nobody says the language
        ("fr", "Talente", True),  # a language without words of titles
        ("en", "Unskilled", False),
    ],
)
def test_titles_about_skills(tag: str, title: str, is_about: bool) -> None:
    assert has_word(title, title_words(tag).skills) is is_about


def test_heads_are_whole_and_may_have_several_words() -> None:
    words = title_words("fi")
    assert {"", "#", "die roll", "heitto"} <= words.rolled | words.numbered


@pytest.mark.parametrize("tag", [tag for tag in KNOWN if "titles" in data(tag)])
def test_words_are_in_small_letters_and_listed_once(tag: str) -> None:
    for words in data(tag)["titles"].values():
        listed = words.split() if isinstance(words, str) else words
        assert listed == list(dict.fromkeys(word.lower() for word in listed))
