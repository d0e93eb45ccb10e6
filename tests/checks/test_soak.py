"""Every change of every document, which takes half an hour: ``make soak``."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from tests.checks.mutation.__main__ import main


@pytest.mark.soak
@pytest.mark.originals
def test_all_changes_are_noticed_as_docs_checks_says() -> None:
    result = CliRunner().invoke(main, ["--write"])
    assert result.exit_code == 0, result.output
