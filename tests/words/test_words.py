"""The words that refgen prints: one file a language, all with the same ids, and figures as the language writes them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import refgen
from refgen.files import bundled_folder
from refgen.words import KNOWN, Words, categories, file_texts, placeholders

PACKAGE = Path(refgen.__file__).parent
_CALL = re.compile(r"\bwords\(\s*[\"']([a-z0-9-]+)[\"']")
_QUOTED = re.compile(r"[\"'`]([a-z][a-z0-9]*(?:-[a-z0-9]+)*(?=[\"'])|[a-z][a-z0-9]*(?:-[a-z0-9]+)*-(?=[\"'{$]))")


def test_seven_languages_are_known() -> None:
    assert KNOWN == ("de", "en", "es", "fi", "fr", "pt", "ru")


@pytest.mark.parametrize("language", KNOWN)
def test_each_language_has_all_texts_with_the_same_placeholders_and_its_plural_forms(language: str) -> None:
    english, texts = file_texts("en"), file_texts(language)
    assert [*texts] == [*english]
    assert {name: placeholders(text) for name, text in texts.items()} == {
        name: placeholders(text) for name, text in english.items()
    }
    forms = {name: {*text} for name, text in texts.items() if not isinstance(text, str)}
    assert [*forms] == [name for name, text in english.items() if not isinstance(text, str)]
    wanted = {*categories(language)}
    assert {name: found for name, found in forms.items() if found != wanted} == {}


def _sources() -> dict[str, str]:
    files = [
        *PACKAGE.rglob("*.py"),
        *bundled_folder("templates").rglob("*.html"),
        *bundled_folder("templates").rglob("*.js"),
    ]
    return {str(path): path.read_text(encoding="utf-8") for path in files}


def test_each_text_is_used_and_each_id_that_is_asked_for_is_there() -> None:
    sources, english = _sources(), file_texts("en")
    asked = {name for source in sources.values() for name in _CALL.findall(source)}
    assert asked - english.keys() == set()
    named = {name for source in sources.values() for name in _QUOTED.findall(source)}
    started = tuple(name for name in named if name.endswith("-"))  # put together: f"rounded-{rule}"
    assert [name for name in english if name not in named and not name.startswith(started)] == []


@pytest.mark.parametrize(
    ("words", "percent", "number"),
    [
        (Words(), "<0.1%", "-1.25"),
        (Words("de"), "<0,1\u00a0%", "-1,25"),
        (Words("fr"), "<0,1\u202f%", "-1,25"),
        (Words("pt-BR"), "<0,1%", "-1,25"),
        (Words("de", numbers="1.5"), "<0.1\u00a0%", "-1.25"),
        (Words("en", numbers="1,5"), "<0,1%", "-1,25"),
    ],
)
def test_a_computed_figure_is_written_as_in_its_language(words: Words, percent: str, number: str) -> None:
    assert words.figure("<0.1%") == percent
    assert words.figure("-1.25") == number


def test_a_list_is_joined_in_words() -> None:
    assert Words().joined(["a", "b", "c"]) == "a, b and c"
    assert Words("fi").joined(["a", "b"]) == "a ja b"
    assert Words("ru").joined(["a"]) == "a"


def test_a_text_of_ones_own_stands_in_place_of_the_text_of_the_language() -> None:
    words = Words("de", own=(("panel-of", "Blatt {number} von {total}"),))
    assert words("panel-of", number=1, total=2) == "Blatt 1 von 2"
    assert words("page-of", number=1, total=2) == "Seite 1 von 2"


def test_a_language_without_a_file_has_english_texts_and_says_which() -> None:
    words = Words("sv", own=(("computed", "beräknad"),))
    assert (words("computed"), words("panels"), words.figure("1.5")) == ("beräknad", "Panels", "1,5")
    assert [*words.missing] == [name for name in file_texts("en") if name != "computed"]
    assert Words("ru").missing == []
