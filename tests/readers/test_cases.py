"""Every case of a file in cases/ is read as the file says."""

from __future__ import annotations

import pytest

from refgen.readers.read import read_document
from refgen.source import SourceFile
from tests.readers.case_files import Case, describe, read_cases


@pytest.mark.parametrize("case", [pytest.param(case, id=f"{case.format}: {case.title}") for case in read_cases()])
def test_a_document_is_read_as_its_case_says(case: Case) -> None:
    assert describe(read_document(SourceFile(case.name, case.text), case.format)) == case.expected
