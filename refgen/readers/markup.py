"""HTML as numbered tags and numbered words.

In: the passage of an HTML page. Out: a NumberedMarkup: the page, in which each start tag carries its number and each
stretch of words is a number in brackets, with the lists of tags and words by number. A parser may build any tree from
the numbered page; the numbers lead from its elements and words back to their places. Comments, declarations,
attributes, scripts and styles are left out: nothing can run or be fetched. A Note tells of each attribute with words
for readers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser

from refgen.errors import ReadError
from refgen.readers.document import LEFT_OUT, Fault, Note
from refgen.source import Passage

PLACE = "data-place"
"""The attribute with the number of a start tag."""

WORD = re.compile(r"\[(?P<number>[0-9]+)\]|(?P<blank>[ \t\n\r\f]+)")
"""The numbers of words, and blanks, in the text of an element of the numbered page."""

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")

_NAME = re.compile(r"[a-z][a-z0-9]*\Z")
_BARE_AMPERSAND = re.compile(r"&(?=#(?:[0-9]+[a-fA-F]|[xX]?(?![0-9a-fA-FxX])|[xX](?![0-9a-fA-F])|[a-fA-F]))")
"""An ampersand before a malformed number: html.parser would take the rest of the page for words."""

# fmt: off
WORDED_ATTRIBUTES = {
    "abbr", "alt", "aria-description", "aria-label", "aria-placeholder", "aria-roledescription", "aria-valuetext",
    "label", "placeholder", "prompt", "srcdoc", "standby", "summary", "title",
}
# fmt: on
"""The attributes of HTML that hold words for readers."""

_ATTRIBUTE = re.compile(
    r"""(?P<name>[^\s"'<>/=]+)(?:\s*=\s*(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[^\s"'=<>`]+)))?"""
)
_BLANKS = " \t\n\r\f"
_CODE = ("script", "style")


@dataclass(frozen=True, slots=True)
class Tag:
    """A start tag: where the tag and the content start, and the attributes."""

    start: int
    content: int
    attributes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class NumberedMarkup:
    """The numbered page, its tags and words by their numbers, where ``</table>`` tags end, its faults and notes."""

    numbered: str
    tags: tuple[Tag, ...]
    words: tuple[Passage, ...]
    table_ends: tuple[int, ...]
    faults: tuple[Fault, ...]
    notes: tuple[Note, ...]


def parse_markup(text: Passage) -> NumberedMarkup:
    """Number the tags and words of a page. Raises ReadError at a declaration that no browser knows."""
    parser = _Parser(text)
    try:
        # The line break ends whatever stands at the very end; close() would differ from one Python to the next.
        parser.feed(_BARE_AMPERSAND.sub("+", text.text) + "\n")
    except AssertionError as error:  # how html.parser says that a "<![" makes no sense
        place = parser.place()
        raise ReadError(
            "this declaration cannot be read", span=text[place : place + 3].span, hint="Remove it from the page."
        ) from error
    tags, words, table_ends = tuple(parser.tags), tuple(parser.words), tuple(parser.table_ends)
    faults, notes = tuple(parser.unfinished()), tuple(parser.notes)
    return NumberedMarkup("".join(parser.numbered), tags, words, table_ends, faults, notes)


def stands_apart(attribute: str) -> str:
    """The message of a note on the words of an attribute, which are shown on demand, or in place of a picture."""
    return f'the words of "{attribute}" stand apart from the text'


def attribute_notes(tag: Passage) -> Iterator[Note]:
    """A note on each attribute of a start tag with words for readers."""
    for name, start, end in worded_attributes(tag.text):
        yield Note(stands_apart(name), tag[start:end].strip().span, LEFT_OUT)


def worded_attributes(tag: str) -> Iterator[tuple[str, int, int]]:
    """The name of each attribute of a start tag with words for readers, and where its value starts and ends."""
    for found in _ATTRIBUTE.finditer(tag):
        group = next((name for name in ("double", "single", "bare") if found[name]), None)
        if found["name"].lower() in WORDED_ATTRIBUTES and group and found[group].strip():
            yield found["name"].lower(), *found.span(group)


@dataclass(eq=False)
class _Parser(HTMLParser):
    """Collects the numbered parts of a page while html.parser reads the page."""

    text: Passage
    numbered: list[str] = field(default_factory=list)
    tags: list[Tag] = field(default_factory=list)
    words: list[Passage] = field(default_factory=list)
    table_ends: list[int] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    in_code: bool = False
    heading: str = ""

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.line_starts = [0, *(match.end() for match in re.finditer("\n", self.text.text))]

    def place(self) -> int:
        """Where the parser stands."""
        line, column = self.getpos()
        return self.line_starts[line - 1] + column

    def unfinished(self) -> Iterator[Fault]:
        """A construct still open at the end of the page, such as a comment: browsers leave out all text after it."""
        if self.rawdata.strip():
            place = min(self.place(), len(self.text))
            hint = "Browsers leave out all that follows. Close it."
            yield Fault("this is never closed", self.text[place : place + 1].span, hint)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Number a start tag; from a script or style on, keep silent until it ends."""
        self.in_code = tag in _CODE
        if not self.in_code:
            self._open(tag, {name: value or "" for name, value in attrs})

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A slash at the end of a start tag means nothing in HTML."""
        if tag not in _CODE:
            self._open(tag, {name: value or "" for name, value in attrs})

    def _open(self, tag: str, attributes: dict[str, str]) -> None:
        if tag in HEADINGS:  # a heading ends where the next begins, which lxml does not know
            self._close_heading()
            self.heading = tag
        start = self.place()
        content = start + len(self.get_starttag_text() or "")
        self.numbered.append(f'<{_lxml_tag(tag)} {PLACE}="{len(self.tags)}">')
        self.tags.append(Tag(start, content, attributes))
        if not WORDED_ATTRIBUTES.isdisjoint(attributes):
            self.notes.extend(attribute_notes(self.text[start:content]))

    def handle_endtag(self, tag: str) -> None:
        """Pass an end tag on."""
        self.in_code = False
        if tag in HEADINGS:
            self._close_heading()
        elif tag not in _CODE:
            self.numbered.append(f"</{_lxml_tag(tag)}>")
        if tag == "table":
            end = self.text.text.find(">", self.place())
            self.table_ends.append(end + 1 if end >= 0 else len(self.text))

    def _close_heading(self) -> None:
        if self.heading:
            self.numbered.append(f"</{self.heading}>")
        self.heading = ""

    def handle_data(self, data: str) -> None:
        """Number a stretch of words; blanks stay blanks."""
        start = self.place()
        self._word(self.text[start : start + len(data)], data)

    def handle_entityref(self, name: str) -> None:
        """Number the character that stands for an entity."""
        self._reference(len(name) + 1)

    def handle_charref(self, name: str) -> None:
        """Number the character that is written by its number."""
        self._reference(len(name) + 2)

    def _reference(self, length: int) -> None:
        start = self.place()
        if self.text.text.startswith(";", start + length):
            length += 1
        written = self.text[start : start + length]
        self._word(written.replaced(unescape(written.text)), "&")

    def _word(self, word: Passage, data: str) -> None:
        if self.in_code:
            return
        if data.strip(_BLANKS):
            self.numbered.append(f"[{len(self.words)}]")
            self.words.append(word)
        else:
            self.numbered.append(" ")


def _lxml_tag(tag: str) -> str:
    """The tag as lxml gets it; names of other vocabularies ("o:p") mark words and nothing else."""
    return tag if _NAME.match(tag) else "span"
