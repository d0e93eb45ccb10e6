"""Read the rules of a game out of its document: raw tables first, then ladders, then every cell and fact with its type.

In: the spec of a game, an edition of its document, and that document. Out: a Ruleset. A part that cannot be read leaves
out that part alone: a bad cell spoils its own table, and all other tables are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Generic, TypeVar

from refgen.errors import RefgenError, RulesError, is_among, together
from refgen.notation.levels import Ladder
from refgen.readers.document import Document, Fault, RawCell
from refgen.rules.model import Defect, Fact, Ruleset
from refgen.rules.pattern import ValuePattern, compiled, value_pattern
from refgen.rules.schema import ColumnSpec, DefectSpec, RulesSpec, TableSpec
from refgen.rules.sentence import Sentence, certain_names, read_in_place
from refgen.rules.spec_files import Edition, SpecFiles
from refgen.rules.statements import FactFinder, Statement
from refgen.rules.table_finder import FoundTable, find_sections, find_table
from refgen.rules.typed_tables import TableTyper
from refgen.source import Passage, plain
from refgen.span import Span

_Part = TypeVar("_Part")
_Spec = TypeVar("_Spec", bound=RulesSpec)


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


@dataclass
class RulesetReader(Generic[_Spec]):
    """Reads the rules of one game in one document; ``at_home`` if system.toml is written for this document."""

    id: str
    spec: _Spec
    files: SpecFiles
    document: Document
    edition: Edition
    at_home: bool = False
    errors: list[RefgenError] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.raw: Attempts[FoundTable] = Attempts(self.errors)
        self.ladders: Attempts[Ladder] = Attempts(self.errors)
        self.typer = TableTyper(self.spec, self.raw, self.ladders, self.errors)

    def read(self, *, lenient: bool) -> Ruleset[_Spec]:
        """The rules. Raises all errors at once; if ``lenient``, they stand in ``Ruleset.errors`` instead."""
        self._find_tables()
        stated = self._find_facts()
        tables = self._each(self.spec.tables, self.typer.table)
        said = (name for name in self.spec.facts if name not in self.edition.absent)
        facts = self._each(said, lambda name: self._fact(name, stated[name]))
        restated = self._restated()
        defects = self._each(self.spec.defects, lambda name: list(self._defects(name)))
        if self.errors and not lenient:
            raise together(self.errors)
        return Ruleset(
            id=self.id,
            spec=self.spec,
            files=self.files,
            documents=(self.document.source, *self.document.others),
            ladders=self.ladders.settled,
            tables=tables,
            facts=facts,
            restated=tuple(restated),
            defects=(*(found for name in defects for found in defects[name]), *self._noted()),
            edition=self.edition.name,
            ignored=self.edition.ignored,
            ignored_source=self.edition.source,
            errors=tuple(self.errors),
            faults=tuple(self._other_faults()),
            sections=self.document.sections,
            inline=self.document.marks,
        )

    def _each(self, names: Iterable[str], make: Callable[[str], _Part]) -> Mapping[str, _Part]:
        made: Attempts[_Part] = Attempts(self.errors)
        for name in names:
            made.attempt(name, make, name)
        return made.settled

    @cached_property
    def unexplained(self) -> int:
        """How many tables, ladders and sentences are not in the document as this edition has them."""
        self._find_tables()
        unstated = sum(not self._finder.states(statement) for statement in self.edition.statements)
        unfound = len(self.spec.tables) - len(self.raw) + len(self.spec.ladders) - len(self.ladders)
        return unfound + unstated

    def _find_tables(self) -> None:
        """Find the ladders and the tables of ladders, then all other tables, whose cells may be levels of ladders."""
        for ladder_id, ladder in self.spec.ladders.items():
            if ladder.table in self.spec.tables:
                self._find(ladder.table)
            self.ladders.attempt(ladder_id, self.typer.ladder, ladder, self.edition.at("ladders", ladder_id))
        for table_id in self.spec.tables:
            self._find(table_id)

    def _find(self, table_id: str) -> None:
        self.raw.attempt(table_id, self._found, table_id)

    def _found(self, table_id: str) -> FoundTable:
        table = self.edition.tables[table_id]
        columns = {column.id: column for column in table.columns}
        place = self.edition.at("tables", table_id)
        style = self.spec.document.style
        found = find_table(self.document, table, place, lambda name: self._cell_pattern(columns[name]), style)
        self._refuse_faults(found)
        if self.at_home:
            refuse_never_there(table, found.rows, place)
        return found

    def _cell_pattern(self, column: ColumnSpec) -> ValuePattern:
        return value_pattern(column.type, column.read, self.ladders.get(column.ladder or ""), blank=True)

    def _refuse_faults(self, found: FoundTable) -> None:
        """Refuse a table without rows, and a table of which the format of the document drops or adds something."""
        if not found.rows:
            hint = "Fill it, or look for its rows elsewhere: they may stand apart from this head."
            raise RulesError("this table has no rows", span=found.span, hint=hint)
        for fault in self.document.faults:
            if found.span.holds(fault.span):
                raise RulesError(fault.message, span=fault.span, hint=fault.hint)

    @cached_property
    def _finder(self) -> FactFinder:
        return FactFinder(self.document, self._fact_pattern, self._rows, self.spec.document.style)

    def _fact_pattern(self, fact_id: str) -> ValuePattern:
        fact = self.spec.facts[fact_id]
        return value_pattern(fact.type, self.edition.readings[fact_id], self.ladders.get(fact.ladder or ""))

    def _rows(self, table_id: str) -> Sequence[Passage]:
        """The rows of a table as texts in which sentences are looked for."""
        self._find(table_id)
        return [Passage.joined(map(self._passage, row), " ") for row in self.raw[table_id].rows]

    def _passage(self, cell: RawCell) -> Passage:
        """A cell as a piece of its file; where that holds markup too, every character has the place of the cell."""
        sources = (self.document.source, *self.document.others)
        source = next(source for source in sources if source.name == cell.span.file)
        printed = source.passage[cell.span.start : cell.span.end]
        as_read = printed.collapsed()
        return as_read if as_read.text == cell.text else printed.replaced(cell.text)

    def _find_facts(self) -> Mapping[str, Passage]:
        """Where each fact is printed. A sentence that is not in the document makes all its facts fail."""
        printed: Attempts[Passage] = Attempts(self.errors)
        for statement in self.edition.statements:
            stated: Attempts[Mapping[str, Passage]] = Attempts(self.errors)
            stated.attempt(statement.fact, self._finder.find, statement)
            for name in statement.states:
                printed.attempt(name, _stated_at, stated, statement.fact, name)
        return printed

    def _fact(self, fact_id: str, passage: Passage) -> Fact:
        spec, cell = self.spec.facts[fact_id], RawCell.of(passage)
        readings = self.edition.readings[fact_id]
        style = self.spec.document.style.of_column([read_in_place(readings, cell.text)])
        value = self.typer.value(cell, spec, readings, style)
        if value is None:
            raise RulesError(f'the fact "{fact_id}" is blank', span=cell.span)
        return Fact(fact_id, spec.title, cell.text, value, cell.span, spec.unit)

    def _restated(self) -> Sequence[Fact]:
        """The facts that [restated] sentences say again; a sentence that fails leaves the facts of all others."""
        said: Attempts[list[Fact]] = Attempts(self.errors)
        for statement in self.edition.restated:
            said.attempt(statement.place.text or "", self._facts_said, statement)
        return [fact for facts in said.values() for fact in facts]

    def _facts_said(self, statement: Statement) -> list[Fact]:
        return [self._fact(name, passage) for name, passage in self._finder.restated(statement)]

    def _other_faults(self) -> Iterator[Fault]:
        """The faults of the document that are not among the errors of tables."""
        told = {error.span for error in self.errors}
        return (fault for fault in self.document.faults if fault.span not in told)

    def _noted(self) -> Iterator[Defect]:
        """The notes of readers about the grids that tables are read from."""
        for table_id, found in self.raw.items():
            for note in self.document.notes:
                if found.span.holds(note.span):
                    printed = plain(self.document.printed(note.span))
                    yield Defect("uneven-row", note.message, table_id, printed or "blank", note.reading, note.span)

    def _defects(self, defect_id: str) -> Iterator[Defect]:
        """Every spot where the raw text shows the defect; line breaks count, since a line break may be what is lost."""
        spec = self.spec.defects[defect_id]
        place = self.edition.at("defects", defect_id)
        for section in find_sections(self.document, self.edition.section(spec.section), place):
            for spot in _spots(section.text, spec):
                yield Defect(defect_id, spec.title, spec.table or "", plain(spot.text), spec.repair, spot.span)


def refuse_never_there(spec: TableSpec, rows: Sequence[Sequence[RawCell]], spec_span: Span) -> None:
    """Raises RulesError for a column in an optional part of ``row`` that is missing in every row of the table."""
    certain = {name for text in spec.row for name in certain_names(text)}
    for number, column in enumerate(spec.columns if spec.row else ()):
        if column.id not in certain and not any(row[number].text for row in rows):
            message = f'no row of "{spec.title}" has what stands in square brackets with {{{column.id}}}'
            raise RulesError(message, span=spec_span, hint="Mend the sentence `row`, or take the part out of it.")


def _stated_at(stated: Mapping[str, Mapping[str, Passage]], statement: str, fact_id: str) -> Passage:
    return stated[statement][fact_id]


def _spots(text: Passage, spec: DefectSpec) -> Iterator[Passage]:
    if spec.text:
        found = Sentence(spec.text, blanks=" ").matches(text.text)
        yield from (text.group(match) for match in found)
    if spec.pattern:
        pattern = compiled(spec.pattern)
        for match in pattern.finditer(text.text):
            yield text.group(match, 1 if pattern.groups else 0)
