"""The content of a word processor's file of any format: paragraphs, tables and boxes in the order of the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from refgen.readers.word_settings import PLAIN_TEXT, Setting
from refgen.source import plain_text


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Words in a file that are no part of its text, and why.

    Words that ``stand_apart``, as the words of a picture do, are named only where the text has other words.
    """

    words: str
    reason: str
    stand_apart: bool = False


@dataclass(frozen=True, slots=True)
class TextNote:
    """The mark of a footnote as it stands in the text of a paragraph, and the words of the footnote."""

    mark: str
    words: str


@dataclass(frozen=True, slots=True)
class TextParagraph:
    """The words of a paragraph, with marks of footnotes.

    ``level`` is that of a heading (0: no heading), ``depth`` that of a list (0: no list item), ``label`` the number of
    the item as it is shown ("" for a bullet). A paragraph that ``runs_on`` ends within the first word of the next.
    """

    text: str
    level: int = 0
    depth: int = 0
    label: str = ""
    is_caption: bool = False
    runs_on: bool = False
    notes: tuple[TextNote, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, slots=True)
class TextBox:
    """Blocks that stand beside the text, as those of a text box."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class TextCell:
    """The blocks of a cell, and how many rows and columns the cell covers."""

    blocks: tuple[Block, ...] = ()
    rows: int = 1
    columns: int = 1


@dataclass(frozen=True, slots=True)
class TextTable:
    """The rows of a table; ``head_rows`` of them are marked as its head (0: none is marked).

    ``is_headless`` says that the author of the table took the head off.
    """

    rows: tuple[tuple[TextCell, ...], ...]
    head_rows: int = 0
    is_headless: bool = False


Block = TextParagraph | TextTable | TextBox


def words_in(blocks: Sequence[Block]) -> Iterator[str]:
    """The words of blocks, of their footnotes, boxes and cells."""
    for block in blocks:
        match block:
            case TextParagraph():
                yield from filter(None, (block.text, *(note.words for note in block.notes)))
            case TextBox(blocks=inner):
                yield from words_in(inner)
            case TextTable(rows=rows):
                yield from (words for row in rows for cell in row for words in words_in(cell.blocks))


@dataclass
class WordRuns:
    """The words of a paragraph while it is read: runs of words with their settings, footnotes, boxes of text."""

    runs: list[tuple[Setting, str]] = field(default_factory=list)
    footnotes: list[TextNote] = field(default_factory=list)
    apart: list[LeftOut] = field(default_factory=list)
    boxes: list[Block] = field(default_factory=list)

    def add(self, words: str, setting: Setting) -> None:
        """Add words that are set in a way."""
        if words:
            self.runs.append((setting, words))

    @property
    def text(self) -> str:
        """The words that are read."""
        return "".join(PLAIN_TEXT[setting](words) for setting, words in self._joined() if setting in PLAIN_TEXT)

    def left_out(self) -> Iterator[LeftOut]:
        """The words that are struck, deleted or hidden, and those that stand apart."""
        for setting, words in self._joined():
            if setting not in PLAIN_TEXT and plain_text(words):
                yield LeftOut(plain_text(words), setting.value)
        yield from self.apart

    def _joined(self) -> Iterator[tuple[Setting, str]]:
        """The words of neighbours that are set alike, together."""
        for setting, run in groupby(self.runs, key=lambda run: run[0]):
            yield setting, "".join(words for _, words in run)
