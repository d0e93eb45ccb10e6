"""Everything that is built from our documents is built from the originals."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import SYSTEMS, build_all
from tests.originals.conftest import original


@pytest.mark.slow
def test_the_same_build_runs_on_the_five_originals(built: Path, tmp_path: Path) -> None:
    output = tmp_path / "originals"
    result = build_all(output, [f"{system}={original(system)}" for system in SYSTEMS])
    assert result.errors == []
    assert result.mismatches == []
    names = {path.relative_to(built) for path in built.rglob("*") if path.is_file()}
    assert {path.relative_to(output) for path in output.rglob("*") if path.is_file()} == names
