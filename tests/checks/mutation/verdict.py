"""What the check of a changed document makes of the change.

In: the outcomes before and after. Out: a Verdict, and what it rests on in words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from refgen.checks.finding import CheckReport, Finding
from refgen.errors import RefgenError, each_error
from refgen.source import SourceFile
from tests.checks.mutation.change import Change
from tests.checks.mutation.front_door import Outcome

NEAR = 60
"""Characters from a place that an error names, within which the change must be: hints show as many of the sentence."""


class Verdict(StrEnum):
    """How a change was told of, from best to worst."""

    AT_PLACE = "at its place"
    """An open finding stands at it."""
    NAMED = "named"
    """An open finding stands elsewhere and has it among its sources."""
    REFUSED = "refused there"
    """The document is refused, with an error whose place it is, or whose text names that place."""
    ELSEWHERE = "elsewhere"
    """There is an open finding or an error, but none that leads to it."""
    CRASHED = "crashed"
    """The check fails with a traceback, or takes far too long."""
    MASKED = "masked"
    """Nothing is open; a note, or an accepted finding, is other than before."""
    SILENT = "silent"
    """The report is the same as before."""

    @property
    def is_caught(self) -> bool:
        """Whether it was told of, and where."""
        return self in (Verdict.AT_PLACE, Verdict.NAMED, Verdict.REFUSED)

    @property
    def is_told(self) -> bool:
        """Whether a reader of the report learns that something is other than before."""
        return self is not Verdict.SILENT


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict, what it rests on, and the ids of open findings that have nothing to do with the change."""

    verdict: Verdict
    why: str = ""
    strays: tuple[str, ...] = ()


def judge(before: CheckReport, change: Change, after: Outcome) -> Judgement:
    """The verdict on a change: what the report has now that it had not before."""
    if after.report is None:
        return _refused(change, after)
    known = {_key(finding, change.moved(finding.span.start)) for finding in before.findings}
    new = [finding for finding in after.report.findings if _key(finding, finding.span.start) not in known]
    is_open = [finding for finding in new if finding.is_open]
    strays = tuple(one.id for one in is_open if not _names(change, one))
    told = [
        *((Verdict.REFUSED, str(error)) for error in after.report.errors if _leads_to(change, after.source, error)),
        *((Verdict.AT_PLACE, one.id) for one in is_open if change.touches(one.span)),
        *((Verdict.NAMED, one.id) for one in is_open if _names(change, one)),
        *((Verdict.ELSEWHERE, one.id) for one in is_open),
        *((Verdict.ELSEWHERE, str(error)) for error in after.report.errors),
    ]
    if told:
        return Judgement(*told[0], strays)
    if new or len(after.report.findings) != len(before.findings):
        return Judgement(Verdict.MASKED, ", ".join(finding.id for finding in new))
    return Judgement(Verdict.SILENT)


def _key(finding: Finding, start: int) -> tuple[object, ...]:
    accepted = finding.accepted is not None
    return finding.id, finding.severity, accepted, finding.printed, finding.computed, start


def _names(change: Change, finding: Finding) -> bool:
    """Whether a finding is at a change, or has it among its sources."""
    return any(map(change.touches, (finding.span, *finding.sources)))


def _refused(change: Change, after: Outcome) -> Judgement:
    if after.error is None:
        return Judgement(Verdict.CRASHED, after.crash)
    leads = any(_leads_to(change, after.source, one) for one in each_error(after.error))
    return Judgement(Verdict.REFUSED if leads else Verdict.ELSEWHERE, str(after.error))


def _leads_to(change: Change, source: SourceFile, error: RefgenError) -> bool:
    """Whether the place of an error is that of a change, or its words name a place shortly before it."""
    if error.span is not None and error.span.file == source.name and change.touches(error.span):
        return True
    said = re.findall(rf"{re.escape(source.name)}:(\d+):(\d+)", f"{error.message} {error.hint}")
    places = [source.line_span(int(line)).start + int(column) - 1 for line, column in said]
    return any(change.touches(source.span(place, place + NEAR)) for place in places)
