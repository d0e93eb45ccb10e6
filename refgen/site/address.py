"""Where each page of the site stands, as a path in the output.

In: ids of games and tables. Out: paths with "/". They are made of ids alone, so that a changed title moves no page.
"""

from __future__ import annotations

import posixpath
from functools import lru_cache
from urllib.parse import quote

_IN_ANCHORS = "!$&'()*+,-./:;=?@_~"
"""What stands in the fragment of a URL as it is, besides letters and digits."""

HOME = "index.html"
COMPARISON = "compare.html"
DICE = "dice.html"


def overview(game: str) -> str:
    """The first page of a game."""
    return f"{game}/index.html"


def rules(game: str, document: str = "") -> str:
    """The rules of a game, or one of its documents where it has several; ``document`` names it in the address."""
    return f"{game}/rules/{document}.html" if document else f"{game}/rules.html"


def tables(game: str) -> str:
    """The list of a game's tables."""
    return f"{game}/tables.html"


def table(game: str, table_id: str, suffix: str = "html") -> str:
    """The page of a table, or with another suffix a download of it."""
    return f"{game}/tables/{table_id}.{suffix}"


def odds(game: str) -> str:
    """The odds of a game, to be asked."""
    return f"{game}/odds.html"


def explorers(game: str) -> str:
    """The explorers of a game, to be asked."""
    return f"{game}/explore.html"


def characters(game: str) -> str:
    """The sheet and the ready characters of a game."""
    return f"{game}/characters.html"


def character(game: str, file: str) -> str:
    """The file of a ready character."""
    return f"{game}/characters/{file}"


def checks(game: str) -> str:
    """The address of a game's page of checks."""
    return f"{game}/checks.html"


def glossary(game: str) -> str:
    """The ladders, rolls and facts of a game."""
    return f"{game}/glossary.html"


def link(page: str, target: str) -> str:
    """The link from a page to a path of the output, which may end with an anchor: "../tables.html#odds".

    An address elsewhere stays as it is.
    """
    if "://" in target or target.startswith("mailto:"):
        return target
    path, hash_mark, anchor = target.partition("#")
    anchor = quote(anchor, safe=_IN_ANCHORS)
    if path == page and anchor:
        return hash_mark + anchor
    return _way(posixpath.dirname(page), path) + hash_mark + anchor


@lru_cache(maxsize=10_000)
def _way(folder: str, path: str) -> str:
    return quote(posixpath.relpath(path, folder or "."), safe="/:")


def to_root(page: str) -> str:
    """The relative path from a page to the folder of the whole output: "", "../" or "../../"."""
    return "../" * page.count("/")
