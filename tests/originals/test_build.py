"""Everything that is built from our documents is built from the originals."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from refgen.aids.kinds import KINDS
from refgen.pipeline.request import PRODUCTS
from tests.conftest import SYSTEMS, Builds
from tests.originals.conftest import original

pytestmark = pytest.mark.slow


def build(output: Path, build_all: Builds, only: Sequence[str], games: Sequence[str]) -> set[str]:
    """Build some kinds for A4 from the originals of games; returns the names of the files."""
    documents = [f"{system}={original(system)}" for system in games]
    result = build_all(output, documents, games=games, papers=["a4"], only=only)
    assert (result.errors, result.mismatches) == ([], [])
    return names(output)


def test_the_site_is_built_from_the_five_originals(built: Path, build_all: Builds, tmp_path: Path) -> None:
    of_aids = tuple(f"{system}/{kind.names.stem}" for system in SYSTEMS for kind in KINDS.values())
    expected = {name for name in names(built) if not name.startswith(of_aids)}
    assert build(tmp_path, build_all, ["site", "data"], SYSTEMS) == expected


@pytest.mark.soak
@pytest.mark.parametrize("system", SYSTEMS)
def test_all_aids_are_built_from_an_original(built: Path, build_all: Builds, tmp_path: Path, system: str) -> None:
    """On A4: the tables are those of our documents, which are laid out on every paper."""
    expected = {name for name in names(built) if name.startswith(f"{system}/") and "letter" not in name}
    found = build(tmp_path, build_all, PRODUCTS, [system])
    assert {name for name in found if name.startswith(f"{system}/")} == expected


def names(folder: Path) -> set[str]:
    """The files of a build without the files of the search index, which are named after the words in them."""
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    return {name for name in found if ".pf_" not in name}
