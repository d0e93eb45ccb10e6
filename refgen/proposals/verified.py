"""Proposed rules, tried: every entry that does not load or cannot be worked out is commented out, with the reason.

In: ProposedRules and the document of the game. Out: ProposedRules that load, and the game that they make.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from refgen.errors import RefgenError, RulesError, each_error
from refgen.game import GameModel, SystemSpec
from refgen.proposals.rules_files import ProposedRules
from refgen.readers.document import Document
from refgen.rules.load import rules_in
from refgen.rules.spec_files import PROOF_NAME, SYSTEM_NAME, SpecFiles


def verified_rules(rules: ProposedRules, document: Document, folder: Path) -> tuple[ProposedRules, GameModel]:
    """The rules that load with the ``document``, and their game; both files are written into ``folder``.

    Raises RefgenError for an error that belongs to no entry.
    """
    while True:
        write_rules(rules, folder)
        game, errors = _tried(document, folder)
        if game is not None and not errors:
            return rules, game
        rules = _without_failing(rules, errors)


def write_rules(rules: ProposedRules, folder: Path) -> None:
    """Write system.toml and proof.toml."""
    (folder / SYSTEM_NAME).write_text(rules.system, encoding="utf-8")
    if rules.proof:
        (folder / PROOF_NAME).write_text(rules.proof, encoding="utf-8")


def _tried(document: Document, folder: Path) -> tuple[GameModel | None, Sequence[RefgenError]]:
    """The game in a folder, None if its files do not fit; and the errors of all its parts."""
    try:
        files = SpecFiles.read(folder)
        ruleset = rules_in(document, folder.name, files.load(SystemSpec), files, partial=True)
    except RefgenError as error:
        return None, each_error(error)
    game = GameModel(ruleset, folder)
    if ruleset.errors:
        return game, ruleset.errors
    return game, [*game.check().errors, *_errors_of(game.actions), *_errors_of(game.explorers)]


def _errors_of(parts: Mapping[str, object]) -> Iterator[RefgenError]:
    for name in parts:
        try:
            parts[name]
        except RefgenError as error:
            yield error


def _without_failing(rules: ProposedRules, errors: Sequence[RefgenError]) -> ProposedRules:
    """The rules with the entries of the errors commented out. Raises the errors if no entry has one."""
    failing: dict[int, str] = {}
    for error in errors:
        at = _entry_at(rules, error)
        if at is not None:
            failing.setdefault(at, error.message)
    if not failing and errors:  # the place is in the document: a sentence of a fact finds something else there
        facts = (at for at, entry in enumerate(rules.entries) if entry.certain and entry.heading.startswith("[facts."))
        failing = dict.fromkeys(facts, errors[0].message)
    if not failing:
        raise errors[0] if errors else RulesError("the proposed rules do not load")
    return rules.with_entries(
        [
            replace(entry, certain=False, evidence=[*entry.evidence, f"It cannot be worked out: {failing[at]}."])
            if at in failing
            else entry
            for at, entry in enumerate(rules.entries)
        ]
    )


def _entry_at(rules: ProposedRules, error: RefgenError) -> int | None:
    """The position of the certain entry whose lines in system.toml or proof.toml have an error."""
    if error.span is None:
        return None
    name = error.span.file.rpartition("/")[2]
    text = {SYSTEM_NAME: rules.system, PROOF_NAME: rules.proof}.get(name)
    if text is None:
        return None
    heads = [line for line in text.splitlines()[: error.span.line] if line.startswith("[")]
    heading = heads[-1] if heads else ""
    found = (at for at, entry in enumerate(rules.entries) if entry.certain and entry.heading == heading)
    return next(found, None)
