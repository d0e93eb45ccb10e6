"""Regular expressions of users cannot hang, exhaust memory or crash: they answer, or are refused with a reason."""

from __future__ import annotations

import time

import pytest

from refgen.errors import NotationError
from refgen.rules.pattern import compile_pattern, without_groups


@pytest.mark.parametrize("pattern", ["(a|aa)+$", "(.*a){20}", "(x+x+)+y", "(a*)*b", "(a|a?)+$"])
def test_what_would_make_a_backtracking_engine_hang_answers_at_once(pattern: str) -> None:
    started = time.process_time()
    for text in ("a" * 20_000 + "!", "x" * 20_000, "a" * 20_000):
        compile_pattern(pattern).search(text)
    assert time.process_time() - started < 20


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("(" * 3000 + "a" + ")" * 3000, "longer than 2000 characters"),
        ("(" * 60 + "a" + ")" * 60, "nested deeper than 50"),
        ("a{1000}{1000}", "repeats too often"),
        ("((a{100}){100}){100}", "repeats too often"),
        (r"(?:\p{L}{900}){1}", "too large"),
        ("(?=a)b", "look-around"),
        ("(?<!a)b", "look-around"),
        (r"(a)\1", "an escape is not understood"),
        (r"a\Z", r"the end of the text is \\z"),
        ("(a", "a bracket is not closed"),
        ("[a", "a class is not closed"),
    ],
)
def test_what_is_too_large_or_not_understood_is_refused(pattern: str, reason: str) -> None:
    with pytest.raises(NotationError, match=f"not a pattern: .*{reason}"):
        compile_pattern(pattern)


def test_a_pattern_inside_another_has_no_named_groups() -> None:
    assert without_groups(r"(?P<a>x)\(?P(?:y)(?P<b_c>z)") == r"(?:x)\(?P(?:y)(?:z)"
