"""Defects of the document itself: what system.toml reads around is named, not hidden.

In: a ruleset. Out: a note for each place where the document shows a defect; a tidy document shows none.
"""

from __future__ import annotations

from refgen.checks.finding import Finding, FindingKind, Severity
from refgen.rules.model import Ruleset


def check_defects(ruleset: Ruleset) -> list[Finding]:
    """The defects that ``[defects.*]`` describes, where the document has them."""
    return [
        Finding(
            id=f"defects/{defect.id}",
            kind=FindingKind.SOURCE,
            system=ruleset.id,
            table=defect.table,
            title=ruleset.spec.tables[defect.table].title if defect.table else "",
            printed=defect.text,
            computed=defect.repair,
            rule=defect.title,
            severity=Severity.NOTE,
            span=defect.span,
        )
        for defect in ruleset.defects
    ]
