"""Cases of readers as files: a title, a document, and what a reader makes of it, each ended by a line with a dot.

    A footnote in a cell
    .
    | Rank | Cost |
    |------|------|
    | Page | 5*   |

    \\* Only at court.
    .
    = Rank | Cost
      Page | 5
    note Page, Cost: Only at court.
    .

In: ``cases/<format>.txt``, which may be ``cases/<format>-<subject>.txt``. Out: Cases. A new case needs no Python.

What a reader makes of a document is written in lines, in the order of the document: ``# Title`` of a section,
paragraphs, ``- item`` of a list, ``table caption`` of a table that has a caption, ``= a | b`` of a row of the head and
``  a | b`` of another row, ``note`` with a footnote of the table; after all sections, with their places, ``left out 3:5
words: why``, ``oddity 3:5 message: reading`` and ``fault 3:5 message``.
The place in a word processor's file is in brackets: ``(Combat, table 3, row 2)``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from refgen.readers.document import LEFT_OUT, Document, Format, Grid, Section
from refgen.span import Span

FOLDER = Path(__file__).parent / "cases"
_NAMES = {
    Format.MARKDOWN: "rules.md",
    Format.DOCBOOK: "rules.xml",
    Format.HTML: "rules.html",
    Format.PLAINTEXT: "rules.txt",
    Format.FLATTENED: "flat.txt",
    Format.CSV: "rules.csv",
    Format.TSV: "rules.tsv",
    Format.MEDIAWIKI: "rules.mediawiki",
    Format.RST: "rules.rst",
    Format.ORG: "rules.org",
    Format.LATEX: "rules.tex",
    Format.DOCX: "rules.docx",
    Format.ODT: "rules.odt",
}


@dataclass(frozen=True, slots=True)
class Case:
    """A document as text, and the lines that describe what the reader of its format makes of it."""

    format: Format
    title: str
    text: str
    expected: str

    @property
    def name(self) -> str:
        """The name of the file that the document would have."""
        return _NAMES[self.format]


def read_cases() -> Iterator[Case]:
    """The cases of all files, in the order of their names. Raises ValueError for a file that ends within a case."""
    for path in sorted(FOLDER.glob("*.txt")):
        document_format = Format(path.stem.partition("-")[0])
        *parts, rest = f"{path.read_text(encoding='utf-8').strip()}\n".split("\n.\n")
        if rest or len(parts) % 3:
            raise ValueError(f"{path.name} ends within a case: each has a title, a document and what is expected")
        for number in range(0, len(parts), 3):
            title, text, expected = parts[number : number + 3]
            yield Case(document_format, title.strip(), f"{text}\n", expected)


def describe(document: Document) -> str:
    """What a reader made of a document, in lines."""
    return "\n".join([*(line for section in document.sections for line in _section(section)), *_remarks(document)])


def _section(section: Section) -> Iterator[str]:
    if section.level:
        yield f"{'#' * section.level} {section.title}"
    parts = [(text.origins[0], [text.text]) for text in section.paragraphs]
    parts += [(block.span.start, [f"- {item.text}" for item in block.items]) for block in section.lists]
    parts += [(grid.span.start, list(_grid(grid))) for grid in section.grids]
    for _, lines in sorted(parts):
        yield from lines


def _grid(grid: Grid) -> Iterator[str]:
    if grid.caption:
        yield f"table {grid.caption}"
    for number, row in enumerate(grid.rows):
        mark = "=" if number < grid.header_rows else " "
        yield f"{mark} {' | '.join(cell.text for cell in row)}".rstrip()
    yield from (f"note {note.text}" for note in grid.notes)


def _remarks(document: Document) -> Iterator[str]:
    for note in document.notes:
        place = _place(note.span)
        if note.reading == LEFT_OUT:
            yield f"left out {place} {' '.join(document.printed(note.span).split())}: {note.message}"
        else:
            yield f"oddity {place} {note.message}: {note.reading}"
    yield from (f"fault {_place(fault.span)} {fault.message}" for fault in document.faults)


def _place(span: Span) -> str:
    """The line and column of a place, or the words that say where the place is."""
    return f"({span.place})" if span.place else f"{span.line}:{span.column}"
