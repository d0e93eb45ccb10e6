"""Load a system: its system.toml, its proof.toml and its rule document become a Ruleset.

In: the folder of a system, and perhaps another document to read instead of the one there. Out: the Ruleset.
One bad cell spoils its own table: the others are read all the same, and every fault is told with its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Generic, TypeVar

from refgen.errors import RefgenError, RulesError, is_among, together
from refgen.notation.levels import Ladder
from refgen.notation.printed_cell import NotationName
from refgen.notation.printed_numbers import NotationStyle
from refgen.notation.values import Value
from refgen.readers.document import Document, Fault, RawCell
from refgen.readers.read import open_document
from refgen.rules.attempts import Attempts
from refgen.rules.documents import read_documents
from refgen.rules.facts import FactFinder, Statement, counted_ladder, numbered_ladder
from refgen.rules.find import FoundTable, find_sections, find_table
from refgen.rules.model import Cell, Column, Defect, Fact, Ruleset, RuleTable
from refgen.rules.pattern import ANYTHING, ValuePattern, compiled, form_of
from refgen.rules.phrasing import Edition, editions
from refgen.rules.readings import read_in_place
from refgen.rules.rows import cell_value, refuse_never_there, refuse_two_units, with_blanks
from refgen.rules.schema import ColumnSpec, DefectSpec, DocumentSettings, LadderSpec, RulesSpec
from refgen.rules.sentence import Sentence
from refgen.rules.spec_files import SpecFiles
from refgen.source import Passage, plain
from refgen.span import Span
from refgen.suggestion import did_you_mean

_Read = TypeVar("_Read")
_Spec = TypeVar("_Spec", bound=RulesSpec)


def load_ruleset(
    folder: Path,
    model: type[_Spec],
    document: Path | None = None,
    settings: DocumentSettings | None = None,
    *,
    partial: bool = False,
) -> Ruleset[_Spec]:
    """Load the system in ``folder``, from the documents there or from ``document``, which takes the place of all.

    What cannot be read of it is raised, all of it at once; with ``partial`` it is left out, in ``Ruleset.errors``. A
    system.toml or proof.toml that does not fit, and a document that cannot be read, are raised in any case.

    ``model`` is what these may hold: usually all of it (``refgen.game.spec.SystemSpec``). Another document is
    read with the phrasings that explain most of it: the game's own, or those of a file in ``phrasings``.

    ``settings`` say how its documents are written where its system.toml does not.

    Files are named in spans as ``<system>/<file>``; another document by the path it was given with.
    """
    files = SpecFiles.read(folder)
    spec = files.load(model, tuple(settings.dice_letters) if settings else ())
    _refuse_unknown(spec, files)
    if settings is not None:
        spec = spec.model_copy(update={"document": spec.document.over(settings)})
    if document is None:
        read = read_documents(folder, spec, files.system)
        return rules_in(read, folder.name, spec, files, partial=partial)
    read = open_document(document, document_format=spec.format, typed=True)
    known = editions(folder, spec, files)
    return rules_by_best(read, folder.name, spec, files, known, partial=partial)


def rules_by_best(
    document: Document,
    system: str,
    spec: _Spec,
    files: SpecFiles,
    known: Sequence[Edition],
    *,
    partial: bool = False,
) -> Ruleset[_Spec]:
    """The rules of a system in a document that was read already, by the edition that explains most of it."""
    return _best([_Loader(system, spec, files, document, edition) for edition in known]).load(partial)


def rules_in(
    document: Document,
    system: str,
    spec: _Spec,
    files: SpecFiles,
    edition: Edition | None = None,
    *,
    partial: bool = False,
) -> Ruleset[_Spec]:
    """The rules of a system in a document that was read already, by its own phrasings or those of an edition."""
    phrased = edition or Edition.main(spec, files)
    return _Loader(system, spec, files, document, phrased, at_home=edition is None).load(partial)


def _refuse_unknown(spec: RulesSpec, files: SpecFiles) -> None:
    """Raises RulesError for what proof.toml says of a fact, a table or a column that the game does not have."""
    columns = [f"{name}.{column.id}" for name, table in spec.tables.items() for column in table.columns]
    known = {*spec.facts, *spec.tables, *columns}
    for reason, names in spec.pinned.items():
        for name in names:
            if name not in known:
                message = f'there is no fact, table or column "{name}" to pin'
                raise RulesError(message, span=files.at("pinned", reason), hint=did_you_mean(name, known))
    for name in spec.row_counts:
        if name not in spec.tables:
            message, hint = f'there is no table "{name}"', did_you_mean(name, spec.tables)
            raise RulesError(message, span=files.at("row_counts", name), hint=hint)


def _best(loaders: Sequence[_Loader[_Spec]]) -> _Loader[_Spec]:
    """The first that explains its whole document, or the one that explains most."""
    best, fewest = loaders[0], -1
    for loader in loaders if len(loaders) > 1 else ():
        unexplained = loader.unexplained()
        if fewest < 0 or unexplained < fewest:
            best, fewest = loader, unexplained
        if not unexplained:
            break
    return best


@dataclass
class _Loader(Generic[_Spec]):
    """A load of rules: raw tables first, then the ladders they hold, then every cell with its type.

    ``at_home``: the document is the one for which system.toml is written.
    """

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
        self.printed: Attempts[Passage] = Attempts(self.errors)

    def load(self, lenient: bool) -> Ruleset[_Spec]:
        self._find_ladders()
        for table_id in self.spec.tables:
            self._find(table_id)
        self._find_facts()
        tables = self._each(self.spec.tables, self._table)
        facts = self._each((name for name in self.spec.facts if name not in self.edition.absent), self._fact)
        restated = tuple(self._restated())
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
            restated=restated,
            defects=(*(found for name in defects for found in defects[name]), *self._noted()),
            edition=self.edition.name,
            ignored=self.edition.ignored,
            ignored_source=self.edition.source,
            errors=tuple(self.errors),
            faults=tuple(self._other_faults()),
            sections=self.document.sections,
            inline=self.document.marks,
        )

    def _each(self, names: Iterable[str], make: Callable[[str], _Read]) -> Mapping[str, _Read]:
        made: Attempts[_Read] = Attempts(self.errors)
        for name in names:
            made.attempt(name, partial(make, name))
        return made.settled

    def unexplained(self) -> int:
        """How many tables, ladders and sentences are not in the document as this edition has them."""
        self._find_ladders()
        for table_id in self.spec.tables:
            self._find(table_id)
        unstated = sum(not self._finder.states(statement) for statement in self.edition.statements)
        unfound = len(self.spec.tables) - len(self.raw) + len(self.spec.ladders) - len(self.ladders)
        return unfound + unstated

    def _find_ladders(self) -> None:
        """The ladders, and the tables that they come from: what stands for a level elsewhere goes by them."""
        for ladder_id, ladder in self.spec.ladders.items():
            if ladder.table in self.spec.tables:
                self._find(ladder.table)
            self.ladders.attempt(ladder_id, partial(self._ladder, ladder, self._at("ladders", ladder_id)))

    def _find(self, table_id: str) -> None:
        self.raw.attempt(table_id, lambda: self._found(table_id))

    def _found(self, table_id: str) -> FoundTable:
        table = self.edition.tables[table_id]
        columns = {column.id: column for column in table.columns}
        place = self._at("tables", table_id)
        style = self.spec.document.style
        found = find_table(self.document, table, place, lambda name: self._cell_form(columns[name]), style)
        self._refuse_faults(found)
        if self.at_home:
            refuse_never_there(table, found.rows, place)
        return found

    def _cell_form(self, column: ColumnSpec) -> ValuePattern:
        return form_of(column.type, column.read, self.ladders.get(column.ladder or ""), blank=True)

    @cached_property
    def _finder(self) -> FactFinder:
        return FactFinder(self.document, self._form, self._rows, self.spec.document.style)

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

    def _form(self, fact_id: str) -> ValuePattern:
        fact = self.spec.facts[fact_id]
        return form_of(fact.type, self.edition.readings[fact_id], self.ladders.get(fact.ladder or ""))

    def _find_facts(self) -> None:
        """Where each fact is printed; a sentence that is not there takes its own facts with it."""
        for statement in self.edition.statements:
            stated: Attempts[Mapping[str, Passage]] = Attempts(self.errors)
            stated.attempt(statement.fact, partial(self._finder.find, statement))
            for name in statement.states:
                self.printed.attempt(name, partial(_named, stated, statement.fact, name))

    def _restated(self) -> Sequence[Fact]:
        """What is restated. A sentence that is not there, or a value that cannot be read, leaves the others."""
        said: Attempts[list[Fact]] = Attempts(self.errors)
        for statement in self.edition.restated:
            said.attempt(statement.place.text or "", partial(self._facts_of, statement))
        return [fact for facts in said.values() for fact in facts]

    def _facts_of(self, statement: Statement) -> list[Fact]:
        return [self._fact_at(name, passage) for name, passage in self._finder.restated(statement)]

    def _refuse_faults(self, found: FoundTable) -> None:
        """A table that is used must hold exactly what is printed: nothing dropped, nothing added; and something."""
        if not found.rows:
            hint = "Fill it, or look for its rows elsewhere: they may stand apart from this head."
            raise RulesError("this table has no rows", span=found.span, hint=hint)
        for fault in self.document.faults:
            if found.span.holds(fault.span):
                raise RulesError(fault.message, span=fault.span, hint=fault.hint)

    def _other_faults(self) -> Iterator[Fault]:
        """The faults of the document that are not told as errors of a table."""
        told = {error.span for error in self.errors}
        return (fault for fault in self.document.faults if fault.span not in told)

    def _noted(self) -> Iterator[Defect]:
        """The notes of readers about the grids that tables are read from."""
        for table_id, found in self.raw.items():
            for note in self.document.notes:
                if found.span.holds(note.span):
                    printed = plain(self.document.printed(note.span))
                    yield Defect("uneven-row", note.message, table_id, printed or "blank", note.reading, note.span)

    def _at(self, kind: str, name: str) -> Span:
        return self.edition.at(kind, name)

    def _ladder(self, spec: LadderSpec, spec_span: Span) -> Ladder:
        levels, column = self._column(spec.table, spec.level, spec_span)
        if spec.value is None:
            return counted_ladder(spec, levels, column, spec_span)
        return numbered_ladder(spec, levels, column, *self._column(spec.table, spec.value, spec_span))

    def _column(self, table: str, column: str, spec_span: Span) -> tuple[Sequence[RawCell], ColumnSpec]:
        """The cells of a column, and how they are printed."""
        if table not in self.raw:
            raise RulesError(f'there is no table "{table}"', span=spec_span, hint=did_you_mean(table, self.spec.tables))
        specs = self.spec.tables[table].columns
        index = next((number for number, spec in enumerate(specs) if spec.id == column), None)
        if index is None:
            hint = did_you_mean(column, [spec.id for spec in specs])
            raise RulesError(f'table "{table}" has no column "{column}"', span=spec_span, hint=hint)
        return [row[index] for row in self.raw[table].rows], specs[index]

    def _value(
        self,
        cell: RawCell,
        notation: NotationName,
        readings: Mapping[str, str],
        ladder: str | None,
        style: NotationStyle,
    ) -> Value | None:
        levels = self.ladders.get(ladder or "")
        hint = partial(self._level_hint, self.spec.ladders[ladder], cell.text) if ladder and levels else str
        return cell_value(cell, notation, readings, levels, hint, style)

    def _level_hint(self, ladder: LadderSpec, text: str) -> str:
        """Where the level stands that a text names, or else its ladder."""
        held = (cell for row in self.raw[ladder.table].rows for cell in row)
        place = next((cell.span for cell in held if cell.text and cell.text in text), self.raw[ladder.table].span)
        return f"The ladder stands at {place}."

    def _table(self, table_id: str) -> RuleTable:
        found, spec = self.raw[table_id], self.spec.tables[table_id]
        titles = found.header if len(found.header) == len(spec.columns) else ("",) * len(spec.columns)
        columns = tuple(
            Column(
                column.id,
                column.title or title or column.id.replace("-", " ").capitalize(),
                column.type,
                column.unit,
            )
            for column, title in zip(spec.columns, titles, strict=True)
        )
        read = [
            list(self._tried([row[index] for row in found.rows], column)) for index, column in enumerate(spec.columns)
        ]
        self._refuse_unread(read)
        cells = [
            with_blanks([cell for cell in column if isinstance(cell, Cell)], spec.columns[index])
            for index, column in enumerate(read)
        ]
        for column in cells:
            refuse_two_units(column)
        rows = tuple(zip(*cells, strict=True))
        note = spec.note or " ".join(found.notes)
        return RuleTable(table_id, spec.title, columns, rows, found.span, note=note, layout=spec.laid_out)

    def _tried(self, cells: Sequence[RawCell], column: ColumnSpec) -> Iterator[Cell | RefgenError]:
        """The cells of a column; for each that cannot be read, why."""
        style = self.spec.document.style.of_column(read_in_place(column.read, cell.text) for cell in cells)
        for cell in cells:
            try:
                yield Cell(cell.text, self._value(cell, column.type, column.read, column.ladder, style), cell.span)
            except RefgenError as error:
                yield error

    def _refuse_unread(self, columns: Sequence[Sequence[Cell | RefgenError]]) -> None:
        """Raises the first error among the cells of a table, row by row; the others are noted as well."""
        errors = [cell for row in zip(*columns, strict=True) for cell in row if isinstance(cell, RefgenError)]
        known = [error for error in errors if is_among(error, self.errors)]
        for error in errors:
            if not is_among(error, self.errors):
                self.errors.append(error)
        if errors:
            raise (known or errors)[0]

    def _fact(self, fact_id: str) -> Fact:
        return self._fact_at(fact_id, self.printed[fact_id])

    def _fact_at(self, fact_id: str, passage: Passage) -> Fact:
        spec, cell = self.spec.facts[fact_id], RawCell.of(passage)
        readings = self.edition.readings[fact_id]
        style = self.spec.document.style.of_column([read_in_place(readings, cell.text)])
        value = self._value(cell, spec.type, readings, spec.ladder, style)
        if value is None:
            raise RulesError(f'the fact "{fact_id}" is blank', span=cell.span)
        return Fact(fact_id, spec.title, cell.text, value, cell.span, spec.unit)

    def _defects(self, defect_id: str) -> Iterator[Defect]:
        """Every spot where the raw text shows the defect; line breaks count, since they may be what is lost."""
        spec = self.spec.defects[defect_id]
        section_title = self.edition.section(spec.section)
        for section in find_sections(self.document, section_title, self._at("defects", defect_id)):
            for spot in _spots(section.text, spec):
                yield Defect(defect_id, spec.title, spec.table or "", plain(spot.text), spec.repair, spot.span)


def _named(stated: Mapping[str, Mapping[str, Passage]], statement: str, name: str) -> Passage:
    return stated[statement][name]


def _spots(text: Passage, spec: DefectSpec) -> Iterator[Passage]:
    if spec.text:
        found = Sentence(spec.text, lambda _: ANYTHING, blanks=" ").matches(text.text)
        yield from (text.group(match) for match in found)
    if spec.pattern:
        pattern = compiled(spec.pattern)
        for match in pattern.finditer(text.text):
            yield text.group(match, 1 if pattern.groups else 0)
