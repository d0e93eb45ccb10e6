"""Where the sections of rule documents stand on their pages.

In: a game. Out: the page of each document, the anchor of each section, and where addresses in documents lead.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from itertools import chain, count

from refgen.characters.sheet import slug
from refgen.checks.documents import may_be_followed
from refgen.game.game import Game
from refgen.readers.document import Section
from refgen.site import address
from refgen.span import Span

PAGE_IDS = ("main", "findings", "numbers")
"""The ids that pages of rules and tables have for their own parts, which no section and no table of a game may take."""


class Anchors:
    """The anchors of a game's sections, and the ``pages`` of its documents, by the name of each file.

    ``taken`` are the ids that the page of each file has.
    """

    def __init__(self, game: Game) -> None:
        self.pages = _pages(game)
        self.taken: dict[str, set[str]] = {file: set(PAGE_IDS) for file in self.pages}
        self._sections: dict[Span, str] = {}
        self._names: dict[tuple[str, str], str] = {}
        for section in game.sections:
            taken = self.taken[section.text.source.name]
            anchor = unused(slug(section.title) or "top", taken)
            taken.add(anchor)
            self._sections[section.text.span] = anchor
        for section in game.sections:
            self._name(section, section.id, *(grid.id for grid in section.grids))
        for section in game.sections:
            self._name(section, self.of(section), slug(section.title))

    def _name(self, section: Section, *names: str) -> None:
        """Let links lead to a section by some names: those of its own document, and those of any where none has it."""
        file = section.text.source.name
        for name in filter(None, names):
            self._names.setdefault((self.pages[file], name), self.of(section))
            self._names.setdefault(("", name), f"{self.pages[file]}#{self.of(section)}")

    def of(self, section: Section) -> str:
        """The anchor of a section on its page."""
        return self._sections[section.text.span]

    def target(self, file: str, written: str) -> str:
        """Where an address leads that a document writes: elsewhere, or to a place on the pages; "" for nowhere."""
        if not may_be_followed(written):
            return ""
        path, _, anchor = written.partition("#")
        if "://" in path or path.startswith("mailto:"):
            return written
        page = self._by_end.get(path.removeprefix("./"), "") if path else self.pages[file]
        if place := page and self._named(page, anchor):
            return f"{page}#{place}"
        if not path:
            return self._named("", anchor)
        return page + (f"#{slug(anchor)}" if anchor and page else "")

    def _named(self, page: str, name: str) -> str:
        return self._names.get((page, name)) or self._names.get((page, slug(name)), "")

    @cached_property
    def _by_end(self) -> Mapping[str, str]:
        """The pages by how the names of their files may be written: with the folders they are in, or with fewer."""
        found: dict[str, str] = {}
        for file, page in self.pages.items():
            folders = file.split("/")
            for first in range(1, len(folders)):
                found.setdefault("/".join(folders[first:]), page)
        return found


def _pages(game: Game) -> Mapping[str, str]:
    """The page of each document, by the name of its file."""
    files = [source.name for source in game.ruleset.documents]
    if len(files) == 1:
        return {files[0]: address.rules(game.id)}
    taken: set[str] = set()
    found = {}
    for file in files:
        name = unused(slug(file.partition("/")[2].rpartition(".")[0]) or "document", taken)
        taken.add(name)
        found[file] = address.rules(game.id, name)
    return found


def unused(name: str, taken: Collection[str]) -> str:
    """A name that is not taken: itself, or with a number after it."""
    numbers = (f"{name}-{number}" for number in count(2))
    return next(candidate for candidate in chain([name], numbers) if candidate not in taken)
