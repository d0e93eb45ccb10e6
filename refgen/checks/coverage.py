"""The coverage of documents: whether each number is compared, quoted, a source, pinned, explained, or open.

In: a Ruleset and the report of its checks. Out: a NumberCoverage with a CoveredNumber for each printed number.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import cached_property

from refgen.catalog import counted
from refgen.checks.agreement import RESTATED, QuotesSpec
from refgen.checks.averages import AVERAGES
from refgen.checks.comparison import ChecksSpec, Comparison
from refgen.checks.document_numbers import (
    IgnoredSentences,
    NumberHolder,
    PrintedNumber,
    UnusedSentence,
    paragraphs_of,
    printed_numbers,
)
from refgen.checks.finding import CheckReport, Counted, Extent
from refgen.checks.formulas import FormulaSpec, formula_of_fact
from refgen.errors import NotationError
from refgen.languages import Language
from refgen.notation.number import read_number, read_percent
from refgen.rules.model import Ruleset
from refgen.source import Passage
from refgen.span import Span


class Status(StrEnum):
    """The state of a number in the coverage."""

    COMPARED = "compared"
    """A check compares it with what follows from others."""
    QUOTED = "quoted"
    """It repeats another number, and a check compares the two."""
    SOURCE = "source"
    """Numbers that are compared follow from it: a change would show there."""
    PINNED = "pinned"
    """The game sets it, as proof.toml says: it follows from nothing."""
    READ = "read"
    """A cell or fact has it, and nothing checks it."""
    EXAMPLE = "example"
    HEADING = "heading"
    REFERENCE = "reference"
    DATE = "date"
    REMARK = "remark"
    MENTION = "mention"
    """It is the name of a level in a sentence that no typed cell and no fact reads."""
    UNLISTED = "unlisted"
    """No cell and no fact reads it, and proof.toml does not say why."""


OPEN = (Status.READ, Status.UNLISTED)
"""The states of numbers that somebody has still to look at."""

COMPARED = (Status.COMPARED, Status.QUOTED)
"""The states of numbers that a check compares."""


@dataclass(frozen=True, slots=True)
class CoveredNumber:
    """A number of a document.

    ``of`` are the columns and facts that read the number ("wounds.penalty", "dice"). ``by`` explains the status: the
    checks that compare the number or rest on it, the reason of a pin, the table of a heading, or a sentence of
    ``[ignored]``. ``words`` is the text around the number.
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
    unfound: tuple[UnusedSentence, ...] = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.system}: {counted(len(self.entries), 'number')}, {len(self.open)} open>"

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
    ignored = IgnoredSentences(ruleset, paragraphs)
    entries = tuple(_entry(*number, ignored) for number in _read_numbers(ruleset, report, paragraphs))
    return NumberCoverage(ruleset.id, entries, tuple(ignored.unfound()))


def extent_of(ruleset: Ruleset[ChecksSpec], report: CheckReport) -> Extent:
    """How many of all numbers of the documents are compared, as the coverage has them."""
    entries = [entry for _, entry in _read_numbers(ruleset, report, paragraphs_of(ruleset))]
    return Extent(Counted.NUMBERS, sum(entry.status in COMPARED for entry in entries), len(entries))


def _read_numbers(
    ruleset: Ruleset[ChecksSpec], report: CheckReport, paragraphs: dict[str, Sequence[Passage]]
) -> Iterator[tuple[PrintedNumber, CoveredNumber]]:
    """Every number of the documents, and its state by the checks."""
    compared, numbers = _ComparisonsByPlace(ruleset, report), list(printed_numbers(ruleset, paragraphs))
    beside: dict[Span, list[str]] = defaultdict(list)
    for number in numbers:
        for holder in number.holders:
            beside[holder.span].append(ruleset.style.usual(number.text))
    yield from ((number, compared.entry(number, beside)) for number in numbers)


def _entry(number: PrintedNumber, read: CoveredNumber, ignored: IgnoredSentences) -> CoveredNumber:
    """The state of a number by the checks; by proof.toml for a number in prose or in a cell of words."""
    if number.is_mention:
        return replace(read, status=Status.MENTION)
    if read.status is not Status.READ or any(holder.notation != "text" for holder in number.holders):
        return read
    if why := ignored.why(number.span):
        return replace(read, status=Status(why[0]), by=(why[1],))
    return read if number.holders else replace(read, status=Status.UNLISTED)


class _ComparisonsByPlace:
    """The subjects and the sources of the comparisons of a report, by place."""

    def __init__(self, ruleset: Ruleset[ChecksSpec], report: CheckReport) -> None:
        self._style = ruleset.style
        following = [fact_id for fact_id, fact in ruleset.spec.facts.items() if fact.follows]
        checks = (*ruleset.spec.checks, *following)
        self._quotes = {check_id for check_id in checks if _is_quote(ruleset, check_id)} | {RESTATED}
        self._subjects: dict[Span, list[Comparison]] = defaultdict(list)
        self._sources: dict[Span, dict[str, None]] = defaultdict(dict)
        for comparison in (judged.comparison for judged in report.judged):
            if comparison.subject.row:  # not of a whole column
                self._subjects[comparison.subject.span].append(comparison)
            for span in comparison.sources:
                self._sources[span].setdefault(_check_of(comparison))

    def entry(self, number: PrintedNumber, beside: Mapping[Span, Sequence[str]]) -> CoveredNumber:
        """The state of a number in cells or facts by the checks, each with the numbers ``beside`` it."""
        holders = number.holders
        comparing = [check for held in holders for check in self._checks_of(held, number.text, beside[held.span])]
        comparing += [one for one in map(_check_of, self._subjects.get(number.span, ())) if one == AVERAGES]
        checks = tuple(dict.fromkeys(comparing))
        sources = [check for held in holders for check in self._sources.get(held.span, ())]
        sources += [check for check in self._sources.get(number.span, ()) if check == AVERAGES]
        resting = tuple(dict.fromkeys(sources))
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

    def _checks_of(self, holder: NumberHolder, text: str, beside: Sequence[str]) -> Iterator[str]:
        """The checks that compare a number of a cell or fact."""
        usual = self._style.usual(text)
        language, is_one = self._style.language, holder.notation not in _OF_SEVERAL_NUMBERS
        for comparison in self._subjects.get(holder.span, ()):
            if is_one or _is_compared_number(comparison.number, usual, beside, language):
                yield _check_of(comparison)


_OF_SEVERAL_NUMBERS = ("weighted", "score", "interval", "modifier")
"""Notations of more than one number, of which a check may compare one."""

_A_NAME = re.compile(r"\{[^{}]+\}")


def _is_quote(ruleset: Ruleset[ChecksSpec], check_id: str) -> bool:
    """Whether a check compares a number with an equal number elsewhere, which it repeats."""
    spec = ruleset.spec.checks.get(check_id) or formula_of_fact(check_id, ruleset.spec.facts[check_id])
    is_same = isinstance(spec, FormulaSpec) and not spec.high and bool(_A_NAME.fullmatch(spec.formula))
    return is_same or isinstance(spec, QuotesSpec)


def _check_of(comparison: Comparison) -> str:
    return comparison.subject.id.partition("/")[0]


def _is_compared_number(compared: Fraction | None, text: str, beside: Sequence[str], language: Language) -> bool:
    """Whether the compared number is the number ``text``, and not a further number of the same cell (``beside``)."""
    meant = [other for other in beside if compared is not None and _number(other, language) == compared]
    return not meant or text in meant


def _number(text: str, language: Language) -> Fraction | None:
    try:
        return read_percent(text).value if text.endswith(("%", "％")) else read_number(text, language).value
    except NotationError:
        return None
