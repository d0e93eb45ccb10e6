"""Every case of a file in cases/ is read as the file says."""

from __future__ import annotations

from pathlib import Path

import pytest

from refgen.readers.document import BINARY
from refgen.readers.read import open_document
from tests.readers.case_files import Case, describe, read_cases
from tests.readers.office_files import office_file


@pytest.mark.parametrize("case", [pytest.param(case, id=f"{case.format}: {case.title}") for case in read_cases()])
def test_a_document_is_read_as_its_case_says(case: Case, tmp_path: Path) -> None:
    raw = office_file(case.text, case.format) if case.format in BINARY else case.text.encode()
    (tmp_path / case.name).write_bytes(raw)
    document = open_document(tmp_path / case.name, case.name, case.format)
    assert describe(document) == case.expected
