"""Where something is printed: a stretch of a file. Everything that is read carries one, and so does every error."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of a file: ``start`` and ``end`` are character offsets (half open), lines and columns count from 1."""

    file: str
    start: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"
