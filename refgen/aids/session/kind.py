"""The kind of aid that session sheets are.

In: session.toml of a game, or none, and files of characters, or none. Out: jobs, and from each the HTML and PDF of a
session sheet on one paper, with a preview of every page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from refgen.aids.kind import AidKind, AidSources, FileNames, upright_formats
from refgen.aids.session.model import SPEC_NAME, SessionSheet, SessionSpec, make_session
from refgen.errors import RefgenError
from refgen.game import GameModel, SystemInfo
from refgen.layout.page_format import PageFormat, Theme

if TYPE_CHECKING:  # a check of a game lays no session sheet out
    from refgen.aids.session.job import SessionJob


class SessionKind(AidKind[SessionSheet, Sequence[PageFormat]]):
    """Session sheets; their options are their formats, their inputs files of characters."""

    names = FileNames("session", "session")
    spec_name = SPEC_NAME
    spec = SessionSpec
    title = "Session sheet"

    def make(self, sources: AidSources) -> SessionSheet:
        """The session sheet of a game; characters with errors are left out."""
        return make_session(sources.folder, sources.game, sources.inputs)

    def faults(self, aid: SessionSheet) -> Sequence[RefgenError]:
        """Why characters are missing or incomplete."""
        return aid.faults

    def options(self, papers: Sequence[str] = (), *, theme: str = Theme.COLOUR) -> Sequence[PageFormat]:
        """Session sheets on ``papers``."""
        return [replace(page_format, theme=Theme(theme)) for page_format in upright_formats(papers)]

    def jobs(self, game: GameModel, aid: SessionSheet, options: Sequence[PageFormat]) -> Iterator[SessionJob]:
        """A job for each format."""
        from refgen.aids.session.job import SessionJob

        system = SystemInfo.of(game)
        return (SessionJob(self.names, system, aid, [page_format]) for page_format in options)
