"""The coverage of documents: each number is compared, quoted, a source of other numbers, pinned, or no rule at all.

In: a Ruleset and the report of its checks. Out: Coverage, with an Entry for each printed number.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import cached_property

from refgen.checks.agreement import RESTATED, QuotesSpec
from refgen.checks.comparison import ChecksSpec, Comparison
from refgen.checks.finding import CheckReport
from refgen.checks.formulas import FormulaSpec, formula_of_fact
from refgen.checks.printed import Holder, Ignored, PrintedNumber, Unfound, paragraphs_of, printed_numbers
from refgen.errors import NotationError
from refgen.notation.number import read_number, read_percent
from refgen.rules.model import Ruleset
from refgen.span import Span


class Status(StrEnum):
    """The state of a number in the coverage."""

    COMPARED = "compared"
    """A check compares it with what follows from others."""
    QUOTED = "quoted"
    """It repeats another number, and a check compares the two."""
    SOURCE = "source"
    """Others that are compared follow from it: they would show a change."""
    PINNED = "pinned"
    """The game sets it, and proof.toml says so: there is nothing that it could follow from."""
    READ = "read"
    """A cell or fact has it, and nothing checks it."""
    EXAMPLE = "example"
    HEADING = "heading"
    REFERENCE = "reference"
    DATE = "date"
    REMARK = "remark"
    MENTION = "mention"
    """It is a level, not a number, and no typed cell and no fact has it: its sentence is not compared."""
    UNLISTED = "unlisted"
    """No cell and no fact has it, and proof.toml does not say why."""


OPEN = (Status.READ, Status.UNLISTED)
"""What somebody has still to look at."""


@dataclass(frozen=True, slots=True)
class CoveredNumber:
    """A number of a document.

    ``of`` are the columns and facts that read it ("wounds.penalty", "dice"). ``by`` are the checks that compare it or
    rest on it, why it is pinned, the table whose head it stands in, or the sentence of ``[ignored]``. ``words`` are
    those around it.
    """

    span: Span
    text: str
    status: Status
    of: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    words: str = ""


@dataclass(frozen=True)
class NumberCoverage:
    """Every number of a game's documents, in the order of the text, and the sentences that explain none."""

    system: str
    entries: tuple[CoveredNumber, ...]
    unfound: tuple[Unfound, ...] = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.system}: {len(self.entries)} numbers, {len(self.open)} open>"

    @cached_property
    def counts(self) -> Mapping[Status, int]:
        """How many numbers there are of each status."""
        found = Counter(entry.status for entry in self.entries)
        return {status: found[status] for status in Status}

    @property
    def open(self) -> tuple[CoveredNumber, ...]:
        """The numbers that nothing checks and nothing explains."""
        return tuple(entry for entry in self.entries if entry.status in OPEN)

    @property
    def is_complete(self) -> bool:
        """Whether every number is checked or explained, and every sentence of ``[ignored]`` explains one."""
        return not self.open and not self.unfound


def coverage(ruleset: Ruleset[ChecksSpec], report: CheckReport) -> NumberCoverage:
    """The state of every number of the documents."""
    paragraphs = paragraphs_of(ruleset)
    compared, ignored = _Compared(ruleset, report), Ignored(ruleset, paragraphs)
    numbers = list(printed_numbers(ruleset, paragraphs))
    beside: dict[Span, list[str]] = defaultdict(list)
    for number in numbers:
        for holder in number.holders:
            beside[holder.span].append(ruleset.style.usual(number.text))
    entries = tuple(_entry(number, compared.entry(number, beside), ignored) for number in numbers)
    return NumberCoverage(ruleset.id, entries, tuple(ignored.unfound()))


def _entry(number: PrintedNumber, read: CoveredNumber, ignored: Ignored) -> CoveredNumber:
    """The state of a number by the checks; by proof.toml for a number in prose or in a cell of words."""
    if number.is_mention:
        return replace(read, status=Status.MENTION)
    if read.status is not Status.READ or any(holder.notation != "text" for holder in number.holders):
        return read
    if why := ignored.why(number.span):
        return replace(read, status=Status(why[0]), by=(why[1],))
    return read if number.holders else replace(read, status=Status.UNLISTED)


class _Compared:
    """The subjects and the sources of the comparisons of a report, by place."""

    def __init__(self, ruleset: Ruleset[ChecksSpec], report: CheckReport) -> None:
        self._style = ruleset.style
        self._quotes = {check_id for check_id in _check_ids(ruleset) if _is_quote(ruleset, check_id)} | {RESTATED}
        self._subjects: dict[Span, list[Comparison]] = defaultdict(list)
        self._sources: dict[Span, dict[str, None]] = defaultdict(dict)
        for comparison in (judged.comparison for judged in report.judged):
            if comparison.subject.row:  # else it is of a whole column
                self._subjects[comparison.subject.span].append(comparison)
            for span in comparison.sources:
                self._sources[span].setdefault(_check_of(comparison))

    def entry(self, number: PrintedNumber, beside: Mapping[Span, Sequence[str]]) -> CoveredNumber:
        """The state of a number in cells or facts by the checks, each with the numbers ``beside`` it."""
        checks = tuple(
            dict.fromkeys(
                check for held in number.holders for check in self._checks_of(held, number.text, beside[held.span])
            )
        )
        resting = tuple(dict.fromkeys(check for held in number.holders for check in self._sources.get(held.span, ())))
        reasons = [holder.pinned for holder in number.holders if holder.pinned]
        if checks:
            status, by = Status.QUOTED if self._quotes.issuperset(checks) else Status.COMPARED, checks
        elif resting:
            status, by = Status.SOURCE, resting
        elif reasons:
            status, by = Status.PINNED, tuple(reason for reason in reasons if isinstance(reason, str))
        else:
            status, by = Status.READ, ()
        of = tuple(dict.fromkeys(holder.of for holder in number.holders))
        return CoveredNumber(number.span, number.text, status, of, by, number.words)

    def _checks_of(self, holder: Holder, text: str, beside: Sequence[str]) -> Iterator[str]:
        """The checks that compare a number of a cell or fact."""
        for comparison in self._subjects.get(holder.span, ()):
            if holder.notation not in _OF_PARTS or _is_meant(comparison.number, self._style.usual(text), beside):
                yield _check_of(comparison)


_OF_PARTS = ("weighted", "score", "interval", "modifier")
"""Notations of more than one number, of which a check may compare one."""

_A_NAME = re.compile(r"\{[^{}]+\}")


def _check_ids(ruleset: Ruleset[ChecksSpec]) -> set[str]:
    return {*ruleset.spec.checks, *(fact_id for fact_id, fact in ruleset.spec.facts.items() if fact.follows)}


def _is_quote(ruleset: Ruleset[ChecksSpec], check_id: str) -> bool:
    """Whether a check compares a number with one that it repeats."""
    spec = ruleset.spec.checks.get(check_id) or formula_of_fact(check_id, ruleset.spec.facts[check_id])
    is_same = isinstance(spec, FormulaSpec) and not spec.high and bool(_A_NAME.fullmatch(spec.formula))
    return is_same or isinstance(spec, QuotesSpec)


def _check_of(comparison: Comparison) -> str:
    return comparison.subject.id.partition("/")[0]


def _is_meant(compared: Fraction | None, text: str, beside: Sequence[str]) -> bool:
    """Whether a comparison of some number speaks of this one, and not of another that stands beside it."""
    meant = [other for other in beside if compared is not None and _number(other) == compared]
    return not meant or text in meant


def _number(text: str) -> Fraction | None:
    try:
        return read_percent(text).value if text.endswith("%") else read_number(text).value
    except NotationError:
        return None
