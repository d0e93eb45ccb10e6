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

from refgen.aids.kind import AidJob
from refgen.errors import RefgenError, RenderError
from refgen.pipeline.game_site import SUMMARY
from refgen.pipeline.job import draft
from refgen.pipeline.site import site_drafts
from refgen.render.assets import assets
from refgen.serve.faults import Faults
from refgen.serve.live import Live, Part
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
    _kinds: dict[str, str] = field(default_factory=dict)

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
        """Draft what has changed: what is looked at before all else is read; ``then`` is called when all is read."""
        before = dict(self._last)
        open_paths = self.pages.open_paths if self.pages else frozenset[str]()

        def show(pieces: Iterable[_Piece]) -> None:
            for piece in pieces:
                self._show(piece, lambda path: self._last[path] != before.get(path))

        def is_first(piece: _Piece) -> bool:
            return bool(piece.paths & open_paths)

        for name in names:
            show(self._open_pages(name, open_paths))
        if self.pages and open_paths:
            _let_load(self.pages)
        aids = [piece for name in names for piece in self._aids(name)]
        if not self.pages:
            return
        show(filter(is_first, aids))  # with what is wrong with them
        then()
        site = [piece for name in names for piece in self._site(name)]
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

    def _open_pages(self, name: str, paths: frozenset[str]) -> Iterator[_Piece]:
        """The pages of a part that are looked at, which is read for these alone; all that is wrong is told later."""
        of_part = frozenset(path for path in paths if path.startswith(f"{name}/"))
        kinds = frozenset(self._kinds[path] for path in of_part & self._kinds.keys())
        others = frozenset(path for path in paths if path in of_part or "/" not in path) - self._kinds.keys()
        if not kinds and not others:
            return
        with self._faults(name):
            part = self.live.unchecked(name, kinds)
            yield from (piece for piece in self._aids_of(name, part) if piece.paths & paths)
            yield from _until_all(others, self._site_of(name, part))

    def _aids(self, name: str) -> list[_Piece]:
        """The pages of a part but those of the site: the part is read for them."""
        self.faults.read[name] = []
        with self._faults(name):
            part = self.live.part(name)
            self.faults.read[name] = [*part.errors]
            self._kinds |= {path: job.kind for job in part.jobs for path in job.html_paths}
            return self._aids_of(name, part)
        return []

    def _aids_of(self, name: str, part: Part) -> list[_Piece]:
        return [_Piece(name, job.html_paths, partial(self._aid, name, job)) for job in part.jobs]

    def _show(self, piece: _Piece, news: Callable[[str], bool]) -> None:
        with self._faults(piece.part):
            made = piece.make()
            self._last |= made
            if self.pages and (shown := {path: page for path, page in made.items() if news(path)}):
                self.pages.draft(shown)

    def _aid(self, name: str, job: AidJob) -> Files:
        done = draft(job)
        self.faults.read[name] = [*self.faults.read[name], *done.errors]
        return done.files

    def _site(self, name: str) -> Iterator[_Piece]:
        """The pages of the site, of a part that is read."""
        if name in self.live.parts:
            yield from self._site_of(name, self.live.parts[name])

    def _site_of(self, name: str, part: Part) -> Iterator[_Piece]:
        """The pages of the site, with links to what there is and what will be."""
        if self.pages is None or part.game is None:
            return
        there = [*self.pages.state.built, *(path for path in self._last if path.endswith(f"/{SUMMARY}"))]
        with self._faults(name), suppress(OSError):  # a picture of a build that has just given way to another
            for path, make in site_drafts(part.game, self._last, there, self.pages.output):
                yield _Piece(name, frozenset({path}), partial(_one, path, make))

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


def _until_all(paths: frozenset[str], pieces: Iterable[_Piece]) -> Iterator[_Piece]:
    """Those of some pieces that have these paths, up to the last of them."""
    left = set(paths)
    for piece in pieces if paths else ():
        if piece.paths & left:
            left -= piece.paths
            yield piece
        if not left:
            return


def _let_load(pages: Pages) -> None:
    """Leave this process to browsers that load their pages again."""
    begun = monotonic()
    while (now := monotonic()) - max(begun, pages.asked) < BREATH and now - begun < LONGEST:
        sleep(BREATH / 8)
