"""Pages of the site as HTML, and the files that make the site installable and readable without a network.

In: a page, the paths of the build. Out: the HTML of the page, in which every link is relative, so that the site works
in any folder; a web app manifest, and the service worker, a script that keeps pages.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import Any

from refgen.files import bundled_folder
from refgen.layout.templates import environment, page_of
from refgen.look.look import USUAL, Look
from refgen.site import address, search
from refgen.site.address import SiteAddress
from refgen.site.search import IndexedPage
from refgen.words import ENGLISH, Words

TEXTS_OF_SCRIPTS: Mapping[str, Sequence[str]] = {
    "dice": ("answer-", "dice-", "formula-"),
    "explorers": ("answer-", "explore-"),
    "odds": ("answer-", "odds-", "formula-"),
}
"""How the ids of the texts begin that the scripts of a page show, by its template; all pages can be searched."""


def page_html(page: Any, published: SiteAddress | None = None, look: Look = USUAL) -> str:
    """The HTML of a page, by the template that its kind names, for a site that is ``published`` somewhere.

    A page of a game has the look of the game, any other page this ``look``. Raises RenderError.
    """
    published = published or SiteAddress()
    path = page.head.path
    look = page.head.game.look if page.head.game else look
    values = {
        "page": page,
        "head": page.head,
        "look": look,
        "words": page.head.words,
        "script_words": page.head.words.for_scripts("search-", "theme-", *TEXTS_OF_SCRIPTS.get(page.template, ())),
        "to": partial(address.link, path),
        "root": address.to_root(path),
        "home": address.HOME,
        "comparison": address.COMPARISON,
        "dice": address.DICE,
        "manifest": MANIFEST,
        "canonical": published.url(path),
        "moved": published.moved_on(path),
    }
    return page_of(f"site/{page.template}.html", "site", look, values)


def redirect_html(old: str, new: str, published: SiteAddress, words: Words = ENGLISH) -> str:
    """The page at an old address, which sends readers on to the new address."""
    template = environment().get_template("site/redirect.html")
    return template.render(target=address.link(old, new), canonical=published.url(new), words=words)


def search_html(page: IndexedPage, words: Words = ENGLISH) -> str:
    """The words of a page as HTML, from which Pagefind makes the index of a site with some words."""
    return environment().get_template("site/indexed.html").render(page=page, words=words)


MANIFEST = "site.webmanifest"
WORKER = "service-worker.js"
ICON = "assets/icons/die-ink.svg"

KEPT = (".html", ".css", ".js", ".otf", ".ttf", ".svg")
"""Suffixes of the files that browsers keep from the start, besides the search; other files are kept once read."""


def offline_files(paths: Iterable[str], title: str) -> Mapping[str, bytes]:
    """The manifest of a site, and its service worker, which keeps all pages of the build."""
    pages = sorted(
        {path for path in paths if (path.endswith(KEPT) or path.startswith(f"{search.FOLDER}/")) and path != WORKER}
    )
    return {MANIFEST: _manifest(title), WORKER: _worker(pages)}


def _manifest(title: str) -> bytes:
    data = {
        "name": title,
        "short_name": title,
        "start_url": address.HOME,
        "scope": ".",
        "display": "standalone",
        "icons": [{"src": ICON, "sizes": "any", "type": "image/svg+xml"}],
    }
    return json.dumps(data, indent=2).encode() + b"\n"


def _worker(pages: Sequence[str]) -> bytes:
    listed = json.dumps(pages, indent=2)
    version = sha256(listed.encode()).hexdigest()[:16]
    script = (bundled_folder("templates") / "site" / WORKER).read_text(encoding="utf-8")
    return f'const VERSION = "{version}";\nconst PAGES = {listed};\n\n{script}'.encode()
