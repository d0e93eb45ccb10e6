"""Words of a rule document with all that is known of them: emphasis, links, and the numbers that explain themselves.

In: a passage, the inline marks of its document, and the numbers in it. Out: runs, each of one kind throughout.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from refgen.blocks.typesetting import typeset
from refgen.readers.document import Inline, InlineMark
from refgen.source import Passage
from refgen.span import Span


@dataclass(frozen=True, slots=True)
class Run:
    """Some words. ``link`` is where they lead (a path of the output with an anchor, or an address elsewhere).

    ``note`` is the anchor of what is known of a number.
    """

    text: str
    strong: bool = False
    emphasis: bool = False
    link: str = ""
    note: str = ""


class Inlines:
    """The inline marks of a game's documents, found by the passages they stand in."""

    def __init__(self, marks: Sequence[InlineMark]) -> None:
        self._files: dict[str, list[InlineMark]] = {}
        for mark in marks:
            self._files.setdefault(mark.span.file, []).append(mark)
        for found in self._files.values():
            found.sort(key=lambda mark: mark.span)
        self._starts = {file: [mark.span.start for mark in found] for file, found in self._files.items()}

    def within(self, span: Span) -> Sequence[InlineMark]:
        """The marks that begin in a stretch."""
        starts = self._starts.get(span.file, [])
        first, end = bisect_left(starts, span.start), bisect_left(starts, span.end)
        return self._files[span.file][first:end] if first < end else ()


def runs(
    passage: Passage, marks: Sequence[InlineMark], notes: Mapping[Span, str], target: Callable[[str], str]
) -> Iterator[Run]:
    """The words of a passage in runs; ``target`` says where an address of the document leads, "" for nowhere."""
    places = [(_range(passage, mark.span), mark) for mark in marks]
    numbers = [(_range(passage, span), anchor) for span, anchor in notes.items()]
    ends = {0, len(passage), *(end for (start, stop), _ in (*places, *numbers) for end in (start, stop))}
    for start, stop in pairwise(sorted(ends)):
        around = [mark for (first, last), mark in places if first <= start and stop <= last]
        kinds = {mark.kind for mark in around}
        link = next((target(mark.address) for mark in around if mark.kind is Inline.LINK), "")
        note = next((anchor for (first, last), anchor in numbers if first <= start and stop <= last), "")
        words = passage.text[start:stop]
        yield Run(
            typeset(words) if note else words,
            Inline.STRONG in kinds,
            Inline.EMPHASIS in kinds,
            link,
            "" if link else note,
        )


def _range(passage: Passage, span: Span) -> tuple[int, int]:
    """Where a stretch of the file stands in a passage of it."""
    last = len(passage)
    start = bisect_left(passage.origins, span.start, hi=last)
    return start, max(start, bisect_left(passage.origins, span.end, lo=start, hi=last))
