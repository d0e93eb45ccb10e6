"""Seeds of fuzzing: pieces of the documents and files of the bundled games, of other games, and of the tests.

In: the name of a format or of a file. Out: the bytes of small seeds, the same each time; with them the files in
``finds/``. What lies in ../shared is taken where it is there.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

from refgen.files import bundled_folder
from refgen.readers.document import BINARY, Format
from refgen.readers.pandoc.program import program
from refgen.readers.read import open_document

ROOT = Path(__file__).resolve().parents[2]
FINDS = Path(__file__).parent / "finds"
SHARED = ROOT.parent / "shared"
CONTENT = bundled_folder("content")
EXAMPLES = CONTENT / "examples"
SYSTEMS = ROOT / "tests" / "data" / "systems"
OWN = ROOT / "tests" / "data" / "fuzz"
"""The ferry is a game that is small and has every file: an input of that game takes milliseconds."""

MOST = 120
"""Seeds of a target."""

LETTERS = 400
"""How long pieces of documents are, about."""

_DOCUMENTS = {
    Format.MARKDOWN: ("*.md",),
    Format.DOCBOOK: ("*.xml",),
    Format.HTML: ("*.html",),
    Format.PLAINTEXT: ("*.txt", "*.patch"),
}


def chosen(seeds: Iterable[bytes]) -> Sequence[bytes]:
    """Some of the seeds, whatever their order."""
    return sorted({*seeds}, key=lambda seed: sha256(seed).digest())[:MOST]


LATEX = rb"""\documentclass{article}
\newcommand{\die}{d6}
\title{Rules}
\author{Ada}
\begin{document}
\maketitle
Roll \die.
\end{document}
"""


@cache
def documents(form: Format) -> Sequence[bytes]:
    """Pieces of real documents of a format. Of a format that no document is in, pandoc or their tables make them."""
    if form is Format.FLATTENED:
        return chosen(_flattened((CONTENT / "fudge-1995" / "fudge3.txt").read_text(encoding="utf-8")))
    if form is Format.DOCBOOK:
        return chosen(_elements((CONTENT / "harmonies" / "actions.xml").read_text(encoding="utf-8")))
    if form in (Format.CSV, Format.TSV):
        return chosen(_tables("," if form is Format.CSV else "\t"))
    if form not in _DOCUMENTS:
        made = (_converted(piece, form) for piece in documents(Format.MARKDOWN)[:12])
        return chosen((LATEX, *made) if form is Format.LATEX else made)
    return _pieces_in((CONTENT, ROOT / "tests" / "data"), form)


@cache
def foreign_documents(form: Format) -> Sequence[bytes]:
    """Pieces of the documents of other games and of the originals, where these are there."""
    if form in BINARY:
        return chosen(_converted(piece, form) for piece in foreign_documents(Format.MARKDOWN)[:40])
    return _pieces_in((SHARED / "foreign", SHARED / "sources"), form)


def _pieces_in(folders: Iterable[Path], form: Format) -> Sequence[bytes]:
    patterns = _DOCUMENTS.get(form, (f"*.{form}",))
    files = [path for folder in folders for pattern in patterns for path in sorted(folder.rglob(pattern))]
    return chosen(piece for path in files for piece in _pieces(path.read_text(encoding="utf-8")))


def _pieces(text: str) -> Iterator[bytes]:
    """A text in pieces, parted at blank lines or else anywhere."""
    piece = ""
    for block in re.split(r"(?<=\n)(?=[^\S\n]*\n)", text):
        for start in range(0, len(block), 2 * LETTERS):
            if len(piece) + len(block) > LETTERS and piece.strip():
                yield piece.encode()
                piece = ""
            piece += block[start : start + 2 * LETTERS]
    if piece.strip():
        yield piece.encode()


def _flattened(text: str) -> Iterator[bytes]:
    """Pieces that hold a table each, as they are written and as one line."""
    for table in re.finditer(r"\[TABLE\].*?\[END TABLE\]", text, re.DOTALL):
        piece = text[max(0, table.start() - 600) : table.end() + 600]
        yield piece.encode()
        yield piece.replace("\n", " ").encode()


def _elements(text: str) -> Iterator[bytes]:
    """Small documents of the sections, tables and lists of a DocBook document."""
    for name in ("section", "informaltable", "table", "itemizedlist", "para", "variablelist", "note"):
        for found in re.finditer(rf"<{name}\b.*?</{name}>", text, re.DOTALL):
            if found[0].count(f"<{name}") == 1 and len(found[0]) < 6 * LETTERS:
                yield f"<article><section><title>Rules</title>{found[0]}</section></article>".encode()


def _tables(mark: str) -> Iterator[bytes]:
    """The tables of the bundled games, with cells parted by a mark."""
    for path in (CONTENT / "interactive-history" / "details.md", CONTENT / "harmonies" / "actions.xml"):
        for table in open_document(path).tables:
            rows = [mark.join(_quoted(cell.text, mark) for cell in row) for row in table.rows]
            yield "\n".join(rows).encode()


def _quoted(text: str, mark: str) -> str:
    return '"' + text.replace('"', '""') + '"' if mark in text or '"' in text else text


def _converted(markdown: bytes, form: Format) -> bytes:
    command = [program(), "--from", "markdown", "--to", str(form), "--output", "-"]
    dated = {**os.environ, "SOURCE_DATE_EPOCH": "946684800"}  # else a docx file has the time at which it was made
    return subprocess.run(command, input=markdown, capture_output=True, check=True, env=dated).stdout


def files_of_games(pattern: str, *folders: Path) -> Sequence[bytes]:
    """Files of games, each below a line with the name of its game. ``folders`` hold games."""
    found = [path for folder in folders for path in sorted(folder.glob(f"*/{pattern}"))]
    return [f"# {_game_of(path, pattern)}\n".encode() + path.read_bytes() for path in found]


def _game_of(path: Path, pattern: str) -> str:
    return path.parents[pattern.count("/")].name


def finds(target: str) -> dict[str, bytes]:
    """The inputs that a fault of refgen was found with, by their names; the faults are mended."""
    return {path.name: path.read_bytes() for path in sorted((FINDS / target).glob("*"))}
