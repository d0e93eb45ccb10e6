"""What other editions of a game's document say in other words: ``phrasings/<edition>.toml`` beside its system.toml.

In: system.toml, proof.toml and the files of phrasings. Out: editions, each with where its tables stand and which
sentences state its facts. What a file does not say is as in those.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator

from refgen.errors import RefgenError, RulesError
from refgen.files import inside
from refgen.rules.fact_spec import FactPlace
from refgen.rules.facts import Statement, check_named, check_said
from refgen.rules.field_types import Identifier
from refgen.rules.schema import IgnoredSpec, Restated, RulesSpec, TablePlace, TableSpec
from refgen.rules.spec_files import SpecFiles
from refgen.rules.toml import Strict, load_toml, locate
from refgen.source import SourceFile
from refgen.span import Span
from refgen.suggestion import did_you_mean

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
