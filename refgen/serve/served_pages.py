"""The pages of the server: the output of the last build, and over it the files that the running build has made.

In: such drafts, errors, and the end of each build. Out: files by path, and each page with its version, which changes
with the text, the style and the pictures of the page.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from threading import Condition
from time import monotonic, sleep
from typing import Any, BinaryIO
from urllib.parse import unquote

from refgen.errors import PublishError, RefgenError
from refgen.limits import limits
from refgen.pipeline.output_files import read_manifest
from refgen.serve.watch import folder_identity

ASSETS = "assets"
"""The folder of the style sheets and fonts that all pages share."""

NOT_SHOWN = (".html", ".pdf", ".json", ".csv", ".md")
"""The suffixes of files that a page does not show but only links to."""


INDEX = "index.html"

REPLACED_SECONDS = 0.25
"""Seconds within which a folder is there again that a build replaces by its new output."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


_MAIN, _BODY = (re.compile(rb"<%b\b.*</%b>" % (name, name), re.DOTALL) for name in (b"main", b"body"))

MODULE, SCRIPT = b'type="module"', b"<script"
"""How scripts begin in a page: a module works on the main part of its page, any other script on the parts around it."""


@dataclass(frozen=True, slots=True)
class ServedPage:
    """The HTML of a page, with a digest as its version, and another for its ``frame``.

    The frame is the HTML around the main part, or around the body where the page has no script. While the frame is the
    same, a browser need only replace the part inside; with the frame "", it loads the whole page again.
    """

    text: bytes
    version: str = ""
    frame: str = ""


@dataclass(frozen=True, slots=True)
class ServedState:
    """The ``drafts`` by path, the digests of the files of the last build by path, and the errors of the project."""

    drafts: Mapping[str, bytes] = field(default_factory=dict)
    built: Mapping[str, str] = field(default_factory=dict)
    errors: Sequence[RefgenError] = ()


@dataclass
class ServedPages:
    """The pages of an output folder. Any number of threads may ask at once."""

    output: Path
    state: ServedState = field(default_factory=ServedState)
    changes: Condition = field(default_factory=Condition, repr=False)
    _readers: dict[int, str] = field(default_factory=dict, repr=False)
    _last_reader: int = 0

    def __post_init__(self) -> None:
        self.published()

    def draft(self, pages: Mapping[str, bytes]) -> None:
        """Show files that are newer than the last build."""
        self._set(replace(self.state, drafts={**self.state.drafts, **pages}))

    def tell(self, errors: Sequence[RefgenError]) -> None:
        """Show these errors in place of all earlier errors."""
        self._set(replace(self.state, errors=tuple(errors)))

    def published(self, made: Collection[str] = ()) -> None:
        """Take note of a new build; drafts of the files that the build ``made`` are dropped."""
        try:
            built = {each.path: each.sha256 for each in read_manifest(self.output)}
        except (PublishError, OSError):
            built = {}
        self._set(replace(self.state, built=built, drafts=self._drafts_without(made)))

    def forget_all_but(self, names: Collection[str]) -> None:
        """Drop the drafts of all other games and screens; drafts of the whole site stay."""
        shared = {ASSETS, *names}
        gone = [path for path in self.state.drafts if "/" in path and path.partition("/")[0] not in shared]
        if gone:
            self._set(replace(self.state, drafts=self._drafts_without(gone)))

    def _drafts_without(self, paths: Collection[str]) -> Mapping[str, bytes]:
        without = frozenset(paths)
        return {path: page for path, page in self.state.drafts.items() if path not in without}

    def _set(self, state: ServedState) -> None:
        with self.changes:
            self.state = state
            self.changes.notify_all()

    def read(self, steps: Sequence[str]) -> bytes | BinaryIO | None:
        """The draft of a path, or else the open file of the output; None where neither exists."""
        draft = self.state.drafts.get("/".join(steps))
        return draft if draft is not None else open_inside(self.output, steps)

    def page(self, steps: Sequence[str]) -> ServedPage | None:
        """The page at a path; None where no file is."""
        state, found = self.state, self.read(steps)
        if found is None:
            return None
        if not isinstance(found, bytes):
            with found:
                found = found.read()
        return _page(state, "/".join(steps), found)

    @contextmanager
    def reader_of(self, path: str) -> Iterator[int]:
        """The number of a new reader of a page, until the block ends. Where too many read, the oldest gives way."""
        with self.changes:
            self._last_reader += 1
            reader = self._last_reader
            self._readers[reader] = path
            for oldest in [*self._readers][: -limits().change_streams]:
                del self._readers[oldest]
            self.changes.notify_all()
        try:
            yield reader
        finally:
            with self.changes:
                self._readers.pop(reader, None)

    def has_reader(self, reader: int) -> bool:
        """Whether a reader has not given way to another."""
        with self.changes:
            return reader in self._readers

    @property
    def open_paths(self) -> frozenset[str]:
        """The paths of the pages that readers have open."""
        with self.changes:
            return frozenset(self._readers.values())


def _page(state: ServedState, path: str, text: bytes) -> ServedPage:
    """A page with its versions: digests of its HTML and of the shown files (styles, pictures) that the HTML names."""
    game = path.partition("/")[0]
    shown = sha256()
    for name in sorted({*state.built, *state.drafts}):
        near = name.partition("/")[0] in (ASSETS, game)
        if near and not name.endswith(NOT_SHOWN) and os.fsencode(name.rpartition("/")[2]) in text:
            draft = state.drafts.get(name)
            digest = state.built[name] if draft is None else sha256(draft).hexdigest()
            shown.update(f"{name} {digest}\n".encode())
    part = _MAIN if SCRIPT in text else _BODY
    frame = "" if MODULE in text else _digest(shown, part.sub(b"", text))
    return ServedPage(text, _digest(shown, text), frame)


def _digest(shown: Any, text: bytes) -> str:
    total = shown.copy()
    total.update(text)
    return str(total.hexdigest()[:32])


def steps_of(path: str) -> Sequence[str] | None:
    """The names of the folders and of the file in the path of a URL; None for a path that is refused."""
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
    """An open file of a folder; None where the file cannot be read, or a link stands on the way.

    Where another folder has taken the place of the folder meanwhile, the file is looked for again.
    """
    end = monotonic() + REPLACED_SECONDS
    while True:
        asked = folder_identity(folder)
        with suppress(OSError):
            return _open(folder, steps)
        if asked == folder_identity(folder) and (asked is not None or monotonic() > end):
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
