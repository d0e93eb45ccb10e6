"""The two files in which people describe a game: system.toml, what it is, and proof.toml, how its prose is proved.

In: the folder of a game. Out: what both say as one model, and the file and the place of whatever they say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BeforeValidator

from refgen.errors import FileErrors, RefgenError, RulesError
from refgen.files import inside
from refgen.rules.fact_spec import FactPlace
from refgen.rules.field_types import Identifier
from refgen.rules.schema import IN_PROOF, IN_PROOF_OF_FACTS, IgnoredSpec, Restated, RulesSpec, TablePlace, TableSpec
from refgen.rules.statements import Statement, check_named, check_said
from refgen.rules.toml import KeyPath, Strict, fitted, load_toml, locate, read_toml
from refgen.source import SourceFile
from refgen.span import Span
from refgen.suggestion import did_you_mean

SYSTEM_NAME = "system.toml"
PROOF_NAME = "proof.toml"
FACTS = "facts"
"""The section that both files have."""

_Spec = TypeVar("_Spec", bound=RulesSpec)


@dataclass(frozen=True, slots=True)
class SpecFiles:
    """The system.toml of a game, and its proof.toml where there is one."""

    system: SourceFile
    proof: SourceFile | None = None

    @classmethod
    def read(cls, folder: Path) -> SpecFiles:
        """The files in the folder of a game, with places as ``<game>/<file>``."""
        system = SourceFile.read(inside(folder, SYSTEM_NAME), f"{folder.name}/{SYSTEM_NAME}")
        if not (folder / PROOF_NAME).exists():
            return cls(system)
        return cls(system, SourceFile.read(inside(folder, PROOF_NAME), f"{folder.name}/{PROOF_NAME}"))

    def of(self, path: KeyPath) -> SourceFile:
        """The file that says what stands at a path, or most of the way to it; system.toml where both do."""
        if self.proof is None or _depth(_data(self.proof), path) <= _depth(_data(self.system), path):
            return self.system
        return self.proof

    def at(self, *path: str | int) -> Span:
        """Where a path is written."""
        return locate(self.of(path), path)

    def load(self, model: type[_Spec], dice_letters: tuple[str, ...] = ()) -> _Spec:
        """The contents of both files; where the game says no letters for dice besides d, its formulas may have these.

        Raises RulesError for what does not fit and for what belongs into the other file.
        """
        spec: _Spec = _load(self, model, dice_letters)
        return spec


@lru_cache(maxsize=32)
def _load(files: SpecFiles, model: type[_Spec], dice_letters: tuple[str, ...]) -> _Spec:
    """Loaded once: when a document was edited, its game is read again, but these files are as they were."""
    system = _data(files.system)
    proof = _data(files.proof) if files.proof else {}
    errors = [*_proofs_in_system(files.system, system), *_rules_in_proof(files, system, proof, model)]
    if errors:
        raise errors[0] if len(errors) == 1 else FileErrors(errors)
    letters = _own_letters(system, dice_letters)
    return fitted({**system, **proof, **_facts(system, proof)}, model, lambda path: _at_fault(files, path), letters)


def _own_letters(system: Mapping[str, Any], otherwise: tuple[str, ...]) -> tuple[str, ...]:
    """The letters for dice in formulas: those of the game's document where it says some; faulty ones are told later."""
    document = system.get("document")
    own = document.get("dice_letters") if isinstance(document, dict) else None
    return (
        tuple([letter for letter in own if isinstance(letter, str) and letter]) if isinstance(own, list) else otherwise
    )


def _at_fault(files: SpecFiles, path: KeyPath) -> SourceFile:
    """The file with a fault at a path; of a fact as a whole, that is what proof.toml says of it, if it does."""
    is_fact = len(path) == 2 and path[0] == FACTS
    of_proofs = [files.of((*path, key)) for key in IN_PROOF_OF_FACTS] if is_fact else []
    return next((source for source in of_proofs if source is files.proof), files.of(path))


@lru_cache(maxsize=32)
def _data(source: SourceFile) -> Mapping[str, Any]:
    return read_toml(source)


def _facts(system: Mapping[str, Any], proof: Mapping[str, Any]) -> Mapping[str, Any]:
    """The facts of both files; what proof.toml says of a fact of system.toml stands with the rest of that."""
    both = [said[FACTS] for said in (system, proof) if FACTS in said]
    if len(both) < 2 or not all(isinstance(facts, dict) for facts in both):
        return {}
    of_system, of_proof = both
    return {FACTS: of_system | {name: _together(of_system.get(name, {}), said) for name, said in of_proof.items()}}


def _together(said: Any, proof: Any) -> Any:
    return said | proof if isinstance(said, dict) and isinstance(proof, dict) else proof


def _proofs_in_system(source: SourceFile, system: Mapping[str, Any]) -> Iterator[RulesError]:
    """Errors of keys that belong into proof.toml and stand in system.toml."""
    for section in (name for name in IN_PROOF if name in system):
        hint = f"Write it in a {PROOF_NAME} beside this file: there stands how the prose is proved."
        yield _misplaced(section, PROOF_NAME, locate(source, (section,)), hint)
    for name, keys in _keys_of_facts(system).items():
        for key in [key for key in IN_PROOF_OF_FACTS if key in keys][:1]:
            hint = f"Write it there, as [{FACTS}] {name} = {{ … }}; what only {PROOF_NAME} names may stand there whole."
            yield _misplaced(f"{FACTS}.{name}.{key}", PROOF_NAME, locate(source, (FACTS, name, key)), hint)


def _rules_in_proof(
    files: SpecFiles, system: Mapping[str, Any], proof: Mapping[str, Any], model: type[RulesSpec]
) -> Iterator[RulesError]:
    """Errors of keys that belong into system.toml and stand in proof.toml."""
    if files.proof is None:
        return
    for section in proof:
        if section in model.model_fields and section not in (FACTS, *IN_PROOF):
            hint = "There stands what the game is."
            yield _misplaced(section, SYSTEM_NAME, locate(files.proof, (section,)), hint)
    known = _keys_of_facts(system)
    for name, keys in _keys_of_facts(proof).items():
        for key in [key for key in keys if name in known and key not in IN_PROOF_OF_FACTS][:1]:
            hint = f'The fact "{name}" stands there; here it has {", ".join(IN_PROOF_OF_FACTS)}.'
            yield _misplaced(f"{FACTS}.{name}.{key}", SYSTEM_NAME, locate(files.proof, (FACTS, name, key)), hint)


def _keys_of_facts(said: Mapping[str, Any]) -> Mapping[str, Sequence[str]]:
    facts = said.get(FACTS)
    return {name: [*fact] for name, fact in facts.items() if isinstance(fact, dict)} if isinstance(facts, dict) else {}


def _misplaced(what: str, file: str, span: Span, hint: str) -> RulesError:
    return RulesError(f'"{what}" belongs into {file}', span=span, hint=hint)


def _depth(data: Any, path: KeyPath) -> int:
    """How many of the keys of a path some data has, one in the other."""
    for depth, key in enumerate(path):
        is_there = key in data if isinstance(data, dict) else isinstance(data, list) and key in range(len(data))
        if not is_there:
            return depth
        data = data[key]
    return len(path)


FOLDER = "phrasings"


def _as_text(value: Any) -> Any:
    return {"text": value} if isinstance(value, str) or value is False else value


class PhrasingSpec(Strict):
    """Where another edition of the document differs.

    ``sections`` has its headings by those of system.toml. A fact may be given as its sentence alone, or as false where
    it does not say it. A table has the keys that say where it stands; its rows are said anew as a whole. ``ignored``
    and ``restated``, by its own headings, are all that it has of these.
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
    """An edition: ``name`` is that of its file, ``source``; "" for the document of system.toml itself."""

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
        """Where a table, fact or ladder is described: in the file of phrasings, if it is there."""
        said = {"facts": {*self.phrasing.facts}, "tables": {*self.phrasing.tables}}
        entry = self.spec.entry_of(name) if kind == "facts" else (kind, name)
        return self._own(kind, name) if name in said.get(kind, ()) else self.files.at(*entry)

    def _own(self, *path: str) -> Span:
        return locate(self.source, path) if self.source else self.files.at(*path)

    def _in_files(self, fact_id: str) -> Span:
        return self.files.at(*self.spec.entry_of(fact_id))

    def _of_fact(self, name: str) -> Span:
        return self.at("facts", name)

    def section(self, title: str | None) -> str | None:
        """The heading that stands here where system.toml has ``title``."""
        return self.phrasing.sections.get(title, title) if title else None

    @cached_property
    def tables(self) -> Mapping[str, TableSpec]:
        """Every table, with the place it has here."""
        return {name: self._table(name, table) for name, table in self.spec.tables.items()}

    def _table(self, name: str, table: TableSpec) -> TableSpec:
        other = self.phrasing.tables.get(name, TablePlace())
        said = {key: getattr(other, key) for key in other.model_fields_set}
        if said.keys() & {"row", "row_pattern"}:
            said = {"row": [], "row_pattern": []} | said
        return table.model_copy(update={"section": self.section(table.section)} | said)

    @property
    def ignored(self) -> IgnoredSpec:
        """The numbers that are not read here, and why."""
        return self.phrasing.ignored if self.name else self.spec.ignored

    @cached_property
    def restated(self) -> Sequence[Statement]:
        """The sentences that say facts again. Raises RulesError for one that names no fact, or one that is not said."""
        said = self.phrasing.restated if self.name else self.spec.restated
        found = [
            Statement.of(heading, FactPlace(text=text), heading or None, partial(self._own, "restated"))
            for heading, texts in said.items()
            for text in texts
        ]
        for statement in found:
            check_said(statement, [name for name in self.spec.facts if name not in self.absent])
        return found

    @cached_property
    def absent(self) -> frozenset[str]:
        """The facts that this edition does not say."""
        here = {name for name, place in self.phrasing.facts.items() if place.text is False}
        unstated = {name for name, fact in self.spec.facts.items() if fact.text is False}
        return frozenset(here | (unstated - {name for statement in self._other for name in statement.states}))

    @cached_property
    def readings(self) -> Mapping[str, Mapping[str, str]]:
        """The texts to read in place of odd prints of each fact."""
        said = {name: place.read for name, place in self.phrasing.facts.items()}
        return {name: fact.read | said.get(name, {}) for name, fact in self.spec.facts.items()}

    @cached_property
    def statements(self) -> Sequence[Statement]:
        """The sentences that state the facts, each fact in one. Raises RulesError where one is in none, or in two."""
        other = self._other
        anew = {name for statement in other for name in statement.states} | self.absent
        kept = [
            Statement(entry.fact, entry.place, entry.states, self.section(entry.section), entry.at)
            for entry in self._main
            if not anew.intersection(entry.states)
        ]
        check_named([name for name in self.spec.facts if name not in self.absent], [*kept, *other], self._of_fact)
        return [*kept, *other]

    @cached_property
    def _main(self) -> Sequence[Statement]:
        """The sentences of system.toml and proof.toml."""
        return [
            Statement.of(name, fact, fact.section, self._in_files)
            for name, fact in self.spec.facts.items()
            if fact.text or fact.pattern
        ]

    @cached_property
    def _other(self) -> Sequence[Statement]:
        """The sentences of the file of phrasings."""
        home = {name: statement.section for statement in self._main for name in statement.states}
        return [
            Statement.of(name, place, place.section or self.section(home.get(name)), self._of_fact)
            for name, place in self.phrasing.facts.items()
            if place.text or place.pattern
        ]


def editions(folder: Path, spec: RulesSpec, files: SpecFiles) -> Sequence[Edition]:
    """The editions of a game: the one that system.toml describes, and one for each file of phrasings beside it."""
    main = Edition.main(spec, files)
    return [main, *(_edition(path, main) for path in sorted((folder / FOLDER).glob("*.toml")))]


def phrasing_errors(folder: Path, spec: RulesSpec, files: SpecFiles) -> Iterator[RefgenError]:
    """The errors in the files of phrasings of a game, used or not."""
    main = Edition.main(spec, files)
    for path in sorted((folder / FOLDER).glob("*.toml")):
        try:
            edition = _edition(path, main)
            _ = edition.statements, edition.restated
        except RefgenError as error:
            yield error


def _edition(path: Path, main: Edition) -> Edition:
    game = path.parent.parent.name
    source = SourceFile.read(inside(path.parents[1], f"{FOLDER}/{path.name}"), f"{game}/{FOLDER}/{path.name}")
    phrasing = load_toml(source, PhrasingSpec)
    spec = main.spec
    for kind, said, known in (("facts", phrasing.facts, spec.facts), ("tables", phrasing.tables, spec.tables)):
        for name in said:
            if name not in known:
                message = f'{game} has no {kind[:-1]} "{name}"'
                raise RulesError(message, span=locate(source, (kind, name)), hint=did_you_mean(name, known))
    return Edition(path.stem, spec, main.files, phrasing, source)
