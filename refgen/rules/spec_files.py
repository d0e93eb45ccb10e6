"""The TOML files in which people describe a game: system.toml, proof.toml, and phrasings of other editions.

system.toml describes the game, and proof.toml how the prose of the document is proved. ``phrasings/<edition>.toml``
has the places and sentences in which another edition of the document differs.

In: the folder of a game. Out: the contents of system.toml and proof.toml as one model, the file and the place of each
key, and for each edition the places of the tables and the sentences that state the facts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BeforeValidator

from refgen.catalog import did_you_mean
from refgen.errors import RefgenError, RulesError, join_errors
from refgen.files import path_inside
from refgen.languages import language_of
from refgen.notation.printed_numbers import USUAL, NotationStyle
from refgen.rules.field_types import FactPlace, Identifier
from refgen.rules.places import KeyPath, locate
from refgen.rules.schema import IN_PROOF, IN_PROOF_OF_FACTS, IgnoredSpec, Restated, RulesSpec, TablePlace, TableSpec
from refgen.rules.statements import Statement, check_named, check_restated
from refgen.rules.toml import Strict, fit_model, load_toml, read_toml
from refgen.source import SourceFile
from refgen.span import Span

SYSTEM_NAME = "system.toml"
PROOF_NAME = "proof.toml"
FACTS = "facts"
"""The section that both system.toml and proof.toml have."""
FOLDER = "phrasings"

_Spec = TypeVar("_Spec", bound=RulesSpec)


@dataclass(frozen=True, slots=True)
class SpecFiles:
    """The system.toml of a game, and its proof.toml if the game has one."""

    system: SourceFile
    proof: SourceFile | None = None

    @classmethod
    def read(cls, folder: Path) -> SpecFiles:
        """The files in the folder of a game; spans name them as ``<game>/<file>``."""
        system = SourceFile.read(path_inside(folder, SYSTEM_NAME), f"{folder.name}/{SYSTEM_NAME}")
        if not (folder / PROOF_NAME).exists():
            return cls(system)
        return cls(system, SourceFile.read(path_inside(folder, PROOF_NAME), f"{folder.name}/{PROOF_NAME}"))

    def of(self, path: KeyPath) -> SourceFile:
        """The file with a key path, or with more of it than the other file; system.toml where both have as much."""
        if self.proof is None or _depth(_data(self.proof), path) <= _depth(_data(self.system), path):
            return self.system
        return self.proof

    def at(self, *path: str | int) -> Span:
        """Where a key path is written."""
        return locate(self.of(path), path)

    def load(self, model: type[_Spec], project: NotationStyle = USUAL) -> _Spec:
        """The contents of both files; ``project`` has the letters of dice of a game that does not say its own.

        Raises RulesError for a key that does not fit or stands in the wrong one of the two files, FileErrors for
        several such keys; and RulesError for a name in proof.toml that the game does not have.
        """
        system = _data(self.system)
        proof = _data(self.proof) if self.proof else {}
        if errors := [*_proofs_in_system(self.system, system), *_rules_in_proof(self, system, proof, model)]:
            raise join_errors(errors)
        data = {**system, **proof, **_merged_facts(system, proof)}
        letters = _dice_letters(system.get("document"), project)
        spec = fit_model(data, model, lambda path: _at_fault(self, path), letters)
        _refuse_unknown_names(spec, self)
        return spec


def _dice_letters(document: object, style: NotationStyle) -> tuple[str, ...]:
    """The letters of dice in formulas, by [document] of the game, else by the project; the model reports faults."""
    own = document if isinstance(document, dict) else {}
    if isinstance(letters := own.get("dice_letters"), list):
        style = replace(style, dice_letters=tuple(letter for letter in letters if isinstance(letter, str) and letter))
    if isinstance(tag := own.get("language"), str) and tag:
        with suppress(ValueError):
            style = replace(style, language=language_of(tag))
    return style.letters


def document_language(folder: Path) -> str:
    """The language that the system.toml in the folder of a game says its document has; "" if it says no known one.

    Raises RulesError for a system.toml that is no TOML.
    """
    document = _data(SpecFiles.read(folder).system).get("document")
    tag = document.get("language") if isinstance(document, dict) else ""
    with suppress(ValueError):
        return language_of(tag).tag if isinstance(tag, str) else ""
    return ""


def _at_fault(files: SpecFiles, path: KeyPath) -> SourceFile:
    """The file with a fault at a key path; for a fact as a whole, proof.toml if it says anything of that fact."""
    is_fact = len(path) == 2 and path[0] == FACTS
    of_proofs = [files.of((*path, key)) for key in IN_PROOF_OF_FACTS] if is_fact else []
    return next((source for source in of_proofs if source is files.proof), files.of(path))


@lru_cache(maxsize=32)
def _data(source: SourceFile) -> Mapping[str, Any]:
    return read_toml(source)


def _merged_facts(system: Mapping[str, Any], proof: Mapping[str, Any]) -> Mapping[str, Any]:
    """The facts of both files, with the keys of both for a fact in both; {} unless both files have facts."""
    of_system, of_proof = system.get(FACTS), proof.get(FACTS)
    if not isinstance(of_system, dict) or not isinstance(of_proof, dict):
        return {}
    merged = dict(of_system)
    for name, proved in of_proof.items():
        fact = of_system.get(name, {})
        merged[name] = fact | proved if isinstance(fact, dict) and isinstance(proved, dict) else proved
    return {FACTS: merged}


def _proofs_in_system(source: SourceFile, system: Mapping[str, Any]) -> Iterator[RulesError]:
    """Errors for keys of proof.toml that stand in system.toml."""
    for section in (name for name in IN_PROOF if name in system):
        hint = f"Write it in a {PROOF_NAME} beside this file, which says how the prose is proved."
        yield _misplaced_error(section, PROOF_NAME, locate(source, (section,)), hint)
    for name, keys in _keys_of_facts(system).items():
        for key in [key for key in IN_PROOF_OF_FACTS if key in keys][:1]:
            hint = f"Write it there, as [{FACTS}] {name} = {{ … }}; what only {PROOF_NAME} names may stand there whole."
            yield _misplaced_error(f"{FACTS}.{name}.{key}", PROOF_NAME, locate(source, (FACTS, name, key)), hint)


def _rules_in_proof(
    files: SpecFiles, system: Mapping[str, Any], proof: Mapping[str, Any], model: type[RulesSpec]
) -> Iterator[RulesError]:
    """Errors for keys of system.toml that stand in proof.toml."""
    if files.proof is None:
        return
    for section in proof:
        if section in model.model_fields and section not in (FACTS, *IN_PROOF):
            hint = "system.toml says what the game is."
            yield _misplaced_error(section, SYSTEM_NAME, locate(files.proof, (section,)), hint)
    known = _keys_of_facts(system)
    for name, keys in _keys_of_facts(proof).items():
        for key in [key for key in keys if name in known and key not in IN_PROOF_OF_FACTS][:1]:
            hint = f'The fact "{name}" stands there; here it has {", ".join(IN_PROOF_OF_FACTS)}.'
            yield _misplaced_error(f"{FACTS}.{name}.{key}", SYSTEM_NAME, locate(files.proof, (FACTS, name, key)), hint)


def _refuse_unknown_names(spec: RulesSpec, files: SpecFiles) -> None:
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


def _keys_of_facts(data: Mapping[str, Any]) -> Mapping[str, Sequence[str]]:
    facts = data.get(FACTS)
    return {name: [*fact] for name, fact in facts.items() if isinstance(fact, dict)} if isinstance(facts, dict) else {}


def _misplaced_error(key: str, file: str, span: Span, hint: str) -> RulesError:
    return RulesError(f'"{key}" belongs into {file}', span=span, hint=hint)


def _depth(data: Any, path: KeyPath) -> int:
    """How many of the keys of a path the data has, each inside the one before."""
    for depth, key in enumerate(path):
        is_there = key in data if isinstance(data, dict) else isinstance(data, list) and key in range(len(data))
        if not is_there:
            return depth
        data = data[key]
    return len(path)


def _as_text(value: Any) -> Any:
    return {"text": value} if isinstance(value, str) or value is False else value


class PhrasingSpec(Strict):
    """Where another edition of the document differs.

    ``sections`` has the headings of the edition by the headings of system.toml. A fact may be given as its sentence
    alone, or as false if the edition does not state the fact. A table has the keys of its place; ``row`` or
    ``row_pattern`` replace both of system.toml. ``ignored`` and ``restated``, by the edition's own headings, replace
    the same keys of proof.toml.
    """

    about: str = ""
    sections: dict[str, str] = {}
    facts: dict[
        Identifier,
        Annotated[FactPlace, BeforeValidator(_as_text, json_schema_input_type=str | Literal[False] | FactPlace)],
    ] = {}
    tables: dict[Identifier, TablePlace] = {}
    ignored: IgnoredSpec = IgnoredSpec()
    restated: Restated = {}


@dataclass(frozen=True)
class Edition:
    """An edition of a game's document: ``name`` and ``source`` of its file of phrasings, "" and None for the main one.

    The main edition is the document that system.toml describes.
    """

    name: str
    spec: RulesSpec
    files: SpecFiles
    phrasing: PhrasingSpec
    source: SourceFile | None = None

    @classmethod
    def main(cls, spec: RulesSpec, files: SpecFiles) -> Edition:
        """The edition that system.toml describes."""
        return cls("", spec, files, PhrasingSpec())

    def at(self, kind: str, name: str) -> Span:
        """Where a table, fact or ladder is described: in the file of phrasings if that describes it."""
        if name in {FACTS: {*self.phrasing.facts}, "tables": {*self.phrasing.tables}}.get(kind, ()):
            return self._at_own(kind, name)
        return self.files.at(*(self.spec.entry_of(name) if kind == FACTS else (kind, name)))

    def _at_own(self, *path: str) -> Span:
        return locate(self.source, path) if self.source else self.files.at(*path)

    def section(self, title: str | None) -> str | None:
        """The heading of this edition for the heading ``title`` of system.toml."""
        return self.phrasing.sections.get(title, title) if title else None

    @cached_property
    def tables(self) -> Mapping[str, TableSpec]:
        """Every table, with its place in this edition."""
        return {name: self._table(name, table) for name, table in self.spec.tables.items()}

    def _table(self, name: str, table: TableSpec) -> TableSpec:
        place = self.phrasing.tables.get(name, TablePlace())
        own = {key: getattr(place, key) for key in place.model_fields_set}
        if own.keys() & {"row", "row_pattern"}:
            own = {"row": [], "row_pattern": []} | own
        return table.model_copy(update={"section": self.section(table.section)} | own)

    @property
    def ignored(self) -> IgnoredSpec:
        """The sentences of this edition whose numbers are not read, by reason."""
        return self.phrasing.ignored if self.name else self.spec.ignored

    @cached_property
    def restated(self) -> Sequence[Statement]:
        """The sentences that say facts again. Raises RulesError for one without facts, or with an absent fact."""
        by_heading = self.phrasing.restated if self.name else self.spec.restated
        found = [
            Statement(heading, FactPlace(text=text), heading or None, partial(self._at_own, "restated", heading))
            for heading, texts in by_heading.items()
            for text in texts
        ]
        for statement in found:
            check_restated(statement, [name for name in self.spec.facts if name not in self.absent])
        return found

    @cached_property
    def absent(self) -> frozenset[str]:
        """The facts that this edition does not state."""
        absent = {name for name, place in self.phrasing.facts.items() if place.text is False}
        unstated = {name for name, fact in self.spec.facts.items() if fact.text is False}
        return frozenset(absent | (unstated - {name for own in self._own_statements for name in own.states}))

    @cached_property
    def readings(self) -> Mapping[str, Mapping[str, str]]:
        """For each fact, the texts to read in place of odd prints."""
        own = {name: place.read for name, place in self.phrasing.facts.items()}
        return {name: fact.read | own.get(name, {}) for name, fact in self.spec.facts.items()}

    @cached_property
    def statements(self) -> Sequence[Statement]:
        """The sentences that state the facts. Raises RulesError for a fact that stands in no sentence, or in two."""
        own = {name for statement in self._own_statements for name in statement.states} | self.absent
        kept = [
            replace(statement, section=self.section(statement.section))
            for statement in self._main
            if not own.intersection(statement.states)
        ]
        facts = [name for name in self.spec.facts if name not in self.absent]
        check_named(facts, self.spec.tables, [*kept, *self._own_statements], partial(self.at, FACTS))
        return [*kept, *self._own_statements]

    @cached_property
    def _main(self) -> Sequence[Statement]:
        """The sentences of system.toml and proof.toml."""
        return [
            Statement(name, fact, fact.section, partial(self.files.at, *self.spec.entry_of(name)))
            for name, fact in self.spec.facts.items()
            if fact.text or fact.pattern
        ]

    @cached_property
    def _own_statements(self) -> Sequence[Statement]:
        """The sentences of the file of phrasings."""
        home = {name: statement.section for statement in self._main for name in statement.states}
        return [
            Statement(name, place, place.section or self.section(home.get(name)), partial(self.at, FACTS, name))
            for name, place in self.phrasing.facts.items()
            if place.text or place.pattern
        ]


def editions(folder: Path, spec: RulesSpec, files: SpecFiles) -> Sequence[Edition]:
    """The editions of a game: the main edition, and an edition for each file of phrasings."""
    main = Edition.main(spec, files)
    return [main, *(_edition(path, main) for path in sorted((folder / FOLDER).glob("*.toml")))]


def phrasing_errors(folder: Path, spec: RulesSpec, files: SpecFiles) -> Iterator[RefgenError]:
    """The errors in all files of phrasings of a game."""
    main = Edition.main(spec, files)
    for path in sorted((folder / FOLDER).glob("*.toml")):
        try:
            edition = _edition(path, main)
            _ = edition.statements, edition.restated
        except RefgenError as error:
            yield error


def _edition(path: Path, main: Edition) -> Edition:
    game = path.parent.parent.name
    source = SourceFile.read(path_inside(path.parents[1], f"{FOLDER}/{path.name}"), f"{game}/{FOLDER}/{path.name}")
    phrasing = load_toml(source, PhrasingSpec)
    spec = main.spec
    titles = {
        *(table.section or "" for table in spec.tables.values()),
        *(fact.section or "" for fact in spec.facts.values()),
        *(defect.section or "" for defect in spec.defects.values()),
    }
    for kind, named, known in (
        (FACTS, phrasing.facts, spec.facts),
        ("tables", phrasing.tables, spec.tables),
        ("sections", phrasing.sections, titles),
    ):
        for name in named:
            if name not in known:
                message = f'{game} has no {kind[:-1]} "{name}"'
                raise RulesError(message, span=locate(source, (kind, name)), hint=did_you_mean(name, known))
    return Edition(path.stem, spec, main.files, phrasing, source)
