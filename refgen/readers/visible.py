"""The words of a document, whatever its format: all that people see of it, and none of its markup.

In: the text of a file. Out: its paragraphs, runs of white space collapsed, in which each character still knows its
place. Unlike the sections that a reader makes, they leave nothing out: titles, captions and cells are among them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from refgen.readers.docbook import words_of_docbook
from refgen.readers.document import Document, Format
from refgen.readers.html import words_of_html
from refgen.readers.markdown_words import words_of_markdown
from refgen.readers.read import guess_format, read_document, unwrap
from refgen.source import Passage, SourceFile

_BETWEEN_PARAGRAPHS = re.compile(r"\n[^\S\xa0]*\n")
_WITHOUT_MARKUP = {
    Format.DOCBOOK: words_of_docbook,
    Format.HTML: words_of_html,
    Format.MARKDOWN: words_of_markdown,
}
_BY_THEIR_READER = (Format.MEDIAWIKI, Format.RST, Format.ORG, Format.LATEX)


def visible_paragraphs(source: SourceFile, document_format: Format | None = None) -> Sequence[Passage]:
    """The paragraphs of a file in the given format, or in the one that its name or first characters show."""
    text = unwrap(source.passage)
    known = document_format or guess_format(source.name, text.text)
    if known in _BY_THEIR_READER:
        return list(_words_by_reader(read_document(source, known)))
    words = _WITHOUT_MARKUP[known](text) if known in _WITHOUT_MARKUP else text
    return [words_of.collapsed() for words_of in words.split(_BETWEEN_PARAGRAPHS) if words_of.text.strip()]


def _words_by_reader(document: Document) -> Iterator[Passage]:
    """The words of a document in a format whose markup only its reader knows."""
    for section in document.sections:
        yield from section.paragraphs
        for block in section.lists:
            yield from block.items
        for cell in (cell for grid in section.grids for row in grid.rows for cell in row):
            yield document.source.passage[cell.span.start : cell.span.end].collapsed()
