"""Load a game: the TOML files in its folder and its rule documents become a Ruleset.

In: the folder of a game, and perhaps one document to read instead of the documents there. Out: the Ruleset. Raw tables
are found first, then ladders, then every cell and fact gets its type. A part that cannot be read leaves out that part
alone: a bad cell spoils its own table, and all other tables are read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePath
from typing import Generic, TypeVar

from refgen.errors import RefgenError, RulesError, SourceError, join_errors
from refgen.files import path_inside
from refgen.languages import Language
from refgen.notation.levels import Ladder
from refgen.readers.document import LEFT_OUT, Document, Fault, Note, RawCell, Section, join_documents
from refgen.readers.grids import FoundTable
from refgen.readers.read import DocumentSize, open_document
from refgen.rules.model import Attempts, Defect, Fact, Ruleset
from refgen.rules.output import OutputSettings
from refgen.rules.pattern import ValuePattern, compile_pattern, value_pattern
from refgen.rules.places import locate
from refgen.rules.schema import ColumnSpec, DefectSpec, DocumentSettings, RulesSpec
from refgen.rules.sentence import Sentence, read_in_place
from refgen.rules.spec_files import Edition, SpecFiles, editions
from refgen.rules.statements import FactFinder, Statement
from refgen.rules.table_finder import find_sections, find_table
from refgen.rules.typed_tables import TableTyper, refuse_never_there
from refgen.source import Passage, SourceFile, plain_text
from refgen.span import Span

MOST_NOTES = 3
"""More rows of one table that are read around alike are how the table is written, and are reported once."""

_FOLDER_HINT = "Put it into the folder, or name it with --document."
_PATTERN_HINT = 'For example "rules/*.md".'


def load_ruleset(
    folder: Path,
    model: type[_Spec],
    document: Path | None = None,
    settings: DocumentSettings | None = None,
    output: OutputSettings | None = None,
    *,
    partial: bool = False,
) -> Ruleset[_Spec]:
    """The rules of the game in ``folder``, read from its own documents, or from ``document`` in place of all of them.

    Every error of a table, a ladder or a fact is raised, all at once; with ``partial`` the Ruleset leaves out the parts
    that cannot be read, and keeps the errors. A TOML file that does not fit and a document that cannot be read raise in
    any case.

    ``model`` is the schema of system.toml and proof.toml: usually ``refgen.game.SystemSpec``. ``settings`` say how
    documents are written where system.toml does not, and ``output`` how aids are. Another document is read with the
    phrasings that explain most of its sentences: the game's own, or a file in ``phrasings``. Spans name files as
    ``<game>/<file>``, and another document by the path that the caller gave.
    """
    files = SpecFiles.read(folder)
    spec = files.load(model, settings.style) if settings else files.load(model)
    if settings is not None:
        spec = spec.model_copy(update={"document": spec.document.over(settings)})
    if output is not None:
        spec = spec.model_copy(update={"output": spec.output.over(output)})
    if document is None:
        return rules_in(read_documents(folder, spec, files.system), folder.name, spec, files, partial=partial)
    read = open_document(document, document_format=spec.format, typed=True)
    readers = [RulesetReader(folder.name, spec, files, read, edition) for edition in editions(folder, spec, files)]
    return _best_edition(readers).read(lenient=partial)


def rules_in(document: Document, game: str, spec: _Spec, files: SpecFiles, *, partial: bool = False) -> Ruleset[_Spec]:
    """The rules of a game in its own document, which was read already."""
    main = Edition.main(spec, files)
    return RulesetReader(game, spec, files, document, main, at_home=True).read(lenient=partial)


def _best_edition(readers: Sequence[RulesetReader[_Spec]]) -> RulesetReader[_Spec]:
    """The first reader whose edition explains the whole document, or the reader whose edition explains most."""
    if len(readers) == 1:
        return readers[0]
    whole = next((reader for reader in readers if not reader.unexplained), None)
    return whole or min(readers, key=lambda reader: reader.unexplained)


def read_documents(folder: Path, spec: RulesSpec, spec_source: SourceFile) -> Document:
    """All documents of a game as one, whose sections follow each other in the order in which the files are named.

    Files that a pattern matches come in the order of their names. Raises RulesError for a name that matches no file, or
    leads out of the folder.
    """
    if bool(spec.document.file) == bool(spec.documents):
        place = locate(spec_source, ("documents",))
        hint = 'For example documents = ["rules/*.md"].'
        raise RulesError("a game has either `document` or `documents`", span=place, hint=hint)
    if file := spec.document.file:
        paths = {file: _path_inside(folder, file, locate(spec_source, ("document",)))}
    else:
        paths = {}
        for number, pattern in enumerate(spec.documents):
            paths |= _files(folder, pattern, locate(spec_source, ("documents", number)))
    documents: list[Document] = []
    size = DocumentSize()
    for number, (name, path) in enumerate(paths.items(), start=1):
        documents.append(open_document(path, f"{folder.name}/{name}", spec.format))
        size.add(documents[-1].text.text, folder.name, documents[-1].entity_letters, [*paths.values()][number:])
    if len(documents) == 1:
        return documents[0]
    from refgen.readers.repeats import without_repeats  # most games have one document

    return join_documents(without_repeats(documents))


def _files(folder: Path, pattern: str, place: Span) -> Iterator[tuple[str, Path]]:
    """The documents that a name or pattern stands for, each with its name in the folder; TOML files are none."""
    if not any(mark in pattern for mark in "*?["):
        yield pattern, _path_inside(folder, pattern, place)
        return
    pattern = pattern.replace("\\", "/")
    if ".." in PurePath(pattern).parts:
        raise RulesError(f'"{pattern}" leads out of {folder.name}', span=place, hint=_FOLDER_HINT)
    try:
        found = sorted(path.relative_to(folder).as_posix() for path in folder.glob(pattern) if not path.is_dir())
    except (ValueError, NotImplementedError) as error:
        raise RulesError(f'"{pattern}" is no pattern of file names', span=place, hint=_PATTERN_HINT) from error
    documents = [file for file in found if not file.endswith(".toml") and "/." not in f"/{file}"]
    if not documents:
        raise RulesError(f'"{pattern}" matches no file in {folder.name}', span=place, hint=_PATTERN_HINT)
    for file in documents:
        yield file, _path_inside(folder, file, place)


def _path_inside(folder: Path, name: str, place: Span) -> Path:
    try:
        return path_inside(folder, name)
    except SourceError as error:
        raise RulesError(error.message, span=place, hint=_FOLDER_HINT) from error


_Part = TypeVar("_Part")
_Spec = TypeVar("_Spec", bound=RulesSpec)


@dataclass
class RulesetReader(Generic[_Spec]):
    """Reads the rules of a game in a document; ``at_home`` if system.toml is written for this document."""

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
        tables = self._attempt_each(self.spec.tables, self.typer.table)
        present = (name for name in self.spec.facts if name not in self.edition.absent)
        facts = self._attempt_each(present, lambda name: self._fact(name, stated[name]))
        restated = self._restated_facts()
        defects = self._attempt_each(self.spec.defects, lambda name: list(self._defects(name)))
        self._attempt_each(self.spec.pages if self.at_home else (), self._sections_titled)
        if self.errors and not lenient:
            raise join_errors(self.errors)
        return Ruleset(
            id=self.id,
            spec=self.spec,
            files=self.files,
            documents=(self.document.source, *self.document.others),
            ladders=self.ladders.settled,
            tables=tables,
            facts=facts,
            restated=tuple(restated),
            defects=(*(found for name in defects for found in defects[name]), *self._grid_notes()),
            edition=self.edition.name,
            ignored=self.edition.ignored,
            ignored_source=self.edition.source,
            errors=tuple(self.errors),
            faults=tuple(self._other_faults()),
            sections=self.document.sections,
            inline=self.document.marks,
            left_out=self.document.left_out,
        )

    def _attempt_each(self, names: Iterable[str], make: Callable[[str], _Part]) -> Mapping[str, _Part]:
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
        self.raw.attempt(table_id, self._find_table, table_id)

    def _find_table(self, table_id: str) -> FoundTable:
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
        ladder = self.ladders.get(column.ladder or "")
        return value_pattern(column.type, column.read, ladder, blank=True, language=self._language)

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
        ladder = self.ladders.get(fact.ladder or "")
        return value_pattern(fact.type, self.edition.readings[fact_id], ladder, language=self._language)

    @cached_property
    def _language(self) -> Language:
        """The language with the words alone that the document has: with few words, sentences are made sooner."""
        return self.spec.document.style.language.within(self.document.wording)

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
        stated: Attempts[Mapping[str, Passage]] = Attempts(self.errors)
        keys: dict[str, str] = {}  # by fact, the number of its statement
        for number, statement in enumerate(self.edition.statements):
            stated.attempt(str(number), self._finder.find, statement)
            keys |= dict.fromkeys(statement.states, str(number))
        return self._attempt_each(keys, lambda name: stated[keys[name]][name])

    def _fact(self, fact_id: str, passage: Passage) -> Fact:
        spec, cell = self.spec.facts[fact_id], RawCell.of(passage)
        readings = self.edition.readings[fact_id]
        style = self.spec.document.style.of_column([read_in_place(readings, cell.text)])
        value = self.typer.value(cell, spec, readings, style)
        if value is None:
            raise RulesError(f'the fact "{fact_id}" is blank', span=cell.span)
        return Fact(fact_id, spec.title, cell.text, value, cell.span, spec.unit)

    def _sections_titled(self, title: str) -> Sequence[Section]:
        """The sections whose page is said. Raises RulesError for a heading that the document does not have."""
        return find_sections(self.document, title, self.edition.at("pages", title))

    def _restated_facts(self) -> Sequence[Fact]:
        """The facts that [restated] sentences say again; a sentence that fails leaves the facts of all others."""
        read: Attempts[list[Fact]] = Attempts(self.errors)
        for number, statement in enumerate(self.edition.restated):  # two sections may have the same sentence
            read.attempt(str(number), self._restated_by, statement)
        return [fact for facts in read.values() for fact in facts]

    def _restated_by(self, statement: Statement) -> list[Fact]:
        return [self._fact(name, passage) for name, passage in self._finder.restated(statement)]

    def _other_faults(self) -> Iterator[Fault]:
        """The faults of the document that are not among the errors of tables, and what is left out as no rules."""
        places = {error.span for error in self.errors}
        yield from (fault for fault in self.document.faults if fault.span not in places)
        yield from self.document.left_out_by_kind()

    def _grid_notes(self) -> Iterator[Defect]:
        """The notes of readers about the grids that tables are read from; of many alike in one table, the first."""
        count: Counter[str] = Counter()
        for table_id, found in self.raw.items():
            by_reading: dict[str, list[Note]] = {}
            for note in self.document.notes:
                if note.reading != LEFT_OUT and found.span.holds(note.span):
                    by_reading.setdefault(note.reading, []).append(note)
            for notes in by_reading.values():
                is_habit = len(notes) > MOST_NOTES
                more = f", as at {len(notes) - 1} further places" if is_habit else ""
                for note in notes[:1] if is_habit else notes:
                    printed, message = plain_text(self.document.printed(note.span)) or "blank", f"{note.message}{more}"
                    name = f"uneven-row/{table_id}/{'-'.join(printed.lower().split())}"
                    count[name] += 1
                    name += f"/{count[name]}" if count[name] > 1 else ""
                    is_doubtful = note.is_doubtful and not is_habit
                    yield Defect(name, message, table_id, printed, note.reading, note.span, is_doubtful)

    def _defects(self, defect_id: str) -> Iterator[Defect]:
        """Every spot where the raw text shows the defect; line breaks count, since a line break may be what is lost."""
        spec = self.spec.defects[defect_id]
        place = self.edition.at("defects", defect_id)
        for section in find_sections(self.document, self.edition.section(spec.section), place):
            for spot in _spots(section.text, spec):
                yield Defect(defect_id, spec.title, spec.table or "", plain_text(spot.text), spec.repair, spot.span)


def _spots(text: Passage, spec: DefectSpec) -> Iterator[Passage]:
    if spec.text:
        found = Sentence(spec.text, blanks=" ").matches(text.text)
        yield from (text.group(match) for match in found)
    if spec.pattern:
        pattern = compile_pattern(spec.pattern)
        for match in pattern.finditer(text.text):
            yield text.group(match, 1 if pattern.groups else 0)
