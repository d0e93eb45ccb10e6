"""The index that a site is searched with: Pagefind's, of the words of all pages.

In: IndexedPages. Out: files by path, of which a browser loads the few that a search needs. They are kept, and made
again when a page says something else. Without Pagefind the site is still searched, in all its words at once.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from refgen.pipeline.cache.packed import packed, unpacked
from refgen.pipeline.cache.steps import step_key
from refgen.pipeline.cache.store import Store
from refgen.pipeline.cache.surroundings import digest
from refgen.pipeline.search_order import in_order
from refgen.render.site.html import indexed_html
from refgen.site.search import FOLDER, PAGES, IndexedPage, pages_script

SECONDS = 300
"""What Pagefind may take: a thousand pages take it two."""

NOT_LOADED = ("pagefind-ui.", "pagefind-modular-ui.", "pagefind-component-ui.", "pagefind-highlight.", "wasm.unknown.")
"""What the files begin with that no page of ours loads: other boxes, and words of no known language."""


@dataclass(frozen=True, slots=True)
class SearchFiles:
    """The files that a site is searched with, by path; ``fault`` says why there is no index."""

    files: Mapping[str, bytes]
    fault: str = ""


def search_files(pages: Sequence[IndexedPage], store: Store | None) -> SearchFiles:
    """The index of some pages, and their words as a script."""
    words = {PAGES: pages_script(pages)}
    key = step_key(digest(["search 2", words[PAGES]])) if store else ""
    entry = store.get(key) if store else None
    if entry is not None:
        _, (known,) = unpacked(entry)
        return SearchFiles(words | known)
    try:
        index = _index(pages)
    except (ImportError, OSError, subprocess.SubprocessError) as error:
        return SearchFiles(words, f"the site is searched without Pagefind: {_reason(error)}")
    if store:
        store.put(key, packed("", index))
    return SearchFiles(words | index)


def _index(pages: Sequence[IndexedPage]) -> dict[str, bytes]:
    with TemporaryDirectory(prefix="refgen-search-") as name:
        folder, output = Path(name) / "pages", Path(name) / "index"
        folder.mkdir()
        for page in pages:
            path = folder / page["path"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(indexed_html(page).encode())
        _run_pagefind(folder, output)
        made = (path for path in sorted(output.rglob("*")) if path.is_file())
        files = {
            path.relative_to(output).as_posix(): path.read_bytes()
            for path in made
            if not path.name.startswith(NOT_LOADED)
        }
        return {f"{FOLDER}/{path}": data for path, data in in_order(files).items()}


def _run_pagefind(pages: Path, output: Path) -> None:
    """Run Pagefind where no settings but these reach it: it reads such of the folder and of the environment."""
    from pagefind_bin import get_executable

    command = [
        str(get_executable()),
        "--site",
        str(pages),
        "--output-path",
        str(output),
        "--keep-index-url",
        "--silent",
    ]
    settings = {name: value for name, value in os.environ.items() if not name.startswith("PAGEFIND_")}
    subprocess.run(  # noqa: S603  # the program is pagefind_bin's, its arguments are ours
        command,
        cwd=pages.parent,
        env=settings,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=SECONDS,
        check=True,
    )


def _reason(error: Exception) -> str:
    """Why there is no index, in a line."""
    match error:
        case ImportError():
            return "the package pagefind_bin is not installed"
        case subprocess.TimeoutExpired():
            return f"it took longer than {SECONDS} seconds"
        case subprocess.CalledProcessError():
            said = b" ".join((error.stderr + error.stdout).split())[:200].decode("utf-8", "replace")
            return said or f"it stopped with {error.returncode}"
        case _:
            return str(error)
