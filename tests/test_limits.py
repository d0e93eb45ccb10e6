"""Limits are changed by whoever runs refgen, for one command and the processes it starts, and by nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from refgen.cli import main
from refgen.errors import RefgenError
from refgen.limits import ENVIRONMENT, Limits, changed_limits, limits


def test_a_limit_is_changed_for_a_while_and_for_processes_that_are_started() -> None:
    with changed_limits(["file-bytes=1_000"]):
        assert limits().file_bytes == 1_000
        assert os.environ[ENVIRONMENT] == "file-bytes=1_000"
        with changed_limits(["file-bytes=10"]):
            assert limits().file_bytes == 10
        assert limits().file_bytes == 1_000
    assert limits() == Limits()
    assert ENVIRONMENT not in os.environ


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("file-byte=1", 'there is no limit "file-byte"'),
        ("file-bytes=0", '"file-bytes=0" changes no limit'),
        ("file-bytes=-1", '"file-bytes=-1" changes no limit'),
        ("file-bytes", '"file-bytes" changes no limit'),
    ],
)
def test_what_changes_no_limit_is_refused(change: str, message: str) -> None:
    with pytest.raises(RefgenError, match=message), changed_limits([change]):
        pass


def test_a_refusal_names_its_limit_and_the_option_raises_it(tmp_path: Path) -> None:
    document = tmp_path / "rules.md"
    document.write_text("| a | b |\n|---|---|\n| 1 | 2 |\n", encoding="utf-8")
    refused = CliRunner().invoke(main, ["read", str(document), "--limit", "file-bytes=10"])
    assert (refused.exit_code, refused.stderr) == (
        2,
        f"{document} has 30 bytes\n  hint: The limit file-bytes is 10; --limit file-bytes=NUMBER changes it.\n",
    )
    assert CliRunner().invoke(main, ["read", str(document), "--limit", "file-bytes=30"]).exit_code == 0
