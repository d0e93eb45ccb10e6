"""The words of Markdown without the marks of emphasis, code, links and attributes, each character with its place.

In: a passage of Markdown and the tokens that markdown-it-py makes of the passage; or a whole document. Out: the visible
words. A line break (also ``<br>``) is a blank. Tags that only format words are left out, unknown tags are kept. A Note
tells of each title of a link or picture, and of each attribute of such a tag with words for readers.

Attributes are names, classes and ids for programs, which kramdown and pandoc never show to readers. In: the parser of
markdown-it-py. Out: the parser with three more rules, which read attributes as tokens of the type ``attributes``: a
line of its own (``{: .no_toc }``, ``{:toc}``, pandoc's ``::: note``), attributes behind emphasis, code or a link
(``*1d6*{: .die}``), and words in square brackets before attributes (``[Fudge]{.title}``). No plugin of
markdown-it-py reads kramdown's lines, nor the attributes at the end of a heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from refgen.readers.document import INLINE_TAGS, LEFT_OUT, Inline, InlineMark, Note
from refgen.readers.markdown_dialects import plain_markdown
from refgen.source import Lines, Passage

ATTRIBUTES = "attributes"
"""The type of tokens that hold attributes, as written in their content."""

_ATTRIBUTE = r"""(?:[#.][\w:.-]+|[\w-]+=(?:"[^"\n]*"|'[^'\n]*'|[^\s"'{}]+))"""
_BRACED = rf"\{{:? *(?:{_ATTRIBUTE}|-)(?: +{_ATTRIBUTE})* *\}}"
_INLINE = re.compile(_BRACED)
_AT_END = re.compile(rf"\s+(?P<attributes>{_BRACED})\s*\Z")
_ID = re.compile(r"#(?P<id>[\w:.-]+)")
_LINE = r" {0,3}(?:\{:[^{}\n]*\}|:{3,} *(?:\{[^{}\n]*\}|[\w-]+)? *:*)[ \t]*\r?"
_WHOLE_LINE = re.compile(_LINE)
_LINES_OF_HTML = re.compile(r"^[ \t]*\{:[^{}\n]*\}[ \t]*\r?$", re.MULTILINE)
_CLOSERS = ")]*_`"

_ATTRIBUTES_IN_TEXT = rf"^{_LINE}$|(?<=[{re.escape(_CLOSERS)}]){_BRACED}|(?<=[ \t]){_BRACED}[ \t]*\r?$"
"""Attributes in the text of a document that is not parsed."""

FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n.*?^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_MARKS = (
    r"<!--.*?-->|</?(?P<tag>[a-z][a-z0-9]*)\b[^<>]*>|&(?P<character>#?\w{1,32});|\[\^[^\]\s]+\]|(?<!\d)[*`]+|[*`]+(?!\d)"
    r"|(?<!\w)_+(?=\w)|(?<=\w)_+(?!\w)|\]\((?:[^()]|\([^()]*\))*\)|^ {0,3}\[[^\]]+\]:[ \t]*\S+"
)
_FLAGS = re.DOTALL | re.IGNORECASE | re.MULTILINE
_MARKUP = re.compile(_MARKS, _FLAGS)
_MARKUP_AND_ATTRIBUTES = re.compile(f"{_MARKS}|{_ATTRIBUTES_IN_TEXT}", _FLAGS)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_FORMATTING = re.compile(
    r"</?(?:a|abbr|b|big|cite|code|del|dfn|em|font|i|ins|kbd|mark|q|s|samp|small|span|strong|tt|u|var)"
    r"(?:\s[^<>]*)?/?>|<!--.*-->",
    re.IGNORECASE | re.DOTALL,
)
_REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{0,31});")
_LONGEST_MARK = 8
"""The most characters of marks between two stretches of words."""

_MARKED = {"em": Inline.EMPHASIS, "strong": Inline.STRONG, "link": Inline.LINK}
_AROUND = "*_[ "
_LITERAL = re.compile(r"[^&\\*_`\[\]<>!\s]+|[ ](?=[^\s&\\*_`\[\]<>!])")
_DESTINATION = re.compile(r"\]\((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*\))*\)|\]\[[^\]]*\]|\]")


def visible_text(inline: Token) -> str:
    """The words of an inline token."""
    if not inline.children:
        return inline.content
    return "".join(text for text in map(_visible_text, inline.children) if text is not None)


def is_strong(inline: Token) -> bool:
    """Whether all the words of an inline token stand in one pair of bold marks."""
    children = [child for child in inline.children or [] if child.content or child.nesting]
    opened = [child.nesting for child in children if child.type.startswith("strong")]
    return (
        bool(children)
        and children[0].type == "strong_open"
        and children[-1].type == "strong_close"
        and len(opened) == 2
    )


def visible_passage(raw: Passage, children: Sequence[Token]) -> tuple[Passage, Sequence[InlineMark]]:
    """The words of ``raw``, which was parsed into the tokens ``children``, and the words among them that stand out."""
    reader = _TokenPlaces(raw)
    pieces = [piece for child in children for piece in reader.read(child)]
    return Passage.joined([raw[:0], *pieces]), reader.marks


def is_formatting(tag: str) -> bool:
    """Whether a tag in a line of words, or a comment, formats words and is none."""
    return bool(_FORMATTING.fullmatch(tag))


def _visible_text(child: Token) -> str | None:
    """The visible text of a token; None for a token that opens or closes a mark."""
    if child.type in ("softbreak", "hardbreak"):
        return " "
    if child.type == "html_inline":
        if _BREAK.fullmatch(child.content):
            return " "
        return None if is_formatting(child.content) else child.content
    return None if child.type == ATTRIBUTES else child.content or None


@dataclass
class _TokenPlaces:
    """Finds the place of each token in the raw text, from token to token."""

    raw: Passage
    position: int = 0
    marks: list[InlineMark] = field(default_factory=list)
    opened: list[tuple[int, str]] = field(default_factory=list)

    def read(self, child: Token) -> Iterator[Passage]:
        self._mark(child)
        shown = _visible_text(child)
        start = self.position
        if child.type in ("softbreak", "hardbreak"):
            self.position = self.raw.text.find("\n", start) + 1 or start
            yield self.raw[start : self.position].replaced(" ")
        elif child.type == "html_inline":
            place = self._find_exactly(child.content)
            if shown is not None:
                yield place.replaced(" ") if shown == " " else place
        elif shown is not None:
            yield from self._words(shown)
        elif child.type == ATTRIBUTES:
            self._find_exactly(child.content)
        if child.type in ("link_close", "image") and (end := _DESTINATION.match(self.raw.text, self.position)):
            self.position = end.end()

    def _mark(self, child: Token) -> None:
        """Remember where words that stand out begin and end, without the marks around the words."""
        name = child.type.partition("_")[0]
        if name not in _MARKED:
            return
        if child.nesting > 0:
            self.opened.append((self.position, str(child.attrGet("href") or "")))
        elif child.nesting < 0 and self.opened:
            start, address = self.opened.pop()
            words = self.raw[start : self.position].strip(_AROUND)
            if words:
                self.marks.append(InlineMark(_MARKED[name], words.span, address))

    def _find_exactly(self, words: str) -> Passage:
        """The next place of words that are written as they are read; only marks are passed over."""
        start = max(self.raw.text.find(words, self.position), self.position)
        self.position = min(start + len(words), len(self.raw))
        return self.raw[start : self.position]

    def _words(self, words: str) -> Iterator[Passage]:
        if self.raw.text.find(words, self.position, self.position + len(words) + _LONGEST_MARK) >= 0:
            yield self._find_exactly(words)
        else:
            yield from self._letters(words)

    def _letters(self, words: str) -> Iterator[Passage]:
        """Words with letters that are escaped or written as a character reference, letter by letter."""
        text = self.raw.text
        number = 0
        while number < len(words) and self.position < len(text):
            start, letter = self.position, words[number]
            run = _LITERAL.match(text, start)
            if run and words.startswith(run[0], number):
                number, self.position = number + len(run[0]), run.end()
                yield self.raw[start : self.position]
                continue
            reference = _REFERENCE.match(text, start)
            if reference and words.startswith(unescape(reference[0]), number):
                self.position = reference.end()
                number += len(unescape(reference[0]))
                yield self.raw[start : self.position].replaced(unescape(reference[0]))
            else:
                self.position += 1
                if text[start] == letter or (text[start].isspace() and letter == " "):
                    number += 1
                    yield self.raw[start : self.position].replaced(letter)
        yield self.raw[self.position : self.position].replaced(words[number:])


def notes_on_front_matter(text: Passage) -> Iterator[Note]:
    """A note on each value in the front matter of a document."""
    front = FRONT_MATTER.match(text.text)
    for line in text[: front.end() if front else 0].lines():
        value = line.strip(" \t\r\n-")
        key, colon, behind = value.text.partition(":")
        if colon and (not behind or behind[0].isspace()):
            value = value[len(key) + 1 :].strip()
        if value.text:
            yield Note("this is front matter", value.span, LEFT_OUT)


def notes_on_titles(tokens: Sequence[Token], references: Sequence[Mapping[str, Any]], lines: Lines) -> Iterator[Note]:
    """A note on each title of a link or picture, and on each attribute with words of a tag that only formats words.

    ``references`` are the links that are defined on lines of their own, as markdown-it-py has them.
    """
    for reference in references:
        if reference["title"].strip():
            defining = lines.between(*reference["map"])
            yield from _notes_on_title(defining[slice(*_written_range(reference["title"], defining.text, 0))])
    defined = {reference["title"] for reference in references}
    place = [0, 0]
    for token in tokens:
        place = token.map or place  # cells of pandoc's tables have no lines of their own
        marked = [
            child
            for child in token.children or ()
            if _hidden_words(child).strip() and _hidden_words(child) not in defined
        ]
        around, end = lines.between(*place) if marked else lines.text[:0], 0
        for child in marked:
            start, end = _written_range(_hidden_words(child), around.text, end)
            notes = _notes_on_tag if child.type == "html_inline" else _notes_on_title
            yield from notes(around[start:end])


def _hidden_words(child: Token) -> str:
    """The title of a link or picture, or a tag that only formats words."""
    if child.type == "html_inline":
        return child.content if is_formatting(child.content) else ""
    return str(child.attrGet("title") or "")


_NEAR = 20_000
"""How many characters on a title is searched, behind the title before."""


def _written_range(words: str, text: str, position: int) -> tuple[int, int]:
    """Where words of a token stand in a text; where signs are written in another way, the stretch around the words."""
    start = text.find(words, position, position + _NEAR)
    if start >= 0:
        return start, start + len(words)
    first = re.search(r"\w+", words)
    start = max(text.find(first[0], position, position + _NEAR), position) if first else position
    return start, start + 2 * len(words) + 40


def _notes_on_title(written: Passage) -> Iterator[Note]:
    from refgen.readers.markup import stands_apart  # it loads html.parser, and few documents have titles or tags

    yield Note(stands_apart("title"), written.strip().span, LEFT_OUT)


def _notes_on_tag(written: Passage) -> Iterator[Note]:
    from refgen.readers.markup import attribute_notes

    yield from attribute_notes(written)


def words_of_markdown(text: Passage) -> Passage:
    """All the words of a document, without its front matter, marks, tags and addresses of links."""
    front = FRONT_MATTER.match(text.text)
    text, _ = plain_markdown(text[front.end() :] if front else text)
    position, pieces = 0, [text[:0]]
    may_have_attributes = "{" in text.text or ":::" in text.text
    expression = _MARKUP_AND_ATTRIBUTES if may_have_attributes else _MARKUP  # which is faster
    for markup in expression.finditer(text.text, position):
        pieces.append(text[position : markup.start()])
        if markup["character"]:
            pieces.append(text.group(markup).replaced(unescape(markup[0])))
        elif markup["tag"] and markup["tag"].lower() not in INLINE_TAGS:
            pieces.append(text.group(markup).replaced(" "))
        position = markup.end()
    return Passage.joined([piece for piece in (*pieces, text[position:]) if piece] or [text[:0]])


def read_attributes(parser: MarkdownIt) -> None:
    """Let a parser read attributes."""
    ends = ["paragraph", "reference", "blockquote", "list", "table"]
    parser.block.ruler.before("fence", ATTRIBUTES, _attribute_line, {"alt": ends})
    parser.inline.ruler.after("link", "bracketed", _parse_brackets)
    parser.inline.ruler.after("bracketed", ATTRIBUTES, _attributes_behind)


def id_of(attributes: str) -> str:
    """The id among attributes; "" if there is none."""
    found = _ID.search(attributes)
    return found["id"] if found else ""


def part_attributes(words: str) -> tuple[str, str]:
    """The words of a heading or caption without the attributes at their end, and the id among the attributes."""
    found = _AT_END.search(words) if words.endswith("}") else None
    return (words[: found.start()], id_of(found["attributes"])) if found else (words, "")


def without_attribute_lines(html: Passage) -> Passage:
    """A stretch of HTML without the lines that hold attributes and nothing else."""
    if "{:" not in html.text:
        return html
    return Passage.joined(html.split(_LINES_OF_HTML))


def _attribute_line(state: StateBlock, first: int, _end: int, silent: bool) -> bool:
    start = state.bMarks[first] + state.tShift[first]
    line_end = state.eMarks[first]
    if state.src[start : start + 2] not in ("{:", "::") or not _WHOLE_LINE.fullmatch(state.src, start, line_end):
        return False
    if not silent:
        token = state.push(ATTRIBUTES, "", 0)
        token.map, token.content = [first, first + 1], state.src[start:line_end]
        state.line = first + 1
    return True


@lru_cache(maxsize=1)
def _last_attributes(text: str) -> int:
    """Where the last attributes behind brackets stand; -1 where none do."""
    return text.rfind("]{")


def _parse_brackets(state: StateInline, silent: bool) -> bool:
    start, end = state.pos, state.posMax
    if state.src[start] != "[" or start > _last_attributes(state.src):
        return False
    label_end = state.md.helpers.parseLinkLabel(state, start)
    found = _INLINE.match(state.src, label_end + 1, end) if label_end > start else None
    if not found:
        return False
    if not silent:
        state.pos, state.posMax = start + 1, label_end
        state.push("bracketed_open", "span", 1)
        state.md.inline.tokenize(state)
        state.push("bracketed_close", "span", -1)
        state.push(ATTRIBUTES, "", 0).content = found[0]
    state.pos, state.posMax = found.end(), end
    return True


def _attributes_behind(state: StateInline, silent: bool) -> bool:
    start = state.pos
    if state.src[start] != "{" or not start or state.src[start - 1] not in _CLOSERS:
        return False
    found = _INLINE.match(state.src, start, state.posMax)
    if not found:
        return False
    if not silent:
        state.push(ATTRIBUTES, "", 0).content = found[0]
    state.pos = found.end()
    return True
