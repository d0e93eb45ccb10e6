"""The places of the words that pandoc has read.

In: the source, and the words of one block after the other, in the order of the document. Out: passages of these words,
each word at its next place in the source.

Markup of the source's format (attributes, options, captions) is not searched. A word that is not found, because the
source writes it in another way, gets an empty place where the search stands; nothing is guessed.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby, islice

from refgen.readers.document import LEFT_OUT, Format, Note
from refgen.readers.word_run import with_fractions
from refgen.readers.word_settings import plain_character
from refgen.source import Passage

BLANK = " "


class LeftOutWord(str):
    """A word that is searched for its place, and not read: struck or hidden words of the text."""

    __slots__ = ("reason",)
    reason: str

    def __new__(cls, word: str, reason: str) -> LeftOutWord:
        """A word with the reason why nobody reads the word."""
        made = super().__new__(cls, word)
        made.reason = reason
        return made


_GAP_IN_WORD = 100
"""The most characters of markup between two parts of a word."""

_GAP = 1000
"""The most characters between two words of one block: words of other columns, and markup."""

CELL_REACH = 4000
"""The most characters between two successive cells."""

_CANDIDATES = 10
"""How many places of a block's first word are tried before some of its words count as not found."""

_SPELLINGS = {
    "–": r"--|'",
    "—": r"---|--",
    "‘": r"'|`",
    "’": r"'",
    "“": r"``|\"",
    "”": r"''|\"",
    "…": r"\.\.\.|\\l?dots",
    "\u00a0": r"~|\\[ ]|[ ]",  # blanks of a preformatted line are pandoc's no-break spaces
}

_ENTITY = r"&\#?\w{1,31};"

_PARTS_OF_WORDS = re.compile(r"[-–—]{2,}|.", re.DOTALL)
"""Several dashes, or a character."""

_SHORT_WORDS = re.compile(rf"(?:{_PARTS_OF_WORDS.pattern}){{1,200}}", re.DOTALL)
"""What is searched at once of a word: without blanks, as in Chinese, a paragraph is one word."""

GROUP = r"\{(?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*\}"
"""What stands between two braces of LaTeX, with braces inside."""

_MARKUP = {
    Format.MEDIAWIKI: r"""
        <!--.*?--> | ^\{\|[^\n]* | ^\|\+[^\n]* | (?<=\n\|-)[^\n]* | \[\[[^\[\]|\n]*\| | (?<=\[)https?://[^\s\]]+(?=[ ])
        | (?<=[|!])(?:[ \t]*[\w-]+[ \t]*=[ \t]*(?:"[^"\n]*"|[^\s|"]+))+[ \t]*\|(?!\|)
    """,
    Format.ORG: r"""
        ^[ \t]*\#\+(?i:title|subtitle|author|date): | ^[ \t]*\#(?![^\s+])[^\n]* | ^[ \t]*:[\w-]+:[^\n]* | \[fn:[^\s:\]]*
        | \[\[[^\[\]\n]*\](?=\[)
    """,
    Format.RST: r"""
        ^[ \t]*\.\.[ ](?:csv-table|list-table|table|figure|image|include|_|raw::|role::|container::|contents::)[^\n]*
        | ^[ \t]*\.\.[ ]\[\#[\w-]*\] | ^[ \t]+:(?!header:|alt:)[\w-]+:[^\n]* | ^[ \t]+:(?:header|alt):
        | [ ]<[^<>\s]+>(?=`_)
        | ^(?P<indent>[ \t]*)\.\.(?:[ \t]+(?![\[_|]|[\w.+:-]+::)\S[^\n]*|[ \t\r]*(?=\n(?P=indent)[ \t]+[^ \t\r\n]))
          (?:(?:\n[ \t\r]*)*\n(?P=indent)[ \t]+[^ \t\r\n][^\n]*)*
    """,
    Format.LATEX: rf"""
        (?<!\\)%[^\n]* | \\begin\{{[^{{}}]*\}}(?:\[[^\[\]]*\])?(?:{GROUP})* | \\caption(?:\[[^\[\]]*\])?{GROUP} |"""
    r"""
        \\end\{[^{}]*\} | \\multicolumn\{[^{}]*\}\{[^{}]*\} | \\multirow\{[^{}]*\}\{[^{}]*\}
        | \\(?:label|ref|cite|usepackage|documentclass|cline|vspace|hspace|rowcolor|cellcolor|textcolor|color
          |href|hyperlink|hypertarget|parbox|raisebox)\*?(?:\[[^\[\]]*\])*\{[^{}]*\} | \\hyperref\[[^\[\]]*\]
        | \\cmidrule(?:\([^()]*\))?\{[^{}]*\} | \\\\\[[^\[\]]*\]
    """,
}
_HEADINGS = {
    Format.MEDIAWIKI: re.compile(r"^=", re.MULTILINE),
    Format.ORG: re.compile(r"^\*+[ ]", re.MULTILINE),
    Format.LATEX: re.compile(r"\\(?:part|chapter|(?:sub){0,2}section)\*?\{"),
}
"""Where headings begin: no block goes on behind a heading."""

_MARKUP_FLAGS = re.VERBOSE | re.MULTILINE | re.DOTALL


@dataclass(frozen=True, slots=True)
class _SearchedWord:
    """The pattern of a word, and within how many characters behind the word before the word must end."""

    pattern: re.Pattern[str]
    gap: int


@dataclass
class Locator:
    """Searches forward through the source, from the last place found.

    ``by_columns`` is for formats whose cells may stand beside each other on several lines: the search for the
    next cell begins behind the first line of the one before.
    """

    text: Passage
    format: Format
    by_columns: bool = False
    position: int = 0
    found: list[tuple[int, int]] = field(default_factory=list)
    not_found: list[str] = field(default_factory=list)
    left_out: list[Note] = field(default_factory=list)

    def __post_init__(self) -> None:
        pattern = _MARKUP.get(self.format)
        markup = re.compile(pattern, _MARKUP_FLAGS).finditer(self.text.text) if pattern else ()
        self._markup = [match.span() for match in markup]
        self.searched = _blanked(self.text.text, self._markup)
        headings = _HEADINGS.get(self.format)
        self._headings = [match.start() for match in headings.finditer(self.searched)] if headings else []
        self._absent: dict[re.Pattern[str], int] = {}
        """Words, and from where on the text does not have them."""

    def place(self, pieces: Sequence[str], *, cell: bool = False, stay: bool = False) -> Passage:
        """The passage of ``pieces`` (words, and BLANK between them). ``stay`` leaves the search where it is."""
        pieces = [part for piece in pieces for part in _short_pieces(piece)]
        words = _word_patterns(pieces)
        places = self._best_places(words, self._reach() if cell else len(self.searched))
        if not stay:
            self._advance([place for place in places if place], cell)
        self.found += [place for place in places if place]
        words_of_places = (piece for piece in pieces if piece != BLANK)
        self.not_found += [word for word, place in zip(words_of_places, places, strict=True) if place is None]
        return self._passage(pieces, places)

    def _reach(self) -> int:
        """Where the search for the next cell ends: CELL_REACH characters ahead, and over all markup on the way."""
        end = self.position + CELL_REACH
        for first, last in islice(self._markup, bisect_left(self._markup, (self.position,)), None):
            if first >= end:
                break
            end += last - first
        return end

    def _best_places(self, words: Sequence[_SearchedWord], limit: int) -> list[tuple[int, int] | None]:
        """The nearest places for most of the words: a place of the first word, then the words after that place."""
        if not words:
            return []
        best: list[tuple[int, int] | None] = [None]
        for candidate in self._first_word_places(words[0].pattern, limit):
            behind = bisect_left(self._headings, candidate)
            end = self._headings[behind] if behind < len(self._headings) else len(self.searched)
            places = self._following_places(words, candidate, end)
            if None not in places:
                return places
            best = max(best, places, key=lambda some: sum(1 for place in some if place))
        return best if best != [None] else [None, *self._following_places(words[1:], self.position, limit)]

    def _first_word_places(self, word: re.Pattern[str], limit: int) -> Iterator[int]:
        position = self.position
        if position >= self._absent.get(word, limit):
            return
        for _ in range(_CANDIDATES):
            match = word.search(self.searched, position, limit)
            if match is None:
                if limit >= len(self.searched):
                    self._absent[word] = position
                return
            yield match.start()
            position = match.start() + 1

    def _following_places(
        self, words: Sequence[_SearchedWord], position: int, end: int
    ) -> list[tuple[int, int] | None]:
        places: list[tuple[int, int] | None] = []
        for word in words:
            match = word.pattern.search(self.searched, position, min(position + word.gap, end))
            places.append(match.span() if match else None)
            position = match.end() if match else position
        return places

    def _advance(self, places: Sequence[tuple[int, int]], cell: bool) -> None:
        if not places:
            return
        line_end = self.searched.find("\n", places[0][0])
        beside = [end for _, end in places if end <= line_end or line_end < 0]
        self.position = beside[-1] if cell and self.by_columns and beside else places[-1][1]

    def _passage(self, pieces: Sequence[str], places: Sequence[tuple[int, int] | None]) -> Passage:
        start = next((place[0] for place in places if place), self.position)
        made = [self.text[start:start]]
        following = iter(places)
        apart: list[tuple[LeftOutWord, Passage]] = []
        for piece in pieces:
            place = None if piece == BLANK else next(following)
            written = self.text[place[0] : place[1]] if place else made[-1][len(made[-1]) :]
            if isinstance(piece, LeftOutWord):
                apart.append((piece, written))
                continue
            made.append(written if written.text == piece else written.replaced(piece))
        self._leave_out(apart)
        return with_fractions(Passage.joined(made).collapsed())

    def _leave_out(self, words: Sequence[tuple[LeftOutWord, Passage]]) -> None:
        """Note words that are not read; neighbours with the same reason together."""
        for reason, run in groupby(words, key=lambda word: word[0].reason):
            self.left_out.append(Note(reason, Passage.joined([place for _, place in run]).span, LEFT_OUT))


def _short_pieces(piece: str) -> Sequence[str]:
    parts: list[str] = _SHORT_WORDS.findall(piece)
    return [LeftOutWord(part, piece.reason) for part in parts] if isinstance(piece, LeftOutWord) else parts


def _blanked(text: str, stretches: Iterable[tuple[int, int]]) -> str:
    """The text with blanks, as many as characters, in place of some stretches; their line breaks stay."""
    pieces, position = [], 0
    for start, end in stretches:
        pieces += [text[position:start], re.sub(r"[^\n]", " ", text[start:end])]
        position = end
    return "".join([*pieces, text[position:]])


def _word_patterns(pieces: Sequence[str]) -> list[_SearchedWord]:
    """A pattern for each word; beside a blank, the word is not preceded or followed by a letter or digit."""
    padded = [BLANK, *pieces, BLANK]
    return [
        _SearchedWord(
            _pattern(word, before == BLANK, after == BLANK),
            _GAP if before == BLANK else min(_GAP, _GAP_IN_WORD + 6 * len(word)),
        )
        for before, word, after in zip(padded, padded[1:], padded[2:], strict=False)
        if word != BLANK
    ]


@lru_cache(maxsize=4096)
def _pattern(word: str, starts: bool, ends: bool) -> re.Pattern[str]:
    before = r"(?<![^\W_])" if starts and word[0].isalnum() else ""
    after = r"(?![^\W_])" if ends and word[-1].isalnum() else ""
    return re.compile(before + "".join(map(_spelling_pattern, _PARTS_OF_WORDS.findall(word))) + after)


def _spelling_pattern(character: str) -> str:
    """A pattern for the ways to write a character: plain, escaped, as an entity, or as on a typewriter.

    Several dashes are written as any number of hyphens: to try all ways to part the hyphens would take for ever.
    """
    if character.isascii() and character.isalnum():
        return character
    if len(character) > 1:
        return rf"(?>(?:\\?[-–—]|{_ENTITY})+)"
    ways = [rf"\\?{re.escape(character)}", _ENTITY]
    if character in _SPELLINGS:
        ways.append(_SPELLINGS[character])
    elif not character.isascii():
        plain = plain_character(character)
        if plain != character and len(plain) == 1:
            ways.append(rf"[\^_]?\{{?{re.escape(plain)}")
        else:
            ways.append(r"\\\W\{?\w\}?" if character.isalpha() else r"\\[a-zA-Z]+")
    return f"(?:{'|'.join(filter(None, ways))})"
