"""Links of documents: which may be followed, and what is said of the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from refgen.checks.documents import may_be_followed
from refgen.export.check import sentence
from refgen.game.game import load_game

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
