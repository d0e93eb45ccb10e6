"""The rules of a game as typed data: tables, facts, ladders, defects. All records are frozen.

In: whatever ``refgen.rules.load`` reads, and the resolver computes. Out: records whose printed parts have
their span. Printed and computed tables are of one class, so that one function shows or compares both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Generic

from typing_extensions import TypeVar

from refgen.catalog import counted, did_you_mean, fold_name
from refgen.errors import RefgenError, RulesError, UnknownNameError, is_among
from refgen.notation.levels import Ladder
from refgen.notation.printed_cell import NotationName
from refgen.notation.printed_numbers import NotationStyle
from refgen.notation.values import Interval, Modifier, Number, Percent, Text, Value
from refgen.readers.document import Fault, InlineMark, Section
from refgen.rules.schema import IgnoredSpec, RulesSpec
from refgen.rules.spec_files import SpecFiles
from refgen.source import SourceFile
from refgen.span import Span
from refgen.words import ENGLISH, Words

PlainValue = int | Fraction | str | None


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table: ``text`` as printed, its typed ``value`` (None when blank).

    A printed cell has its ``span``. A computed cell has ``exact``, the number before rounding, and ``sources``, the
    places of everything that the number rests on.
    """

    text: str
    value: Value | None = None
    span: Span | None = None
    exact: Fraction | None = None
    sources: tuple[Span, ...] = ()

    def __repr__(self) -> str:
        place = f" at {self.span}" if self.span else ""
        return f"<Cell {self.text!r}{place}>" if self.exact is None else f"<Cell {self.text!r}: {self.exact}{place}>"

    @property
    def plain_value(self) -> PlainValue:
        """The exact number of a computed cell; of a printed cell an int, or a Fraction for a number that is not whole.

        Words, and values of more than one number (a bound, a range, a number with its chance), are the printed text; a
        blank cell is None.
        """
        match self.value:
            case Number(value=number, bound="") | Percent(value=number):
                pass
            case Interval(low=int() as low, high=high) if low == high:
                number = Fraction(low)
            case Modifier(low=number, high=high, base="", condition="") if number == high:
                pass
            case _:
                return self.shown or None
        if self.exact is not None:
            return self.exact
        return number.numerator if number.denominator == 1 else number

    @property
    def shown(self) -> str:
        """The words to show: as printed, or as system.toml reads a damaged print."""
        return self.value.text if isinstance(self.value, Text) else self.text


@dataclass(frozen=True, slots=True)
class Column:
    """A column: ``type`` is the notation of its cells, ``unit`` a unit or number that stands under its title.

    The title of a ``headless`` column only counts the columns ("Column 1"): it names the column in messages and data,
    and stands on no page.
    """

    id: str
    title: str
    type: NotationName = "text"
    unit: str = ""
    headless: bool = False

    @property
    def head(self) -> str:
        """The words over the column on a page."""
        return "" if self.headless else self.title


@dataclass(frozen=True, slots=True)
class RuleTable:
    """A table, printed or computed.

    Of a printed table ``span`` is the place, and ``layout`` how the document prints it: grid, ragged, list, paragraphs
    or prose. Of a computed table ``rule`` says in words how it follows from the rules, and ``rounding`` names the rule
    by which its figures are rounded, if any is.
    """

    id: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    span: Span | None = None
    rule: str = ""
    note: str = ""
    rounding: str = ""
    layout: str = ""

    def __repr__(self) -> str:
        held = f"{counted(len(self.rows), 'row')}, {counted(len(self.columns), 'column')}"
        return f"<{type(self).__name__} {self.id}: {held}>"

    def __getitem__(self, place: tuple[str | int, str | int]) -> Cell:
        """The cell in a row and column.

        Rows are named by the text of the first cell or by number from 0, columns by id, title or number. Case and
        typographic variants make no difference. Raises UnknownNameError, with the nearest names, where there is none.
        """
        row, column = place
        number = _position(self.id, "row", row, [cells[0].shown for cells in self.rows])
        return self.rows[number][self._column_number(column)]

    def column(self, name: str | int) -> tuple[Cell, ...]:
        """The cells of a column, from top to bottom; the column is found as in ``table[row, column]``."""
        number = self._column_number(name)
        return tuple(row[number] for row in self.rows)

    def records(self) -> list[dict[str, PlainValue]]:
        """Each row as its plain values by column title, ready for ``pandas.DataFrame``.

        The second and further columns with the same title get their id as well: "Chance (chance-3d6)"; and if the id is
        the same too, because a document prints a name twice, their number: "Chance (3)".
        """
        titles: dict[str, None] = {}
        for number, column in enumerate(self.columns, start=1):
            names = (column.title, *(f"{column.title} ({more})" for more in (column.id, *range(number, 2 * number))))
            titles[next(name for name in names if name not in titles)] = None
        return [dict(zip(titles, (cell.plain_value for cell in row), strict=True)) for row in self.rows]

    def _column_number(self, name: str | int) -> int:
        ids, titles = [column.id for column in self.columns], [column.title for column in self.columns]
        return _position(self.id, "column", name, ids, titles)

    @property
    def explained(self) -> str:
        """How a computed table follows from the rules, and how its figures are rounded."""
        return self.explained_in(ENGLISH)

    def explained_in(self, words: Words) -> str:
        """How a computed table follows from the rules, and how its figures are rounded, in some words."""
        rule = words.said(self.rule)
        return f"{rule} {words.rounded('rounded', self.rounding)}" if self.rounding else rule

    @property
    def computed(self) -> bool:
        """Whether the table is computed, and no document prints it."""
        return self.span is None

    def index(self, column: str) -> int | None:
        """The position of a column, by its id."""
        return next((number for number, known in enumerate(self.columns) if known.id == column), None)


@dataclass(frozen=True, slots=True)
class Fact:
    """A number that stands in prose."""

    id: str
    title: str
    text: str
    value: Value
    span: Span
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Defect:
    """A defect of the document: ``title`` says what is wrong with the printed ``text``, ``repair`` how it is read.

    ``is_doubtful``: nobody has said that the repair is right.
    """

    id: str
    title: str
    table: str
    text: str
    repair: str
    span: Span
    is_doubtful: bool = False


_Part = TypeVar("_Part")


class Attempts(Mapping[str, _Part]):
    """The parts of a game that could be read, by name; asking for a part that could not raises its error.

    Iteration leaves out the parts that could not be read. ``errors`` gets every error once, in order: a table that
    fails with the error of its ladder adds none.
    """

    def __init__(self, errors: list[RefgenError]) -> None:
        self._errors = errors
        self._made: dict[str, _Part] = {}
        self._failed: dict[str, RefgenError] = {}

    def attempt(self, name: str, make: Callable[..., _Part], *arguments: object) -> None:
        """Make the part of a name by ``make(*arguments)``, unless that was tried before."""
        if name in self:
            return
        try:
            self._made[name] = make(*arguments)
        except RefgenError as error:
            self._failed[name] = error
            if not is_among(error, self._errors):
                self._errors.append(error)

    def __getitem__(self, name: str) -> _Part:
        if name in self._failed:
            raise self._failed[name].with_traceback(None)
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._made or name in self._failed

    def __iter__(self) -> Iterator[str]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)

    @property
    def settled(self) -> Mapping[str, _Part]:
        """The attempts; where nothing failed as a plain dictionary, which is quicker."""
        return self if self._failed else self._made

    def replaced(self, parts: Mapping[str, _Part]) -> Attempts[_Part]:
        """The attempts with ``parts`` in place of parts that could be read; the errors of all others stay."""
        other: Attempts[_Part] = Attempts(self._errors)
        other._made, other._failed = {**self._made, **parts}, self._failed
        return other


def with_parts(known: Mapping[str, _Part], parts: Mapping[str, _Part]) -> Mapping[str, _Part]:
    """The ``known`` parts of a game, with ``parts`` in place of some; an unreadable part still raises its error."""
    return known.replaced(parts) if isinstance(known, Attempts) else {**known, **parts}


SpecT_co = TypeVar("SpecT_co", bound=RulesSpec, default=RulesSpec, covariant=True)


@dataclass(frozen=True)
class Ruleset(Generic[SpecT_co]):
    """Everything read from the documents of one game. ``id`` is the name of its folder.

    ``spec`` is the content of system.toml and proof.toml, read from ``files``; a ``Ruleset[ActionsSpec]`` was read with
    the actions of system.toml. ``restated`` are facts that the document says again in other words.

    ``edition`` names the phrasings by which another document was read, and is "" for the game's own document.
    ``ignored`` are sentences whose numbers are not read; they stand in the file of phrasings ``ignored_source``, or in
    proof.toml if that is None.

    ``tables`` are the printed tables; while a table is computed, also the computed tables that the table may use, each
    computed at its first look-up. ``errors`` are the errors of unreadable parts: iteration over ``ladders``,
    ``tables`` and ``facts`` leaves these parts out, and a look-up raises the error of the part. ``kept`` caches
    results of the resolver for several tables; a copy with another ``spec`` or other tables starts with an empty cache.
    ``sections`` are the sections of the documents as printed, ``inline`` their emphasised words and links,
    ``faults`` what their formats drop or add in silence, and ``left_out`` the places of words that are no rules.
    """

    id: str
    spec: SpecT_co
    files: SpecFiles
    documents: tuple[SourceFile, ...]
    ladders: Mapping[str, Ladder]
    tables: Mapping[str, RuleTable]
    facts: Mapping[str, Fact]
    restated: tuple[Fact, ...] = ()
    defects: tuple[Defect, ...] = ()
    edition: str = ""
    ignored: IgnoredSpec = field(default_factory=IgnoredSpec)
    ignored_source: SourceFile | None = None
    errors: tuple[RefgenError, ...] = ()
    faults: tuple[Fault, ...] = ()
    sections: tuple[Section, ...] = field(default=(), repr=False, compare=False)
    inline: tuple[InlineMark, ...] = field(default=(), repr=False, compare=False)
    left_out: tuple[Span, ...] = field(default=(), repr=False, compare=False)
    kept: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def __repr__(self) -> str:
        return f"<Ruleset {self.id}: {counted(len(self.spec.tables), 'table')}, {counted(len(self.facts), 'fact')}>"

    @property
    def title(self) -> str:
        """The name of the game."""
        return self.spec.title

    @property
    def words(self) -> Words:
        """The words that refgen prints in the aids and on the pages of the game."""
        return self.spec.output.words_of(self.spec.document.language)

    @property
    def document(self) -> SourceFile:
        """The first document."""
        return self.documents[0]

    @property
    def style(self) -> NotationStyle:
        """How the documents write numbers and dice."""
        return self.spec.document.style

    @property
    def printed_tables(self) -> Iterator[RuleTable]:
        """The printed tables that could be read."""
        return (self.tables[table_id] for table_id in self.tables if table_id in self.spec.tables)


def _position(table: str, kind: str, name: str | int, *known: Sequence[str]) -> int:
    """The number of a row or column (``kind``) by its name in one of the lists ``known``, or by that number.

    The first list with the name counts, and an exact match before a match but for case and typography. Raises
    UnknownNameError, with the nearest names, for a name that is not there, RulesError for a name that is there twice.
    """
    if isinstance(name, int):
        if 0 <= name < len(known[0]):
            return name
        hint = f"Count from 0; it has {len(known[0])} {kind}s."
        raise UnknownNameError(f'table "{table}" has no {kind} {name}', hint=hint)
    found = _positions(name, known)
    if len(found) == 1:
        return found[0]
    if found:
        hint = f"Take it by its number: {' or '.join(map(str, found))}."
        raise RulesError(f'table "{table}" has {len(found)} {kind}s "{name}"', hint=hint)
    names = {fold_name(other): other for names in reversed(known) for other in names}
    raise UnknownNameError(f'table "{table}" has no {kind} "{name}"', hint=did_you_mean(name, names.values()))


def _positions(name: str, known: Sequence[Sequence[str]]) -> Sequence[int]:
    for form in (str, fold_name):
        for names in known:
            if found := [number for number, other in enumerate(names) if form(other) == form(name)]:
                return found
    return ()
