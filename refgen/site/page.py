"""Parts of every page of the site: address, title, place among the other pages, and files to download.

In: nothing. Out: the records that all pages are made with; downloads of the play aids and pictures of their pages have
paths that lead from the root of the output.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from refgen.characters.sheet import slug
from refgen.game.system_info import SystemInfo


class Part(StrEnum):
    """The parts of a game's site, in the order of its navigation; the value is what readers call them."""

    OVERVIEW = "Overview"
    RULES = "Rules"
    TABLES = "Tables"
    ODDS = "Odds"
    EXPLORE = "Explore"
    CHARACTERS = "Characters"
    GLOSSARY = "Glossary"
    CHECKS = "Checks"


@dataclass(frozen=True, slots=True)
class Link:
    """A link: its words, and the path in the output that it leads to, which may end with an anchor."""

    title: str
    path: str


@dataclass(frozen=True, slots=True)
class Head:
    """A page's address, title and description, and the part it belongs to.

    ``game`` is None for the pages of the whole site. ``previous`` and ``following`` are the pages beside it.
    """

    path: str
    title: str
    description: str
    game: SystemInfo | None = None
    part: Part | None = None
    navigation: tuple[Link, ...] = ()
    previous: Link | None = None
    following: Link | None = None


@dataclass(frozen=True, slots=True)
class Download:
    """A file that a page links to, by its path in the output."""

    title: str
    path: str
    file_type: str


@dataclass(frozen=True, slots=True)
class Preview:
    """A picture of a page of an aid, and the page itself, by their paths in the output.

    ``alt`` says what it shows; width and height are in pixels.
    """

    picture: str
    path: str
    alt: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class AidLinks:
    """An aid of a game, the files of the aid, and pictures of its pages."""

    title: str
    about: str
    downloads: tuple[Download, ...]
    previews: tuple[Preview, ...] = ()

    @property
    def anchor(self) -> str:
        """Where it stands on the page of its game."""
        return f"aid-{slug(self.title)}"
