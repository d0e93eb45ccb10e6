"""Games of which nothing but pages is made: each is read and shown by another process, a few at a time.

In: an executor, and for each game what a process must know to read it and to link to its files. Out: what the games
give, and their pages, in the order of the games.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from refgen.errors import RefgenError
from refgen.files import read_bytes
from refgen.pipeline.collected import beside
from refgen.pipeline.executors.loop import StepExecutor, WorkerError, in_order
from refgen.pipeline.game_site import GameSite, make_game_site
from refgen.pipeline.manifest import Made
from refgen.pipeline.project import Project
from refgen.pipeline.read_game import GameParts, GameReader, Wanted
from refgen.pipeline.site import links_of
from refgen.pipeline.spool import Spool
from refgen.rules.load import SPEC_NAME
from refgen.rules.schema import DocumentSettings
from refgen.site.page import AidLinks
from refgen.site.published import Published

GROUP = 12
"""Games of which the longest are read first."""

EXPLORER = 20_000
"""As many bytes of a system.toml take about as long as all answers of an explorer."""


@dataclass(frozen=True, slots=True)
class Task:
    """A game by its name among the ``folders``, and what ``earlier`` builds made of it in the ``output``.

    ``written`` is how documents are written whose game does not say.
    """

    name: str
    folders: Mapping[str, Path]
    documents: Mapping[str, Path]
    wanted: Wanted
    published: Published
    output: Path
    earlier: Sequence[Made]
    written: DocumentSettings = field(default_factory=DocumentSettings)


@dataclass(frozen=True, slots=True)
class Whole:
    """What a game gives, and its pages with such ``links``; ``error`` says why there is nothing."""

    name: str
    parts: GameParts | None = None
    links: Sequence[AidLinks] = ()
    site: GameSite | None = None
    error: RefgenError | None = None


def whole(task: Task) -> Whole:
    """Read a game, and make its pages."""
    reader = GameReader(Project.of(task.folders, task.documents, written=task.written), task.wanted, None, Spool())
    try:
        parts = reader.parts(task.name)
    except RefgenError as error:
        return Whole(task.name, error=error)
    made, stays = beside(parts, (), task.earlier)
    links = links_of(task.name, made.files, stays, task.output)
    site = make_game_site(reader.project.games[task.name], links, [*made.files, *stays], task.published)
    return Whole(task.name, parts, links, site)


def _groups(tasks: Sequence[Task]) -> Iterator[Sequence[Task]]:
    """A few tasks at a time, of which all that is made may wait in memory."""
    return (tasks[first : first + GROUP] for first in range(0, len(tasks), GROUP))


def long_first(tasks: Sequence[Task]) -> Sequence[Task]:
    """The same with the longest at first, so that nobody waits long for the last."""
    return sorted(tasks, key=lambda task: -_work(task.folders[task.name] / SPEC_NAME))


def _work(path: Path) -> int:
    """About how long the pages of a game take, by its system.toml."""
    try:
        spec = read_bytes(path, path.name)
    except RefgenError:  # whoever reads it tells
        return 0
    return len(spec) + EXPLORER * spec.count(b"\n[explorers.")


@dataclass(slots=True)
class Apart:
    """What becomes of some tasks, each waited for when it is first asked about."""

    steps: StepExecutor
    tasks: Sequence[Task]
    _coming: Iterator[Whole] = field(init=False)
    _came: dict[str, Whole] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._coming = in_order(self.steps, whole, chain.from_iterable(map(long_first, _groups(self.tasks))))

    def parts(self, name: str) -> GameParts | None:
        """What a game gives; None for one that is to be read here. Raises RefgenError for one that cannot be read."""
        if any(task.name == name for task in self.tasks):
            with suppress(StopIteration, WorkerError):  # what costs processes is tried here
                while name not in self._came:
                    found = next(self._coming)
                    self._came[found.name] = found
        known = self._came.get(name)
        if known and known.error:
            raise known.error
        return known.parts if known else None

    def site(self, name: str, links: Sequence[AidLinks]) -> GameSite | None:
        """The pages of a game with these links, handed out once."""
        known = self._came.pop(name, None)
        return known.site if known and known.links == links else None
