"""Every number of the originals is checked as well, or says why not."""

from __future__ import annotations

import pytest

from tests.checks.test_docs import statuses_in_docs, statuses_of
from tests.conftest import SYSTEMS, game
from tests.originals.conftest import original_game


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_number_of_an_original_is_unlisted_or_only_read(system: str) -> None:
    found = original_game(system).coverage()
    assert [(str(entry.span), entry.text, entry.words) for entry in found.open] == []
    assert found.unfound == ()
    assert statuses_in_docs(f"{game(system).title}, the original") == statuses_of(found)
