"""Prints that a `read` makes mean something else: a note, and a footnote where they are shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from refgen.checks.finding import FindingKind, Mark, Severity, marks
from tests.checks.small import SPEC, checked

TABLE = """
[tables.bands]
title = "Bands"
header = ["Band", "Effect", "Cost"]
columns = [
  { id = "band", type = "interval", read = { READ } },
  { id = "effect", read = { "none" = "nothing" } },
  { id = "cost", type = "number", read = { "half" = "1/2", "free" = "0" } },
]
"""

DOCUMENT = (
    "Band | Effect | Cost\n-----|--------|------\n+7   | none   | free\n1-6  | some   | half\n< -7 | all    | 3\n"
)


def notes(folder: Path, read: str) -> list[tuple[str, str, str]]:
    """The notes on what is read: id, print, and what it is read as."""
    assert "bands" not in SPEC
    report = checked(folder, ("Depth  |", f"{DOCUMENT}\nDepth  |"), checks=TABLE.replace("READ", read))
    found = [finding for finding in report.findings if finding.kind is FindingKind.READING]
    assert all((finding.severity, finding.is_open) == (Severity.NOTE, False) for finding in found)
    held = marks(report.findings)
    assert [held[finding.span] for finding in found] == [
        Mark(finding.printed, "", "Read as", finding.computed) for finding in found
    ]
    return [(finding.id, finding.printed, finding.computed) for finding in found]


@pytest.mark.parametrize(
    ("title", "read", "expected"),
    [
        ("an open band", '"+7" = "7.."', [("readings/bands/+7/band", "+7", "7 or more")]),
        ("a bound with its end", '"< -7" = "..-7"', [("readings/bands/<--7/band", "< -7", "-7 or less")]),
        ("another range", '"1-6" = "1-5"', [("readings/bands/1-6/band", "1-6", "1-5")]),
        ("the same in other words", '"+7" = "7-7"', []),
        ("words, and what is no number by itself", "", []),
    ],
)
def test_a_reading_that_changes_the_meaning_is_a_note_and_a_footnote(
    tmp_path: Path, title: str, read: str, expected: list[tuple[str, str, str]]
) -> None:
    assert notes(tmp_path, read) == expected, title
