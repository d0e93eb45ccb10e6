"""The files that a page of the site offers: downloads of the play aids, and pictures of their pages.

In: nothing. Out: records whose paths lead from the root of the output.
"""

from __future__ import annotations

from dataclasses import dataclass

from refgen.characters.sheet.model import slug


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
    """One aid of a game, the forms it comes in, and how its pages look."""

    title: str
    about: str
    downloads: tuple[Download, ...]
    previews: tuple[Preview, ...] = ()

    @property
    def anchor(self) -> str:
        """Where it stands on the page of its game."""
        return f"aid-{slug(self.title)}"
