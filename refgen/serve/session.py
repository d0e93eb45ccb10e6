"""A project is built, and built again whenever something changes, until somebody ends it.

In: what is asked for, and perhaps the pages that a server shows. Out: what happens, told as it happens. What changes
during a build takes its place: the pages that are looked at come first, and what was made already is in the cache.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import NoReturn

from refgen.errors import RefgenError
from refgen.layout.templates import assets
from refgen.pipeline.publish import check_output
from refgen.pipeline.result import BuildResult
from refgen.serve.builder import Builder, BuilderSettings, Built, MadeFiles, Order
from refgen.serve.pages import Pages
from refgen.serve.project_state import Marks, ProjectState, is_of_templates
from refgen.serve.watch import Back, CannotWatch, Gone, Happening, Touched, Watcher

EVERYTHING = Order(everything=True)


@dataclass(frozen=True, slots=True)
class PartsChanged:
    """Some games or screens have changed."""

    names: Sequence[str]


@dataclass(frozen=True, slots=True)
class ErrorsChanged:
    """The errors of the project, told when they change; none when all is well again."""

    errors: Sequence[RefgenError]


Incoming = Happening | MadeFiles | Built
"""What happens outside of this thread."""

SessionEvent = PartsChanged | ErrorsChanged | Built | Gone | Back


@dataclass
class Session:
    """``pages`` are what a server shows, if there is one; ``tell`` is called with whatever happens."""

    settings: BuilderSettings
    tell: Callable[[SessionEvent], object]
    pages: Pages | None = None
    _inbox: SimpleQueue[Incoming] = field(default_factory=SimpleQueue)
    _last: BuildResult = field(default_factory=BuildResult)
    _unbuilt: Order = EVERYTHING
    _project_error: RefgenError | None = None
    _errors: Sequence[RefgenError] = ()
    _marks: Mapping[str, Marks] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raises RefgenError for no project, and for an output that cannot be written."""
        self.state = ProjectState(self.settings.asked)
        check_output(Path(self.settings.asked.output))
        self._builder = Builder(replace(self.settings, shows=self.pages is not None), self._inbox.put)
        self._watcher = Watcher(self._inbox.put)

    def run(self) -> NoReturn:
        """Go on until an exception ends it. Raises ServeError when nothing can be watched."""
        with closing(self._watcher), closing(self._builder):
            self._watcher.watch(self.state.watched)
            self._build(EVERYTHING)
            while True:
                self._meet(self._inbox.get())

    def _meet(self, happening: Incoming) -> None:
        match happening:
            case Touched():
                self._touched(self._joined(happening))
            case MadeFiles(order, files):
                if self.pages and order == self._builder.order:
                    self.pages.draft(files)
            case Built():
                self._built(happening)
            case CannotWatch():
                raise happening.error
            case _:
                self.tell(happening)

    def _joined(self, touched: Touched) -> frozenset[Path] | None:
        """The files that were touched, with all that are known to have been touched since."""
        paths = touched.paths
        others: list[Incoming] = []
        with suppress(Empty):
            while True:
                other = self._inbox.get_nowait()
                if isinstance(other, Touched):
                    paths = None if paths is None or other.paths is None else paths | other.paths
                else:
                    others.append(other)
        for each in others:
            self._inbox.put(each)
        return paths

    def _touched(self, paths: frozenset[Path] | None) -> None:
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
        """Take the templates as they are now: the process that builds knows them by heart, another takes its place."""
        assets.cache_clear()
        self._builder.close()

    def _build(self, changed: Order) -> None:
        """Have built what has changed, what failed before, and what is not built yet, whose place this order takes."""
        self._unbuilt = order = self._unbuilt | changed | self.state.order(self._last.failing)
        first = self.pages.open_paths if self.pages else frozenset[str]()
        self._marks = {name: self.state.marks(name) for name in self.state.names(order)}
        self._builder.give(replace(order, first=first))

    def _built(self, built: Built) -> None:
        if built.order != self._builder.order:
            return  # of a process that was ended, or of an order that gave way to another
        self._builder.order = None
        names = self.state.names(built.order)
        failed = built.result.errors and not built.result.failing  # as a whole
        self._last, self._unbuilt = built.result, self._unbuilt if failed else Order()
        self.state.taken_from |= built.result.taken_from
        saved_since = [name for name in names if self.state.marks(name) != self._marks.get(name)]
        if self.pages:
            self.pages.published([] if saved_since else built.result.files)
        self.tell(built)
        self._tell_errors()
        if saved_since:
            self._build(self.state.order(saved_since))

    def _tell_errors(self) -> None:
        """Tell what is wrong, when that has changed."""
        now = [self._project_error] if self._project_error else self._last.errors
        if [*map(str, now)] != [*map(str, self._errors)]:
            self._errors = tuple(now)
            self.tell(ErrorsChanged(self._errors))
            if self.pages:
                self.pages.tell(self._errors)
