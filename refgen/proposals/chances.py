"""The chances of a game, proposed: facts, rolls, actions, computed tables and explorers for its mechanics.

In: a GameDraft and its Mechanics. Out: Entries of system.toml. Numbers of rules are facts and cells, which the formulas
name. Entries of a mechanic that is not certain, or of which a sentence does not find a value, are not certain either.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from refgen.export.model import toml_string
from refgen.proposals.chance_formulas import FormulaWriter, line
from refgen.proposals.draft import Entry, GameDraft
from refgen.proposals.mechanics import Family, Mechanic

_WITHOUT_ROLL = frozenset((Family.COUNT, Family.SUM, Family.HIGHEST, Family.STEP))
"""The families in which no dice are rolled alike by everybody."""
_ORDER = ("[facts", "[rolls", "[actions", "[derived", "[explorers")


def mechanic_entries(draft: GameDraft, mechanics: Sequence[Mechanic]) -> Sequence[Entry]:
    """The entries of some mechanics: facts, rolls, actions, computed tables and explorers, in this order."""
    entries = [entry for mechanic in mechanics for entry in _entries(draft, mechanic)]
    return sorted(
        entries, key=lambda entry: next(at for at, head in enumerate(_ORDER) if entry.heading.startswith(head))
    )


def _entries(draft: GameDraft, mechanic: Mechanic) -> Iterator[Entry]:
    """The entries of one mechanic."""
    writer = FormulaWriter(draft, mechanic)
    action, grid = writer.written()
    certain, check = mechanic.certain and writer.facts.found, draft.new_id("check", "check")
    same = [f"Evidence: at [actions.{check}]."]
    yield from writer.facts.entries(certain=certain)
    if mechanic.family not in _WITHOUT_ROLL:
        lines = [f"title = {toml_string(mechanic.dice.meaning)}", line("roll", writer.dice)]
        yield Entry(f"[rolls.{draft.new_id('check-roll', 'roll')}]", lines, same, certain)
    words = draft.words
    lines = [line("title", words("check")), line("roll", action.roll), f"trait = {action.trait}", *action.lines]
    yield Entry(f"[actions.{check}]", lines, mechanic.evidence, certain)
    table = draft.new_id("chances-of-a-check", "chances")
    lines = [line("title", words("chances-of-a-check")), line("rule", grid.rule), f"rows = [{grid.rows}]", *grid.lines]
    yield Entry(f"[derived.{table}]", lines, same, certain)
    explorer = draft.new_id("your-chances", "explorer")
    yield Entry(f"[explorers.{explorer}]", [f'table = "{table}"'], same, certain)
