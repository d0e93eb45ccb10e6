"""The checks of a document that has no system.toml yet.

In: a Document. Out: a Report.
"""

from __future__ import annotations

from refgen.api.report import Report
from refgen.checks.document_tables import document_report
from refgen.readers.document import Document


def check_document(document: Document) -> Report:
    """The checks of a document alone: rows by their dice, columns by their way, chances by dice."""
    return Report.of(document_report(document))
