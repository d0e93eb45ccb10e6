"""Regular expressions that people write, run by an engine whose time is linear in the text.

In: an expression. Out: it compiled, or a NotationError. No expression can hang: there is nothing to back up into, so
look-around, back-references and conditions are not understood, and memory is bounded.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import re2

from refgen.errors import NotationError

MAX_LENGTH = 2_000
MAX_DEPTH = 50
MAX_MEMORY = 4 * 1024 * 1024
"""Bytes an expression may take when compiled; a repeat of a repeat takes more."""

_REASONS = {
    "invalid perl operator": "look-around and conditions are not understood",
    "repetition": "it repeats too often",
    "too large": "it is too large",
    "invalid escape sequence": "an escape is not understood; the end of the text is \\z, and back-references cannot be",
    "missing )": "a bracket is not closed",
    "unexpected )": "a bracket is closed that was not opened",
    "missing ]": "a class is not closed",
}


def _options() -> re2.Options:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = MAX_MEMORY
    return options


_OPTIONS = _options()


@lru_cache(maxsize=4_096)
def compiled(pattern: str) -> Any:
    """A regular expression in RE2's notation, compiled. Raises NotationError for one that is wrong or too large."""
    if len(pattern) > MAX_LENGTH or _depth(pattern) > MAX_DEPTH:
        raise NotationError(
            f"not a pattern: it is longer than {MAX_LENGTH} characters, or nested deeper than {MAX_DEPTH}"
        )
    return compiled_sentence(pattern)


@lru_cache(maxsize=512)
def compiled_sentence(pattern: str) -> Any:
    """Likewise, for what is made of a sentence: its length follows from the names of a ladder.

    A game that is read again, after an edit, has mostly the same ones; each takes some 40 KB.
    """
    try:
        return re2.compile(pattern, _OPTIONS)
    except re2.error as error:
        raise NotationError(f"not a pattern: {_reason(error)}") from error


def without_groups(pattern: str) -> str:
    """The pattern with its named groups as plain ones, to be used inside another."""
    return "".join(_unnamed(pattern))


def _unnamed(pattern: str) -> Iterator[str]:
    at = 0
    while at < len(pattern):
        if pattern.startswith("(?P<", at) and (end := pattern.find(">", at)) > 0:
            yield "(?:"
            at = end + 1
        else:
            width = 2 if pattern[at] == "\\" else 1
            yield pattern[at : at + width]
            at += width


def _depth(pattern: str) -> int:
    deepest = depth = 0
    escaped = False
    for character in pattern:
        if not escaped:
            depth += (character in "([") - (character in ")]")
            deepest = max(deepest, depth)
        escaped = character == "\\" and not escaped
    return deepest


def _reason(error: re2.error) -> str:
    said = error.args[0] if error.args else ""
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    return next((reason for part, reason in _REASONS.items() if part in text), text)
