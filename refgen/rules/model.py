"""A game's rules as typed data. All records are frozen; every printed thing carries its span.

Printed and computed tables share one shape, so that whatever shows or compares tables needs no second way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Generic

from typing_extensions import TypeVar

from refgen.errors import RefgenError, RulesError, UnknownNameError
from refgen.notation.levels import Ladder
from refgen.notation.printed_cell import NotationName
from refgen.notation.printed_numbers import NotationStyle
from refgen.notation.values import Interval, Modifier, Number, Percent, Text, Value
from refgen.readers.document import Fault, InlineMark, Section
from refgen.rules.schema import IgnoredSpec, RulesSpec
from refgen.rules.spec_files import SpecFiles
from refgen.source import SourceFile
from refgen.span import Span
from refgen.suggestion import did_you_mean, folded

PlainValue = int | Fraction | str | None


@dataclass(frozen=True, slots=True, init=False)
class Cell:
    """One cell: ``text`` as printed, its typed ``value`` (None when blank).

    ``span`` says where a printed cell stands. Of a computed one ``exact`` is the unrounded number, and ``sources``
    says where everything stands that it was worked out from.
    """

    text: str
    value: Value | None = None
    span: Span | None = None
    exact: Fraction | None = None
    sources: tuple[Span, ...] = ()

    def __init__(
        self,
        text: str,
        value: Value | None = None,
        span: Span | None = None,
        exact: Fraction | None = None,
        sources: tuple[Span, ...] = (),
    ) -> None:
        # Computed tables are thousands of cells: by its slots one is made in half the time.
        _set_text(self, text)
        _set_value(self, value)
        _set_span(self, span)
        _set_exact(self, exact)
        _set_sources(self, sources)

    def __repr__(self) -> str:
        place = f" at {self.span}" if self.span else ""
        return f"<Cell {self.text!r}{place}>" if self.exact is None else f"<Cell {self.text!r}: {self.exact}{place}>"

    @property
    def plain_value(self) -> PlainValue:
        """The exact number of a computed cell; of a printed one an int, or a Fraction where it is not whole.

        Words, and what is more than one number (a bound, a range, a number with its chance), are the printed text, a
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


_set_text, _set_value, _set_span, _set_exact, _set_sources = (
    getattr(Cell, name).__set__ for name in ("text", "value", "span", "exact", "sources")
)


@dataclass(frozen=True, slots=True)
class Column:
    """A column: ``type`` is the notation of its cells, ``unit`` a unit or number that stands under its title."""

    id: str
    title: str
    type: NotationName = "text"
    unit: str = ""


@dataclass(frozen=True, slots=True)
class RuleTable:
    """A table, printed or computed.

    ``rule`` says in words how a computed table follows from the rules, and is "" for a printed one; ``rounding``
    names the rule by which its figures are rounded ("" when none is). ``span`` is None for a computed one.
    ``layout`` is how the document prints it: grid, ragged, list, paragraphs or prose.
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
        return f"<{type(self).__name__} {self.id}: {len(self.rows)} rows, {len(self.columns)} columns>"

    def __getitem__(self, place: tuple[str | int, str | int]) -> Cell:
        """The cell in a row and column.

        A row goes by the text of its first cell or by its number from 0, a column by its id, title or number. Case and
        typographic variants make no difference. Raises UnknownNameError, with the nearest names, where there is none.
        """
        row, column = place
        number = position(self.id, "row", row, [cells[0].shown for cells in self.rows])
        return self.rows[number][self._column_number(column)]

    def column(self, name: str | int) -> tuple[Cell, ...]:
        """The cells of a column, from top to bottom; the column is found as in ``table[row, column]``."""
        number = self._column_number(name)
        return tuple(row[number] for row in self.rows)

    def records(self) -> list[dict[str, PlainValue]]:
        """Each row as its plain values by column title, ready for ``pandas.DataFrame``.

        Where columns share a title, the later ones have their id with it: "Chance (chance-3d6)"; where they share the
        id as well, because a document prints a name twice, their number: "Chance (3)".
        """
        titles: dict[str, None] = {}
        for number, column in enumerate(self.columns, start=1):
            names = (column.title, *(f"{column.title} ({more})" for more in (column.id, *range(number, 2 * number))))
            titles[next(name for name in names if name not in titles)] = None
        return [dict(zip(titles, (cell.plain_value for cell in row), strict=True)) for row in self.rows]

    def _column_number(self, name: str | int) -> int:
        ids, titles = [column.id for column in self.columns], [column.title for column in self.columns]
        return position(self.id, "column", name, ids, titles)

    @property
    def explained(self) -> str:
        """How a computed table follows from the rules, and how its figures are rounded."""
        return f"{self.rule} Rounded {self.rounding}." if self.rounding else self.rule

    @property
    def computed(self) -> bool:
        """Whether refgen worked this table out (and no document prints it)."""
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
    """A defect of the document: the words at the spot, what is wrong with them, and how refgen reads the spot."""

    id: str
    title: str
    table: str
    text: str
    repair: str
    span: Span


SpecT_co = TypeVar("SpecT_co", bound=RulesSpec, default=RulesSpec, covariant=True)


@dataclass(frozen=True)
class Ruleset(Generic[SpecT_co]):
    """Everything read from one game's documents. ``id`` is the name of its folder.

    ``spec`` is its system.toml and its proof.toml, read from ``files``; ``Ruleset[ActionsSpec]`` is one whose
    system.toml has been read with its actions.

    ``restated`` are facts that the document says once more, in other words.

    ``edition`` names the phrasings by which another document was read, and is "" for the game's own. ``ignored`` are
    the sentences of the document with numbers that it does not read, written in ``ignored_source`` where that is a
    file of phrasings.

    ``tables`` are the printed ones; while a table is computed, those that it may use besides, each computed when it is
    looked up. ``errors`` are those of what could not be read: no iteration over ``ladders``, ``tables`` and ``facts``
    meets it, and asking for it raises its error. ``kept`` is what was worked out of the printed ones for several
    tables, and can be worked out again: a copy with another ``spec`` or other printed tables starts with an empty one.
    ``sections`` are those of its documents, as printed, ``inline`` their words that stand out, and links, and
    ``faults`` what their formats drop or mend in silence.
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
    kept: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def __repr__(self) -> str:
        return f"<Ruleset {self.id}: {len(self.spec.tables)} tables, {len(self.facts)} facts>"

    @property
    def title(self) -> str:
        """The name of the game."""
        return self.spec.title

    @property
    def document(self) -> SourceFile:
        """The first of its documents."""
        return self.documents[0]

    @property
    def style(self) -> NotationStyle:
        """How its documents write numbers and dice."""
        return self.spec.document.style

    @property
    def printed_tables(self) -> Iterator[RuleTable]:
        """The tables of the document that could be read, and no computed ones."""
        return (self.tables[table_id] for table_id in self.tables if table_id in self.spec.tables)


def position(table: str, kind: str, name: str | int, *known: Sequence[str]) -> int:
    """The number of a row or column (``kind``) by its name in one of the lists ``known``, or by that number.

    The first list that has the name counts; a name as it is goes before one that is the same but for case and
    typography. Raises UnknownNameError for what is not there, with the nearest, RulesError for what is there twice.
    """
    if isinstance(name, int):
        return _checked(table, kind, name, len(known[0]))
    found = _positions(name, known)
    if len(found) == 1:
        return found[0]
    if found:
        hint = f"Take it by its number: {' or '.join(map(str, found))}."
        raise RulesError(f'table "{table}" has {len(found)} {kind}s "{name}"', hint=hint)
    names = {folded(other): other for names in reversed(known) for other in names}
    raise UnknownNameError(f'table "{table}" has no {kind} "{name}"', hint=did_you_mean(name, names.values()))


def _checked(table: str, kind: str, number: int, count: int) -> int:
    if 0 <= number < count:
        return number
    raise UnknownNameError(f'table "{table}" has no {kind} {number}', hint=f"Count from 0; it has {count} {kind}s.")


def _positions(name: str, known: Sequence[Sequence[str]]) -> Sequence[int]:
    for form in (str, folded):
        for names in known:
            if found := [number for number, other in enumerate(names) if form(other) == form(name)]:
                return found
    return ()
