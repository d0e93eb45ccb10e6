"""The pages of what has changed, drafted in this process: first those that somebody looks at.

In: a Live project, and the names of its parts. Out: drafts, shown by Pages as soon as they are there, and Faults.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from time import monotonic, sleep

from refgen.errors import RefgenError, RenderError
from refgen.pipeline.draft import Drafter, pages_of
from refgen.pipeline.game_site import SUMMARY
from refgen.pipeline.job import Job
from refgen.pipeline.site import site_drafts
from refgen.render.assets import assets
from refgen.serve.faults import Faults
from refgen.serve.live import Live
from refgen.serve.pages import Pages

Files = Mapping[str, bytes]

BREATH, LONGEST = 0.08, 0.5
"""Seconds without a request after which a browser has loaded its page again, and those that are waited for it."""


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

    def __post_init__(self) -> None:
        """Drafts are shown before the first build is done: with style sheets and fonts. Raises RenderError."""
        if self.pages:
            built = self.pages.state.built
            self.pages.draft({path: data for path, data in assets().items() if path not in built})

    def begin(self, name: str) -> None:
        """Read a part for the first time. Its drafts stand in only for what was not built before."""
        pieces, pages = self._aids(name), self.pages
        if pages is not None:
            for piece in [*pieces, *self._site(name)]:
                self._show(piece, lambda path: path not in pages.state.built)

    def renew(self, names: Sequence[str], then: Callable[[], object]) -> None:
        """Draft what has changed: what is looked at before anything else; ``then`` is called when it is shown."""
        before = dict(self._last)
        looked_at = self.pages.looked_at if self.pages else frozenset[str]()

        def show(pieces: Iterable[_Piece]) -> None:
            for piece in pieces:
                self._show(piece, lambda path: self._last[path] != before.get(path))

        def is_first(piece: _Piece) -> bool:
            return bool(piece.paths & looked_at)

        aids = [piece for name in names for piece in self._aids(name)]
        if not self.pages:
            return
        show(filter(is_first, aids))
        site: list[_Piece] = []
        if looked_at - {path for piece in aids for path in piece.paths}:
            site = [piece for name in names for piece in self._site(name)]
            show(filter(is_first, site))
        if looked_at:
            _let_load(self.pages)
        then()
        site = site or [piece for name in names for piece in self._site(name)]
        show(piece for piece in [*aids, *site] if not is_first(piece))

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

    def _aids(self, name: str) -> list[_Piece]:
        """The pages of a part but those of the site: the part is read for them."""
        self.faults.read[name] = []
        with self._faults(name):
            part = self.live.part(name)
            self.faults.read[name] = [*part.errors]
            return [_Piece(name, pages_of(job), partial(self._aid, name, job)) for job in part.jobs]
        return []

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

    def _site(self, name: str) -> list[_Piece]:
        """The pages of the site, with links to what there is and what will be."""
        part = self.live.parts.get(name)
        if self.pages is None or part is None or part.game is None:
            return []
        there = [*self.pages.state.built, *(path for path in self._last if path.endswith(f"/{SUMMARY}"))]
        with self._faults(name), suppress(OSError):  # a picture of a build that has just given way to another
            pages = site_drafts(part.game, self._last, there, self.pages.output)
            return [_Piece(name, frozenset({path}), partial(_one, path, make)) for path, make in pages]
        return []

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


def _let_load(pages: Pages) -> None:
    """Leave this process to browsers that load their pages again."""
    begun = monotonic()
    while (now := monotonic()) - max(begun, pages.asked) < BREATH and now - begun < LONGEST:
        sleep(BREATH / 8)
