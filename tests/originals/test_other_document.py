"""A bundled game, read from another document than its own."""

from __future__ import annotations

import pytest

import refgen
from tests.originals.conftest import original
from tests.test_cli import refgen as run


@pytest.mark.slow
def test_check_reads_another_document() -> None:
    document = original("fudge-1995")
    result = run("check", "fudge-1995", "--document", f"fudge-1995={document}")
    assert result.exit_code == 0
    assert f"{document}:1:" in result.stdout


def test_conditions_of_another_document() -> None:
    document = original("interactive-history")
    other = ["--document", f"interactive-history={document}"]
    result = run("conditions", "interactive-history", "Wealth=Miserable", *other)
    assert f"holds          severe economic depression (Wealth <= Terrible)  {document}:" in result.stdout


def test_a_game_with_another_document() -> None:
    document = original("harmonies")
    assert str(refgen.load("harmonies", document=document).facts["aspects"].span).startswith(f"{document}:")


def test_what_is_read_of_an_original_is_shown_in_a_line() -> None:
    shown = repr(refgen.read(original("harmonies")))
    assert "\n" not in shown
    assert len(shown) <= 1500
