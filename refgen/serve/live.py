"""A project as it is now: what has not changed since it was last read is not read again.

In: what is asked for, and which paths may have changed. Out: which parts of the project have changed, as an Order; each
part as it is now. A part is a game, or a screen that belongs to none.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from time import sleep

from refgen.aids.kind import AidJob
from refgen.aids.kinds import KINDS
from refgen.api.building import Asked
from refgen.bundle import bundled
from refgen.errors import RefgenError, each_error
from refgen.game.catalog import Catalog, Lazy
from refgen.game.game import Game, load_game
from refgen.pipeline.cache.digests import ABSENT, file_digest, folder_inputs
from refgen.pipeline.marker import MARKER
from refgen.pipeline.prepare import Prepared, of_rules, prepare, prepare_aids
from refgen.pipeline.project import Project, find_project
from refgen.pipeline.read_game import GameReader, Wanted, jobs_of, usual_options
from refgen.pipeline.result import BuildResult
from refgen.pipeline.run import BuildOptions, standalone_screens
from refgen.pipeline.spool import Spool
from refgen.serve.builder import Order
from refgen.serve.watch import Watched, is_ignored

MIDST = 0.1
"""Seconds that are waited for where a file is gone or empty: some editors save in two steps."""

_NOTHING = (ABSENT, sha256(b"").hexdigest())
"""The digests of a file that is gone, and of an empty one."""

DRAFTED = frozenset(name for name, kind in KINDS.items() if kind.has_drafts)
"""The kinds of aids of which there are drafts."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part: what is to be rendered of it, what is wrong with it, and which games it takes from."""

    jobs: tuple[AidJob, ...] = ()
    errors: tuple[RefgenError, ...] = ()
    game: Game | None = None
    asks: frozenset[str] = frozenset()


Prepare = Callable[[Game, Path, frozenset[str], Mapping[str, Game]], Prepared]
"""Makes the aids of some kinds of a game."""

Marks = frozenset[tuple[object, ...]]
"""Where the files of a part lie on the disk, and when each was last written, however that was done."""


@dataclass
class Live:
    """A project that changes. ``project`` is how it was when it was last looked at."""

    asked: Asked
    project: Project = field(init=False)
    parts: dict[str, Part] = field(default_factory=dict)
    _games: dict[str, Game] = field(default_factory=dict)
    _inputs: dict[str, Mapping[str, str]] = field(default_factory=dict)
    _marker: str = ABSENT
    _marks: dict[str, Marks] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.project = self._find()
        self.look(None)

    def look(self, paths: frozenset[Path] | None) -> Order:
        """Find out what has changed where ``paths`` were touched (None: anywhere); then it is read anew when asked for.

        Raises RefgenError for no project at all.
        """
        before, self.project = self.project, self._find()
        everything = _outline(before) != _outline(self.project)
        touched = [name for name in self._places() if paths is None or everything or self._is_touched(name, paths)]
        changed = {name for name in touched if self._has_changed(name)}
        for name in changed | (self._inputs.keys() - self._places().keys()):
            self.parts.pop(name, None)
        for name in self._inputs.keys() - self._places().keys():
            self._games.pop(name, None)
            del self._inputs[name]
        changed |= {name for name, part in self.parts.items() if part.asks & changed}
        return replace(self.order(changed), everything=everything)

    def order(self, names: Collection[str]) -> Order:
        """The order for some parts, where they are asked for."""
        parts = frozenset(names)
        return Order(parts & self._selected(), parts & self.project.screens.keys())

    def _selected(self) -> frozenset[str]:
        """The games that are asked for."""
        known = Catalog("game", self.project.folders)
        own = () if self.project.lent else known
        return frozenset(map(known.id_of, self.asked.games)) or frozenset(own)

    def names(self, order: Order) -> list[str]:
        """The parts that an order is for."""
        if not order.everything:
            return sorted(order.games | order.screens)
        return sorted({*self._selected(), *({} if self.asked.games else self.project.screens)})

    def part(self, name: str) -> Part:
        """A part as it is now."""
        found = self._game_part(name, prepare) if name in self.project.folders else self._screen_part(name)
        self.parts[name] = found
        for each in {name, *found.asks}:
            if self.marks(each) != self._marks.get(each):  # it was saved meanwhile: nobody knows what was read
                self._inputs[each] = {}
        return found

    def unchecked(self, name: str, kinds: frozenset[str]) -> Part:
        """A part as it is now with some kinds of aids alone, whatever its checks say: so much is read sooner."""
        if name in self.project.screens:
            return self._screen_part(name)
        return self._game_part(name, prepare_aids, kinds)

    def marks(self, name: str) -> Marks:
        """What tells whether a part was saved in between, even as it was before."""
        place = self._places().get(name)
        document = self.project.documents.get(name)
        files = [*_files(place), *([document] if document else [])] if place else []
        return frozenset(_mark(path) for path in files)

    def _game_part(self, name: str, prepared: Prepare, kinds: frozenset[str] = DRAFTED) -> Part:
        games = self.project.games
        try:
            ready = prepared(games[name], self.project.folders[name], kinds, games)
        except RefgenError as error:
            return Part(errors=tuple(each_error(error)))
        jobs = jobs_of(ready.game, ready.aids, self._wanted())
        return Part(tuple(jobs), tuple(ready.errors), ready.game, frozenset[str]().union(*ready.others.values()))

    def _screen_part(self, name: str) -> Part:
        result, screens = BuildResult(), {name: self.project.screens[name]}
        reader = GameReader(self.project, self._wanted(), None, Spool())
        options = BuildOptions((), reader.wanted, Path(self.asked.output), screens=screens)
        jobs = tuple(standalone_screens(reader, options, result))
        return Part(jobs, tuple(result.errors), asks=reader.taken_from.get(name, frozenset()))

    def _wanted(self) -> Wanted:
        screen = self.project.settings.choosing(papers=self.asked.papers).options()
        return Wanted(DRAFTED, usual_options(self.asked.papers, screen=screen))

    def _find(self) -> Project:
        """The project, with the games that are known already."""
        root = self.asked.root
        if root is not None:
            before, self._marker = self._marker, file_digest(root / MARKER)
            if self._marker in _NOTHING and before not in _NOTHING:
                sleep(MIDST)
        found = find_project(root, self.asked.documents, bundled=self.asked.bundled, named=bool(self.asked.games))

        def game(name: str) -> Game:
            if name not in self._games:
                self._games[name] = load_game(found.folders[name], found.documents.get(name), found.written)
            return self._games[name]

        return replace(found, games=Catalog("game", Lazy(found.folders, game)))

    def _places(self) -> dict[str, Path]:
        return {**self.project.folders, **self.project.screens}

    def _is_touched(self, name: str, paths: frozenset[Path]) -> bool:
        places = {self._places()[name], *filter(None, [self.project.documents.get(name)])}
        real = [*map(_real, places), *(place.absolute() for place in places)]
        return any(path.is_relative_to(place) for path in paths for place in real)

    def _has_changed(self, name: str) -> bool:
        self._marks[name] = self.marks(name)
        before, now = self._inputs.get(name), self._digests(name)
        if before and any(now.get(path, ABSENT) in _NOTHING for path, was in before.items() if was not in _NOTHING):
            sleep(MIDST)
            self._marks[name] = self.marks(name)
            now = self._digests(name)
        self._inputs[name] = now
        if of_rules(now) != of_rules(before or {}):
            self._games.pop(name, None)
        return now != before

    def _digests(self, name: str) -> Mapping[str, str]:
        """The digests of the files of a part, without what editors leave for a while."""
        place = self._places()[name]
        if name in self.project.screens:
            return {name: file_digest(place)}
        found = {**folder_inputs(name, place), "[document]": self.project.written.model_dump_json()}
        if name in self.project.documents:
            found["--document"] = file_digest(self.project.documents[name])
        return {path: digest for path, digest in found.items() if not any(map(is_ignored, path.split("/")[1:]))}

    @property
    def watched(self) -> Watched:
        """Where changes matter."""
        root = self.asked.root
        marker = [root / MARKER] if root is not None else []
        files = [*marker, *self.project.screens.values(), *self.project.documents.values()]
        content = {folder.parent for folder in self.project.folders.values()}
        folders = {_real(folder) for folder in (*content, *self.project.folders.values(), bundled("templates"))}
        topmost = {folder for folder in folders if not any(other in folder.parents for other in folders)}
        ways = frozenset(way(path) for path in files for way in (_real, Path.absolute))
        return Watched(frozenset(topmost), ways, frozenset({_real(Path(self.asked.output))}))


def _files(place: Path) -> Iterator[Path]:
    if not place.is_dir():
        yield place
    for root, _, names in os.walk(place):
        yield from (Path(root) / name for name in names if not is_ignored(name))


def _mark(path: Path) -> tuple[object, ...]:
    try:
        found = path.stat()
    except OSError:
        return (path,)
    return path, found.st_ino, found.st_ctime_ns, found.st_size


def is_of_templates(path: Path) -> bool:
    """Whether a path is one of the templates and style sheets that all pages share."""
    return path.is_relative_to(_real(bundled("templates")))


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _outline(project: Project) -> object:
    """What a project is made of, whatever is in it."""
    return project.folders, project.documents, project.screens, project.settings, project.written
