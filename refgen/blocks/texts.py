"""Steps, lists and short texts: blocks of texts, one below the other.

In: the texts that an author writes. Out: a TextsBlock, which quotations of the document are, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from refgen.blocks.block import Block, BlockContext, BlockKeys, Contents
from refgen.blocks.measure import BlockStyles, MeasuredContent, measure_text
from refgen.blocks.pieces import Piece
from refgen.layout.lengths import STEP_INDENT


@dataclass(frozen=True, slots=True)
class TextsBlock(Block):
    """Texts, one below the other. ``first`` is the number of the first: another block may go on from one."""

    entries: ClassVar = "texts"

    entry: ClassVar[str]
    """What one of the texts is called."""

    indent: ClassVar[float] = 0.0
    """What its left leaves free, in em."""

    marker: ClassVar[str] = ""
    """What is painted before a text, "{}" for its number."""

    markdown_marker: ClassVar[str] = ""
    """What stands before a text in Markdown; "": each text is a paragraph."""

    texts: tuple[str, ...]
    first: int = field(default=1, kw_only=True)

    @classmethod
    def make(cls, spec: Any, context: BlockContext) -> Self:
        """Texts that name nothing but what is blank are left out."""
        texts = context.filled_texts(cls.texts_of(spec))
        return cls(context.title, texts, note=context.note, footnotes=context.footnotes.notes)

    @classmethod
    def texts_of(cls, spec: Any) -> Iterable[str]:
        """The texts under the key of the kind."""
        texts: Iterable[str] = getattr(spec, cls.key)
        return texts

    def content_pieces(self, where: str) -> Iterator[Piece]:
        """The piece of each text, and of the number or bullet painted before the text."""
        for number, text in enumerate(self.texts, start=self.first):
            yield Piece(text, f"{where}, {self.entry} {number}")
            if self.marker:
                yield Piece(self.marker.format(number), f"{where}, {self.entry} {number}", painted=True)

    def measured_content(self, styles: BlockStyles) -> Iterator[MeasuredContent]:  # noqa: ARG002
        """The texts."""
        return (measure_text(text, self.indent) for text in self.texts)

    def contents(self) -> Contents:
        """The texts."""
        return Contents(texts=self.texts)

    @classmethod
    def markdown(cls, texts: Sequence[str]) -> Iterator[str]:
        """A list, or paragraphs."""
        if cls.markdown_marker:
            yield "\n".join(
                f"{cls.markdown_marker.format(number)} {text}" for number, text in enumerate(texts, start=1)
            )
        else:
            yield from texts

    def fields_of_entries(self, first: int, end: int) -> Mapping[str, Any]:
        """Some texts, with the number of the first of them."""
        return {"texts": self.texts[first:end], "first": self.first + first}


class StepsKeys(BlockKeys):
    """What an author writes of a procedure: its steps."""

    steps: list[str] = []


@dataclass(frozen=True, slots=True)
class StepsBlock(TextsBlock):
    """A procedure, step by step."""

    kind: ClassVar = "steps"
    key: ClassVar = "steps"
    entry: ClassVar = "step"
    indent: ClassVar = STEP_INDENT
    marker: ClassVar = "{}."
    markdown_marker: ClassVar = "{}."


class ListKeys(BlockKeys):
    """What an author writes of a list: its items."""

    items: list[str] = []


@dataclass(frozen=True, slots=True)
class ListBlock(TextsBlock):
    """A list of texts in no order."""

    kind: ClassVar = "list"
    key: ClassVar = "items"
    entry: ClassVar = "item"
    indent: ClassVar = STEP_INDENT
    marker: ClassVar = "–"
    markdown_marker: ClassVar = "-"


class TextKeys(BlockKeys):
    """What an author writes of a short text: the text."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class TextBlock(TextsBlock):
    """A short text."""

    kind: ClassVar = "text"
    key: ClassVar = "text"
    entry: ClassVar = "text"

    @classmethod
    def texts_of(cls, spec: TextKeys) -> Iterable[str]:
        """The text."""
        return (spec.text,)

    @property
    def is_plain_text(self) -> bool:
        """Whether nothing stands around the text."""
        return not (self.title or self.note or self.footnotes)
