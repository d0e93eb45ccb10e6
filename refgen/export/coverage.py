"""The coverage of documents as JSON and as text, and the public Coverage.

In: a NumberCoverage of each game. Out: plain data, lines for a person, or a Coverage with both formats as methods.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Literal

from typing_extensions import TypedDict

from refgen.catalog import counted, first_of
from refgen.checks.coverage import CoveredNumber, NumberCoverage, Status
from refgen.export.model import Count, Place, data_of, json_text


class StatusCount(TypedDict):
    """How many numbers of a system have a status."""

    status: Status
    count: Count


class CoverageSummary(TypedDict):
    """Counts of the numbers that the documents of a system print, by how each is read and compared."""

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


class UnusedSentenceData(TypedDict):
    """A sentence of ``[ignored]`` that explains no number."""

    system: str
    kind: str
    sentence: str
    span: Place


class CoverageData(TypedDict):
    """The output of ``refgen check --coverage --format json``."""

    schema: Literal["refgen/coverage/2"]
    summary: list[CoverageSummary]
    entries: list[EntryData]
    unfound: list[UnusedSentenceData]


def coverage_data(coverages: Sequence[NumberCoverage]) -> CoverageData:
    """The numbers of some games."""
    return CoverageData(
        schema="refgen/coverage/2",
        summary=[_summary(coverage) for coverage in coverages],
        entries=[data_of(EntryData, entry, system=found.system) for found in coverages for entry in found.entries],
        unfound=[data_of(UnusedSentenceData, one, system=found.system) for found in coverages for one in found.unfound],
    )


def _summary(coverage: NumberCoverage) -> CoverageSummary:
    statuses = [StatusCount(status=status, count=count) for status, count in coverage.counts.items()]
    return CoverageSummary(system=coverage.system, numbers=len(coverage.entries), statuses=statuses)


FACTS = "facts"
MOST_CHECKS = 4
"""So many checks are named behind a number, and then how many more there are."""


def coverage_lines(coverages: Sequence[NumberCoverage]) -> Iterator[str]:
    """Of each game how many numbers have which status, by tables and facts; then a line for each number."""
    for coverage in coverages:
        yield summary(coverage)
        for status, count in coverage.counts.items():
            if count:
                yield f"  {status:<9} {count:>3}  {_places_text(coverage, status)}".rstrip()
        for entry in coverage.entries:
            yield f"{entry.span}: {entry.status}: {sentence(entry)}"
        for unfound in coverage.unfound:
            yield f'{unfound.span}: unfound: "{unfound.sentence}" ({unfound.kind}) has no number that nothing reads'


def summary(coverage: NumberCoverage) -> str:
    """The number of all printed numbers, and of the open ones."""
    counts = coverage.counts
    return (
        f"{coverage.system}: {counted(len(coverage.entries), 'number')}, {counts[Status.READ]} read and not checked, "
        f"{counts[Status.UNLISTED]} unlisted"
    )


def sentence(entry: CoveredNumber) -> str:
    """A number as a sentence: the cells and facts that read the number, and the checks or reasons for it."""
    named = f"{entry.text} ({', '.join(entry.of)})" if entry.of else entry.text
    match entry.status:
        case Status.COMPARED | Status.QUOTED:
            return f"{named}, by {first_of(entry.by, MOST_CHECKS)}"
        case Status.SOURCE:
            return f"{named}, of {first_of(entry.by, MOST_CHECKS)}"
        case Status.PINNED:
            return f"{named}: {'; '.join(entry.by)}" if entry.by else named
        case Status.READ:
            return f"{named}, not checked"
    return f'{named}, in "{entry.by[0] if entry.by else entry.words}"'


def _places_text(coverage: NumberCoverage, status: Status) -> str:
    """How many numbers of a status stand in which table, and in facts."""
    first = (entry.of[0] for entry in coverage.entries if entry.status is status and entry.of)
    found = Counter(of.partition(".")[0] if "." in of else FACTS for of in first)
    return ", ".join(f"{where} {count}" for where, count in found.most_common())


@dataclass(frozen=True, repr=False)
class Coverage(NumberCoverage):
    """Every number of a game's documents with its checks; ``open`` are the numbers that nothing checks or explains."""

    @classmethod
    def of(cls, found: NumberCoverage) -> Coverage:
        """A Coverage that can be written down."""
        return cls(**{field.name: getattr(found, field.name) for field in fields(found)})

    def __str__(self) -> str:
        """A summary, then a line for each number."""
        return "\n".join(coverage_lines([self]))

    def to_json(self) -> str:
        """The numbers as ``refgen check GAME --coverage --format json`` prints them."""
        return json_text(coverage_data([self]))
