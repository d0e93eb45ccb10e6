"""The words of rule documents on their pages: anchors of sections, targets of links, and runs of marked words.

In: a game; a passage of a document, its inline marks, and the numbers in the passage that are explained. Out: the page
of each document, the anchor of each section, the path that an address in a document leads to, and runs of words.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, count, pairwise

from refgen.blocks.typesetting import typeset
from refgen.characters.sheet import slug
from refgen.checks.documents import may_be_followed
from refgen.game import GameModel
from refgen.readers.document import Inline, InlineMark, Section
from refgen.site import address
from refgen.site.address import SitePart
from refgen.source import Passage
from refgen.span import Span

PAGE_IDS = ("main", "findings", "numbers")
"""Ids of the fixed parts of pages of rules and tables, which no section and no table of a game may take."""


class Anchors:
    """The anchors of a game's sections, and the ``pages`` of its documents, by the name of each file.

    ``taken`` are the ids that the page of each file has.
    """

    def __init__(self, game: GameModel) -> None:
        self.pages = _pages(game)
        self.taken: dict[str, set[str]] = {file: set(PAGE_IDS) for file in self.pages}
        self._sections: dict[Span, str] = {}
        self._names: dict[tuple[str, str], str] = {}
        for section in game.sections:
            taken = self.taken[section.text.source.name]
            anchor = unused_name(slug(section.title) or "top", taken)
            taken.add(anchor)
            self._sections[section.text.span] = anchor
        for section in game.sections:
            self._name(section, section.id, *(grid.id for grid in section.grids))
        for section in game.sections:
            self._name(section, self.of(section), slug(section.title))

    def _name(self, section: Section, *names: str) -> None:
        """Let links lead to a section by some names: from its own document, and from documents without that name."""
        file = section.text.source.name
        for name in filter(None, names):
            self._names.setdefault((self.pages[file], name), self.of(section))
            self._names.setdefault(("", name), f"{self.pages[file]}#{self.of(section)}")

    def of(self, section: Section) -> str:
        """The anchor of a section on its page."""
        return self._sections[section.text.span]

    def target(self, file: str, written: str) -> str:
        """Where an address written in a document leads: a URL, or a place on the pages; "" for nowhere."""
        if not may_be_followed(written):
            return ""
        path, _, anchor = written.partition("#")
        if "://" in path or path.startswith("mailto:"):
            return written
        page = self._by_end.get(path.removeprefix("./"), "") if path else self.pages[file]
        if place := page and self._anchor_named(page, anchor):
            return f"{page}#{place}"
        if not path:
            return self._anchor_named("", anchor)
        return page + (f"#{slug(anchor)}" if anchor and page else "")

    def _anchor_named(self, page: str, name: str) -> str:
        return self._names.get((page, name)) or self._names.get((page, slug(name)), "")

    @cached_property
    def _by_end(self) -> Mapping[str, str]:
        """The page of each file, by the name of the file with all of its folders or with the last few of them."""
        found: dict[str, str] = {}
        for file, page in self.pages.items():
            folders = file.split("/")
            for first in range(1, len(folders)):
                found.setdefault("/".join(folders[first:]), page)
        return found


def _pages(game: GameModel) -> Mapping[str, str]:
    """The page of each document, by the name of its file."""
    files = [source.name for source in game.ruleset.documents]
    if len(files) == 1:
        return {files[0]: address.part_page(game.id, SitePart.RULES)}
    taken: set[str] = set()
    found = {}
    for file in files:
        name = unused_name(slug(file.partition("/")[2].rpartition(".")[0]) or "document", taken)
        taken.add(name)
        found[file] = address.document(game.id, name)
    return found


def unused_name(name: str, taken: Collection[str]) -> str:
    """A name that is not taken: ``name``, or ``name`` with the first number of a name that is free."""
    numbers = (f"{name}-{number}" for number in count(2))
    return next(candidate for candidate in chain([name], numbers) if candidate not in taken)


@dataclass(frozen=True, slots=True)
class DocumentRun:
    """Some words of one kind.

    ``link`` is the target of the words: a path of the output with an anchor, or a URL. ``note`` is the anchor of the
    explanation of a number.
    """

    text: str
    strong: bool = False
    emphasis: bool = False
    link: str = ""
    note: str = ""


def text_runs(
    passage: Passage, marks: Sequence[InlineMark], notes: Mapping[Span, str], target: Callable[[str], str]
) -> Iterator[DocumentRun]:
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
        yield DocumentRun(
            typeset(words) if note else words,
            Inline.STRONG in kinds,
            Inline.EMPHASIS in kinds,
            link,
            "" if link else note,
        )


def _range(passage: Passage, span: Span) -> tuple[int, int]:
    """The range of a stretch of a file in a passage of that file."""
    last = len(passage)
    start = bisect_left(passage.origins, span.start, hi=last)
    return start, max(start, bisect_left(passage.origins, span.end, lo=start, hi=last))
