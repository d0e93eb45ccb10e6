"""Reference booklets as a kind of aid.

In: a game; a booklet has no file of its own. Out: a job, and from the job a PDF for each paper, all of one layout.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from refgen.aids.booklet.model import Booklet, make_booklet
from refgen.aids.kind import AidKind, AidSources, FileNames, upright_formats
from refgen.game import GameModel, SystemInfo
from refgen.layout.page_format import BOOKLET_PAPERS, PageFormat

if TYPE_CHECKING:
    from refgen.aids.booklet.job import BookletJob


class BookletKind(AidKind[Booklet, Sequence[PageFormat]]):
    """Reference booklets; their options are their formats."""

    names = FileNames("booklet", "booklet")
    title = "Reference booklet"

    def make(self, sources: AidSources) -> Booklet | None:
        """The booklet of a game that has tables."""
        return make_booklet(sources.game) if sources.game.tables else None

    def why_missing(self, game: GameModel) -> str:  # noqa: ARG002
        """A game without tables has no booklet."""
        return "it has no tables"

    def options(self, papers: Sequence[str] = ()) -> Sequence[PageFormat]:
        """Booklets on half of each paper."""
        halves = dict.fromkeys(BOOKLET_PAPERS.get(each.paper, each.paper) for each in upright_formats(papers))
        return [PageFormat(paper) for paper in halves]

    def jobs(self, game: GameModel, aid: Booklet, options: Sequence[PageFormat]) -> Iterator[BookletJob]:
        """A single job, which makes the booklet for all papers."""
        from refgen.aids.booklet.job import BookletJob

        yield BookletJob(self.names, SystemInfo.of(game), aid, options)
