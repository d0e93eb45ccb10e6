"""Damage of the document itself: what system.toml reads around is named, not hidden.

In: a ruleset. Out: a note for each place where the document shows the damage; a tidy document shows none.
"""

from __future__ import annotations

from refgen.checks.finding import Finding, FindingKind, Severity
from refgen.rules.model import Ruleset


def check_damage(ruleset: Ruleset) -> list[Finding]:
    """The damage that ``[damage.*]`` describes, where the document has it."""
    return [
        Finding(
            id=f"damage/{damage.id}",
            kind=FindingKind.SOURCE,
            system=ruleset.id,
            table=damage.table,
            title=ruleset.tables[damage.table].title if damage.table else "",
            printed=damage.text,
            computed=damage.repair,
            rule=damage.title,
            severity=Severity.NOTE,
            span=damage.span,
        )
        for damage in ruleset.damage
    ]
