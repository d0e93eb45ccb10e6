"""A project that is built, and whose changed parts are built again whenever a file changes, until somebody ends it.

In: a BuildOrder, and perhaps the pages that a server shows. Out: events, reported as they happen. A part of a project
is a game, or a screen that belongs to no game. A change during a build stops the build: another build begins with the
pages that readers have open, and takes from the cache what the stopped build had made.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from queue import SimpleQueue
from time import sleep
from typing import NoReturn

from refgen.api.settings import BuildOrder
from refgen.catalog import Catalog
from refgen.errors import RefgenError
from refgen.files import bundled_folder
from refgen.layout.templates import assets
from refgen.pipeline.digests import ABSENT, file_digest
from refgen.pipeline.project import ProjectFolders, find_project
from refgen.pipeline.publish import check_output
from refgen.pipeline.result import MARKER, BuildResult
from refgen.serve.builder import Builder, EarlyFiles, OrderResult, PartsOrder
from refgen.serve.served_pages import ServedPages
from refgen.serve.watch import FolderGone, PathsTouched, WatchedPaths, Watcher, WatchEvent, WatchFailed, is_ignored
from refgen.template_files import FOLDER as TEMPLATES
from refgen.template_files import template_folders

MIDST = 0.1
"""Seconds after which a file that is gone or empty is read again: some editors save in two steps."""

_NOTHING = (ABSENT, sha256(b"").hexdigest())
"""The digests of a file that is gone, and of an empty one."""

FileStamps = frozenset[tuple[object, ...]]
"""The path, inode, time of change and size of each file of a part: all differ once the file is written again."""


@dataclass
class ProjectState:
    """A project that changes; ``project`` are the folders that ``look`` last found.

    ``taken_from`` are the games that each part takes from, by the name of the part, as the last build reported.
    """

    build_order: BuildOrder
    project: ProjectFolders = field(init=False)
    taken_from: dict[str, frozenset[str]] = field(default_factory=dict)
    _inputs: dict[str, Mapping[str, str]] = field(default_factory=dict)
    _marker: str = ABSENT

    def __post_init__(self) -> None:
        self.project = self._find()
        self.look(None)

    def look(self, paths: frozenset[Path] | None) -> PartsOrder:
        """The parts that have changed since the last look, and the parts that take from a changed game.

        Only parts with files among ``paths`` are looked at; None: all parts. Raises RefgenError where the project is
        gone.
        """
        before, self.project = self.project, self._find()
        everything = before != self.project
        touched = [name for name in self._places() if paths is None or everything or self._is_touched(name, paths)]
        changed = {name for name in touched if self._has_changed(name)}
        for name in self._inputs.keys() - self._places().keys():
            del self._inputs[name]
        changed |= {name for name, others in self.taken_from.items() if others & changed}
        return replace(self.order(changed), everything=everything)

    def order(self, names: Collection[str]) -> PartsOrder:
        """The order for some parts, without the games that the build order leaves out."""
        parts = frozenset(names)
        return PartsOrder(parts & self._selected_games(), parts & self.project.screens.keys())

    def names(self, order: PartsOrder) -> list[str]:
        """The parts that an order is for."""
        if not order.everything:
            return sorted(order.games | order.screens)
        return sorted({*self._selected_games(), *({} if self.build_order.settings.games else self.project.screens)})

    def stamps(self, name: str) -> FileStamps:
        """The stamps of the files of a part: they show that a file was saved, even where its bytes are as before."""
        place = self._places().get(name)
        document = self.project.documents.get(name)
        files = [*_files(place), *([document] if document else [])] if place else []
        return frozenset(map(_stamp, files))

    @property
    def watched(self) -> WatchedPaths:
        """The folders and files whose changes matter."""
        root = self.build_order.root
        marker = [root / MARKER, root / TEMPLATES] if root is not None else []
        files = [
            *marker,
            *map(Path, self.project.look),
            *self.project.screens.values(),
            *self.project.documents.values(),
        ]
        content = {folder.parent for folder in self.project.folders.values()} | {*template_folders(root, None).values()}
        folders = {
            _real_path(folder) for folder in (*content, *self.project.folders.values(), bundled_folder("templates"))
        }
        topmost = {folder for folder in folders if not any(other in folder.parents for other in folders)}
        ways = frozenset(way(path) for path in files for way in (_real_path, Path.absolute))
        return WatchedPaths(frozenset(topmost), ways, frozenset({_real_path(Path(self.build_order.settings.output))}))

    def _selected_games(self) -> frozenset[str]:
        """The games of the build order."""
        known = Catalog("game", self.project.folders)
        own = () if self.project.lent else known
        return frozenset(map(known.id_of, self.build_order.settings.games)) or frozenset(own)

    def _find(self) -> ProjectFolders:
        """The project as it is now."""
        asked = self.build_order
        if asked.root is not None:
            before, self._marker = self._marker, file_digest(asked.root / MARKER)
            if self._marker in _NOTHING and before not in _NOTHING:
                sleep(MIDST)
        return find_project(asked.root, asked.documents, bundled=asked.bundled, named=bool(asked.settings.games))

    def _places(self) -> dict[str, Path]:
        return {**self.project.folders, **self.project.screens}

    def _is_touched(self, name: str, paths: frozenset[Path]) -> bool:
        places = {self._places()[name], *filter(None, [self.project.documents.get(name)])}
        real = [*map(_real_path, places), *(place.absolute() for place in places)]
        return any(path.is_relative_to(place) for path in paths for place in real)

    def _has_changed(self, name: str) -> bool:
        before, now = self._inputs.get(name), self._digests(name)
        if before and any(now.get(path, ABSENT) in _NOTHING for path, was in before.items() if was not in _NOTHING):
            sleep(MIDST)
            now = self._digests(name)
        self._inputs[name] = now
        return now != before

    def _digests(self, name: str) -> Mapping[str, str]:
        """The digests of the files of a part, without the temporary files of editors."""
        if name in self.project.screens:
            return {name: file_digest(self.project.screens[name])}
        project = self.project
        settings = {"[document]": project.written.model_dump_json(), "[output]": project.output.model_dump_json()}
        found = {**project.inputs(name), **settings}
        return {path: digest for path, digest in found.items() if not any(map(is_ignored, path.split("/")[1:]))}


def _files(place: Path) -> Iterator[Path]:
    if not place.is_dir():
        yield place
    for root, _, names in os.walk(place):
        yield from (Path(root) / name for name in names if not is_ignored(name))


def _stamp(path: Path) -> tuple[object, ...]:
    try:
        found = path.stat()
    except OSError:
        return (path,)
    return path, found.st_ino, found.st_ctime_ns, found.st_size


def is_of_templates(path: Path) -> bool:
    """Whether a path is one of refgen's templates and style sheets, which all pages share."""
    return path.is_relative_to(_real_path(bundled_folder("templates")))


def _real_path(path: Path) -> Path:
    return Path(os.path.realpath(path))


EVERYTHING = PartsOrder(everything=True)


@dataclass(frozen=True, slots=True)
class PartsChanged:
    """Some games or screens have changed."""

    names: Sequence[str]


@dataclass(frozen=True, slots=True)
class ErrorsChanged:
    """The errors of the project have changed: ``errors`` are all that are left."""

    errors: Sequence[RefgenError]


Incoming = WatchEvent | EarlyFiles | OrderResult
"""An event from the thread of the watcher or of the builder."""

SessionEvent = PartsChanged | ErrorsChanged | OrderResult | FolderGone


@dataclass
class WatchSession:
    """A watched project and the process that builds it. ``tell`` is called with each event of the session.

    ``pages`` are the pages that a server shows; None without a server.
    """

    build_order: BuildOrder
    tell: Callable[[SessionEvent], object]
    pages: ServedPages | None = None
    _inbox: SimpleQueue[Incoming] = field(default_factory=SimpleQueue)
    _last: BuildResult = field(default_factory=BuildResult)
    _unbuilt: PartsOrder = EVERYTHING
    _project_error: RefgenError | None = None
    _errors: Sequence[RefgenError] = ()
    _stamps: Mapping[str, FileStamps] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raises RefgenError where there is no project, or the output cannot be written."""
        self.state = ProjectState(self.build_order)
        check_output(Path(self.build_order.settings.output))
        self._builder = Builder(self.build_order, self._inbox.put, shows=self.pages is not None)
        self._watcher = Watcher(self._inbox.put)

    def run(self) -> NoReturn:
        """Build and watch until an exception ends the session. Raises ServeError where files cannot be watched."""
        with closing(self._watcher), closing(self._builder):
            self._watcher.watch(self.state.watched)
            self._build(EVERYTHING)
            while True:
                self._handle(self._inbox.get())

    def _handle(self, event: Incoming) -> None:
        match event:
            case PathsTouched(paths):
                self._rebuild_touched(paths)
            case EarlyFiles(order, files):
                if self.pages and order == self._builder.order:
                    self.pages.draft(files)
            case OrderResult():
                self._take_result(event)
            case WatchFailed():
                raise event.error
            case _:
                self.tell(event)

    def _rebuild_touched(self, paths: frozenset[Path] | None) -> None:
        try:
            changed = self.state.look(paths)
        except RefgenError as error:
            self._project_error = error
            self._tell_errors()
            return
        if self._project_error is not None:
            self._project_error, self._unbuilt = None, EVERYTHING
        self._watcher.watch(self.state.watched)
        if paths is not None and any(map(is_of_templates, paths)):
            self._restyle()
            changed = EVERYTHING
        if changed or (self._unbuilt and self._builder.order is None):
            self.tell(PartsChanged(self.state.names(changed | self._unbuilt)))
            if self.pages:
                self.pages.forget_all_but(self.state.names(EVERYTHING))
            self._build(changed)
        self._tell_errors()

    def _restyle(self) -> None:
        """Read the templates again: another process that builds takes the place of the old one, which has read them."""
        assets.cache_clear()
        self._builder.close()

    def _build(self, changed: PartsOrder) -> None:
        """Order the parts that have changed, the parts that failed before, and the parts that are not built yet."""
        self._unbuilt = order = self._unbuilt | changed | self.state.order(self._last.failing)
        first = self.pages.open_paths if self.pages else frozenset[str]()
        self._stamps = {name: self.state.stamps(name) for name in self.state.names(order)}
        self._builder.give(replace(order, first=first))

    def _take_result(self, built: OrderResult) -> None:
        if built.order != self._builder.order:
            return  # the result of an ended process, or of an order that gave way to another order
        self._builder.order = None
        names = self.state.names(built.order)
        failed = built.result.errors and not built.result.failing  # as a whole
        self._last, self._unbuilt = built.result, self._unbuilt if failed else PartsOrder()
        self.state.taken_from |= built.result.taken_from
        saved_since = [name for name in names if self.state.stamps(name) != self._stamps.get(name)]
        if self.pages:
            self.pages.published([] if saved_since else built.result.files)
        self.tell(built)
        self._tell_errors()
        if saved_since:
            self._build(self.state.order(saved_since))

    def _tell_errors(self) -> None:
        """Tell the errors, where they have changed."""
        now = [self._project_error] if self._project_error else self._last.errors
        if [*map(str, now)] != [*map(str, self._errors)]:
            self._errors = tuple(now)
            self.tell(ErrorsChanged(self._errors))
            if self.pages:
                self.pages.tell(self._errors)
