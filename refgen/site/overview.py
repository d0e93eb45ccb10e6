"""The first page of a game: what there is of it, and where.

In: a game and the files made for it. Out: OverviewPage.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from refgen.site.files import AidLinks
from refgen.site.home import GameSummary
from refgen.site.page import Head


@dataclass(frozen=True, slots=True)
class OverviewPage:
    """The play aids of a game, and its numbers."""

    template: ClassVar[str] = "overview"
    head: Head
    summary: GameSummary
    aids: tuple[AidLinks, ...]


def make_overview(head: Head, summary: GameSummary, aids: Sequence[AidLinks]) -> OverviewPage:
    """The first page of a game."""
    return OverviewPage(head, summary, tuple(aids))
