"""Watch files for changes, in whatever way editors save them.

In: folders, which are watched with all files below, and single files. Out: events for the owner of a Watcher: paths
that may have changed, as soon as no other change follows for a moment; and folders that go. A folder that comes back
is watched again.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISDIR
from typing import Any

from refgen.errors import ServeError

QUIET, AT_MOST = 10, 400
"""Milliseconds without a change that end a burst of changes, and milliseconds after which a burst ends anyway."""

TICK = 300
"""Milliseconds between two looks whether the folders still exist."""

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
    """Whether a file or folder of this name is hidden, or a temporary file of an editor."""
    return bool(_IGNORED.search(name))


@dataclass(frozen=True, slots=True)
class WatchedPaths:
    """Folders, watched with all files below but the ``hidden`` paths, and single files."""

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
        """The folders of the single files: only the folder of a file shows that another file took its place."""
        return frozenset(path.parent for path in self.files)


@dataclass(frozen=True, slots=True)
class PathsTouched:
    """Paths that may have changed; None: all paths may have."""

    paths: frozenset[Path] | None


@dataclass(frozen=True, slots=True)
class FolderGone:
    """A watched folder does not exist any more."""

    folder: Path


@dataclass(frozen=True, slots=True)
class WatchFailed:
    """An error ended the watching."""

    error: ServeError


WatchEvent = PathsTouched | FolderGone | WatchFailed


class Watcher:
    """Watches paths in threads of its own, in which ``tell`` is called with each event."""

    def __init__(self, tell: Callable[[WatchEvent], object]) -> None:
        self._tell = tell
        self._watched: WatchedPaths | None = None
        self._threads: list[threading.Thread] = []
        self._stop = threading.Event()

    def watch(self, watched: WatchedPaths) -> None:
        """Watch these paths alone from now on. The first event says that all may have changed."""
        if watched == self._watched:
            return
        self.close()
        self._watched, self._stop = watched, threading.Event()
        for folders, recursive in ((watched.folders, True), (watched.beside, False)):
            folder_watch = _FolderWatch(watched, folders, recursive, self._tell, self._stop)
            thread = threading.Thread(target=folder_watch.run, daemon=True, name="watcher")
            self._threads.append(thread)
            thread.start()

    def close(self) -> None:
        """Watch no more."""
        self._stop.set()
        for thread in self._threads:
            thread.join(1)
        self._threads.clear()


@dataclass
class _FolderWatch:
    """The watch of some folders; a ``recursive`` watch includes all folders below."""

    watched: WatchedPaths
    folders: Iterable[Path]
    recursive: bool
    tell: Callable[[WatchEvent], object]
    stop: threading.Event

    def run(self) -> None:
        """Watch until ``stop`` is set. A folder that another folder replaces is watched again."""
        missing: set[Path] = set()
        while not self.stop.is_set():
            there = {folder: folder_identity(folder) for folder in self.folders}
            gone = {folder for folder, identity in there.items() if identity is None}
            for folder in sorted(gone - missing):
                self.tell(FolderGone(folder))
            missing = gone
            found = {folder: identity for folder, identity in there.items() if identity is not None}
            if not found:
                self.stop.wait(TICK / 1000)
                continue
            try:
                self._watch_until_replaced(found, missing)
            except OSError as error:
                if all(folder_identity(folder) == identity for folder, identity in found.items()):
                    self.tell(WatchFailed(_cannot_watch(error)))
                    return

    def _watch_until_replaced(self, there: dict[Path, Any], missing: set[Path]) -> None:
        """Watch folders until another folder stands in the place of one of them, or a missing folder exists."""
        first = True
        for paths in self._changes(there):
            changed = frozenset(path for path in paths if self.watched.shows(path))
            if first:  # changes before this moment were not seen
                self.tell(PathsTouched(None))
                first = False
            elif changed:
                self.tell(PathsTouched(changed))
            if any(folder_identity(folder) != there.get(folder) for folder in {*there, *missing}):
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


def folder_identity(folder: Path) -> tuple[int, int] | None:
    """The device and the inode of a folder; None where there is none."""
    try:
        found = folder.stat()
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if S_ISDIR(found.st_mode) else None


def _cannot_watch(error: OSError) -> ServeError:
    hint = "With WATCHFILES_FORCE_POLLING=1 files are looked at again and again instead."
    return ServeError(f"cannot watch: {error}", hint=hint)
