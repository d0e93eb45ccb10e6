"""Letters that no font of refgen and of the look has: an emoji, a script that nobody named a font for.

In: the titles and blocks of an aid, or the tables of a game. Out: the same without the letters or blocks that cannot be
set, and an error for each of these: which table, which letter with its code point, and what to do. A title goes without
the letter; a block of whose content a letter would be missing stays out whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypeVar
from unicodedata import category
from unicodedata import name as unicode_name

from refgen.blocks.block import Block
from refgen.blocks.typesetting import typeset
from refgen.errors import RenderError
from refgen.game import GameModel, SystemInfo
from refgen.layout.metrics import Face, parted_letters, without_glyph
from refgen.layout.pieces import Piece
from refgen.marks import with_hyphens
from refgen.rules.model import Cell, RuleTable
from refgen.span import Span

HINT = 'Name a font that has it in look.toml: [fonts] text = { regular = "…", bold = "…" }.'

BlockT = TypeVar("BlockT", bound=Block)

HINT_FOR_PARTS = (
    "Name another font for letters of the {script} script: that of look.toml draws them in parts, a stroke and dots, "
    "which many letters share, so that no PDF would say which letter is meant."
)

MOST_LETTERS = 8
"""So many letters that no font has are named in an error."""


def unset_letters(text: str) -> str:
    """The letters of a text that refgen and the look have no font for, each once, in order."""
    return without_glyph(text, Face.REGULAR, Face.SEMIBOLD)


def named_letters(letters: str) -> str:
    """Letters with their code points: "龍 (U+9F8D), 虎 (U+864E)"."""
    named = [f"{letter} (U+{ord(letter):04X})" for letter in letters[:MOST_LETTERS]]
    return ", ".join(named) + (f" and {len(letters) - MOST_LETTERS} more" if len(letters) > MOST_LETTERS else "")


def letter_fault(pieces: Iterable[Piece], name: str, place: Span | None = None) -> RenderError | None:
    """The error of what is called ``name`` and stays out, at the first of its pieces with a letter that no font has."""
    for piece in pieces:
        if letters := unset_letters(piece.text):
            message = f'"{name}" stays out: no font has {named_letters(letters)}, in {piece.where}'
            return RenderError(message, span=place, hint=hint_for(letters))
    return None


def hint_for(letters: str) -> str:
    """The hint for letters that no font has, or that the font of the look draws in parts."""
    if parted := parted_letters(letters):
        return HINT_FOR_PARTS.format(script=unicode_name(parted[0]).partition(" ")[0].capitalize())
    return HINT


@dataclass(slots=True)
class SettableWords:
    """The titles and blocks of an aid that can be set; ``faults`` are the errors of the others."""

    faults: list[RenderError] = field(default_factory=list)

    def title(self, text: str, place: Span | None = None) -> str:
        """A title without the signs, and without the words with a letter, that no font has; "…" if nothing is left."""
        text = with_hyphens(text)
        if not (letters := unset_letters(text)):
            return text
        message = f'"{text}" is printed without {named_letters(letters)}, which no font has'
        self.faults.append(RenderError(message, span=place, hint=hint_for(letters)))
        signs = {letter for letter in letters if category(letter)[0] not in "LMN"}
        shown = "".join(letter for letter in text if letter not in signs)
        return " ".join(word for word in shown.split() if not unset_letters(word)) or "…"

    def block(self, block: BlockT, within: str, place: Span | None = None) -> BlockT | None:
        """A block on a part of an aid with a title; None where a letter of its content would be missing."""
        titled = replace(block, title=self.title(block.title, place))
        if fault := letter_fault(titled.pieces(within), titled.title or within, place):
            self.faults.append(fault)
            return None
        return titled

    def system(self, system: SystemInfo) -> SystemInfo:
        """The words about a game that stand on each page."""
        return replace(
            system, title=self.title(system.title), about=self.title(system.about), source=self.title(system.source)
        )


def letters_without_font(game: GameModel) -> str:
    """All letters of the printed tables of a game that no font has."""
    return unset_letters("".join(text for table in game.printed.values() for text in _texts(table)))


def letter_faults(game: GameModel) -> Iterator[RenderError]:
    """The error of each printed table with letters that no font has, at the first cell with such a letter."""
    for table in game.printed.values():
        letters = unset_letters("".join(_texts(table)))
        if letters:
            cells = (cell for row in table.rows for cell in row)
            first = next((cell.span for cell in cells if cell.span and unset_letters(_print_of(cell))), table.span)
            yield RenderError(
                f'no font has {named_letters(letters)}, in "{table.title}"', span=first, hint=hint_for(letters)
            )


def _texts(table: RuleTable) -> Iterable[str]:
    yield with_hyphens(table.title)
    for column in table.columns:
        yield typeset(column.head)
    for row in table.rows:
        yield from map(_print_of, row)


def _print_of(cell: Cell) -> str:
    """A cell as pages print it."""
    return typeset(cell.shown, cell.value)
