"""The pages of what has changed, drafted in this process: first those that somebody looks at.

In: a Live project, and the names of its parts. Out: drafts, shown by Pages as soon as they are there, and Faults.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from time import sleep

from refgen.errors import RefgenError, RenderError
from refgen.game.game import Game
from refgen.pipeline.draft import Drafter, pages_of
from refgen.pipeline.game_site import SUMMARY
from refgen.pipeline.site import site_drafts
from refgen.pipeline.work import Job
from refgen.render.assets import assets
from refgen.serve.faults import Faults
from refgen.serve.live import Live
from refgen.serve.pages import Pages

Files = Mapping[str, bytes]

BREATH = 0.08
"""Seconds in which a browser, which loads its page again, has this process to itself."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """Some pages of a part, by their paths, and what makes them."""

    part: str
    paths: frozenset[str]
    make: Callable[[], Files]


@dataclass
class Drafts:
    """The last drafts of all pages; ``pages`` shows them, where there is a server."""

    live: Live
    faults: Faults
    pages: Pages | None
    _last: dict[str, bytes] = field(default_factory=dict)
    _drafter: Drafter = field(default_factory=Drafter)

    def begin(self, name: str) -> None:
        """Read a part for the first time. Its drafts stand in only for what was not built before."""
        for piece in self._pieces(name):
            self._show(piece, lambda path: self.pages is not None and path not in self.pages.state.built)

    def renew(self, names: Sequence[str], then: Callable[[], object]) -> None:
        """Draft what has changed: what is looked at before anything else; ``then`` is called in between."""
        before = dict(self._last)
        pieces = [piece for name in names for piece in self._pieces(name)]
        looked_at = self.pages.looked_at if self.pages else frozenset()
        first = [piece for piece in pieces if piece.paths & looked_at]
        others = [piece for piece in pieces if not piece.paths & looked_at]
        for piece in first:
            self._show(piece, lambda path: self._last[path] != before.get(path))
        if first:
            sleep(BREATH)
        then()
        for piece in others:
            self._show(piece, lambda path: self._last[path] != before.get(path))

    def only(self, names: Collection[str]) -> None:
        """There are no other parts any more: what was drafted of them goes."""
        gone = [path for path in self._last if "/" in path and path.partition("/")[0] not in names]
        for path in gone:
            del self._last[path]
        if self.pages and gone:
            self.pages.forget(gone)

    def restyle(self) -> None:
        """Take templates, style sheets and drawings as they are now."""
        assets.cache_clear()
        if self.pages:
            self.pages.draft(assets())

    def _pieces(self, name: str) -> list[_Piece]:
        """What there is to draft of a part, which is read for it."""
        self.faults.read[name] = []
        pieces: list[_Piece] = []
        with self._faults(name):
            part = self.live.part(name)
            self.faults.read[name] = [*part.errors]
            pieces = [_Piece(name, pages_of(job), partial(self._aid, name, job)) for job in part.jobs]
            if part.game is not None and self.pages:
                pieces += self._site(part.game, self.pages)
        return pieces if self.pages else []

    def _show(self, piece: _Piece, news: Callable[[str], bool]) -> None:
        with self._faults(piece.part):
            made = piece.make()
            self._last |= made
            if self.pages and (shown := {path: page for path, page in made.items() if news(path)}):
                self.pages.draft(shown)

    def _aid(self, name: str, job: Job) -> Files:
        done = self._drafter.draft(job)
        self.faults.read[name] = [*self.faults.read[name], *done.errors]
        return done.files

    def _site(self, game: Game, pages: Pages) -> Iterator[_Piece]:
        """The pages of the site, with links to what there is and what will be."""
        there = [*pages.state.built, *(path for path in self._last if path.endswith(f"/{SUMMARY}"))]
        with suppress(OSError):  # a picture of a build that has just given way to another
            for path, make in site_drafts(game, self._last, there, pages.output):
                yield _Piece(game.id, frozenset({path}), partial(_one, path, make))

    @contextmanager
    def _faults(self, name: str) -> Iterator[None]:
        """Whatever goes wrong is told, and nothing else fails with it."""
        try:
            yield
        except RefgenError as error:
            self.faults.read[name] = [*self.faults.read[name], error]
        except Exception as error:
            traceback.print_exc()
            fault = RenderError(
                f"{name}/: refgen failed: {type(error).__name__}: {error}", hint="This is a fault in refgen."
            )
            self.faults.read[name] = [*self.faults.read[name], fault]


def _one(path: str, make: Callable[[], bytes]) -> Files:
    return {path: make()}
