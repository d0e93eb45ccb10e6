"""[output]: the language of refgen's own words, how figures are written, and words of one's own."""

from __future__ import annotations

import pytest

from refgen.errors import RefgenError
from refgen.rules.output import OutputSettings
from refgen.rules.toml import load_toml
from refgen.source import SourceFile


def written(text: str) -> OutputSettings:
    settings: OutputSettings = load_toml(SourceFile("refgen.toml", text), OutputSettings)
    return settings


@pytest.mark.parametrize(
    ("output", "document", "language"),
    [("", "", "en"), ("", "de", "de"), ("", "pt-BR", "pt-BR"), ("", "sv", "en"), ('language = "fi"', "de", "fi")],
)
def test_the_words_are_those_of_the_document_if_refgen_has_them(output: str, document: str, language: str) -> None:
    assert written(output).words_of(document).language == language


def test_a_game_completes_its_settings_by_those_of_the_project() -> None:
    project = written('language = "de"\nnumbers = "1.5"\nwords = { computed = "errechnet", ladder = "Stufen" }')
    words = written('words = { ladder = "Skala" }').over(project).words_of("")
    assert (words.language, words.numbers) == ("de", "1.5")
    assert (words("computed"), words("ladder")) == ("errechnet", "Skala")


def test_a_game_in_another_language_takes_no_words_of_the_project() -> None:
    project = written('language = "de"\nnumbers = "1.5"\nwords = { computed = "errechnet" }')
    words = written('language = "ru"').over(project).words_of("")
    assert (words("computed"), words.figure("1.5")) == ("вычислено", "1,5")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('language = "Klingon"', '"Klingon" is no language'),
        ('words = { panel = "Blatt" }', '"words.panel": refgen prints no such text. Did you mean'),
        ('words = { panel-of = "Blatt {n}" }', "there is no {n} in this text; there is {number}, {total}"),
        ('words = { panel-of = "{number.real}" }', "there is no {number.real} in this text"),
        ('words = { computed = { other = "berechnet" } }', '"computed": write one text'),
    ],
)
def test_what_does_not_fit_is_refused_at_its_place(text: str, message: str) -> None:
    with pytest.raises(RefgenError) as error:
        written(text)
    assert message in error.value.message
    assert error.value.span is not None
    assert error.value.span.line == 1
