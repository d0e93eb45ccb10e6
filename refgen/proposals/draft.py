"""The draft of a game: its document, the tables found in the document, and the entries of its proposed files.

In: a Document and the Proposals of its tables. Out: Entries, which render as TOML: above each entry stands the evidence
for it, a comment for each line; an entry that is not certain is commented out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from refgen.notation.printed_numbers import NotationStyle
from refgen.readers.document import Document
from refgen.readers.grids import FoundTable
from refgen.rules.guess import ColumnGuess, slug, unused_name
from refgen.rules.schema import DocumentSettings, TableSpec
from refgen.span import Span
from refgen.words import Words, words_for


@dataclass(frozen=True, slots=True)
class Proposal:
    """A table ``found`` in the document, and how system.toml would describe the table under an ``id``.

    ``guesses`` has the guess at the notation of each column, ``hints`` are for the author; an ``obstacle`` keeps the
    table out ("": none).
    """

    id: str
    spec: TableSpec
    found: FoundTable
    guesses: Sequence[ColumnGuess]
    hints: Sequence[str] = ()
    obstacle: str = ""

    @property
    def place(self) -> str:
        """The title and the place of the table, as evidence."""
        return f'"{self.spec.title}" at {self.found.span}'

    def texts(self, column: int) -> Sequence[str]:
        """The printed texts of a column, by its position."""
        return [row[column].text for row in self.found.rows if column < len(row)]


LIKELY = "likely = true"
"""The line of a check by which its differences are questions."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a proposed file: a ``heading`` such as "[tables.armies]" or "[[panels]]", and its lines of TOML.

    ``evidence`` says from which words and places of the document the entry follows. An entry that could change the
    meaning of a number, and that the evidence does not prove as a whole, is not ``certain``. A check that most of the
    numbers follow, and some do not, has the line LIKELY: each of these numbers is a question until somebody answers it.
    ``place`` is that of the table that the entry describes.
    """

    heading: str
    lines: Sequence[str]
    evidence: Sequence[str] = ()
    certain: bool = True
    place: Span | None = None

    @property
    def is_likely(self) -> bool:
        """Whether the entry is a check that some of its numbers do not follow."""
        return self.certain and LIKELY in self.lines

    def text(self) -> str:
        """The entry as TOML, with its comments."""
        mark = "" if self.certain else "# "
        comments = [toml_comment(line) for line in self.evidence]
        return "".join(f"{line}\n" for line in (*comments, *(mark + line for line in (self.heading, *self.lines))))


def toml_comment(text: str) -> str:
    """A text as a comment of TOML, which holds no line break and no control character."""
    return "# " + re.sub(r"[\x00-\x1f\x7f]", " ", text)


@dataclass(slots=True)
class GameDraft:
    """The document of a game, its language, its tables, and the ids in use, as all proposers of the game share them.

    ``language`` is a tag ("en", "pt-BR"), "" where nothing tells. ``ids`` are the ids of tables, facts, rolls
    and computed tables so far: no two entries of a game have the same id.
    """

    document: Document
    language: str
    tables: Sequence[Proposal]
    ids: set[str] = field(default_factory=set)

    @property
    def words(self) -> Words:
        """The words for titles and rules that no document says."""
        return words_for(self.language)

    def usable_tables(self) -> Iterator[Proposal]:
        """The tables that system.toml takes as they are."""
        return (table for table in self.tables if not table.obstacle)

    @property
    def style(self) -> NotationStyle:
        """How documents of the language write numbers and dice."""
        return DocumentSettings(language=self.language).style

    def new_id(self, words: str, otherwise: str) -> str:
        """An unused id made of some words, or of ``otherwise`` where the words have no letter; it is in use now."""
        return self.unused_id(slug(words, otherwise))

    def unused_id(self, name: str) -> str:
        """The name as an id, with a number where it is in use already; it is in use now."""
        free = unused_name(name, self.ids)
        self.ids.add(free)
        return free
