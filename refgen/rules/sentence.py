"""Sentences with names where the values stand: "Roll {dice} and add {bonus}".

In: the text of a sentence, a pattern for the values of each name, a passage. Out: the passages of the values.

    {name}      a value, as wide as its notation allows       {{   a brace
    …           any words, as few as will do                  [[   a square bracket
    [words]     words that may be missing

Kinds of blanks, quotes and dashes, and the case of the first letter, make no difference. Time is linear in the text.

A reading is a sentence too: with read = { "{n} in all" = "{n}" }, a printed "12 in all" is read as "12".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from refgen.errors import NotationError, RulesError
from refgen.limits import limit_hint, limits
from refgen.notation.formula_tree import NAME
from refgen.notation.printed_numbers import USUAL, NotationStyle
from refgen.rules.pattern import (
    BLANKS,
    NO_LETTER,
    ValuePattern,
    ValuePatterns,
    any_words,
    bound_pattern,
    compiled_sentence,
    fold_text,
    is_inside_word,
    is_letter,
)
from refgen.source import Passage

_TOKEN = re.compile(
    rf"(?P<escape>\{{\{{|\[\[)|\{{(?P<name>{NAME})\}}|(?P<fault>\{{)|(?P<open>\[)|(?P<close>\])"
    r"|(?P<left>[ \xa0]*)…(?P<right>[ \xa0]*)|(?P<blanks>[ \xa0]+)|(?P<words>[^\[\]{… \xa0]+)"
)
_WORD = re.compile(r"[^\W_]+")
_KEPT_NAME = re.compile(rf"\{{({NAME})\}}")
_SIGNS = tuple("-−–+±/%")


@dataclass(frozen=True, slots=True)
class FixedWords:
    """Words of the sentence itself, with blanks, quotes and dashes folded; each run of blanks is a part of its own."""

    text: str


@dataclass(frozen=True, slots=True)
class ValueName:
    """The name of a value."""

    id: str


@dataclass(frozen=True, slots=True)
class Gap:
    """A gap that any words may fill, and whether blanks part the gap from the words before and behind."""

    before: bool
    behind: bool


@dataclass(frozen=True, slots=True)
class OptionalPart:
    """Parts of a sentence that may be missing."""

    parts: tuple[Part, ...]


Part = FixedWords | ValueName | Gap | OptionalPart


def _check_length(text: str) -> None:
    if not text.strip():
        raise NotationError("a sentence is blank")
    if len(text) > (most := limits().pattern_letters):
        raise NotationError(f"longer than {most} characters", hint=limit_hint("pattern_letters"))


@lru_cache(maxsize=4_096)
def parse_sentence(text: str) -> tuple[Part, ...]:
    """The parts of a sentence. Raises NotationError for a text that is no sentence."""
    _check_length(text)
    stack: list[list[Part]] = [[]]
    for token in _TOKEN.finditer(fold_text(text)):
        if token["fault"]:
            raise NotationError(f'"{text[token.start() : token.start() + 20]}" is no name in braces; a brace is {{{{')
        if token["open"]:
            stack.append([])
        elif token["close"] and len(stack) > 1:
            stack[-2].append(OptionalPart(tuple(stack.pop())))
        else:
            stack[-1].append(_part(token))
    if len(stack) > 1:
        raise NotationError("a square bracket is not closed; one that stands in the document is [[")
    parts = tuple(stack[0])
    if len(_names(parts)) > (most := limits().sentence_names):
        raise NotationError(f"a sentence names {most} values at most", hint=limit_hint("sentence_names"))
    return parts


def _part(token: re.Match[str]) -> Part:
    if token["name"]:
        return ValueName(token["name"])
    if token["left"] is not None:
        return Gap(bool(token["left"]), bool(token["right"]))
    if token["blanks"]:
        return FixedWords(" ")
    return FixedWords(token["escape"][0] if token["escape"] else token[0])


def names_of(text: str) -> tuple[str, ...]:
    """The names in a sentence, in order. Raises NotationError for a text that is no sentence."""
    return _names(parse_sentence(text))


def certain_names(text: str) -> tuple[str, ...]:
    """The names in a sentence outside its optional parts."""
    return tuple(part.id for part in parse_sentence(text) if isinstance(part, ValueName))


def _names(parts: Sequence[Part]) -> tuple[str, ...]:
    return tuple(part.id for part in _flatten(parts) if isinstance(part, ValueName))


def _flatten(parts: Sequence[Part]) -> Iterator[Part]:
    for part in parts:
        if isinstance(part, OptionalPart):
            yield from _flatten(part.parts)
        else:
            yield part


class Sentence:
    """A sentence to look for in texts; ``value_patterns`` gives the pattern of the values of each name."""

    def __init__(
        self, text: str, value_patterns: ValuePatterns = any_words, blanks: str = BLANKS, style: NotationStyle = USUAL
    ) -> None:
        """``blanks`` parts words, ``style`` is that of the document. Raises NotationError where parse_sentence does."""
        self.parts = parse_sentence(style.usual(text))
        self.names = _names(self.parts)
        self._values = {name: value_patterns(name) for name in self.names}
        self._blanks = blanks
        self._first = self.parts[0].text[:1] if isinstance(self.parts[0], FixedWords) else ""
        self._last = self.parts[-1].text[-1:] if isinstance(self.parts[-1], FixedWords) else ""
        self._beside_gap = _beside_gap(self.parts)
        self._words = _longest_words(self.parts)

    @cached_property
    def pattern(self) -> str:
        """The regular expression of the sentence, with a group for each name."""
        return self._expression("({})")

    @cached_property
    def unnamed(self) -> str:
        """The regular expression without groups, to stand inside another expression."""
        return self._expression("(?:{})")

    def _expression(self, group: str) -> str:
        values = {name: group.format(value.pattern) for name, value in self._values.items()}
        return _expression(self.parts, values, self._blanks, first=True)

    @property
    def bounded(self) -> str:
        """The regular expression without groups, not inside a longer word of ASCII."""
        return bound_pattern(self.unnamed, self._first, self._last)

    @property
    def open(self) -> bool:
        """Whether nothing in the sentence says where its last part ends."""
        return _is_open(self.parts, self._values)

    def search(self, passage: Passage, text: str) -> Iterator[list[tuple[str, Passage]]]:
        """The values, by name, at each place of a passage where the sentence stands; ``text`` is its folded text."""
        return (self.values(passage, match) for match in self.matches(text))

    def matches(self, text: str) -> Iterator[Any]:
        """The matches of the sentence in a folded text."""
        at = 0
        while all(text.find(word, at) >= 0 for word in self._words):  # quick: few texts have all words of a sentence
            match = compiled_sentence(f"(?s){bound_pattern(self.pattern, self._first, self._last)}").search(text, at)
            if match is not None and self._is_inside_words(text, *match.span()):
                match = self._next_whole(text, at)
            if match is None:
                return
            yield match
            at = max(at + 1, match.end())

    def _is_inside_words(self, text: str, start: int, end: int) -> bool:
        """Whether a match cuts a longer word in two where the sentence begins or ends with words."""
        return bool(self._first and is_inside_word(text, start)) or bool(self._last and is_inside_word(text, end))

    def _next_whole(self, text: str, at: int) -> Any:
        """The next match that cuts no word of any script in two."""
        first, last = (bool(end) and is_letter(end) for end in (self._first, self._last))
        before, behind = rf"(?:\A|{NO_LETTER})" if first else "", rf"(?:\z|{NO_LETTER})" if last else ""
        start = max(0, at - 1) if first else at
        found = compiled_sentence(f"(?s){before}({self.unnamed}){behind}").search(text, start)
        return found and compiled_sentence(f"(?s){self.pattern}").fullmatch(text, *found.span(1))

    def values(self, passage: Passage, match: Any, first_group: int = 1) -> list[tuple[str, Passage]]:
        """The values of a match on the folded text of a passage; names of missing optional parts are left out.

        ``first_group`` is the number of the group of the first name. Raises RulesError for a value that touches another
        figure or word, for then it is not the whole value.
        """
        found = []
        for number, (name, gaps) in enumerate(zip(self.names, self._beside_gap, strict=True), start=first_group):
            if match.start(number) >= 0:
                if not self._values[name].open:
                    self._refuse_touch(passage, match, name, number, gaps)
                found.append((name, passage.group(match, number)))
        return found

    def _refuse_touch(self, passage: Passage, match: Any, name: str, number: int, gaps: tuple[bool, bool]) -> None:
        start, end = match.span(number)
        words_before = start > match.start() and not gaps[0]
        words_behind = end < match.end() and not gaps[1]
        text = passage.text
        if touched := _touching_character(text, start, end, words_before=words_before, words_behind=words_behind):
            before, behind = re.split(r"\s", text[:start])[-1], re.split(r"\s", text[end:], maxsplit=1)[0]
            raise RulesError(
                f'"{text[start:end]}" is not the whole of {{{name}}}: it touches "{touched}"',
                span=passage[start - len(before) : end + len(behind)].span,
                hint="Say in the sentence what stands beside it, or give it the notation of the whole.",
            )


def _touching_character(text: str, start: int, end: int, *, words_before: bool, words_behind: bool) -> str:
    """The character beside a value, from ``start`` to ``end``, that belongs to the value as well; "" for none.

    ``words_before`` and ``words_behind``: the sentence has words there, so that a letter or sign is not the value's.
    """
    before, behind = text[max(0, start - 2) : start], text[end : end + 2]
    joined = before[-1:].isalnum() or (before[-1:] in _SIGNS and before[:-1].isalnum())
    is_sum = text[start] in _SIGNS and joined and not words_before
    if is_sum or _goes_on(text[start], before[::-1], words_before):
        return before[-1]
    return behind[0] if _goes_on(text[end - 1], behind, words_behind) else ""


def _goes_on(edge: str, beside: str, worded: bool) -> bool:
    """Whether a value that ends in ``edge`` goes on with the two characters beside it, the nearest first."""
    if not beside or not (edge.isalnum() or edge == "%"):
        return False
    near, far = beside[0], beside[1:]
    if edge.isdigit() and (near.isdigit() or (near == "." and far.isdigit())):
        return True
    if worded:
        return False
    return near.isalnum() or (near in _SIGNS and (edge.isdigit() or far.isalnum())) or (near == "," and far.isdigit())


def _expression(parts: Sequence[Part], values: Mapping[str, str], blanks: str, *, first: bool) -> str:
    """The regular expression of some parts; if ``first``, their first letter may be in either case."""
    pieces = []
    for part in parts:
        match part:
            case FixedWords(text=text):
                pieces.append(blanks if text == " " else _words(text, first=first))
            case ValueName(id=name):
                pieces.append(values[name])
            case Gap(before=True, behind=True):
                pieces.append(f"{blanks}(?:.*?{blanks})??")
            case Gap(before=before, behind=behind):
                pieces.append(f"{blanks if before else ''}.*?{blanks if behind else ''}")
            case OptionalPart(parts=inner):
                pieces.append(f"(?:{_expression(inner, values, blanks, first=first)})?")
        first = first and isinstance(part, OptionalPart)
    return "".join(pieces)


def _words(text: str, *, first: bool) -> str:
    return f"(?i:{text[0]}){re.escape(text[1:])}" if first and text[0].isalpha() else re.escape(text)


def _is_open(parts: Sequence[Part], values: Mapping[str, ValuePattern]) -> bool:
    match parts[-1]:
        case Gap():
            return True
        case ValueName(id=name):
            return values[name].open
        case OptionalPart(parts=inner):
            return _is_open(inner, values) or (len(parts) > 1 and _is_open(parts[:-1], values))
    return False


def _longest_words(parts: Sequence[Part]) -> Sequence[str]:
    """Some words that a text must have to hold the sentence; of the very first word, all but its first letter."""
    first = next((at for at, part in enumerate(parts) if not isinstance(part, OptionalPart)), 0)
    words = [
        word[at == first and number == 0 :]
        for at, part in enumerate(parts)
        if isinstance(part, FixedWords)
        for number, word in enumerate(_WORD.findall(part.text))
    ]
    return sorted(words, key=len)[-4:]


def _beside_gap(parts: Sequence[Part]) -> list[tuple[bool, bool]]:
    """For each name, whether a gap stands right before and right behind the value."""
    flat = [None, *_flatten(parts), None]
    return [
        (isinstance(before, Gap), isinstance(behind, Gap))
        for before, part, behind in zip(flat, flat[1:], flat[2:], strict=False)
        if isinstance(part, ValueName)
    ]


def check_readings(readings: Mapping[str, str]) -> None:
    """Raises NotationError for a print that is no sentence, and for a kept name that its print does not have."""
    for printed, read in readings.items():
        if "{" in printed and (unknown := set(_KEPT_NAME.findall(read)).difference(names_of(printed))):
            raise NotationError(f'"{read}" keeps {{{min(unknown)}}}, which "{printed}" does not name')


def read_in_place(readings: Mapping[str, str], text: str) -> str:
    """The text to read in place of a printed text: the text itself where no reading is given."""
    if text in readings:
        return readings[text]
    for printed, read in readings.items():
        if "{" in printed and (kept := _keep_names(printed, read, text)) is not None:
            return kept
    return text


def _keep_names(printed: str, read: str, text: str) -> str | None:
    """``read`` with the words that stand in the text for the names of ``printed``; None if the text is another."""
    sentence = Sentence(printed)
    match = compiled_sentence(f"(?s){sentence.pattern}").fullmatch(fold_text(text))
    if match is None:
        return None
    places = {name: match.span(number) for number, name in enumerate(sentence.names, start=1)}
    words = {name: text[start:end] if start >= 0 else "" for name, (start, end) in places.items()}
    return _KEPT_NAME.sub(lambda name: words[name[1]], read)
