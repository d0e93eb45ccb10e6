"""Texts read in place of an odd print: word for word, or by a sentence that keeps some of its parts.

In: the ``read`` of a column, a printed text. Out: the text to read: with { "{n} in all" = "{n}" }, "12 in all" is "12".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from refgen.errors import NotationError
from refgen.notation.formula_tree import NAME
from refgen.rules.pattern import ANYTHING, compiled_sentence, folded
from refgen.rules.sentence import Sentence, names_of, parse_sentence

_NAME = re.compile(rf"\{{({NAME})\}}")


def check_readings(readings: Mapping[str, str]) -> None:
    """Raises NotationError for a print that is no sentence, and for a part that is kept and that it does not name."""
    for printed, read in readings.items():
        if "{" in printed:
            named = set(names_of(parse_sentence(printed)))
            if unknown := [name for name in _NAME.findall(read) if name not in named]:
                raise NotationError(f'"{read}" keeps {{{unknown[0]}}}, which "{printed}" does not name')


def read_in_place(readings: Mapping[str, str], text: str) -> str:
    """The text to read in place of a printed text: the text itself where no reading is given."""
    if text in readings:
        return readings[text]
    for printed, read in readings.items():
        if "{" in printed and (parts := _parts(printed, text)) is not None:
            return _filled(read, parts)
    return text


def _parts(printed: str, text: str) -> Mapping[str, str] | None:
    """The words for each name of a sentence that matches a whole text; None for a text that does not match."""
    sentence = _sentence(printed)
    match = compiled_sentence(f"(?s){sentence.pattern}").fullmatch(folded(text))
    if match is None:
        return None
    spans = (match.span(number) for number in range(1, len(sentence.names) + 1))
    return {
        name: text[start:end] if start >= 0 else "" for name, (start, end) in zip(sentence.names, spans, strict=True)
    }


def _filled(read: str, parts: Mapping[str, str]) -> str:
    return _NAME.sub(lambda name: parts[name[1]], read)


@lru_cache(maxsize=256)
def _sentence(text: str) -> Sentence:
    return Sentence(text, lambda _: ANYTHING)
