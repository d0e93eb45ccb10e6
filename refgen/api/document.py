"""A document as its author wrote it, before any rules.

In: a file. Out: a Document: its sections and ``tables``, raw grids with their places.
"""

from __future__ import annotations

from pathlib import Path

from refgen.readers.document import Document
from refgen.readers.read import open_document


def read(file: str | Path) -> Document:
    """Read a document in any format that refgen knows. Raises SourceError and ReadError."""
    return open_document(Path(file), typed=True)
