"""What the tests of characters share: the form of the small sheet, made once."""

from __future__ import annotations

import pytest

from refgen.characters.form import Form
from tests.characters.small import form_of


@pytest.fixture(scope="session")
def form(tmp_path_factory: pytest.TempPathFactory) -> Form:
    """The form of a sheet with a field of every kind."""
    return form_of(tmp_path_factory.mktemp("small"))
