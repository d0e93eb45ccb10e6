"""The pages of a booklet as they are set: the items of each page, from top to bottom.

In: nothing; these are values. Out: the values that the template prints and that are read back from the pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from refgen.aids.booklet.model import Booklet
from refgen.blocks.table_block import TableBlock
from refgen.layout.lengths import TypeSizes

BOOKLET = "Reference booklet"
"""The words for a booklet on its cover."""

CONTINUED = ", continued"
"""The title of a table ends with this on every page but the first."""


@dataclass(frozen=True, slots=True)
class Cover:
    """The first page: the lines under the title of the game."""

    lines: tuple[str, ...]
    kind: str = "cover"


@dataclass(frozen=True, slots=True)
class Heading:
    """The title of a chapter, or of the contents."""

    text: str
    anchor: str
    kind: str = "heading"


@dataclass(frozen=True, slots=True)
class Listed:
    """A line of the contents: a chapter or a table, and its page."""

    title: str
    anchor: str
    page: int
    is_chapter: bool


@dataclass(frozen=True, slots=True)
class Contents:
    """Some lines of the contents."""

    lines: tuple[Listed, ...]
    kind: str = "contents"


@dataclass(frozen=True, slots=True)
class Title:
    """The title of a table; ``anchor`` is "" where the table is continued from the page before."""

    text: str
    anchor: str
    computed: bool
    kind: str = "title"

    @property
    def words(self) -> str:
        """The words of the title."""
        return self.text if self.anchor else f"{self.text}{CONTINUED}"


@dataclass(frozen=True, slots=True)
class Slice(TypeSizes):
    """Rows of a table, in columns of these ``widths`` (points), in type of ``size`` points."""

    block: TableBlock
    widths: tuple[float, ...]
    size: float
    kind: str = "slice"

    @property
    def width(self) -> float:
        """The width of all columns together, in points."""
        return round(sum(self.widths), 2)


@dataclass(frozen=True, slots=True)
class Words:
    """Some words of a note; they link to ``anchor``, if it is not ""."""

    text: str
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """A line under a table; a footnote begins with its ``sign``."""

    words: tuple[Words, ...]
    sign: str = ""
    kind: str = "note"

    @property
    def text(self) -> str:
        """The words of the note."""
        return "".join(part.text for part in self.words)


Item = Cover | Heading | Contents | Title | Slice | Note


@dataclass(frozen=True, slots=True)
class Placed:
    """An item on a page, so many points below the item ``above`` it."""

    item: Item
    above: float = 0.0


@dataclass(frozen=True, slots=True)
class BookletPage:
    """A page: its number, counted from 0, the chapter in its running head, and its items."""

    number: int
    chapter: str
    items: tuple[Placed, ...]


@dataclass(frozen=True, slots=True)
class BookletPages:
    """All pages of a booklet."""

    booklet: Booklet
    pages: Sequence[BookletPage]
