"""What the formats of documents drop or mend in silence, outside the tables that are used: code, surplus cells.

In: a ruleset. Out: a note for each, at its place. Inside a table that is used, it is an error.
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import shorten

from refgen.checks.finding import Finding, FindingKind, Severity
from refgen.rules.model import Ruleset

SHOWN = 60
"""So many characters of what is left out are shown."""


def check_left_out(ruleset: Ruleset) -> Iterator[Finding]:
    """The faults of the documents, in their order."""
    texts = {source.name: source.text for source in ruleset.documents}
    for number, fault in enumerate(ruleset.faults, start=1):
        yield Finding(
            id=f"faults/{number}",
            kind=FindingKind.FAULT,
            system=ruleset.id,
            printed=shorten(texts[fault.span.file][fault.span.start : fault.span.end], SHOWN, placeholder=" …"),
            computed="",
            rule=f"{fault.message}. {fault.hint}",
            severity=Severity.NOTE,
            span=fault.span,
        )
