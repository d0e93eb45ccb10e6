"""What the server answers with: the output of the last build, and over it the pages that were drafted since.

In: drafts, errors, and word of each build. Out: files by path, each page with its version. A page has another version
as soon as it shows anything else, in its text, its style or its pictures.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from threading import Condition
from typing import Any, BinaryIO

from refgen.errors import PublishError, RefgenError
from refgen.pipeline.output_files import read_manifest
from refgen.serve.watch import open_inside

ASSETS = "assets"
"""The folder of the style sheets and fonts that all pages share."""

NOT_SHOWN = (".html", ".pdf", ".json", ".csv", ".md")
"""What pages only link to."""


_MAIN, _BODY = (re.compile(rb"<%b\b.*</%b>" % (name, name), re.DOTALL) for name in (b"main", b"body"))

MODULE, SCRIPT = b'type="module"', b"<script"
"""Modules take hold of what they find in the main part of their page, other scripts of what is around it."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its HTML, its ``version``, and that of its ``frame``.

    The frame is all but the main part, or but the body of a page without scripts. One of another version whose frame is
    the same needs only that part anew; where the frame is "", all.
    """

    text: bytes
    version: str = ""
    frame: str = ""


@dataclass(frozen=True, slots=True)
class State:
    """``drafts`` are pages by path, ``built`` the digests of the files of the last build, ``errors`` what is wrong."""

    drafts: Mapping[str, bytes] = field(default_factory=dict)
    built: Mapping[str, str] = field(default_factory=dict)
    errors: Sequence[RefgenError] = ()


@dataclass
class Pages:
    """The pages of an output folder. Any number of threads may ask at once."""

    output: Path
    state: State = field(default_factory=State)
    changes: Condition = field(default_factory=Condition, repr=False)
    _open: dict[int, str] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.published()

    def draft(self, pages: Mapping[str, bytes]) -> None:
        """Show pages that are newer than the last build."""
        self._set(replace(self.state, drafts={**self.state.drafts, **pages}))

    def tell(self, errors: Sequence[RefgenError]) -> None:
        """Show what is wrong now."""
        self._set(replace(self.state, errors=tuple(errors)))

    def published(self, made: Collection[str] = ()) -> None:
        """There is a new build. The files that it ``made`` are newer than their drafts."""
        try:
            built = {each.path: each.sha256 for each in read_manifest(self.output)}
        except (PublishError, OSError):
            built = {}
        self._set(replace(self.state, built=built, drafts=self._without(made)))

    def forget_all_but(self, names: Collection[str]) -> None:
        """Show only drafts of these games and screens, and of the whole site."""
        shared = {ASSETS, *names}
        gone = [path for path in self.state.drafts if "/" in path and path.partition("/")[0] not in shared]
        if gone:
            self._set(replace(self.state, drafts=self._without(gone)))

    def _without(self, paths: Collection[str]) -> Mapping[str, bytes]:
        without = frozenset(paths)
        return {path: page for path, page in self.state.drafts.items() if path not in without}

    def _set(self, state: State) -> None:
        with self.changes:
            self.state = state
            self.changes.notify_all()

    def read(self, steps: Sequence[str]) -> bytes | BinaryIO | None:
        """A draft, or an open file of the output; None where there is neither."""
        draft = self.state.drafts.get("/".join(steps))
        return draft if draft is not None else open_inside(self.output, steps)

    def page(self, steps: Sequence[str]) -> Page | None:
        """A whole page; None where there is none."""
        state, found = self.state, self.read(steps)
        if found is None:
            return None
        if not isinstance(found, bytes):
            with found:
                found = found.read()
        return _page(state, "/".join(steps), found)

    def note_open(self, reader: int, path: str | None) -> None:
        """Remember which page a reader has open; None for none any more."""
        with self.changes:
            self._open.pop(reader, None)
            if path is not None:
                self._open[reader] = path
            self.changes.notify_all()  # another may have to give way

    @property
    def open_paths(self) -> frozenset[str]:
        """The paths of the pages that readers have open."""
        with self.changes:
            return frozenset(self._open.values())


def _page(state: State, path: str, text: bytes) -> Page:
    """A page; its versions are digests, with all files of the build that it names, but those that it only links to."""
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
    return Page(text, _digest(shown, text), frame)


def _digest(shown: Any, text: bytes) -> str:
    total = shown.copy()
    total.update(text)
    return str(total.hexdigest()[:32])
