"""The public address of a site: what other sites and search engines are told.

In: the address of the site, and where old addresses of it lead. Out: canonical URLs, a sitemap, and what moved.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from urllib.parse import quote, urlsplit

from refgen.errors import RulesError
from refgen.source import SourceFile
from refgen.span import Span

SITEMAP = "sitemap.xml"
ROBOTS = "robots.txt"

_BASE_URL = re.compile(r"https?://[^\s/?#\"'<>\\]+(?:/[^\s?#\"'<>\\]*)?")


def checked_base_url(url: str) -> str:
    """The address of a site, with "/" at its end; "" stays. Raises ValueError for what is none."""
    if url and not _BASE_URL.fullmatch(url):
        raise ValueError(f'"{url}" is not the address of a site: https://example.org/rules/')
    return url and f"{url.rstrip('/')}/"


@dataclass(frozen=True, slots=True)
class SiteAddress:
    """Where a site is published.

    ``base_url`` ends with "/", or is "" for a site that may stand anywhere. ``redirects`` lead from old addresses to
    those of now: both are paths in the output, which may end with an anchor. ``source`` is the file that says so.
    """

    base_url: str = ""
    redirects: Mapping[str, str] = field(default_factory=dict)
    source: SourceFile | None = field(default=None, repr=False, compare=False)

    def at(self, base_url: str | None) -> SiteAddress:
        """The same, at another address if one is given. Raises RulesError for what is none."""
        try:
            return self if base_url is None else replace(self, base_url=checked_base_url(base_url))
        except ValueError as error:
            raise RulesError(str(error)) from error

    def place_of(self, redirect: str) -> Span | None:
        """Where an old address is written."""
        found = re.search(rf"[\"']{re.escape(redirect)}[\"']", self.source.text) if self.source else None
        return self.source.span(*found.span()) if self.source and found else None

    def url(self, path: str) -> str:
        """The address of a page, in which a folder stands for its first page; "" where it is not known."""
        page, hash_mark, anchor = path.partition("#")
        shown = quote(re.sub(r"(^|/)index\.html$", r"\1", page), safe="/") + hash_mark + anchor
        return f"{self.base_url}{shown}" if self.base_url else ""

    @property
    def pages(self) -> Mapping[str, str]:
        """The pages that are gone, and where each leads."""
        return {old: new for old, new in self.redirects.items() if "#" not in old}

    def moved_on(self, page: str) -> Mapping[str, Sequence[str]]:
        """The old anchors of the sections of a page, by those that the sections have now."""
        found: dict[str, list[str]] = {}
        for old, new in self.redirects.items():
            old_page, _, old_anchor = old.partition("#")
            new_page, _, anchor = new.partition("#")
            if old_anchor and old_page == new_page == page:
                found.setdefault(anchor, []).append(old_anchor)
        return found


def published_files(published: SiteAddress, pages: Iterable[str]) -> Mapping[str, bytes]:
    """Files for search engines: a sitemap of the ``pages``, and robots.txt for a site that has its host for itself.

    Nothing where the address is not known.
    """
    if not published.base_url:
        return {}
    urls = "".join(f"<url><loc>{escape(published.url(page), quote=False)}</loc></url>\n" for page in sorted(pages))
    listed = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{urls}</urlset>\n'
    files = {SITEMAP: f'<?xml version="1.0" encoding="UTF-8"?>\n{listed}'.encode()}
    if urlsplit(published.base_url).path == "/":
        files[ROBOTS] = f"User-agent: *\nAllow: /\n\nSitemap: {published.base_url}{SITEMAP}\n".encode()
    return files
