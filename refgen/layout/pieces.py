"""The texts and fields that must be read on a part of an aid (a panel, a page, a face of a card), and mismatches.

In: nothing. Out: Pieces and ExpectedParts, which blocks and each kind of aid make in the order in which their templates
show texts; and Mismatches, which the read-back reports.

In: pieces in reading order, and the texts that were read, in the order of the file. Out: an Alignment. A piece may
stand in several texts, its lines; a text never holds more than one piece, so that "1" and "12" in neighbouring cells
are not taken for "11" and "2".
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, Protocol

from refgen.words import Words


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a chart without its place: the exact ``value``, None for a blank, and the ``text`` in the table."""

    value: Fraction | None
    text: str


class DescribedSeries(Protocol):
    """A series of a chart: name and figures."""

    @property
    def name(self) -> str:
        """The name of the series; "" for the only series of a chart."""

    @property
    def figures(self) -> Sequence[Figure]:
        """The figures of all rows in order."""


class DescribedChart(Protocol):
    """A chart with an alternative text, which must name the highest and the lowest figure of each series."""

    @property
    def words(self) -> Words:
        """The words of the alternative text."""

    @property
    def alternative(self) -> str:
        """The alternative text."""

    @property
    def names(self) -> Sequence[str]:
        """The names of all rows in order."""

    @property
    def series(self) -> Sequence[DescribedSeries]:
        """The series of the chart."""


class Piece(NamedTuple):
    """A text that stands together: a cell, a head, a title, a step.

    ``where`` is the place of the text in words. ``box`` is the number of the box that must hold the text; None: the
    frame of the part. ``painted`` pieces, such as the numbers of steps, are no text in HTML; on paper they are painted
    last in their box. A ``chart`` is a piece without text, and its labels are pieces as well. Pieces that are
    ``framing`` are no content, such as the words on the back of a card.
    """

    text: str
    where: str
    box: int | None = None
    painted: bool = False
    chart: DescribedChart | None = None
    framing: bool = False

    @property
    def may_go(self) -> bool:
        """Whether a template of a project may leave the text out: it is no content of a game."""
        return self.framing or self.box is None


class ExpectedField(NamedTuple):
    """A field to fill in: names in HTML and in the PDF, label, and number of the box that must hold the field.

    Fields of several pages with the same value have the same name in the PDF. ``box`` None: the page.
    """

    name: str
    pdf_name: str
    label: str
    box: int | None = None


@dataclass(frozen=True, slots=True)
class ExpectedPart:
    """A part of an aid: its name in messages, the pieces on the part, and the fields to fill in.

    A part that ``is_extended`` is set by templates of a project too.
    """

    name: str
    pieces: tuple[Piece, ...]
    fields: tuple[ExpectedField, ...] = ()
    is_extended: bool = False


PageFault = tuple[str, str]
"""A place on a page, and the fault there, both in words."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A difference between a page and the model.

    ``file`` is a path in the output, ``where`` the place on the page in words ("" for the whole file), ``what`` the
    difference in words. A mismatch that ``is_note`` is no fault: a template of the project wants the difference.
    """

    file: str
    where: str
    what: str
    is_note: bool = False

    def __str__(self) -> str:
        """``file: where: what``."""
        return ": ".join(part for part in (self.file, self.where, self.what) if part)


def left_out(file: str, alignment: Alignment) -> Iterator[Mismatch]:
    """The notes on the pieces that a template of a project leaves out."""
    return (Mismatch(file, piece.where, f'"{piece.text}" is left out', is_note=True) for piece in alignment.left_out)


def header(*texts: str) -> Iterator[Piece]:
    """The pieces at the head of a page."""
    return (Piece(text, "header") for text in texts)


def box_pieces(box: int, pieces: Sequence[Piece]) -> Iterator[Piece]:
    """The pieces of a box, pieces that are painted last behind all others."""
    for painted in (False, True):
        for piece in pieces:
            if piece.painted == painted:
                yield piece._replace(box=box)


def field_count_faults(wanted: Iterable[str], found: Sequence[str]) -> Iterator[PageFault]:
    """The faults of fields that a page does not have exactly once, and of fields that the model does not have."""
    counts = Counter(found)
    for name in wanted:
        if counts[name] != 1:
            yield f'field "{name}"', "is not there" if not counts[name] else f"is there {counts[name]} times"
        del counts[name]
    yield from ((f'field "{name}"', "is there, which the model does not have") for name in counts)


_LIGATURES = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st", 0xFB06: "st"}
_UNSEEN = (0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF)
"""Characters that are never seen: soft hyphen, spaces and joiners without width, byte order mark."""

LINE_END_HYPHEN = "\x02"
"""A hyphen at the end of a line, in texts that PDFium reads: one of the text, or one that breaks a word."""

_AS_SEEN = _LIGATURES | dict.fromkeys(_UNSEEN, "")


_RIGHT = r"\u0590-\u05ff\u0620-\u065f\u066e-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
_FROM_RIGHT = re.compile(f"[{_RIGHT}]")
"""The letters of Hebrew, Arabic and the other scripts that are read from the right, without their figures and signs."""

_STRETCH = re.compile(rf"[{_RIGHT}]+|[^\W{_RIGHT}]+|.", re.DOTALL)
"""Letters read from the right, letters and figures read from the left, or one sign."""

_MIRRORED = str.maketrans(")]}>»›", "([{<«‹")
"""Brackets that take the place of others in text that is read from the right: which of the two, a PDF does not say."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """The numbers of the texts of each piece that was found, and the faults of the other pieces and texts.

    ``left_out`` are the pieces that a template of a project leaves out, as it may.
    """

    texts: tuple[tuple[Piece, range], ...]
    faults: tuple[PageFault, ...]
    left_out: tuple[Piece, ...] = ()


@lru_cache(maxsize=2**15)
def normalize_text(text: str) -> str:
    """A text as it is compared: without blanks, at any of which a line may break, and without invisible characters.

    Letters with accents become single characters (NFC), and ligatures become letters, as in fonts. NFKC would make x²
    and x2 the same.
    """
    text = "".join(text.split())
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", text.translate(_AS_SEEN))


def is_from_right(text: str) -> bool:
    """Whether a text has letters that are read from the right."""
    return _FROM_RIGHT.search(text) is not None


def stretches(text: str) -> list[str]:
    """The stretches of a text in one direction each, and its signs."""
    return _STRETCH.findall(text)


def align(pieces: Sequence[Piece], texts: Sequence[str], *, is_extended: bool = False) -> Alignment:
    """Find each piece among the texts; all texts are normalized, and none is empty.

    Templates of a project that extend ours may add words, and leave out words that are no content.
    """
    nonempty = [(piece, text) for piece in pieces if (text := normalize_text(piece.text))]
    found = list(_leading_pieces(nonempty, texts))
    reached = found[-1][1].stop if found else 0
    wanted = [piece for piece, _ in nonempty]
    if len(found) == len(wanted) and reached == len(texts):
        return Alignment(tuple(found), ())
    rest = list(_best_match(wanted[len(found) :], texts, reached))
    texts = [text.replace(LINE_END_HYPHEN, "-") for text in texts]
    if is_extended:
        return _extended_alignment(wanted, texts, [*found, *rest])
    return Alignment((*found, *rest), tuple(_faults(wanted, texts, [*found, *rest])))


def _extended_alignment(
    wanted: Sequence[Piece], texts: Sequence[str], found: Sequence[tuple[Piece, range]]
) -> Alignment:
    """The alignment of a page of a project's own templates: a piece may stand within a text, perhaps in capitals."""
    missing = [
        piece
        for pieces, instead, _ in _gaps(wanted, texts, found)
        for piece in pieces
        if normalize_text(piece.text).casefold() not in "".join(instead).casefold()
    ]
    faults = tuple((piece.where, f'"{piece.text}" is not there') for piece in missing if not piece.may_go)
    return Alignment(tuple(found), faults, tuple(piece for piece in missing if piece.may_go))


def _leading_pieces(pieces: Sequence[tuple[Piece, str]], texts: Sequence[str]) -> Iterator[tuple[Piece, range]]:
    """The pieces, each with its texts, up to the first piece that does not stand in its place."""
    start = 0
    for piece, text in pieces:
        stop = _end_of_piece(text, texts, start)
        if stop is None:
            return
        yield piece, range(start, stop)
        start = stop


def _end_of_piece(text: str, texts: Sequence[str], start: int) -> int | None:
    """The number behind the last text of a piece that begins at text ``start``; None if the piece does not."""
    if is_from_right(text):
        return _end_of_scattered(text, texts, start)
    for stop in range(start, len(texts)):
        rest = _rest_after(text, texts[stop])
        if not rest:
            return stop + 1 if rest == "" else None
        text = rest
    return None


def _end_of_scattered(text: str, texts: Sequence[str], start: int) -> int | None:
    """The number behind the last text of a piece read from the right, whose stretches stand in any order on a line."""
    text, found = _undirected(text), ""
    for stop in range(start, len(texts)):
        found += f"{_undirected(texts[stop].removesuffix(LINE_END_HYPHEN))}\n"
        missing = len(text) - len(found) + found.count("\n")
        if missing <= 0:
            return stop + 1 if missing == 0 and _consists_of(text, stretches(found)) else None
    return None


def _undirected(text: str) -> str:
    """A text as it is compared on lines of two directions: plain letters without points, brackets of one side."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in plain if unicodedata.category(letter) != "Mn").translate(_MIRRORED)


def _consists_of(text: str, parts: Iterable[str]) -> bool:
    """Whether a text consists of some parts in any order."""
    for part in sorted(filter(str.strip, parts), key=len, reverse=True):
        before, found, after = text.partition(part)
        if not found:
            return False
        text = f"{before}\n{after}"
    return True


def _rest_after(text: str, line: str) -> str | None:
    """The rest of a text behind its next line; None if the text does not go on with the line.

    A hyphen at the end of the line is the text's own if the text has one there; else it breaks a word between letters.
    """
    words = line.removesuffix(LINE_END_HYPHEN)
    if not text.startswith(words):
        return None
    rest = text[len(words) :]
    if words == line:
        return rest
    if rest.startswith("-"):
        return rest[1:]
    return rest if words[-1:].isalpha() and rest[:1].isalpha() else None


def _best_match(wanted: Sequence[Piece], texts: Sequence[str], start: int) -> Iterator[tuple[Piece, range]]:
    """The pieces with the most text that can be found in order: the heaviest common subsequence, computed backwards."""
    height, width = len(wanted), len(texts) - start
    ends = [
        [_end_of_piece(normalize_text(piece.text), texts, start + column) for column in range(width)]
        for piece in wanted
    ]
    weights = [len(normalize_text(piece.text)) for piece in wanted]
    best = [[0] * (width + 1) for _ in range(height + 1)]
    for row in range(height - 1, -1, -1):
        for column in range(width - 1, -1, -1):
            end = ends[row][column]
            taken = weights[row] + best[row + 1][end - start] if end is not None else 0
            best[row][column] = max(taken, best[row + 1][column], best[row][column + 1])
    row = column = 0
    while row < height and column < width:
        end = ends[row][column]
        if end is not None and best[row][column] == weights[row] + best[row + 1][end - start]:
            yield wanted[row], range(start + column, end)
            row, column = row + 1, end - start
        elif best[row][column] == best[row + 1][column]:
            row += 1
        else:
            column += 1


Gap = tuple[Sequence[Piece], Sequence[str], Sequence[Piece]]
"""The pieces that are missing, the texts in their place, and the piece that follows."""


def _faults(wanted: Sequence[Piece], texts: Sequence[str], found: Sequence[tuple[Piece, range]]) -> Iterator[PageFault]:
    for gap in _gaps(wanted, texts, found):
        yield from _gap_faults(*gap)


def _gaps(wanted: Sequence[Piece], texts: Sequence[str], found: Sequence[tuple[Piece, range]]) -> Iterator[Gap]:
    """The gaps between each two neighbours among the pieces that were found."""
    places = {id(piece): number for number, piece in enumerate(wanted)}
    marks = [(-1, range(0)), *((places[id(piece)], span) for piece, span in found), (len(wanted), range(len(texts), 0))]
    for (before, earlier), (after, later) in pairwise(marks):
        yield wanted[before + 1 : after], texts[earlier.stop : later.start], wanted[after : after + 1]


def _gap_faults(missing: Sequence[Piece], instead: Sequence[str], following: Sequence[Piece]) -> Iterator[PageFault]:
    if len(missing) == 1 or len(missing) == len(instead):
        others = ["".join(instead)] if len(missing) == 1 else instead
        for piece, other in zip(missing, others, strict=True):
            yield piece.where, f'"{piece.text}" is not there' + (f', but "{other}"' if other else "")
        return
    for piece in missing:
        yield piece.where, f'"{piece.text}" is not there'
    if instead:
        place = f"before {following[0].where}" if following else "at the end"
        yield place, f'"{" ".join(instead)}" stands there, which the model does not have'
