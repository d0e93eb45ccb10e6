"""Addresses: the path of each page in the output, and the public address of a site.

In: ids of games and tables; the address of the site, and where its old addresses lead. Out: paths with "/", made of ids
alone, so that a changed title moves no page; canonical URLs, a sitemap, and what became of old addresses.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from html import escape
from urllib.parse import quote, urlsplit

from refgen.errors import RulesError
from refgen.source import SourceFile
from refgen.span import Span

_IN_ANCHORS = "!$&'()*+,-./:;=?@_~"
"""Characters that the fragment of a URL may hold unquoted, besides letters and digits."""

HOME = "index.html"
COMPARISON = "compare.html"
DICE = "dice.html"


class SitePart(StrEnum):
    """The parts of a game's site, in the order of its navigation; the value is the id of the title for readers."""

    OVERVIEW = "site-overview"
    RULES = "site-rules"
    TABLES = "site-tables"
    ODDS = "site-odds"
    EXPLORE = "site-explore"
    CHARACTERS = "site-characters"
    GLOSSARY = "site-glossary"
    CHECKS = "site-checks"


def part_page(game: str, part: SitePart) -> str:
    """The first page of a part of a game's site."""
    return f"{game}/{'index' if part is SitePart.OVERVIEW else part.name.lower()}.html"


def document(game: str, name: str) -> str:
    """The page of one rule document of a game that has several; ``name`` is the document's name in addresses."""
    return f"{game}/rules/{name}.html"


def table(game: str, table_id: str, suffix: str = "html") -> str:
    """The page of a table, or with another suffix a download of the table."""
    return f"{game}/tables/{table_id}.{suffix}"


def character(game: str, file: str) -> str:
    """The file of a ready character."""
    return f"{game}/characters/{file}"


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


SITEMAP = "sitemap.xml"
ROBOTS = "robots.txt"

_BASE_URL = re.compile(r"https?://[^\s/?#\"'<>\\]+(?:/[^\s?#\"'<>\\]*)?")


def checked_base_url(url: str) -> str:
    """The address of a site, with "/" at its end; "" stays "". Raises ValueError for a text that is no address."""
    if url and not _BASE_URL.fullmatch(url):
        raise ValueError(f'"{url}" is not the address of a site: https://example.org/rules/')
    return url and f"{url.rstrip('/')}/"


@dataclass(frozen=True, slots=True)
class SiteAddress:
    """The public address of a site, and the redirects from its old addresses.

    ``base_url`` ends with "/", or is "" for a site that may stand anywhere. ``redirects`` lead from old to present
    paths in the output, which may end with an anchor. ``source`` is the file that says so.
    """

    base_url: str = ""
    redirects: Mapping[str, str] = field(default_factory=dict)
    source: SourceFile | None = field(default=None, repr=False, compare=False)

    def at(self, base_url: str | None) -> SiteAddress:
        """The site at another address, if one is given. Raises RulesError for a text that is no address."""
        try:
            return self if base_url is None else replace(self, base_url=checked_base_url(base_url))
        except ValueError as error:
            raise RulesError(str(error)) from error

    def place_of(self, redirect: str) -> Span | None:
        """Where an old address is written."""
        found = re.search(rf"[\"']{re.escape(redirect)}[\"']", self.source.text) if self.source else None
        return self.source.span(*found.span()) if self.source and found else None

    def url(self, path: str) -> str:
        """The URL of a page ("/" at the end for the first page of a folder); "" for a site without a public address."""
        page, hash_mark, anchor = path.partition("#")
        shown = quote(re.sub(r"(^|/)index\.html$", r"\1", page), safe="/") + hash_mark + anchor
        return f"{self.base_url}{shown}" if self.base_url else ""

    @property
    def pages(self) -> Mapping[str, str]:
        """The redirects of whole pages: the old path of each, and the present one."""
        return {old: new for old, new in self.redirects.items() if "#" not in old}

    def moved_on(self, page: str) -> Mapping[str, Sequence[str]]:
        """The old anchors of the sections of a page, by the present anchor of each section."""
        found: dict[str, list[str]] = {}
        for old, new in self.redirects.items():
            old_page, _, old_anchor = old.partition("#")
            new_page, _, anchor = new.partition("#")
            if old_anchor and old_page == new_page == page:
                found.setdefault(anchor, []).append(old_anchor)
        return found


def published_files(published: SiteAddress, pages: Iterable[str]) -> Mapping[str, bytes]:
    """Files for search engines: a sitemap of the ``pages``, and robots.txt for a site that has its host for itself.

    No files for a site without a public address.
    """
    if not published.base_url:
        return {}
    urls = "".join(f"<url><loc>{escape(published.url(page), quote=False)}</loc></url>\n" for page in sorted(pages))
    listed = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{urls}</urlset>\n'
    files = {SITEMAP: f'<?xml version="1.0" encoding="UTF-8"?>\n{listed}'.encode()}
    if urlsplit(published.base_url).path == "/":
        files[ROBOTS] = f"User-agent: *\nAllow: /\n\nSitemap: {published.base_url}{SITEMAP}\n".encode()
    return files
