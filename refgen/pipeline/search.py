"""The index that a site is searched with: Pagefind's, of the words of all pages.

In: IndexedPages, game by game. Out: files by path, of which a browser loads the few that a search needs. Without
Pagefind the site is still searched, in all its words at once.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from operator import itemgetter

from refgen.pipeline.pagefind import SECONDS, in_order, index_of
from refgen.site.html import indexed_html
from refgen.site.search import FOLDER, PAGES, IndexedPage, pages_script

NOT_LOADED = ("pagefind-ui.", "pagefind-modular-ui.", "pagefind-component-ui.", "pagefind-highlight.", "wasm.unknown.")
"""What the files begin with that no page of ours loads: other boxes, and words of no known language."""


Groups = Mapping[str, Callable[[], Iterable[IndexedPage]]]
"""What reads some pages, by what their paths begin with, and no others do: all at once they fill the memory."""


@dataclass(frozen=True, slots=True)
class SearchFiles:
    """The files that a site is searched with, by path; ``fault`` says why there is no index."""

    files: Mapping[str, bytes]
    fault: str = ""


def search_files(groups: Groups) -> SearchFiles:
    """The index of some pages, and their words as a script."""
    words = {PAGES: pages_script(page for read in groups.values() for page in read())}
    try:
        index = _index(groups)
    except (ImportError, OSError, subprocess.SubprocessError) as error:
        return SearchFiles(words, f"the site is searched without Pagefind: {_reason(error)}")
    return SearchFiles(words | index)


def _index(groups: Groups) -> dict[str, bytes]:
    in_turn = (page for _, read in sorted(groups.items()) for page in sorted(read(), key=itemgetter("path")))
    made = index_of((page["path"], indexed_html(page)) for page in in_turn)
    files = {path: data for path, data in made.items() if not path.startswith(NOT_LOADED)}
    return {f"{FOLDER}/{path}": data for path, data in in_order(files).items()}


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
