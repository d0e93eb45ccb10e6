"""Every number that the documents of a game print, the cells and facts that read it, and the reasons where none do.

In: a Ruleset. Out: a PrintedNumber for

- each number, number word and dice expression of the text,
- each level in a typed cell or fact, and each typed cell or fact without any number ("no" for 0),
- each name of a level elsewhere (a mention);

and for a place that no cell and no fact reads: the sentence of ``[ignored]``, or the head of a table, that explains it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate

from refgen.notation.printed_numbers import NotationStyle, numbers_in, things_counted
from refgen.readers.read import visible_paragraphs
from refgen.rules.model import Ruleset
from refgen.rules.pattern import fold_text
from refgen.rules.places import locate
from refgen.rules.schema import Pinned
from refgen.rules.sentence import Sentence
from refgen.source import Passage, SourceFile, plain_text
from refgen.span import Span, begins_within


@dataclass(frozen=True, slots=True)
class UnusedSentence:
    """A sentence of ``[ignored]`` that explains no number of the documents, with its kind and the place of the kind."""

    kind: str
    sentence: str
    span: Span


class IgnoredSentences:
    """The places of the sentences of ``[ignored]``, and of the heads of the tables that are read."""

    def __init__(self, ruleset: Ruleset, paragraphs: Mapping[str, Sequence[Passage]]) -> None:
        self._ruleset = ruleset
        self._used: set[tuple[str, str]] = set()
        self._places: dict[str, list[tuple[str, str, Span]]] = defaultdict(list)
        for kind, sentences in ruleset.ignored:
            for sentence in sentences:
                for span in _spans(sentence, paragraphs):
                    self._places[span.file].append((kind, sentence, span))
        self._heads: dict[str, list[tuple[str, Span]]] = defaultdict(list)
        for table, span in _heads(ruleset):
            self._heads[span.file].append((table, span))

    def why(self, place: Span) -> tuple[str, str] | None:
        """The kind and sentence of ``[ignored]`` at a place, or "heading" and the id of a table; else None."""
        for kind, sentence, span in self._places[place.file]:
            if _span_holds(span, place):
                self._used.add((kind, sentence))
                return kind, sentence
        return next((("heading", table) for table, head in self._heads[place.file] if _span_holds(head, place)), None)

    def unfound(self) -> Iterator[UnusedSentence]:
        """The sentences that have explained no number so far."""
        source = self._ruleset.ignored_source or self._ruleset.files.of(("ignored",))
        for kind, sentences in self._ruleset.ignored:
            for sentence in sentences:
                if (kind, sentence) not in self._used:
                    yield UnusedSentence(kind, sentence, locate(source, ("ignored", kind)))


def _spans(sentence: str, paragraphs: Mapping[str, Sequence[Passage]]) -> Iterator[Span]:
    wanted = Sentence(sentence)
    for passage in (passage for some in paragraphs.values() for passage in some):
        for match in wanted.matches(fold_text(passage.text)):
            yield passage.group(match).span


def _heads(ruleset: Ruleset) -> Iterator[tuple[str, Span]]:
    """The id and the head (the text before the first cell) of each table that was found by its head."""
    sources = {source.name: source for source in ruleset.documents}
    for table in ruleset.printed_tables:
        starts = [cell.span.start for row in table.rows for cell in row if cell.span is not None]
        if table.span is not None and table.layout in ("grid", "ragged") and starts:
            yield table.id, sources[table.span.file].span(table.span.start, max(table.span.start, min(starts)))


def _span_holds(outer: Span, inner: Span) -> bool:
    """Whether the place ``inner`` lies within ``outer``, in the same file."""
    return outer.start <= inner.start and inner.end <= outer.end


_OF_LEVELS = ("level", "condition", "track-change")
WORDS_AROUND = 30
"""How many characters are shown before and after a number."""


@dataclass(frozen=True, slots=True)
class NumberHolder:
    """A cell or fact that reads a number: ``of`` is its column or fact ("wounds.penalty", "dice")."""

    of: str
    text: str
    span: Span
    notation: str
    pinned: Pinned


@dataclass(slots=True)
class PrintedNumber:
    """A printed number, the words around it, and the cells and facts that read it (the narrowest first, texts last).

    ``is_mention``: the number is the name of a level that stands in no typed cell and no fact.
    """

    span: Span
    text: str
    words: str
    holders: list[NumberHolder] = field(default_factory=list)
    is_mention: bool = False


def paragraphs_of(ruleset: Ruleset) -> dict[str, Sequence[Passage]]:
    """The visible texts of each document, by the name of its file, without the places that are left out as no rules."""
    if _PARAGRAPHS not in ruleset.kept:
        ruleset.kept[_PARAGRAPHS] = _visible_texts(ruleset)
    found: dict[str, Sequence[Passage]] = ruleset.kept[_PARAGRAPHS]
    return found


_PARAGRAPHS = "paragraphs"
"""Under this name a ruleset keeps its paragraphs."""


def _visible_texts(ruleset: Ruleset) -> dict[str, Sequence[Passage]]:
    found = {source.name: visible_paragraphs(source, ruleset.spec.format) for source in ruleset.documents}
    for name in {place.file for place in ruleset.left_out}:
        is_left_out = begins_within(place for place in ruleset.left_out if place.file == name)
        found[name] = [text for text in found[name] if not is_left_out(text.origins[0])]
    return found


def printed_numbers(ruleset: Ruleset, paragraphs: dict[str, Sequence[Passage]]) -> Iterator[PrintedNumber]:
    """Every number of the documents, in the order of the text."""
    holders: dict[str, list[NumberHolder]] = defaultdict(list)
    for holder in _holders(ruleset):
        holders[holder.span.file].append(holder)
    names = _level_names(ruleset)
    levels = _names_pattern(names)
    of_ladders = {f"{ladder.table}.{ladder.level}" for ladder in ruleset.spec.ladders.values()}
    counted = things_counted(
        "\n".join(text.text for some in paragraphs.values() for text in some), ruleset.style.language
    )
    for source in ruleset.documents:
        file = _DocumentFile(source, holders[source.name], ruleset.style)
        numbers = {number.span: number for text in paragraphs[source.name] for number in file.numbers(text, counted)}
        numbers |= {number.span: number for number in file.levels(levels)}
        held = _with_holders(sorted(numbers.values(), key=lambda number: number.span), file)
        typed = (holder.span for holder in file.holders if holder.notation != "text" or holder.of in of_ladders)
        mentions = (level for text in paragraphs[source.name] for level in _mentions(text, levels, names))
        apart = _without_overlaps(mentions, [*(number.span for number in held), *typed])
        yield from sorted([*held, *apart], key=lambda number: number.span)


def _holders(ruleset: Ruleset) -> Iterator[NumberHolder]:
    for table in ruleset.printed_tables:
        spec = ruleset.spec.tables[table.id]
        for row in table.rows:
            for column, cell in zip(spec.columns, row, strict=True):
                if cell.span is not None and cell.text and cell.value is not None:
                    pinned = ruleset.spec.why_pinned(table.id, column.id)
                    yield NumberHolder(f"{table.id}.{column.id}", cell.text, cell.span, column.type, pinned)
    for fact in (*ruleset.facts.values(), *ruleset.restated):
        of_fact = ruleset.spec.facts[fact.id]
        yield NumberHolder(fact.id, fact.text, fact.span, of_fact.type, ruleset.spec.why_pinned(fact.id))


def _level_names(ruleset: Ruleset) -> set[str]:
    """The names of all levels of all ladders."""
    names = {level.name for ladder in ruleset.ladders.values() for level in ladder.levels}
    return names | {alias for ladder in ruleset.ladders.values() for alias in ladder.aliases}


def _names_pattern(names: Collection[str]) -> re.Pattern[str]:
    """A pattern for names, whatever their case and blanks; longer names match first. Without names, none matches."""
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    written = ("(?:" + r"\s+".join(map(re.escape, name.split())) + ")" for name in longest_first)
    return re.compile(rf"(?<!\w)(?:{'|'.join(written) or '(?!)'})(?!\w)", re.IGNORECASE)


def _mentions(text: Passage, levels: re.Pattern[str], names: Collection[str]) -> Iterator[PrintedNumber]:
    """The levels of a paragraph, spelled as in the ladder: "good" is no level "Good"."""
    for match in levels.finditer(text.text):
        level = text.group(match)
        if plain_text(level.text) in names:
            yield PrintedNumber(
                level.span, plain_text(level.text), _with_context(text.text, *match.span()), is_mention=True
            )


def _without_overlaps(numbers: Iterable[PrintedNumber], taken: Iterable[Span]) -> Iterator[PrintedNumber]:
    """The numbers that overlap no taken place."""
    spans = sorted(taken)
    starts, ends = [span.start for span in spans], list(accumulate((span.end for span in spans), max))
    for number in numbers:
        before = bisect_left(starts, number.span.end)
        if not before or ends[before - 1] <= number.span.start:
            yield number


@dataclass(frozen=True)
class _DocumentFile:
    """A document, the cells and facts that read parts of its text, and the style of its numbers."""

    source: SourceFile
    holders: Sequence[NumberHolder]
    style: NotationStyle

    @cached_property
    def _bounds(self) -> Sequence[int]:
        """The offsets where cells and facts start and end."""
        return sorted({bound for holder in self.holders for bound in (holder.span.start, holder.span.end)})

    def numbers(self, text: Passage, counted: set[str]) -> Iterator[PrintedNumber]:
        """The numbers of a paragraph, cut at the ends of cells and facts: with a fact d12, "d12+2" is two numbers."""
        first, last = text.origins[0], text.origins[-1]
        inside = self._bounds[bisect_right(self._bounds, first) : bisect_left(self._bounds, last)]
        cuts = {bisect_left(text.origins, bound) for bound in inside}
        start = 0
        for end in (*sorted(cuts), len(text)):
            for low, high in numbers_in(self.style.usual(text.text[start:end]), counted, self.style.language):
                number = text[start + low : start + high]
                yield PrintedNumber(number.span, number.text, _with_context(text.text, start + low, start + high))
            start = end

    def levels(self, names: re.Pattern[str]) -> Iterator[PrintedNumber]:
        """The levels in cells and facts whose notation has levels."""
        for holder in self.holders:
            if holder.notation in _OF_LEVELS:
                for match in names.finditer(self.source.text, holder.span.start, holder.span.end):
                    yield PrintedNumber(self.source.span(*match.span()), plain_text(match[0]), holder.text)


def _with_holders(numbers: list[PrintedNumber], file: _DocumentFile) -> Sequence[PrintedNumber]:
    """The numbers with the cells and facts that read them, and a number for each typed cell or fact without one."""
    starts = [number.span.start for number in numbers]
    more: dict[Span, PrintedNumber] = {}
    for holder in file.holders:
        among = numbers[bisect_left(starts, holder.span.start) : bisect_right(starts, holder.span.end)]
        inside = [number for number in among if number.span.end <= holder.span.end]
        if not inside and holder.notation != "text":
            inside = [more.setdefault(holder.span, PrintedNumber(holder.span, holder.text, holder.text))]
        for number in inside:
            number.holders.append(holder)
    for number in (*numbers, *more.values()):
        number.holders.sort(key=lambda holder: (holder.notation == "text", holder.span.end - holder.span.start))
    return sorted([*numbers, *more.values()], key=lambda number: number.span)


def _with_context(text: str, start: int, end: int) -> str:
    """A number with a few whole words before and after it."""
    before = text[max(0, start - WORDS_AROUND) : start]
    after = text[end : end + WORDS_AROUND]
    if start > WORDS_AROUND:
        before = before.partition(" ")[2]
    if end + WORDS_AROUND < len(text):
        after = after.rpartition(" ")[0]
    return f"{before}{text[start:end]}{after}"
