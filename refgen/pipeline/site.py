"""The site of a build: the pages of its games, and the pages of all games together.

In: what each game gives, and all files the output will hold. Out: a Site: its files, read back.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from refgen.errors import RefgenError
from refgen.pipeline.game_site import COMPARED, INDEXED, GameSites, OutputFiles, make_home_page
from refgen.pipeline.games import GameData
from refgen.pipeline.redirects import redirects
from refgen.pipeline.search import Groups, search_files
from refgen.pipeline.spool import Gathered
from refgen.render.readback.mismatch import Mismatch
from refgen.site.comparison import ComparedGame, make_comparison
from refgen.site.dice import make_dice
from refgen.site.game_pages import SitePage
from refgen.site.html import page_html
from refgen.site.offline import offline_files
from refgen.site.published import published_files
from refgen.site.readback.read_back import read_back_site
from refgen.site.search import IndexedPage, indexed


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
    """What is searched: some pages, and those of the games."""

    def of_game(game: str) -> list[IndexedPage]:
        return [page for kept in _of_games([game], INDEXED, there) for page in kept["pages"]]

    shared = {page["path"]: partial(list[IndexedPage], [page]) for page in indexed(pages)}
    return {**shared, **{f"{game}/": partial(of_game, game) for game in listed}}


def _of_games(games: Sequence[str], name: str, there: OutputFiles) -> Iterator[Any]:
    """What is kept beside the pages of each game under a name; what an earlier build left damaged is left out."""
    for path in (f"{game}/{name}" for game in games):
        if path in there:
            with suppress(OSError, ValueError):
                yield json.loads(there[path])
