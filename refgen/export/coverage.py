"""What becomes of the numbers of documents, as JSON.

In: Coverages. Out: plain data.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from typing_extensions import TypedDict

from refgen.checks.coverage import Coverage, Entry, Status
from refgen.checks.printed import Unfound
from refgen.export.model import Count, Place, place


class StatusCount(TypedDict):
    """How many numbers of a system have a status."""

    status: Status
    count: Count


class CoverageSummary(TypedDict):
    """How many numbers the documents of a system print, and what becomes of them."""

    system: str
    numbers: Count
    statuses: list[StatusCount]


class EntryData(TypedDict):
    """A printed number."""

    system: str
    text: str
    status: Status
    of: list[str]
    by: list[str]
    words: str
    span: Place


class UnfoundData(TypedDict):
    """A sentence of ``[unread]`` that explains no number."""

    system: str
    kind: str
    sentence: str
    span: Place


class CoverageData(TypedDict):
    """What ``refgen check --coverage --format json`` prints."""

    schema: Literal["refgen/coverage/1"]
    summary: list[CoverageSummary]
    entries: list[EntryData]
    unfound: list[UnfoundData]


def coverage_data(coverages: Sequence[Coverage]) -> CoverageData:
    """The numbers of some games."""
    return CoverageData(
        schema="refgen/coverage/1",
        summary=[_summary(coverage) for coverage in coverages],
        entries=[_entry(coverage.system, entry) for coverage in coverages for entry in coverage.entries],
        unfound=[_unfound(coverage.system, unfound) for coverage in coverages for unfound in coverage.unfound],
    )


def _summary(coverage: Coverage) -> CoverageSummary:
    statuses = [StatusCount(status=status, count=count) for status, count in coverage.counts.items()]
    return CoverageSummary(system=coverage.system, numbers=len(coverage.entries), statuses=statuses)


def _entry(system: str, entry: Entry) -> EntryData:
    return EntryData(
        system=system,
        text=entry.text,
        status=entry.status,
        of=list(entry.of),
        by=list(entry.by),
        words=entry.words,
        span=place(entry.span),
    )


def _unfound(system: str, unfound: Unfound) -> UnfoundData:
    return UnfoundData(system=system, kind=unfound.kind, sentence=unfound.sentence, span=place(unfound.span))
