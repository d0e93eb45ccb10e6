"""What every page of the site has: an address, a title, and its place among the others.

In: nothing. Out: the records that all pages are made with.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

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
