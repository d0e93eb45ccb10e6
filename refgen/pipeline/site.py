"""The site of a build: which files there are to link to, and the pages that do.

In: what each game gives, and all files the output will hold. Out: a Site: its files, read back.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from refgen.aids.kind import AidKind, preview_path
from refgen.aids.kinds import KINDS
from refgen.errors import RefgenError
from refgen.export.model import json_text
from refgen.game.game import Game
from refgen.pipeline.cache.store import Store
from refgen.pipeline.game_site import COMPARED, INDEXED, SUMMARY, GameSite, game_site, make_game_site
from refgen.pipeline.read_game import GameParts
from refgen.pipeline.redirects import redirects
from refgen.pipeline.search import Groups, search_files
from refgen.pipeline.spool import Gathered, Spool
from refgen.render.page_format import PAGE_FORMATS, PageFormat, Paper
from refgen.render.preview import png_size
from refgen.render.readback.mismatch import Mismatch
from refgen.site.comparison import ComparedGame, make_comparison
from refgen.site.dice import make_dice
from refgen.site.game_pages import SitePage, make_pages
from refgen.site.home import GameSummary, HomePage, make_home
from refgen.site.html import page_html
from refgen.site.offline import offline_files
from refgen.site.page import AidLinks, Download, Preview
from refgen.site.published import Published, published_files
from refgen.site.readback.read_back import read_back_site
from refgen.site.search import IndexedPage, indexed

_PAPER_NAMES = {Paper.A4: "A4", Paper.LETTER: "US Letter", Paper.A5: "A5", Paper.HALF_LETTER: "Half US Letter"}


@dataclass(frozen=True, slots=True)
class Site:
    """The files of a site by path, and what is not as the games say.

    ``first`` are those of the whole site, ``errors`` those of its redirects, ``notes`` say what it lacks.
    """

    files: Mapping[str, bytes]
    first: Collection[str]
    mismatches: Sequence[Mismatch]
    errors: Sequence[RefgenError] = ()
    notes: Sequence[str] = ()


Elsewhere = Callable[[str, Sequence[AidLinks]], GameSite | None]
"""What another process has made of a game with such links; None for nothing."""


@dataclass(slots=True)
class GameSites:
    """The pages of games as they will be ``published``: those made before are taken where their links are the same."""

    games: Mapping[str, Game]
    published: Published
    store: Store | None
    spool: Spool
    elsewhere: Elsewhere | None = None
    _made: dict[str, tuple[Sequence[AidLinks], GameSite]] = field(default_factory=dict)

    def make(self, game: GameParts, made: Mapping[str, bytes], stays: Sequence[str], output: Path) -> GameSite:
        """The pages of a game, with links to what was ``made`` of it and what ``stays`` in ``output``."""
        name = game.summary.id
        links = links_of(name, made, stays, output)
        known = self._made.get(name)
        if known is None or known[0] != links:
            make = partial(self._new, name, links, [*made, *stays])
            site = game_site(game, links, self.published, self.store, make)
            known = self._made[name] = links, replace(site, files=self.spool.take(site.files))
        return known[1]

    def files(self) -> Gathered:
        """The pages of all games, as they were made last."""
        return Gathered(*(site.files for _, site in self._made.values()))

    def _new(self, name: str, links: Sequence[AidLinks], others: Collection[str]) -> GameSite:
        known = self.elsewhere(name, links) if self.elsewhere else None
        return known or make_game_site(self.games[name], links, others, self.published)


def links_of(game: str, made: Mapping[str, bytes], stays: Sequence[str], output: Path) -> list[AidLinks]:
    """Links to what was ``made`` of a game and what ``stays`` in ``output``."""
    return list(_aid_links(game, _Files(made, frozenset(stays), output)))


def make_site(
    games: Mapping[str, GameParts], made: Mapping[str, bytes], stays: Sequence[str], output: Path, sites: GameSites
) -> Site:
    """The site, with links to what was ``made``, by path, and to what ``stays`` in ``output`` of an earlier build.

    Games of an earlier build stay on the first page.
    """
    there, others = _Files(made, frozenset(stays), output), [*made, *stays]
    published, store = sites.published, sites.store
    files = Gathered()
    mismatches: list[Mismatch] = []
    for game in games.values():
        site = sites.make(game, made, stays, output)
        files.add(site.files)
        mismatches += site.mismatches
    home = _home({name: parts.summary for name, parts in games.items()}, there)
    there = _Files(Gathered(made, files), there.stays, output)
    listed = [summary.id for summary, _ in home.games]
    pages: list[SitePage] = [home, *_of_all_games(listed, there)]
    with ThreadPoolExecutor(1) as beside:  # the index is made by a process of its own
        searched = beside.submit(search_files, _searched(listed, pages[1:], there), store)
        first = {page.head.path: page_html(page, published).encode() for page in pages}
        search = searched.result()
    there = _Files(Gathered(made, files, first), there.stays, output)
    moved, errors = redirects(published, there)
    shown = [path for path in there if path.endswith(".html")]
    first |= {**moved, **search.files, **published_files(published, shown)}
    first |= offline_files([*others, *files, *first], home.head.title)
    mismatches += read_back_site(pages, first, [*others, *files, *first])
    files.add(first)
    return Site(files, frozenset(first), mismatches, errors, [search.fault] if search.fault else [])


def _of_all_games(listed: Sequence[str], there: _Files) -> list[SitePage]:
    """The pages of the whole site, behind its first."""
    compared: list[ComparedGame] = list(_of_games(listed, COMPARED, there))
    return [make_comparison(compared), make_dice()]


def _searched(listed: Sequence[str], pages: Sequence[SitePage], there: _Files) -> Groups:
    """What is searched: some pages, and those of the games."""

    def of_game(game: str) -> list[IndexedPage]:
        return [page for kept in _of_games([game], INDEXED, there) for page in kept["pages"]]

    shared = {page["path"]: partial(list[IndexedPage], [page]) for page in indexed(pages)}
    return {**shared, **{f"{game}/": partial(of_game, game) for game in listed}}


def _of_games(games: Sequence[str], name: str, there: _Files) -> Iterator[Any]:
    """What is kept beside the pages of each game under a name; what an earlier build left damaged is left out."""
    for path in (f"{game}/{name}" for game in games):
        if path in there:
            with suppress(OSError, ValueError):
                yield json.loads(there[path])


def site_drafts(
    game: Game, made: Mapping[str, bytes], stays: Sequence[str], output: Path
) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """The pages that a site has of a game, and the first one: the path of each, and what makes it, not read back."""
    there, summary = _Files(made, frozenset(stays), output), GameSummary.of(game)
    yield f"{game.id}/{SUMMARY}", json_text(asdict(summary)).encode
    for page in make_pages(game, list(_aid_links(game.id, there))):
        yield page.head.path, partial(_page, page)
    first = _home({game.id: summary}, there)
    yield first.head.path, partial(_page, first)


def _page(page: SitePage) -> bytes:
    return page_html(page).encode()


def _home(summaries: Mapping[str, GameSummary], there: _Files) -> HomePage:
    everything = sorted({**_earlier(there), **summaries}.values(), key=lambda summary: summary.title.lower())
    return make_home([(summary, list(_aid_links(summary.id, there))) for summary in everything])


@dataclass(frozen=True, slots=True)
class _Files(Mapping[str, bytes]):
    """The files that the output will hold."""

    made: Mapping[str, bytes]
    stays: frozenset[str]
    output: Path

    def __contains__(self, path: object) -> bool:
        return path in self.made or path in self.stays

    def __getitem__(self, path: str) -> bytes:
        return self.made[path] if path in self.made else (self.output / path).read_bytes()

    def __iter__(self) -> Iterator[str]:
        yield from self.made.keys() | self.stays

    def __len__(self) -> int:
        return len(self.made.keys() | self.stays)


def _earlier(there: _Files) -> dict[str, GameSummary]:
    """The summaries that stay from an earlier build; a damaged one is left out, its game will write it anew."""
    found = {}
    for path in there.stays:
        if path.endswith(f"/{SUMMARY}"):
            with suppress(OSError, ValueError, TypeError):
                summary = GameSummary(**json.loads(there[path]))
                found[summary.id] = summary
    return found


def _aid_links(game: str, there: _Files) -> Iterator[AidLinks]:
    for kind in KINDS.values():
        downloads = list(_downloads(game, kind, there))
        if downloads:
            yield AidLinks(kind.title, kind.about, tuple(downloads), tuple(_previews(game, kind, downloads[0], there)))
    data = [
        Download(title, f"{game}/{name}", "JSON")
        for title, name in (("Tables and facts", "tables.json"), ("Check report", "check.json"))
        if f"{game}/{name}" in there
    ]
    if data:
        yield AidLinks("Data", "Every table, fact and finding, for programs.", tuple(data))


def _downloads(game: str, kind: AidKind[Any, Any], there: _Files) -> Iterator[Download]:
    """The PDFs of an aid in each format, a page for a screen, and what goes by no paper."""
    paths = [(page_format, f"{game}/{kind.names.of(page_format)}") for page_format in PAGE_FORMATS]
    yield from (
        Download(_label(kind, page_format), f"{path}.pdf", "PDF")
        for page_format, path in paths
        if f"{path}.pdf" in there
    )
    pages = [f"{path}.html" for _, path in paths if f"{path}.html" in there]
    yield from (Download("On a screen", path, "HTML") for path in pages[:1])
    for suffix, title in kind.whole.items():
        path = f"{game}/{kind.names.stem}.{suffix}"
        if path in there:
            yield Download(title, path, suffix.upper())


def _label(kind: AidKind[Any, Any], page_format: PageFormat) -> str:
    """A format in words: "A4, portrait, ink-saving"."""
    return ", ".join([_PAPER_NAMES[page_format.paper], *page_format.unlike(kind.names.usual)])


def _previews(game: str, kind: AidKind[Any, Any], leads_to: Download, there: _Files) -> Iterator[Preview]:
    """The previews of an aid, each a link to its page of one of the aid's files."""
    names = (f"{game}/{kind.names.stem}", leads_to.path.rpartition(".")[0])
    name = next((name for name in names if preview_path(name, 1) in there), names[0])
    for number in count(1):
        picture = preview_path(name, number)
        if picture not in there:
            return
        width, height = png_size(there[picture])
        anchor = f"#page={number}" if leads_to.file_type == "PDF" else ""
        words = f"{kind.title}, {kind.page} {number}"
        yield Preview(picture, f"{leads_to.path}{anchor}", words, width, height)
