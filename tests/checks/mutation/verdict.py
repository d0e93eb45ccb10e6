"""What the check of a changed document makes of the change.

In: the outcomes before and after. Out: a Verdict, and what it rests on in words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from refgen.checks.finding import CheckReport, Finding
from refgen.errors import RefgenError, each_error
from refgen.rules.statements import SHOWN
from refgen.source import SourceFile
from refgen.span import Span
from tests.checks.mutation.change import Change
from tests.checks.mutation.front_door import Outcome

NEAR = SHOWN
"""Characters from a place that an error names, within which the change must be: hints show as many of the sentence."""
NARROW = 120
"""Characters of the longest place that is one figure or one sentence."""


class Verdict(StrEnum):
    """How a change was told of, from best to worst."""

    AT_PLACE = "at its place"
    """An open finding stands at it."""
    EITHER = "at one of its places"
    """An open finding stands at it as well: it says that this or another number is wrong, and nothing says which."""
    REFUSED = "refused there"
    """There is an error whose place it is, or whose text names that place."""
    NAMED = "named"
    """An open finding stands elsewhere, and has it among its sources or among what goes with its number."""
    AT_TABLE = "at its table"
    """An open finding or an error is about all of the table that holds it."""
    ELSEWHERE = "elsewhere"
    """There is an open finding or an error, but none that leads to it."""
    CRASHED = "crashed"
    """The check fails with a traceback, or takes far too long."""
    MASKED = "masked"
    """Nothing is open; a note, or an accepted finding, is other than before."""
    SILENT = "silent"
    """The report is the same as before."""

    @property
    def is_at_place(self) -> bool:
        """Whether what tells of it stands at it."""
        return self in (Verdict.AT_PLACE, Verdict.EITHER, Verdict.REFUSED)

    @property
    def is_caught(self) -> bool:
        """Whether it was told of, and where."""
        return self.is_at_place or self in (Verdict.NAMED, Verdict.AT_TABLE)


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict, and what it rests on."""

    verdict: Verdict
    why: str = ""


def judge(before: CheckReport, change: Change, after: Outcome) -> Judgement:
    """The verdict on a change: what the report has now that it had not before."""
    if after.crash:
        return Judgement(Verdict.CRASHED, after.crash)
    findings = () if after.report is None else after.report.findings
    known = {_key(finding, change.moved(finding.span.start)) for finding in before.findings}
    new = [finding for finding in findings if _key(finding, finding.span.start) not in known]
    is_open = [finding for finding in new if finding.is_open]
    if (caught := _caught(change, is_open, after)) is not None:
        return caught
    if is_open or _errors(after):
        return Judgement(Verdict.ELSEWHERE, "; ".join(map(str, _errors(after))) or is_open[0].id)
    if new or len(findings) != len(before.findings):
        return Judgement(Verdict.MASKED, ", ".join(finding.id for finding in new))
    return Judgement(Verdict.SILENT)


def _caught(change: Change, is_open: Sequence[Finding], after: Outcome) -> Judgement | None:
    """The best of what leads to the place of a change."""
    at_place = [one for one in is_open if one.row and change.touches(one.span)]
    either = [one for finding in is_open for one in finding.rivals if change.touches(one.span)]
    is_open = [one for finding in is_open for one in (finding, *finding.rivals, *finding.effects)]
    touched = [(one, span) for one in is_open for span in (one.span, *one.sources) if change.touches(span)]
    named = [one for one, span in touched if _is_narrow(span)]
    errors = [one for one in _errors(after) if _leads_to(change, after.source, one)]
    refused = [one for one in errors if one.span is None or _is_narrow(one.span)]
    for verdict, why in (
        (Verdict.AT_PLACE, [one.id for one in at_place]),
        (Verdict.EITHER, [one.id for one in either]),
        (Verdict.REFUSED, list(map(str, refused))),
        (Verdict.NAMED, [one.id for one in named]),
        (Verdict.AT_TABLE, [*(one.id for one, _ in touched), *map(str, errors)]),
    ):
        if why:
            return Judgement(verdict, why[0])
    return None


def _key(finding: Finding, start: int) -> tuple[object, ...]:
    accepted = finding.accepted is not None
    return finding.id, finding.severity, accepted, finding.printed, finding.computed, start


def _is_narrow(span: Span) -> bool:
    """Whether a place is a figure or a sentence, and not a whole table."""
    return span.end - span.start <= NARROW


def _errors(after: Outcome) -> Sequence[RefgenError]:
    """What is wrong with the document: what kept it or a part of it from being read, or an aid from being made."""
    return [each for error in (after.report.errors if after.report else ()) for each in each_error(error)]


def _leads_to(change: Change, source: SourceFile, error: RefgenError) -> bool:
    """Whether the place of an error is that of a change, or its words name a place shortly before it."""
    if error.span is not None and error.span.file == source.name and change.touches(error.span):
        return True
    said = re.findall(rf"{re.escape(source.name)}:(\d+):(\d+)", f"{error.message} {error.hint}")
    places = [source.line_span(int(line)).start + int(column) - 1 for line, column in said]
    return any(change.touches(source.span(place, place + NEAR)) for place in places)
