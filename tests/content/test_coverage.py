"""Every number of the five documents is a cell or a fact, or stands in ``uncovered/<system>.txt`` with a reason.

A line there is ``LINE: words before *the number* words after | reason``. After a change of a document, write the file
anew and look over each line that is new or ends with a question mark:

    python -c "from tests.content.test_coverage import write_list as w; w('harmonies')"
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import pytest

from refgen.game.spec import GameRules
from tests.conftest import SYSTEMS, ours

LISTS = Path(__file__).parent / "uncovered"

REASONS = re.compile(r"example|heading|cross-reference|date|not a rule|restatement of (?P<id>[a-z0-9-]+)")

NUMBER = re.compile(
    r"\d|\b(?:zero|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|twice|triples)\b", re.IGNORECASE
)

COUNTED = "action|attack|avoidance|box|class|color|condition|level|line|parry|roll|round|side|status|step|year"
"""What the games count. Before these "one" is a number; elsewhere it stands for a noun, or for somebody."""

ONE = re.compile(rf"\b(one) (?:[a-z]+ )?(?:{COUNTED})", re.IGNORECASE)

JOINTS = {"and", "or", "to", "+", "="}
"""What may stand between two numbers that make one entry."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a document, where it starts, its line, and whether it is a number that no table or fact holds."""

    text: str
    start: int
    line: int
    open: bool


@dataclass(frozen=True)
class Survey:
    """A document gone through word by word."""

    ruleset: GameRules

    @cached_property
    def text(self) -> str:
        """The document with blanks for markup, so that nothing moves."""
        text = self.ruleset.document.text
        return re.sub(r"<[^>]*>", lambda tag: re.sub(r"\S", " ", tag[0]), text) if text.startswith("<") else text

    @cached_property
    def covered(self) -> list[tuple[int, int]]:
        """Where the tables and the facts start and end."""
        spans = [table.span for table in self.ruleset.tables.values()]
        spans += [fact.span for fact in (*self.ruleset.facts.values(), *self.ruleset.again)]
        return [(span.start, span.end) for span in spans if span is not None]

    @cached_property
    def numbers(self) -> list[int]:
        """Where the digits and number words stand that no table or fact holds."""
        found = [match.start() for match in NUMBER.finditer(self.text)]
        found += [match.start(1) for match in ONE.finditer(self.text)]
        return [place for place in found if not any(start <= place < end for start, end in self.covered)]

    @cached_property
    def words(self) -> list[Word]:
        return [
            Word(
                match[0],
                match.start(),
                self.ruleset.document.position(match.start())[0],
                any(match.start() <= place < match.end() for place in self.numbers),
            )
            for match in re.finditer(r"\S+", self.text)
        ]

    def runs(self) -> Iterator[tuple[int, int]]:
        """The first and the last word of each stretch of open numbers in a line."""
        numbers = [index for index, word in enumerate(self.words) if word.open]
        start = 0
        for at, index in enumerate(numbers):
            if at + 1 == len(numbers) or not self.joined(index, numbers[at + 1]):
                yield numbers[start], index
                start = at + 1

    def joined(self, left: int, right: int) -> bool:
        between = {word.text for word in self.words[left + 1 : right]}
        return between <= JOINTS and self.words[left].line == self.words[right].line

    def entry(self, first: int, last: int) -> str:
        """A run of numbers between asterisks, with two words of its paragraph on either side."""
        before = [self.words[index].text for index in range(max(0, first - 2), first) if self.together(index, first)]
        behind = range(last + 1, min(last + 3, len(self.words)))
        after = [self.words[index].text for index in behind if self.together(last, index)]
        number = " ".join(word.text for word in self.words[first : last + 1])
        return f"{self.words[first].line}: {' '.join([*before, f'*{number}*', *after])}"

    def together(self, left: int, right: int) -> bool:
        """Whether two words stand in one paragraph."""
        return not re.search(r"\n\s*\n", self.text[self.words[left].start : self.words[right].start])

    def entries(self) -> list[str]:
        return [self.entry(first, last) for first, last in self.runs()]

    def guess(self, first: int) -> str:
        """The likely reason of an entry, or "?"."""
        word, text = self.words[first], self.ruleset.document.text
        before = text[: word.start]
        paragraph = re.split(r"\n\s*\n", before)[-1]
        if re.search(r"(?:Section|Chapter) +$", " ".join(before[-40:].split("\n"))):
            return "cross-reference"
        if re.fullmatch(r"\s*[\d.]+ [A-Z][A-Za-z ]+", self.line(word.line)):
            return "heading"
        if re.search(r"\bexample", paragraph, re.IGNORECASE) or before.count("<example") > before.count("</example"):
            return "example"
        return "?"

    def line(self, number: int) -> str:
        span = self.ruleset.document.line_span(number)
        return self.ruleset.document.text[span.start : span.end]


def without_line(entry: str) -> str:
    """The words of an entry, which outlive a change elsewhere in the document."""
    return entry.partition(": ")[2]


def listed(system: str) -> list[tuple[str, str]]:
    """The entries and reasons of the list as it stands."""
    path = LISTS / f"{system}.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [(entry, reason) for entry, _, reason in (line.rpartition(" | ") for line in lines)]


def written(system: str) -> str:
    """The list of a system anew: a known entry keeps its reason, any other gets a guess or a question mark."""
    survey, exact = Survey(ours(system)), dict(listed(system))
    known = {without_line(entry): reason for entry, reason in exact.items()}
    lines = []
    for first, last in survey.runs():
        entry = survey.entry(first, last)
        reason = exact.get(entry) or known.get(without_line(entry)) or survey.guess(first)
        lines.append(f"{entry} | {reason}\n")
    return "".join(lines)


def write_list(system: str) -> None:
    """Write the list of a system anew, to be looked over."""
    (LISTS / f"{system}.txt").write_text(written(system), encoding="utf-8")


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_number_is_a_cell_or_a_fact_or_listed_with_its_reason(system: str) -> None:
    found, known = Survey(ours(system)).entries(), [entry for entry, _ in listed(system)]
    unknown = [entry for entry in found if entry not in known]
    assert found == known, (
        f"Not in a table, a fact or the list of {system}: {unknown}. "
        "Describe them in system.toml; what is no rule goes into the list (see write_list)."
    )


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_reason_is_one_of_the_six_and_names_what_it_restates(system: str) -> None:
    ruleset = ours(system)
    ids = {*ruleset.tables, *ruleset.facts}
    wrong = [
        f"{entry} | {reason}"
        for entry, reason in listed(system)
        if not (match := REASONS.fullmatch(reason)) or (match["id"] and match["id"] not in ids)
    ]
    assert wrong == []


def test_a_number_that_no_fact_holds_any_more_is_found_with_its_line() -> None:
    ruleset = ours("harmonies")
    without = {name: fact for name, fact in ruleset.facts.items() if name != "extra-action"}
    entries = Survey(replace(ruleset, facts=without)).entries()
    assert set(entries) - set(Survey(ruleset).entries()) == {"328: of them *three* points harder."}


def test_the_list_is_what_writing_it_anew_would_write() -> None:
    assert written("harmonies") == (LISTS / "harmonies.txt").read_text(encoding="utf-8")
