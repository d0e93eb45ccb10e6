"""A project that is watched: which of its games and screens have changed since somebody last looked.

In: what is asked for, and which paths may have changed. Out: which parts of the project are to be built, as an Order. A
part is a game, or a screen that belongs to none.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from time import sleep

from refgen.api.building import BuildOrder
from refgen.bundle import bundled
from refgen.game.catalog import Catalog
from refgen.pipeline.digests import ABSENT, file_digest, folder_inputs
from refgen.pipeline.project import ProjectFolders, find_project
from refgen.pipeline.result import MARKER
from refgen.serve.builder import Order
from refgen.serve.watch import Watched, is_ignored

MIDST = 0.1
"""Seconds that are waited for where a file is gone or empty: some editors save in two steps."""

_NOTHING = (ABSENT, sha256(b"").hexdigest())
"""The digests of a file that is gone, and of an empty one."""

Marks = frozenset[tuple[object, ...]]
"""Where the files of a part lie on the disk, and when each was last written, however that was done."""


@dataclass
class ProjectState:
    """A project that changes. ``project`` is how it was when it was last looked at.

    ``taken_from`` are the games that each part takes from, by the name of the part, as the last build found them.
    """

    asked: BuildOrder
    project: ProjectFolders = field(init=False)
    taken_from: dict[str, frozenset[str]] = field(default_factory=dict)
    _inputs: dict[str, Mapping[str, str]] = field(default_factory=dict)
    _marker: str = ABSENT

    def __post_init__(self) -> None:
        self.project = self._find()
        self.look(None)

    def look(self, paths: frozenset[Path] | None) -> Order:
        """The parts that have changed where ``paths`` were touched (None: anywhere), and those that take from them.

        Raises RefgenError for no project at all.
        """
        before, self.project = self.project, self._find()
        everything = before.outline != self.project.outline
        touched = [name for name in self._places() if paths is None or everything or self._is_touched(name, paths)]
        changed = {name for name in touched if self._has_changed(name)}
        for name in self._inputs.keys() - self._places().keys():
            del self._inputs[name]
        changed |= {name for name, others in self.taken_from.items() if others & changed}
        return replace(self.order(changed), everything=everything)

    def order(self, names: Collection[str]) -> Order:
        """The order for some parts, where they are asked for."""
        parts = frozenset(names)
        return Order(parts & self._selected(), parts & self.project.screens.keys())

    def names(self, order: Order) -> list[str]:
        """The parts that an order is for."""
        if not order.everything:
            return sorted(order.games | order.screens)
        return sorted({*self._selected(), *({} if self.asked.games else self.project.screens)})

    def marks(self, name: str) -> Marks:
        """The times and sizes of the files of a part, which tell whether one was saved in between, even unchanged."""
        place = self._places().get(name)
        document = self.project.documents.get(name)
        files = [*_files(place), *([document] if document else [])] if place else []
        return frozenset(_mark(path) for path in files)

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

    def _selected(self) -> frozenset[str]:
        """The games that are asked for."""
        known = Catalog("game", self.project.folders)
        own = () if self.project.lent else known
        return frozenset(map(known.id_of, self.asked.games)) or frozenset(own)

    def _find(self) -> ProjectFolders:
        """The project as it is now."""
        root = self.asked.root
        if root is not None:
            before, self._marker = self._marker, file_digest(root / MARKER)
            if self._marker in _NOTHING and before not in _NOTHING:
                sleep(MIDST)
        return find_project(root, self.asked.documents, bundled=self.asked.bundled, named=bool(self.asked.games))

    def _places(self) -> dict[str, Path]:
        return {**self.project.folders, **self.project.screens}

    def _is_touched(self, name: str, paths: frozenset[Path]) -> bool:
        places = {self._places()[name], *filter(None, [self.project.documents.get(name)])}
        real = [*map(_real, places), *(place.absolute() for place in places)]
        return any(path.is_relative_to(place) for path in paths for place in real)

    def _has_changed(self, name: str) -> bool:
        before, now = self._inputs.get(name), self._digests(name)
        if before and any(now.get(path, ABSENT) in _NOTHING for path, was in before.items() if was not in _NOTHING):
            sleep(MIDST)
            now = self._digests(name)
        self._inputs[name] = now
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
