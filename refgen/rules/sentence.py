"""Sentences with names where the values stand: "Roll {dice} and add {bonus}".

In: the text of a sentence, what may stand for each name, a passage. Out: the values it finds, each as a passage.

    {name}      a value, as wide as its notation allows       {{   a brace
    …           any words, as few as will do                  [[   a square bracket
    [words]     words that may be missing

Kinds of blanks, quotes and dashes, and the case of the first letter, make no difference. Time is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from refgen.errors import NotationError, RulesError
from refgen.notation.formula_tree import NAME
from refgen.notation.printed_numbers import USUAL, NotationStyle
from refgen.rules.pattern import (
    ANYTHING,
    BLANKS,
    NO_LETTER,
    ValuePattern,
    bounded,
    compiled_sentence,
    folded,
    is_inside_word,
    is_letter,
)
from refgen.source import Passage

MAX_LENGTH = 2_000
MAX_NAMES = 100

_TOKEN = re.compile(
    rf"(?P<escape>\{{\{{|\[\[)|\{{(?P<name>{NAME})\}}|(?P<fault>\{{)|(?P<open>\[)|(?P<close>\])"
    r"|(?P<left>[ \xa0]*)…(?P<right>[ \xa0]*)|(?P<blanks>[ \xa0]+)|(?P<words>[^\[\]{… \xa0]+)"
)
_WORD = re.compile(r"[^\W_]+")
_SIGNS = tuple("-−–+±/%")


@dataclass(frozen=True, slots=True)
class FixedWords:
    """Words that stand there as they are, folded; blanks are a part of their own."""

    text: str


@dataclass(frozen=True, slots=True)
class ValueName:
    """The name of a value."""

    id: str


@dataclass(frozen=True, slots=True)
class Gap:
    """A gap that any words may fill, and whether blanks part the gap from the words before and after."""

    before: bool
    after: bool


@dataclass(frozen=True, slots=True)
class OptionalPart:
    """An optional part of a sentence."""

    parts: tuple[Part, ...]


Part = FixedWords | ValueName | Gap | OptionalPart


@lru_cache(maxsize=4_096)
def parse_sentence(text: str) -> tuple[Part, ...]:
    """The parts of a sentence. Raises NotationError where it is none."""
    if not text.strip() or len(text) > MAX_LENGTH:
        raise NotationError("a sentence is blank" if not text.strip() else f"longer than {MAX_LENGTH} characters")
    stack: list[list[Part]] = [[]]
    for token in _TOKEN.finditer(folded(text)):
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
    if len(list(names_of(parts))) > MAX_NAMES:
        raise NotationError(f"a sentence names {MAX_NAMES} values at most")
    return parts


def _part(token: re.Match[str]) -> Part:
    if token["name"]:
        return ValueName(token["name"])
    if token["left"] is not None:
        return Gap(bool(token["left"]), bool(token["right"]))
    if token["blanks"]:
        return FixedWords(" ")
    return FixedWords(token["escape"][0] if token["escape"] else token[0])


def names_of(parts: Sequence[Part]) -> Iterator[str]:
    """The names in a sentence, in order."""
    for part in parts:
        if isinstance(part, ValueName):
            yield part.id
        elif isinstance(part, OptionalPart):
            yield from names_of(part.parts)


def certain_names(parts: Sequence[Part]) -> Iterator[str]:
    """The names in a sentence that stand in no part which may be missing."""
    return (part.id for part in parts if isinstance(part, ValueName))


@dataclass(frozen=True, slots=True)
class NamedPassage:
    """The passage that a name of a sentence stands for."""

    name: str
    passage: Passage


class Sentence:
    """A sentence that can be looked for: ``forms`` says what may stand for each name."""

    def __init__(
        self, text: str, forms: Callable[[str], ValuePattern], blanks: str = BLANKS, style: NotationStyle = USUAL
    ) -> None:
        """``blanks`` is the pattern of what parts two words, ``style`` that of the texts which it is looked for in.

        Raises NotationError for a text that is no sentence.
        """
        self.parts = parse_sentence(style.usual(text))
        self.names = tuple(names_of(self.parts))
        self._forms = {name: forms(name) for name in self.names}
        self._blanks = blanks
        self._beside_skip = _beside_skip(self.parts)
        self._words = _longest_words(self.parts)

    @cached_property
    def pattern(self) -> str:
        """Its pattern, with a group for each name."""
        return self._made("({})")

    @cached_property
    def unnamed(self) -> str:
        """Its pattern without groups, to stand inside another."""
        return self._made("(?:{})")

    @property
    def bounded(self) -> str:
        """Its pattern without groups, not inside a longer word of ASCII."""
        return bounded(self.unnamed, *_ends(self.parts))

    @property
    def open(self) -> bool:
        """Whether nothing in the sentence says where its last part ends."""
        return _is_open(self.parts, self._forms)

    def _made(self, group: str) -> str:
        patterns = {name: form.pattern for name, form in self._forms.items()}
        return _pattern(self.parts, patterns, self._blanks, group, first=True)

    def search(self, passage: Passage, text: str) -> Iterator[list[NamedPassage]]:
        """Each place where the sentence stands in a passage, whose folded text is ``text``."""
        return (self.values(passage, match) for match in self.matches(text))

    def matches(self, text: str) -> Iterator[Any]:
        """Its matches in a folded text."""
        at = 0
        while all(text.find(word, at) >= 0 for word in self._words):  # most texts have not all of its words
            match = compiled_sentence(f"(?s){bounded(self.pattern, *_ends(self.parts))}").search(text, at)
            if match is not None and self._is_cut(text, *match.span()):
                match = self._whole(text, at)
            if match is None:
                return
            yield match
            at = max(at + 1, match.end())

    def _is_cut(self, text: str, start: int, end: int) -> bool:
        """Whether the sentence's own words stand inside longer ones there."""
        first, last = _ends(self.parts)
        return bool(first and is_inside_word(text, start)) or bool(last and is_inside_word(text, end))

    def _whole(self, text: str, at: int) -> Any:
        """The next match that is not inside longer words of any script."""
        first, last = (bool(end) and is_letter(end) for end in _ends(self.parts))
        before, behind = rf"(?:\A|{NO_LETTER})" if first else "", rf"(?:\z|{NO_LETTER})" if last else ""
        start = max(0, at - 1) if first else at
        found = compiled_sentence(f"(?s){before}({self.unnamed}){behind}").search(text, start)
        return found and compiled_sentence(f"(?s){self.pattern}").fullmatch(text, *found.span(1))

    def values(self, passage: Passage, match: Any, first_group: int = 1) -> list[NamedPassage]:
        """The values in a match on the folded text of a passage; a name that is not there is left out.

        ``first_group`` is the number of its first name's. Raises RulesError for a value that touches another figure or
        word, for then it is not the whole value.
        """
        found = []
        for number, (name, skips) in enumerate(zip(self.names, self._beside_skip, strict=True), start=first_group):
            if match.start(number) >= 0:
                if not self._forms[name].open:
                    self._refuse_touch(passage, match, name, number, skips)
                found.append(NamedPassage(name, passage.group(match, number)))
        return found

    def _refuse_touch(self, passage: Passage, match: Any, name: str, number: int, skips: tuple[bool, bool]) -> None:
        start, end = match.span(number)
        skip_before, skip_after = skips
        told_before = start > match.start() and not skip_before
        told_after = end < match.end() and not skip_after
        if touched := touching(passage.text, start, end, told_before=told_before, told_after=told_after):
            raise RulesError(
                f'"{passage.text[start:end]}" is not the whole of {{{name}}}: it touches "{touched}"',
                span=_word_around(passage, start, end).span,
                hint="Say in the sentence what stands beside it, or give it the notation of the whole.",
            )


def _word_around(passage: Passage, start: int, end: int) -> Passage:
    """A value with all that stands beside it up to the nearest blanks."""
    before, behind = passage.text[:start].split(), passage.text[end:].split()
    if before and passage.text[start - 1 : start].strip():
        start -= len(before[-1])
    return passage[start : end + (len(behind[0]) if behind and passage.text[end : end + 1].strip() else 0)]


def touching(text: str, start: int, end: int, *, told_before: bool, told_after: bool) -> str:
    """What a value from ``start`` to ``end`` touches that would belong to it, or "".

    ``told_before`` and ``told_after``: the sentence has words there, so that a letter or sign is no part of the value.
    """
    behind, ahead = text[max(0, start - 2) : start], text[end : end + 2]
    joined = behind[-1:].isalnum() or (behind[-1:] in _SIGNS and behind[:-1].isalnum())
    is_sum = text[start] in _SIGNS and joined and not told_before
    if is_sum or _goes_on(text[start], behind[::-1], told_before):
        return behind[-1]
    return ahead[0] if _goes_on(text[end - 1], ahead, told_after) else ""


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


def _pattern(parts: Sequence[Part], forms: Mapping[str, str], blanks: str, group: str, *, first: bool) -> str:
    """The pattern of some parts, each value in a ``group``; the very first letter may be in either case."""
    pieces = []
    for part in parts:
        match part:
            case FixedWords(text=text):
                pieces.append(_words(text, blanks, first))
            case ValueName(id=name):
                pieces.append(group.format(forms[name]))
            case Gap(before=True, after=True):
                pieces.append(f"{blanks}(?:.*?{blanks})??")
            case Gap(before=before, after=after):
                pieces.append(f"{blanks if before else ''}.*?{blanks if after else ''}")
            case OptionalPart(parts=inner):
                pieces.append(f"(?:{_pattern(inner, forms, blanks, group, first=first)})?")
        first = first and isinstance(part, OptionalPart)
    return "".join(pieces)


def _words(text: str, blanks: str, first: bool) -> str:
    if text == " ":
        return blanks
    return f"(?i:{text[0]}){re.escape(text[1:])}" if first and text[0].isalpha() else re.escape(text)


def _ends(parts: Sequence[Part]) -> tuple[str, str]:
    """The first and the last character of a sentence, "" where no words of its own stand there."""
    first, last = parts[0], parts[-1]
    return first.text[:1] if isinstance(first, FixedWords) else "", last.text[-1:] if isinstance(
        last, FixedWords
    ) else ""


def _is_open(parts: Sequence[Part], forms: Mapping[str, ValuePattern]) -> bool:
    """Whether nothing in the sentence says where its last part ends."""
    match parts[-1]:
        case Gap():
            return True
        case ValueName(id=name):
            return forms[name].open
        case OptionalPart(parts=inner):
            return _is_open(inner, forms) or (len(parts) > 1 and _is_open(parts[:-1], forms))
    return False


def _longest_words(parts: Sequence[Part]) -> Sequence[str]:
    """Some words that a passage must have to hold the sentence; of the first word, all but its first letter."""
    first = next((at for at, part in enumerate(parts) if not isinstance(part, OptionalPart)), 0)
    words = [
        word[at == first and number == 0 :]
        for at, part in enumerate(parts)
        if isinstance(part, FixedWords)
        for number, word in enumerate(_WORD.findall(part.text))
    ]
    return sorted(words, key=len)[-4:]


def _beside_skip(parts: Sequence[Part]) -> list[tuple[bool, bool]]:
    """Of each name, whether what stands before and behind it is any words."""
    flat = list(_flat(parts))
    return [
        (at > 0 and isinstance(flat[at - 1], Gap), at + 1 < len(flat) and isinstance(flat[at + 1], Gap))
        for at, part in enumerate(flat)
        if isinstance(part, ValueName)
    ]


def _flat(parts: Sequence[Part]) -> Iterator[Part]:
    for part in parts:
        if isinstance(part, OptionalPart):
            yield from _flat(part.parts)
        else:
            yield part


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
