"""Errata: findings that are accepted, each with its reason.

In: the findings and comparisons of a system, and its errata.toml. Out: the findings, those accepted marked so; an
erratum whose finding is gone is a finding itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from pydantic import Field

from refgen.checks.finding import Accepted, Finding, FindingKind, Print, Severity
from refgen.errors import CheckError
from refgen.rules.toml import Strict, load_toml, locate
from refgen.source import SourceFile, inside
from refgen.span import Span
from refgen.suggestion import did_you_mean

ERRATA_NAME = "errata.toml"


class ErratumSpec(Strict):
    """A finding that is accepted: its id, why, and what play aids print in its place."""

    finding: str = Field(min_length=1)
    reason: str = Field(min_length=1)
    print: Print = Print.PRINTED


class ErrataSpec(Strict):
    """A whole errata.toml."""

    errata: list[ErratumSpec] = []


def load_errata(folder: Path) -> tuple[ErrataSpec, SourceFile | None]:
    """The errata of a system; none when its folder has no errata.toml. Raises RulesError for a malformed one."""
    if not (folder / ERRATA_NAME).exists():
        return ErrataSpec(), None
    source = SourceFile.read(inside(folder, ERRATA_NAME), f"{folder.name}/{ERRATA_NAME}")
    return load_toml(source, ErrataSpec), source


def apply_errata(
    system: str, findings: Sequence[Finding], known: Collection[str], spec: ErrataSpec, source: SourceFile | None
) -> list[Finding]:
    """Mark what is accepted. ``known`` are the ids that a finding can have.

    Raises CheckError for an erratum that accepts nothing there could be, or that stands twice.
    """
    if source is None:
        return list(findings)
    accepted: dict[str, Accepted] = {}
    gone = []
    found = {finding.id for finding in findings}
    for number, erratum in enumerate(spec.errata):
        span = locate(source, ("errata", number, "finding"))
        if erratum.finding in accepted:
            raise CheckError(f'"{erratum.finding}" has two errata', span=span, hint="Keep one of them.")
        if erratum.finding not in known:
            raise _unknown(erratum.finding, known, span)
        accepted[erratum.finding] = Accepted(erratum.reason, erratum.print)
        if erratum.finding not in found:
            gone.append(_gone(system, erratum, span))
    return [*_marked(findings, accepted), *gone]


def _marked(findings: Sequence[Finding], accepted: dict[str, Accepted]) -> Iterator[Finding]:
    for finding in findings:
        yield replace(finding, accepted=accepted[finding.id]) if finding.id in accepted else finding


def _unknown(finding: str, known: Collection[str], span: Span) -> CheckError:
    hint = did_you_mean(finding, sorted(known), "`refgen check` shows the findings with their ids.")
    return CheckError(f'no check can find "{finding}"', span=span, hint=hint)


def _gone(system: str, erratum: ErratumSpec, span: Span) -> Finding:
    return Finding(
        id=f"errata/{erratum.finding}",
        kind=FindingKind.ERRATUM,
        system=system,
        printed=erratum.finding,
        computed="",
        rule="an erratum accepts what is found",
        severity=Severity.WARNING,
        span=span,
    )
