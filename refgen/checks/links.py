"""Links of a document that nobody should follow: those that would run something, or open a file of the reader's disk.

In: a ruleset. Out: a note for each; pages show its words without the link. Ids that two places have are noted as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from refgen.checks.finding import Finding, FindingKind, Severity
from refgen.readers.document import Inline
from refgen.rules.model import Ruleset
from refgen.source import plain
from refgen.span import Span

SCHEMES = ("http", "https", "mailto")
"""Where links of a document may lead, beside the documents themselves."""


def check_links(ruleset: Ruleset) -> Iterator[Finding]:
    """The links that lead where they must not, in the order of the documents."""
    texts = {source.name: source.text for source in ruleset.documents}
    for number, mark in enumerate(ruleset.inline, start=1):
        if mark.kind is Inline.LINK and not may_be_followed(mark.address):
            words = plain(texts[mark.span.file][mark.span.start : mark.span.end])
            yield Finding(
                id=f"links/{number}",
                kind=FindingKind.LINK,
                system=ruleset.id,
                printed=words,
                computed="",
                rule=f"this link is left out: links lead to {', '.join(SCHEMES)} or into the documents",
                severity=Severity.NOTE,
                span=mark.span,
            )
    yield from _doubled_ids(ruleset)


def _doubled_ids(ruleset: Ruleset) -> Iterator[Finding]:
    """The ids that a document gives to a second section or table: its links lead to the first."""
    first: dict[tuple[str, str], Span] = {}
    for number, (name, span) in enumerate(_ids(ruleset), start=1):
        if first.setdefault((span.file, name), span) != span:
            yield Finding(
                id=f"ids/{number}",
                kind=FindingKind.LINK,
                system=ruleset.id,
                printed=f'the id "{name}"',
                computed="",
                rule=f"links to it lead to {first[span.file, name]}, which has it as well",
                severity=Severity.NOTE,
                span=span,
            )


def _ids(ruleset: Ruleset) -> Iterator[tuple[str, Span]]:
    """The ids of sections and tables, each with its place."""
    for section in ruleset.sections:
        places = [(section.id, section.text[:1].span), *((grid.id, grid.span) for grid in section.grids)]
        yield from ((name, span) for name, span in places if name)


def may_be_followed(address: str) -> bool:
    """Whether an address leads to a place that a page may link to."""
    try:
        scheme = urlsplit(address.strip()).scheme.lower()
    except ValueError:
        return False
    return scheme in SCHEMES or (not scheme and not address.strip().startswith("//"))
