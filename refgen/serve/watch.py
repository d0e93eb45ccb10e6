"""Files that change while they are watched, in whatever way editors save them.

In: folders that are watched with all they hold, and single files. Out: what may have changed, told to whoever owns the
watcher as soon as it is quiet for a moment; and folders that go, or come back.
"""

from __future__ import annotations

import os
import re
import stat
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISDIR
from time import monotonic, sleep
from typing import Any, BinaryIO
from urllib.parse import unquote

from refgen.errors import ServeError

INDEX = "index.html"

MOMENT = 0.25
"""Seconds in which a folder that gives way to another one has to be there again."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


def steps_of(path: str) -> Sequence[str] | None:
    """The names on the way that the path of a URL says, the last of which is a file; None for one that is refused."""
    try:
        plain = unquote(path, errors="strict")
    except UnicodeDecodeError:
        return None
    if not plain.startswith("/") or any(character in plain for character in "\0\\"):
        return None
    steps = plain[1:].split("/")
    if not steps[-1]:
        steps[-1] = INDEX
    return None if any(not step or step.startswith(".") or len(os.fsencode(step)) > 255 for step in steps) else steps


def open_inside(folder: Path, steps: Sequence[str]) -> BinaryIO | None:
    """A file of a folder; None where there is none that can be read, or a link on the way.

    Where the folder was replaced meanwhile, the one that stands there now is asked.
    """
    end = monotonic() + MOMENT
    while True:
        asked = _identity(folder)
        with suppress(OSError):
            return _open(folder, steps)
        if asked == _identity(folder) and (asked is not None or monotonic() > end):
            return None
        sleep(0.002)


def _open(folder: Path, steps: Sequence[str]) -> BinaryIO | None:
    here = os.open(folder, _FOLDER)
    try:
        for step in steps[:-1]:
            below = os.open(step, _FOLDER | os.O_NOFOLLOW, dir_fd=here)
            os.close(here)
            here = below
        found = os.open(steps[-1], _FILE, dir_fd=here)
    finally:
        os.close(here)
    if stat.S_ISREG(os.fstat(found).st_mode):
        return os.fdopen(found, "rb")
    os.close(found)
    return None


QUIET, AT_MOST = 10, 400
"""Milliseconds without another change that end a burst, and that one takes at most."""

TICK = 300
"""Milliseconds after which it is looked whether the folders are still there."""

_IGNORED = re.compile(
    r"""^\.            # hidden: .#name of Emacs, .name.swp of Vim, .goutputstream, .git, our own .refgen-build
    | ~$               # backups
    | ^\#.*\#$         # what Emacs saves by itself
    | \.sw[a-z]$
    | ^4913$           # Vim's trial
    | \.(?:tmp|temp|bak|orig|rej|part|crdownload)$
    | ___jb_\w+___$    # JetBrains
    | ^__pycache__$ | ^node_modules$""",
    re.VERBOSE,
)


def is_ignored(name: str) -> bool:
    """Whether a file or folder of this name is an editor's own affair."""
    return bool(_IGNORED.search(name))


@dataclass(frozen=True, slots=True)
class Watched:
    """``folders`` are watched with all below them but what is ``hidden``, ``files`` each for itself."""

    folders: frozenset[Path]
    files: frozenset[Path]
    hidden: frozenset[Path] = frozenset()

    def shows(self, path: Path) -> bool:
        """Whether a change of a path matters."""
        if path in self.files:
            return True
        root = next((folder for folder in self.folders if path.is_relative_to(folder)), None)
        if root is None or any(path.is_relative_to(hidden) for hidden in self.hidden):
            return False
        return not any(map(is_ignored, path.relative_to(root).parts))

    @property
    def beside(self) -> frozenset[Path]:
        """The folders of the single files: a file that is replaced is seen in its folder alone."""
        return frozenset(path.parent for path in self.files)


@dataclass(frozen=True, slots=True)
class Touched:
    """Paths that may have changed; None: any."""

    paths: frozenset[Path] | None


@dataclass(frozen=True, slots=True)
class Gone:
    """A watched folder is not there any more."""

    folder: Path


@dataclass(frozen=True, slots=True)
class Back:
    """A watched folder is there again."""

    folder: Path


@dataclass(frozen=True, slots=True)
class CannotWatch:
    """Nothing is watched any more."""

    error: ServeError


Happening = Touched | Gone | Back | CannotWatch


class Watcher:
    """Watches, in threads of its own; ``tell`` is called there."""

    def __init__(self, tell: Callable[[Happening], object]) -> None:
        self._tell = tell
        self._watched: Watched | None = None
        self._threads: list[threading.Thread] = []
        self._stop = threading.Event()

    def watch(self, watched: Watched) -> None:
        """Watch this from now on, and nothing else. The first thing told is that anything may have changed."""
        if watched == self._watched:
            return
        self.close()
        self._watched, self._stop = watched, threading.Event()
        for folders, recursive in ((watched.folders, True), (watched.beside, False)):
            eye = _Eye(watched, folders, recursive, self._tell, self._stop)
            thread = threading.Thread(target=eye.look, daemon=True, name="watcher")
            self._threads.append(thread)
            thread.start()

    def close(self) -> None:
        """Watch no more."""
        self._stop.set()
        for thread in self._threads:
            thread.join(1)
        self._threads.clear()


@dataclass
class _Eye:
    """Looks at some folders, each with what is below it or without."""

    watched: Watched
    folders: Iterable[Path]
    recursive: bool
    tell: Callable[[Happening], object]
    stop: threading.Event

    def look(self) -> None:
        """Look until it is stopped. Folders that are replaced are watched anew."""
        missing: set[Path] = set()
        while not self.stop.is_set():
            there = {folder: _identity(folder) for folder in self.folders}
            gone = {folder for folder, identity in there.items() if identity is None}
            for folder in sorted(gone - missing):
                self.tell(Gone(folder))
            for folder in sorted(missing - gone):
                self.tell(Back(folder))
            missing = gone
            found = {folder: identity for folder, identity in there.items() if identity is not None}
            if not found:
                self.stop.wait(TICK / 1000)
                continue
            try:
                self._look(found, missing)
            except OSError as error:
                if all(_identity(folder) == identity for folder, identity in found.items()):
                    self.tell(CannotWatch(_cannot_watch(error)))
                    return

    def _look(self, there: dict[Path, Any], missing: set[Path]) -> None:
        """Look at folders until one is another than it was."""
        first = True
        for paths in self._changes(there):
            changed = frozenset(path for path in paths if self.watched.shows(path))
            if first:  # what changed before this point was not seen
                self.tell(Touched(None))
                first = False
            elif changed:
                self.tell(Touched(changed))
            if any(_identity(folder) != there.get(folder) for folder in {*there, *missing}):
                return

    def _changes(self, there: Iterable[Path]) -> Iterable[set[Path]]:
        from watchfiles import watch

        found = watch(
            *there,
            watch_filter=None,
            debounce=AT_MOST,
            step=QUIET,
            stop_event=self.stop,
            rust_timeout=TICK,
            yield_on_timeout=True,
            raise_interrupt=False,
            recursive=self.recursive,
            ignore_permission_denied=True,
        )
        for changes in found:
            yield {Path(path) for _, path in changes}


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        found = folder.stat()
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if S_ISDIR(found.st_mode) else None


def _cannot_watch(error: OSError) -> ServeError:
    hint = "With WATCHFILES_FORCE_POLLING=1 files are looked at again and again instead."
    return ServeError(f"cannot watch: {error}", hint=hint)
