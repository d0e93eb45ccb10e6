"""Every compared number is changed in its document, one at a time: the check must find that number and no other.

A number is changed by one unit of its last digit: up in our documents, down in the originals (the other way where it
would mend a finding, or where there is nothing below). A word for a number, and a level, becomes its neighbour.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

import pytest

from refgen.bundle import bundled
from refgen.checks.errata import ROUNDING
from refgen.checks.finding import CheckReport, Finding
from refgen.checks.run import check
from refgen.errors import RefgenError, ResolverError
from refgen.game.spec import GameRules
from refgen.readers.read import read_document
from refgen.resolver.computed import ComputedTables
from refgen.rules.load import rules_in
from refgen.rules.phrasing import editions
from refgen.source import SourceFile
from refgen.span import Span
from tests.conftest import SYSTEMS, ours

WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?")

BOUND = "a bound: more than one number and more than the other agree whatever the numbers are"
TIE = "exactly half-way: the other rounding is as right, and what follows it not is the odd one then"
DOWN = "with it all of the column is rounded down, which is as good a rule"
SAME = '"< -7" is read as -7 and less, and "< -6" says just that'
LADDER = "the number of a level: all counts from it, and whatever does not fit first is refused"

EXCEPTIONS: Mapping[tuple[str, str, str], str] = {
    ("interactive-history", "nominal-armies/vast/nominal", "500,001"): BOUND,
    ("interactive-history", "nominal-armies/vast/nominal", "499,999"): BOUND,
    ("interactive-history", "standing-armies/vast/standing", "200,001"): BOUND,
    ("interactive-history", "standing-armies/vast/standing", "199,999"): BOUND,
    ("interactive-history", "provisional-armies/vast/provisional", "3"): BOUND,
    ("interactive-history", "provisional-armies/vast/provisional", "1"): BOUND,
    ("interactive-history", "provisional-armies/huge/provisional", "3"): BOUND,
    ("interactive-history", "provisional-armies/huge/provisional", "1"): BOUND,
    ("interactive-history", "level-values/+4", "5"): LADDER,
    ("interactive-history", "level-values/-4", "5"): LADDER,
    ("interactive-history", "success-cover/<--7", "6"): SAME,
    ("interactive-history", "technology-years/huge/normal-after", "16"): DOWN,
    ("atari-isev", "ogre-factor", "2.2"): TIE,
    ("atari-isev", "adjective-values/terrible", "4"): LADDER,
    ("harmonies", "odds-mirror/-6", "13"): TIE,
    ("fudge-1995", "success-rates/0/3d6", "63"): TIE,
}
"""Changes that need not be found, by system, the first check of the number and the new number; each with the reason."""


@dataclass(frozen=True)
class Change:
    """A piece of the document, and what is written in its place."""

    start: int
    old: str
    new: str
    printed: str
    ids: tuple[str, ...]

    def touches(self, span: Span) -> bool:
        return span.start <= self.start + len(self.new) and self.start <= span.end


def places(report: CheckReport) -> Mapping[Span, tuple[str, ...]]:
    """Where each compared number stands, with the ids of what is compared there; whole columns are no number."""
    found: dict[Span, tuple[str, ...]] = {}
    for judged in report.judged:
        subject = judged.comparison.subject
        if subject.row:
            found[subject.span] = (*found.get(subject.span, ()), subject.id)
    return found


def changes(ruleset: GameRules, report: CheckReport, up: bool) -> Iterator[Change]:
    mended = {(finding.id, finding.computed.removesuffix(" numbers wide")) for finding in report.findings}
    for span, ids in places(report).items():
        printed = ruleset.document.text[span.start : span.end]
        for start, old in pieces(ruleset, printed):
            new = changed(ruleset, old, up)
            whole = printed[:start] + new + printed[start + len(old) :]
            if any((name, text) in mended for name in ids for text in (whole, new, f"{new}%")):
                new = changed(ruleset, old, not up)
            yield Change(span.start + start, old, new, printed, ids)


def pieces(ruleset: GameRules, printed: str) -> Iterator[tuple[int, str]]:
    """The numbers in a printed text; without any, the word for a number or the level that it is."""
    found = [(match.start(), match[0]) for match in NUMBER.finditer(printed)]
    if found:
        yield from found
    elif printed.lower() in WORDS or level_after(ruleset, printed, up=True):
        yield 0, printed


def changed(ruleset: GameRules, old: str, up: bool) -> str:
    if old.lower() in WORDS:
        index = WORDS.index(old.lower())
        return WORDS[index + 1 if up or not index else index - 1]
    if not old[0].isdigit():
        return level_after(ruleset, old, up)
    number = Decimal(old.replace(",", ""))
    unit = Decimal(1).scaleb(int(number.as_tuple().exponent))
    other = number + unit if up or not number else number - unit
    return f"{other:,}" if "," in old else str(other)


def level_after(ruleset: GameRules, name: str, up: bool) -> str:
    """The next level of the ladder that has this one; "" for a word that is no level."""
    for ladder in ruleset.ladders.values():
        if (level := ladder.find(name)) is not None:
            steps = (ladder.named(level.value + way) for way in ((1, -1) if up else (-1, 1)))
            return next(step.name for step in steps if step)
    return ""


def needed(ruleset: GameRules) -> GameRules:
    """The ruleset with no computed tables but those that the checks compare with: the others cost time only."""
    computed = {getattr(spec, "computed", "") for spec in ruleset.spec.checks.values()}
    derived = {name: spec for name, spec in ruleset.spec.derived.items() if name in computed}
    return replace(ruleset, spec=ruleset.spec.model_copy(update={"derived": derived}))


def report_of(ruleset: GameRules, text: str | None = None) -> CheckReport:
    """The findings in another text of the document, by the same way as any document takes."""
    if text is not None:
        document = read_document(SourceFile(ruleset.document.name, text), ruleset.spec.format)
        known = editions(bundled("content") / ruleset.id, ruleset.spec, ruleset.spec_source)
        edition = next(edition for edition in known if edition.name == ruleset.edition)
        ruleset = rules_in(document, ruleset.id, ruleset.spec, ruleset.spec_source, edition)
    return check(ruleset, dict(ComputedTables(ruleset)))


def by_place(findings: tuple[Finding, ...], change: Change | None = None) -> Mapping[tuple[object, ...], Finding]:
    """Findings by their check, their place in the unchanged document, and what they say."""

    def start(span: Span) -> int:
        moved = change is not None and span.start > change.start
        return span.start - (len(change.new) - len(change.old)) if change is not None and moved else span.start

    return {
        (one.id.partition("/")[0], one.row == "", start(one.span), one.printed, one.computed): one for one in findings
    }


def fault(ruleset: GameRules, before: Mapping[tuple[object, ...], Finding], change: Change) -> str:
    """What is wrong with the report on a changed document; "" when it finds the change and nothing else."""
    text = ruleset.document.text
    assert text[change.start :].startswith(change.old)
    try:
        report = report_of(ruleset, text[: change.start] + change.new + text[change.start + len(change.old) :])
    except RefgenError as error:
        return "" if names_the_place(ruleset, change, error) else f"refused elsewhere: {error}"
    new = [finding for key, finding in by_place(report.findings, change).items() if key not in before]
    elsewhere = [finding.id for finding in new if not of_the_change(finding, change, report)]
    if elsewhere:
        return f"found elsewhere: {elsewhere}"
    return "" if any(change.touches(one.span) for one in new) else f"not found, but {[one.id for one in new]}"


def of_the_change(finding: Finding, change: Change, report: CheckReport) -> bool:
    """Whether a finding is at the change, rests on it, or says that a table with such a number mixes its rounding."""
    if any(change.touches(span) for span in (finding.span, *finding.sources)):
        return True
    comparisons = [judged.comparison for judged in report.judged]
    touched = [one for one in comparisons if any(map(change.touches, (one.subject.span, *one.sources)))]
    return finding.id in {f"{one.subject.id.partition('/')[0]}/{ROUNDING}" for one in touched}


def names_the_place(ruleset: GameRules, change: Change, error: RefgenError) -> bool:
    """Whether a refusal says where: the place itself, or for what cannot be rolled any more the table that holds it."""
    place = ruleset.document.span(change.start, change.start)
    if error.span is not None and error.span.file == place.file and change.touches(error.span):
        return True
    said = re.findall(rf"{re.escape(place.file)}:(\d+):(\d+)", f"{error.message} {error.hint}")
    if any(int(line) == place.line and abs(int(column) - place.column) <= 8 for line, column in said):
        return True
    tables = [table.id for table in ruleset.tables.values() if table.span and change.touches(table.span)]
    return isinstance(error, ResolverError) and any(table in error.message for table in tables)


def faults(ruleset: GameRules, up: bool) -> list[str]:
    ruleset = needed(ruleset)
    report = report_of(ruleset)
    before = by_place(report.findings)
    found = []
    for change in changes(ruleset, report, up):
        if (ruleset.id, change.ids[0], change.new) not in EXCEPTIONS and (wrong := fault(ruleset, before, change)):
            place = ruleset.document.span(change.start, change.start)
            found.append(f"{place}: {change.printed!r}: {change.old} made {change.new}: {wrong}")
    return found


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_each_changed_number_is_found_and_nothing_else(system: str) -> None:
    assert faults(ours(system), up=True) == []
