"""Notes on readings (a print that `read` makes mean something else) and on links that pages leave out."""

from __future__ import annotations

from pathlib import Path

import pytest

from refgen.checks.documents import may_be_followed
from refgen.checks.finding import FindingKind, Mark, Severity, marks
from refgen.export.check import sentence
from refgen.game import load_game
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
    assert all((finding.severity, finding.is_open) == (Severity.REMARK, False) for finding in found)
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


SYSTEM = """
title = "Links"
about = "A game."
document = "rules.md"
accent = "#123456"
source = "Rules"
tables = {}
"""


@pytest.mark.parametrize(
    ("address", "allowed"),
    [
        ("https://example.invalid/", True),
        ("mailto:somebody@example.invalid", True),
        ("#odds", True),
        ("other.md#odds", True),
        ("javascript:alert(1)", False),
        (" JavaScript:alert(1)", False),
        ("java\nscript:alert(1)", False),
        ("data:text/html,x", False),
        ("file:///etc/passwd", False),
        ("//example.invalid/", False),
        ("http://[", False),
    ],
)
def test_where_a_link_may_lead(address: str, allowed: bool) -> None:
    assert may_be_followed(address) == allowed


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "rules.md",
            "# Rules\n\nSee [odds](#odds), [us](https://example.invalid) and [this\ntrap](ftp://example.invalid).\n",
        ),
        (
            "rules.html",
            '<h1>Rules</h1>\n\n<p><a href="#x">Odds</a>, <a href="javascript:alert(1)">this\ntrap</a></p>\n',
        ),
    ],
)
def test_a_link_that_leads_where_none_must_is_a_note(tmp_path: Path, name: str, text: str) -> None:
    folder = tmp_path / "links"
    folder.mkdir()
    (folder / "system.toml").write_text(SYSTEM.replace("rules.md", name), encoding="utf-8")
    (folder / name).write_text(text, encoding="utf-8")
    report = load_game(folder).check()
    (finding,) = report.findings
    assert (finding.span.line, finding.printed, finding.is_open) == (3, "this trap", False)
    assert sentence(finding).endswith(
        "this trap: this link is left out: links lead to http, https, mailto or into the documents."
    )
