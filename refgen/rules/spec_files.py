"""The two files in which people describe a game: system.toml, what it is, and proof.toml, how its prose is proved.

In: the folder of a game. Out: what both say as one model, and the file and the place of whatever they say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path as FilePath
from typing import Any, TypeVar

from refgen.errors import FileErrors, RulesError
from refgen.files import inside
from refgen.rules.schema import IN_PROOF, IN_PROOF_OF_FACTS, RulesSpec
from refgen.rules.toml import Path, fitted, locate, read_toml
from refgen.source import SourceFile
from refgen.span import Span

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
    def read(cls, folder: FilePath) -> SpecFiles:
        """The files in the folder of a game, with places as ``<game>/<file>``."""
        system = SourceFile.read(inside(folder, SYSTEM_NAME), f"{folder.name}/{SYSTEM_NAME}")
        if not (folder / PROOF_NAME).exists():
            return cls(system)
        return cls(system, SourceFile.read(inside(folder, PROOF_NAME), f"{folder.name}/{PROOF_NAME}"))

    def of(self, path: Path) -> SourceFile:
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


def _at_fault(files: SpecFiles, path: Path) -> SourceFile:
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


def _depth(data: Any, path: Path) -> int:
    """How many of the keys of a path some data has, one in the other."""
    for depth, key in enumerate(path):
        is_there = key in data if isinstance(data, dict) else isinstance(data, list) and key in range(len(data))
        if not is_there:
            return depth
        data = data[key]
    return len(path)
