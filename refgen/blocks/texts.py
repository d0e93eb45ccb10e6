"""Steps, lists and short texts: blocks of texts, one below the other.

In: the texts that an author writes. Out: a TextsBlock, the base of quotations too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from refgen.blocks.block import Block, BlockContents, BlockContext, BlockKeys
from refgen.blocks.measure import BlockStyles, MeasuredContent, measure_text
from refgen.blocks.pieces import Piece
from refgen.layout.lengths import STEP_INDENT


@dataclass(frozen=True, slots=True)
class TextsBlock(Block):
    """Texts, one below the other. ``first`` is the number of the first text, which may continue another block."""

    entries: ClassVar = "texts"

    entry: ClassVar[str]
    """The word for one of the texts."""

    indent: ClassVar[float] = 0.0
    """The indent on the left, in em."""

    marker: ClassVar[str] = ""
    """The marker painted before a text, "{}" for its number."""

    markdown_marker: ClassVar[str] = ""
    """The marker of a text in Markdown; "": each text is a paragraph."""

    texts: tuple[str, ...]
    first: int = field(default=1, kw_only=True)

    @classmethod
    def make(cls, spec: Any, context: BlockContext) -> Self:
        """The block, without texts that name only blank facts."""
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

    def contents(self) -> BlockContents:
        """The texts."""
        return BlockContents(texts=self.texts)

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
        """Some texts, and the number of the first of these."""
        return {"texts": self.texts[first:end], "first": self.first + first}


class StepsKeys(BlockKeys):
    """The keys of a procedure: its steps."""

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
    """The keys of a list: its items."""

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
    """The keys of a short text: the text."""

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
        """Whether the text has no title, note or footnote."""
        return not (self.title or self.note or self.footnotes)
