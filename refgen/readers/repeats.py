"""The blocks that stand on most pages of a site: its navigation, whatever it is made of, and its footers.

In: the documents of one game. Out: the same documents; of three or more HTML pages, without the paragraphs, lists and
tables at their start and end that more than half of the pages have there, word for word. A Note tells of each.

Only blocks at the start and end are looked at: rules that come again in the middle of many pages stay.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import TypeVar

from refgen.readers.document import LEFT_OUT, Document, Format, Grid, ItemList, Note
from refgen.source import Passage
from refgen.span import Span

_FEWEST_PAGES = 3

_BlockT = TypeVar("_BlockT", Passage, ItemList, Grid)
_Words = tuple[str, ...]


def without_repeats(documents: Sequence[Document]) -> Sequence[Document]:
    """The documents of one game without the menus and footers that most of their pages repeat."""
    pages = [document for document in documents if document.format is Format.HTML]
    if len(pages) < _FEWEST_PAGES:
        return documents
    blocks = [_blocks(page) for page in pages]
    counts = Counter(words for found in blocks for words in {words for _, words in found})
    frequent = {words for words, count in counts.items() if 2 * count > len(pages)}
    repeats = [_at_ends(found, frequent) for found in blocks]
    times = Counter(words for found in repeats for words in found.values())
    changed = {id(page): _remove_repeats(page, found, times) for page, found in zip(pages, repeats, strict=True)}
    return [changed.get(id(document), document) for document in documents]


def _blocks(page: Document) -> Sequence[tuple[Span, _Words]]:
    """The place and the words of each block, in the order of the page."""
    blocks: list[Passage | ItemList | Grid] = []
    for section in page.sections:
        blocks += [*section.paragraphs, *section.lists, *section.grids]
    found = [(block.span, _words(block)) for block in blocks]
    return sorted(found, key=lambda block: block[0].start)


def _words(block: Passage | ItemList | Grid) -> _Words:
    """The words of a block, piece by piece, and how the pieces are laid out."""
    match block:
        case ItemList():
            return ("list", *(item.text for item in block.items))
        case Grid():
            return ("table", *("|".join(cell.text for cell in row) for row in block.rows))
        case _:
            return ("paragraph", block.text)


def _at_ends(blocks: Sequence[tuple[Span, _Words]], frequent: set[_Words]) -> Mapping[Span, _Words]:
    """The frequent blocks before the first and after the last block that is not frequent."""
    first = takewhile(lambda block: block[1] in frequent, blocks)
    last = takewhile(lambda block: block[1] in frequent, reversed(blocks))
    return dict([*first, *last])


def _remove_repeats(page: Document, repeats: Mapping[Span, _Words], times: Counter[_Words]) -> Document:
    if not repeats:
        return page
    notes = (Note(f"this stands on {times[words]} pages", place, LEFT_OUT) for place, words in repeats.items())
    sections = (
        replace(
            section,
            paragraphs=tuple(_other_blocks(section.paragraphs, repeats)),
            lists=tuple(_other_blocks(section.lists, repeats)),
            grids=tuple(_other_blocks(section.grids, repeats)),
        )
        for section in page.sections
    )
    return replace(page, sections=tuple(sections), notes=(*page.notes, *notes))


def _other_blocks(blocks: Iterable[_BlockT], repeats: Mapping[Span, _Words]) -> Iterator[_BlockT]:
    return (block for block in blocks if block.span not in repeats)
