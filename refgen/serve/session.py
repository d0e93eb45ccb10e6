"""A project is built, and built again whenever something changes, until somebody ends it.

In: what is asked for, and perhaps the pages that a server shows. Out: what happens, told as it happens. Pages that are
looked at are drafted first, then the others; the whole output follows from a process beside this one. What changes
during a build is built after it.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import NoReturn

from refgen.errors import RefgenError
from refgen.pipeline.publish import check_output
from refgen.serve.builder import Builder, Built, Manner, Order, Printed
from refgen.serve.drafts import Drafts
from refgen.serve.faults import Faults
from refgen.serve.live import Live, Marks, is_of_templates
from refgen.serve.pages import Pages
from refgen.serve.watch import Back, CannotWatch, Gone, Happening, Touched, Watcher

EVERYTHING = Order(everything=True)


@dataclass(frozen=True, slots=True)
class Changed:
    """Some parts have changed."""

    names: Sequence[str]


@dataclass(frozen=True, slots=True)
class Wrong:
    """What is wrong now, where that has changed; nothing when all is well again."""

    errors: Sequence[RefgenError]


Incoming = Happening | Printed | Built
"""What happens outside of this thread."""

Told = Changed | Wrong | Built | Gone | Back


@dataclass
class Session:
    """``pages`` are what a server shows, if there is one; ``tell`` is called with whatever happens."""

    manner: Manner
    tell: Callable[[Told], object]
    pages: Pages | None = None
    faults: Faults = field(default_factory=Faults)
    _inbox: SimpleQueue[Incoming] = field(default_factory=SimpleQueue)
    _due: Order = EVERYTHING
    _marks: Mapping[str, Marks] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raises RefgenError for no project, and for an output that cannot be written."""
        self.live = Live(self.manner.asked)
        check_output(Path(self.manner.asked.output))
        self._drafts = Drafts(self.live, self.faults, self.pages)
        self._unread = self.live.names(EVERYTHING)
        self._builder = Builder(self.manner, self._inbox.put)
        self._watcher = Watcher(self._inbox.put)

    def run(self) -> NoReturn:
        """Go on until an exception ends it. Raises ServeError when nothing can be watched."""
        with closing(self._watcher), closing(self._builder):
            self._builder.start()
            self._watcher.watch(self.live.watched)
            self._build()
            while True:
                self._meet(self._next())

    def _next(self) -> Incoming | None:
        """What happens next; None while there is something to read for the first time."""
        with suppress(Empty):
            return self._inbox.get(block=not self._unread)
        return None

    def _meet(self, happening: Incoming | None) -> None:
        match happening:
            case None:
                self._drafts.begin(self._unread.pop(0))
                self._say()
                if not self._unread:
                    _tidy()
                    gc.freeze()  # what stays for long is looked through no more
            case Touched():
                self._touched(self._joined(happening))
            case Printed():
                if self.pages and happening.order is self._builder.order:
                    self.pages.draft(happening.files)
            case Built():
                self._built(happening)
            case CannotWatch():
                raise happening.error
            case _:
                self.tell(happening)

    def _joined(self, touched: Touched) -> frozenset[Path] | None:
        """What was touched, with all that is known to have been touched since."""
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
            changed = self.live.look(paths)
        except RefgenError as error:
            self.faults.project = error
            self._say()
            return
        if self.faults.project is not None:
            self.faults.project, changed = None, EVERYTHING
        self._watcher.watch(self.live.watched)
        if paths is not None and any(map(is_of_templates, paths)):
            self._restyle()
            changed = EVERYTHING
        if changed:
            self._due |= changed
            names = self.live.names(changed)
            self._unread = [name for name in self._unread if name not in names]
            self.faults.only(self.live.names(EVERYTHING))
            self._drafts.only(self.live.names(EVERYTHING))
            self.tell(Changed(names))
            self._build()
            self._drafts.renew(names, then=self._say)
        self._go_on()

    def _go_on(self) -> None:
        self._say()
        self._build()

    def _restyle(self) -> None:
        """Take the templates as they are now: the process that builds knows them by heart, another takes its place."""
        self._drafts.restyle()
        self._builder.close()
        self._builder.order = None

    def _built(self, built: Built) -> None:
        if built.order is not self._builder.order:
            return  # of a process that was ended
        self._builder.order = None
        names = self.live.names(built.order)
        self._due |= self.live.order([name for name in names if self.live.marks(name) != self._marks.get(name)])
        if not self._due:
            self.faults.built(names, built.result.errors)
        if self.pages:
            self.pages.published([] if self._due else built.result.files)
        self.tell(built)
        self._go_on()
        if self._builder.order is None:
            _tidy()

    def _build(self) -> None:
        """Have built what is due, unless a build is on its way: then it comes after that."""
        if self._due and self._builder.order is None and self.faults.project is None:
            due, self._due = self._due, Order()
            self._marks = {name: self.live.marks(name) for name in self.live.names(due)}
            self._builder.give(due)

    def _say(self) -> None:
        """Tell what is wrong, when that has changed."""
        if self.faults.has_news():
            self.tell(Wrong(self.faults.said))
            if self.pages:
                self.pages.tell(self.faults.said)


def _tidy() -> None:
    """Give back the memory of games that were read anew; while somebody waits, this process looks for none."""
    gc.collect()
