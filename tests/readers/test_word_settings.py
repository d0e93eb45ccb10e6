"""Raised and lowered words keep their sense as plain text."""

from __future__ import annotations

import pytest

from refgen.readers.word_settings import lower_words, raise_words


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("2", "²"),
        ("-1", "⁻¹"),
        ("−12", "⁻¹²"),
        ("n", "ⁿ"),
        ("2n", "²ⁿ"),
        ("d6", "ᵈ⁶"),
        ("1, 2", "¹, ²"),
        (" 2", " ²"),
        ("st", "st"),
        ("ème", "ème"),
        ("TM", "TM"),
        ("*", "*"),
        ("[1]", "[1]"),
        ("2D6", "^2D6"),
        ("", ""),
    ],
)
def test_words_that_are_raised(words: str, expected: str) -> None:
    assert raise_words(words) == expected


@pytest.mark.parametrize(("words", "expected"), [("2", "₂"), ("x", "ₓ"), ("w", "w"), ("max", "max"), ("2D", "_2D")])
def test_words_that_are_lowered(words: str, expected: str) -> None:
    assert lower_words(words) == expected
