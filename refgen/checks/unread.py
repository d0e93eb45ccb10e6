"""Why no table and no fact reads some numbers of the documents: sentences of ``[unread]``, heads of tables.

In: a Ruleset and the paragraphs of its documents. Out: the kind and the sentence that explain a place, and the
sentences that explained none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from refgen.rules.model import Ruleset
from refgen.rules.printed import ANYTHING, folded
from refgen.rules.sentence import Sentence
from refgen.rules.toml import locate
from refgen.source import Passage
from refgen.span import Span


@dataclass(frozen=True, slots=True)
class Unfound:
    """A sentence of ``[unread]`` that explains no number of the document, its kind, and where that is written."""

    kind: str
    sentence: str
    span: Span


class Unread:
    """Where the sentences of ``[unread]`` stand, and the heads of the tables that are read."""

    def __init__(self, ruleset: Ruleset, paragraphs: Mapping[str, Sequence[Passage]]) -> None:
        self._ruleset = ruleset
        self._used: set[tuple[str, str]] = set()
        self._places: dict[str, list[tuple[str, str, Span]]] = defaultdict(list)
        for kind, sentences in ruleset.unread:
            for sentence in sentences:
                for span in _spans(sentence, paragraphs):
                    self._places[span.file].append((kind, sentence, span))
        self._heads: dict[str, list[tuple[str, Span]]] = defaultdict(list)
        for table, span in _heads(ruleset):
            self._heads[span.file].append((table, span))

    def why(self, place: Span) -> tuple[str, str] | None:
        """The kind of what is printed at a place and the sentence that says so; of a head, the id of its table."""
        for kind, sentence, span in self._places[place.file]:
            if _holds(span, place):
                self._used.add((kind, sentence))
                return kind, sentence
        return next((("heading", table) for table, head in self._heads[place.file] if _holds(head, place)), None)

    def unfound(self) -> Iterator[Unfound]:
        """The sentences that have explained nothing yet."""
        source = self._ruleset.unread_source or self._ruleset.spec_source
        for kind, sentences in self._ruleset.unread:
            for sentence in sentences:
                if (kind, sentence) not in self._used:
                    yield Unfound(kind, sentence, locate(source, ("unread", kind)))


def _spans(sentence: str, paragraphs: Mapping[str, Sequence[Passage]]) -> Iterator[Span]:
    wanted = Sentence(sentence, lambda _: ANYTHING)
    for passage in (passage for some in paragraphs.values() for passage in some):
        for match in wanted.matches(folded(passage.text)):
            yield passage.group(match).span


def _heads(ruleset: Ruleset) -> Iterator[tuple[str, Span]]:
    """What stands before the first cell of a table that was found by its head."""
    sources = {source.name: source for source in ruleset.documents}
    for table in ruleset.printed_tables:
        starts = [cell.span.start for row in table.rows for cell in row if cell.span is not None]
        if table.span is not None and table.layout in ("grid", "ragged") and starts:
            yield table.id, sources[table.span.file].span(table.span.start, max(table.span.start, min(starts)))


def _holds(outer: Span, inner: Span) -> bool:
    """Whether one place of a file is within another of it."""
    return outer.start <= inner.start and inner.end <= outer.end
