"""The pages of a site that belong to no single game, and redirects from the addresses of pages that are gone.

In: the games with their files, and the files of an earlier build. Out: the first page, the comparison, the page of
dice, the search index; and notes on addresses that no page has any more.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from refgen.errors import RefgenError, RulesError
from refgen.layout.readback.expected import Mismatch
from refgen.layout.readback.html_pages import ids, read_html
from refgen.pipeline.game_site import COMPARED, INDEXED, GameSites, OutputFiles, make_home_page
from refgen.pipeline.games import GameData
from refgen.pipeline.marker import MARKER
from refgen.pipeline.search import Groups, search_files
from refgen.pipeline.spool import Gathered
from refgen.site.address import SiteAddress, published_files
from refgen.site.comparison import ComparedGame, make_comparison
from refgen.site.game_pages import SitePage
from refgen.site.html import offline_files, page_html, redirect_html
from refgen.site.page import make_dice
from refgen.site.read_back import read_back_site
from refgen.site.search import IndexedPage, indexed_pages


def redirects(published: SiteAddress, there: Mapping[str, bytes]) -> tuple[dict[str, bytes], list[RefgenError]]:
    """The pages that lead on, by the old address of each. ``there`` are the files of the site."""
    files: dict[str, bytes] = {}
    errors: list[RefgenError] = []
    for old, new in published.redirects.items():
        faults = [*_faults(old, new, there)]
        errors += [RulesError(f'"{old}" {fault}', span=published.place_of(old)) for fault in faults[:1]]
        if not faults and "#" not in old:
            files[old] = redirect_html(old, new, published).encode()
    return files, errors


def _faults(old: str, new: str, there: Mapping[str, bytes]) -> Iterator[str]:
    page, _, anchor = new.partition("#")
    old_page, _, old_anchor = old.partition("#")
    if page not in there:
        yield f'leads to "{page}", which the site does not have'
    elif old in there:
        yield "is a page of the site"
    elif old_anchor and (old_page != page or not anchor):
        yield "is a place on a page: it can lead to another place on the same page only"
    elif anchor and page.endswith(".html"):
        found = ids(read_html(there[page]))
        if anchor not in found:
            yield f'leads to "#{anchor}", which "{page}" does not have'
        elif old_anchor and old_anchor not in found:
            yield f'leads to "#{anchor}", which is no section of the rules'


def gone_pages(before: Collection[str], now: Collection[str]) -> list[str]:
    """Notes on the pages of an earlier build that are gone and lead nowhere."""
    gone = sorted(path for path in {*before} - {*now} if path.endswith(".html"))
    return [f'{path} is gone: [site.redirects] of {MARKER} can lead its readers on ("{path}" = "…")' for path in gone]


@dataclass(frozen=True, slots=True)
class Site:
    """The files of a site by path, and where its pages differ from the games.

    ``first`` are those of the whole site, ``errors`` those of its redirects, ``notes`` say what it lacks.
    """

    files: Mapping[str, bytes]
    first: Collection[str]
    mismatches: Sequence[Mismatch]
    errors: Sequence[RefgenError] = ()
    notes: Sequence[str] = ()


def make_site(
    games: Sequence[GameData], there: OutputFiles, sites: GameSites, dice_letters: Sequence[str] = ()
) -> Site:
    """The site, with links to the files that are ``there``. Games of an earlier build stay on the first page."""
    files, others = Gathered(), list(there)
    mismatches: list[Mismatch] = []
    for game in games:
        site = sites.make(game.summary.id, game.rules, there)
        files.add(site.files)
        mismatches += site.mismatches
    home = make_home_page({game.summary.id: game.summary for game in games}, there)
    whole = OutputFiles(Gathered(there.made, files), there.stays, there.output)
    listed = [summary.id for summary, _ in home.games]
    pages: list[SitePage] = [home, *_pages_of_all_games(listed, whole, dice_letters)]
    with ThreadPoolExecutor(1) as beside:  # the index is made by a process of its own
        searched = beside.submit(search_files, _searched(listed, pages[1:], whole))
        first = {page.head.path: page_html(page, sites.published).encode() for page in pages}
        search = searched.result()
    whole = OutputFiles(Gathered(there.made, files, first), there.stays, there.output)
    moved, errors = redirects(sites.published, whole)
    shown = [path for path in whole if path.endswith(".html")]
    first |= {**moved, **search.files, **published_files(sites.published, shown)}
    first |= offline_files([*others, *files, *first], home.head.title)
    mismatches += read_back_site(pages, first, [*others, *files, *first])
    files.add(first)
    return Site(files, frozenset(first), mismatches, errors, [search.fault] if search.fault else [])


def _pages_of_all_games(listed: Sequence[str], there: OutputFiles, dice_letters: Sequence[str]) -> list[SitePage]:
    """The pages of the whole site, behind its first."""
    compared: list[ComparedGame] = list(_of_games(listed, COMPARED, there))
    return [make_comparison(compared), make_dice(dice_letters)]


def _searched(listed: Sequence[str], pages: Sequence[SitePage], there: OutputFiles) -> Groups:
    """The pages of the search index: some given pages, and those of the games."""

    def of_game(game: str) -> list[IndexedPage]:
        return [page for kept in _of_games([game], INDEXED, there) for page in kept["pages"]]

    shared = {page["path"]: partial(list[IndexedPage], [page]) for page in indexed_pages(pages)}
    return {**shared, **{f"{game}/": partial(of_game, game) for game in listed}}


def _of_games(games: Sequence[str], name: str, there: OutputFiles) -> Iterator[Any]:
    """The data of each game that is kept beside its pages under a name; damaged data are left out."""
    for path in (f"{game}/{name}" for game in games):
        if path in there:
            with suppress(OSError, ValueError):
                yield json.loads(there[path])
