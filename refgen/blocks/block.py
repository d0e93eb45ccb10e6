"""The base of all kinds of blocks.

In: nothing. Out: ``Block``, of which each kind of block is a subclass; ``BlockKeys``, the keys that an author writes
for a block of any kind; and ``BlockContext``, with which a block is made.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

from refgen.blocks.measure import ON_PANELS, BlockStyles, MeasuredBlock, MeasuredContent, measure_note, measure_title
from refgen.blocks.typesetting import BlockScope, Footnote, Footnotes, fill_placeholders, has_content
from refgen.layout import lengths
from refgen.layout.pieces import Piece
from refgen.look.look import look_in_use
from refgen.rules.toml import Strict
from refgen.span import Span
from refgen.words import COMPUTED


class BlockKeys(Strict):
    """The keys of a block of any kind. ``note`` replaces a table's own note; "" leaves the note out."""

    title: str = ""
    note: str | None = None


@dataclass(frozen=True, slots=True)
class BlockContext:
    """The values with which a block is made, beside the keys of its kind.

    ``title`` and ``note`` are those of the block with figures in place; ``footnotes`` belong to the facts named in its
    texts. A table without a title takes its own, if ``titled``; ``within`` is the title above the block.
    """

    scope: BlockScope
    title: str
    note: str
    footnotes: Footnotes
    titled: bool
    within: str

    def words(self, text: str) -> str:
        """A text with its figures in place."""
        return fill_placeholders(self.scope, text, self.footnotes)

    def filled_texts(self, texts: Iterable[str]) -> tuple[str, ...]:
        """The texts with their figures in place, without texts that name only blank facts."""
        return tuple(self.words(text) for text in texts if has_content(self.scope, text))


@dataclass(frozen=True, slots=True)
class BlockContents:
    """The texts of a block, for formats that set blocks in their own way; ``rows`` begin below the ``heads``."""

    texts: Sequence[str] = ()
    pairs: Sequence[tuple[str, str]] = ()
    heads: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()


@dataclass(frozen=True, slots=True)
class Block(ABC):
    """A block with every word and figure in place, so that a template only sets it.

    A kind of block is a subclass with its keys (``kinds.py`` lists both), and the template ``blocks/<kind>.html``. The
    ``tag`` is the word for the mark of a computed block; "" for a block that is not. ``page`` is the reference behind
    the title to a page of the printed book.
    """

    kind: ClassVar[str]
    """The name of the kind."""

    key: ClassVar[str]
    """The key under which an author writes the content of a block of this kind."""

    template: ClassVar[str] = ""
    """The template for the content, if it is not ``blocks/<kind>.html``."""

    entries: ClassVar[str] = ""
    """The field with the entries between which a block may be divided; "" for a block that cannot be divided."""

    ruled: ClassVar[bool] = False
    """Whether rules separate the entries instead of margins."""

    title: str
    note: str = field(default="", kw_only=True)
    footnotes: tuple[Footnote, ...] = field(default=(), kw_only=True)
    tag: str = field(default="", kw_only=True)
    page: str = field(default="", kw_only=True)

    @classmethod
    def is_wanted(cls, spec: Any) -> bool:
        """Whether a spec describes a block of this kind."""
        return bool(getattr(spec, cls.key))

    @classmethod
    @abstractmethod
    def make(cls, spec: Any, context: BlockContext) -> Block:
        """The block that a spec describes; each kind takes a spec with its own keys."""

    @classmethod
    def texts_of(cls, spec: Any) -> Iterable[str]:  # noqa: ARG003
        """The texts of a spec in which facts may be named."""
        return ()

    @classmethod
    def printed_at(cls, spec: Any, scope: BlockScope) -> Span | None:  # noqa: ARG003
        """Where the document prints the content of a block, apart from the facts named in its texts."""
        return None

    @abstractmethod
    def content_pieces(self, where: str) -> Iterator[Piece]:
        """The pieces between title and note of a block that is called ``where`` in messages."""

    @abstractmethod
    def measured_content(self, styles: BlockStyles) -> Iterator[MeasuredContent]:
        """The parts between title and note, measured."""

    @abstractmethod
    def contents(self) -> BlockContents:
        """The texts of the block between title and note."""

    @classmethod
    def markdown(cls, texts: Sequence[str]) -> Iterator[str]:
        """The texts of a block of this kind as paragraphs of Markdown."""
        yield from texts

    @property
    def figures(self) -> Sequence[str]:
        """The figures that may be set larger than their names, where a card has room."""
        return ()

    @property
    def is_plain_text(self) -> bool:
        """Whether the block is only a text, which may be set larger at the head of a card."""
        return False

    @property
    def is_empty(self) -> bool:
        """Whether the block has no entries, because every fact they name is blank."""
        return bool(self.entries) and not getattr(self, self.entries)

    @property
    def entry_count(self) -> int:
        """The number of entries, which is the most parts into which the block can be divided."""
        return max(len(getattr(self, self.entries)), 1) if self.entries else 1

    def fields_of_entries(self, first: int, end: int) -> Mapping[str, Any]:
        """The changed fields of a block with only the entries from ``first`` to before ``end``."""
        return {self.entries: getattr(self, self.entries)[first:end]}

    def part(self, first: int, end: int) -> Self:
        """The block with its entries from ``first`` to before ``end``; title and note stand at its two ends."""
        whole = self.entry_count
        if (first, end) == (0, whole):
            return self
        title, note = "" if first else self.title, self.note if end == whole else ""
        return replace(self, title=title, note=note, **self.fields_of_entries(first, end))

    def on_page(self, reference: str) -> Self:
        """The block with a reference to a page: behind the title, or behind the note of a block without a title."""
        return replace(self, page=reference) if self.title else replace(self, note=f"{self.note} {reference}".strip())

    def pieces(self, part: str) -> Iterator[Piece]:
        """The pieces of the block on a part of an aid with that title."""
        where = f'"{self.title or part}"'
        yield Piece(self.title, f"{where}, title")
        if self.title:
            yield Piece(self.page, f"{where}, page")
            yield Piece(self.mark, f"{where}, mark")
        yield from self.content_pieces(where)
        if not self.title:
            yield Piece(self.mark, f"{where}, mark")
        yield Piece(self.note, f"{where}, note")
        yield from self.footnote_pieces(where)

    def footnote_pieces(self, where: str) -> Iterator[Piece]:
        """The footnotes under the block: sign and text of each."""
        for note in self.footnotes:
            yield Piece(note.sign, f"{where}, footnote {note.sign}")
            yield Piece(note.text, f"{where}, footnote {note.sign}")

    def measure(self, styles: BlockStyles = ON_PANELS) -> MeasuredBlock:
        """Measure the block, once for all widths and type sizes."""
        parts = (*self._measured_title(styles), *self.measured_content(styles), *self._measured_notes(styles))
        title = styles.title.ems * lengths.TITLE_MARGIN if self.title else 0.0
        between = 0.0 if self.ruled else (self.entry_count - 1) * lengths.STEP_MARGIN * look_in_use().spacing
        return MeasuredBlock(parts, title + between)

    @property
    def mark(self) -> str:
        """The mark of a computed block, behind the title, or before the note of a block without a title."""
        return COMPUTED if self.tag else ""

    @property
    def _marked_note(self) -> str:
        """The note, with the mark of a block without a title."""
        return self.note if self.title else f"{self.mark} {self.note}".strip()

    @property
    def has_note(self) -> bool:
        """Whether a line stands under the content, apart from footnotes."""
        return bool(self._marked_note)

    def _measured_title(self, styles: BlockStyles) -> Iterator[MeasuredContent]:
        if self.title:
            beside = filter(None, (self.title, self.page, self.mark))  # the page is a little wider than it is set
            yield measure_title("\u00a0".join(beside), styles)

    def _measured_notes(self, styles: BlockStyles) -> Iterator[MeasuredContent]:
        """The note, and the footnotes, each on lines of its own."""
        if self.has_note:
            yield measure_note(self._marked_note, styles, above=lengths.NOTE_MARGIN)
        for number, note in enumerate(self.footnotes):
            above = 0.0 if number else lengths.NOTE_MARGIN
            yield measure_note(f"{note.sign} {note.text}", styles, above=above)
