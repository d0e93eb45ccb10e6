"""The pages of the site: pages of each game, pages of the whole site, and redirects from old addresses.

In: games, and the files that pages link to. Out: files and mismatches of the pages, which are read back, and notes on
addresses that no page has any more. The pages of a game are kept for the next build, and made again when its rules or
a link have changed.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, astuple, dataclass, field, replace
from functools import partial
from itertools import chain, count
from typing import TYPE_CHECKING, Any

from refgen.aids.kind import AidKind, preview_path
from refgen.aids.kinds import KINDS
from refgen.errors import RefgenError, RenderError, RulesError
from refgen.export.model import json_text
from refgen.export.roll_tables import ROLL_TEXTS
from refgen.export.table_text import csv_text, markdown_text
from refgen.export.tables import table_data
from refgen.game import GameModel
from refgen.languages import language_of
from refgen.layout.page_format import PAGE_FORMATS, PageFormat
from refgen.layout.pieces import Mismatch
from refgen.layout.preview import png_size
from refgen.layout.readback.html_pages import ids, read_html
from refgen.look.look import USUAL, Look
from refgen.pipeline.digests import digest, step_key
from refgen.pipeline.output_files import Files, FileUnion, OutputFiles, Spool
from refgen.pipeline.result import MARKER
from refgen.pipeline.search_index import Groups, search_files
from refgen.pipeline.store import Store, pack_entry, unpack_entry
from refgen.rules.output import OutputSettings
from refgen.site import address
from refgen.site.address import SiteAddress, published_files
from refgen.site.characters import CharactersPage, character_files
from refgen.site.comparison import ComparedGame, comparison_data, make_comparison
from refgen.site.game_pages import SitePage, make_pages
from refgen.site.html import MANIFEST, offline_files, page_html, redirect_html
from refgen.site.page import AidLinks, Download, GameSummary, HomePage, Preview, make_dice, make_home
from refgen.site.read_back import read_back_site
from refgen.site.search import IndexedPage, indexed_pages
from refgen.site.tables import ROLLED
from refgen.words import ENGLISH, Words

if TYPE_CHECKING:
    from refgen.pipeline.make_aids import GameData


SUMMARY = "summary.json"
COMPARED = "compared.json"
INDEXED = "search.json"
"""Names of files beside the pages of a game, from which later builds make the pages of the whole site."""

_USUAL_OUTPUT = OutputSettings()


@dataclass(frozen=True, slots=True)
class GameSite:
    """The files of a game's part of the site, by path, and the mismatches of its pages and the game."""

    files: Files
    mismatches: Sequence[Mismatch]


@dataclass(slots=True)
class GameSites:
    """The pages of games, as they will be ``published``.

    ``output`` are the settings of the project, ``look`` is the look of pages of no single game.
    """

    games: Mapping[str, GameModel]
    published: SiteAddress
    store: Store | None
    spool: Spool
    output: OutputSettings = field(default_factory=OutputSettings)
    look: Look = USUAL
    _made: dict[str, tuple[Sequence[AidLinks], GameSite]] = field(default_factory=dict)
    _summaries: dict[str, GameSummary] = field(default_factory=dict)

    def make(self, name: str, rules: str, there: OutputFiles) -> GameSite:
        """The pages of a game with links to the files that are ``there``; ``rules`` is the digest of its rules.

        Pages that were made before with the same links are not made again.
        """
        links = list(aid_links(name, there, self.games[name].words))
        known = self._made.get(name)
        if known is None or known[0] != links:
            site = self._recall_site(name, rules, links, there)
            known = self._made[name] = links, replace(site, files=self.spool.take(site.files))
        return known[1]

    def first_pages(self, name: str, there: OutputFiles, paths: Collection[str] | None) -> Iterator[Files]:
        """The pages with these paths (None: all) of a game, and the first page of the site, none of them read back."""
        game = self.games[name]
        self._summaries[name] = GameSummary.of(game)
        home = make_home_page(self._summaries, there, self.output)
        pages = chain(make_pages(game, list(aid_links(name, there, game.words))), [home])
        for page in pages:
            if paths is None or page.head.path in paths:
                yield {page.head.path: page_html(page, self.published, self.look).encode()}

    def _recall_site(self, name: str, rules: str, links: Sequence[AidLinks], there: OutputFiles) -> GameSite:
        """The pages of a game from the store, or else newly made."""
        store = self.store if rules else None
        key = step_key(digest(["site 4", rules, repr(links), repr(self.published)])) if store else ""
        entry = store.get(key) if store else None
        if entry is not None:
            mismatches, (files,) = unpack_entry(entry)
            return GameSite(files, [Mismatch(*texts) for texts in mismatches])
        found = make_game_site(self.games[name], links, there, self.published)
        if store:
            store.put(key, pack_entry([*map(astuple, found.mismatches)], found.files))
        return found


def make_game_site(
    game: GameModel, links: Sequence[AidLinks], others: Collection[str], published: SiteAddress
) -> GameSite:
    """The site of a game, made and read back; its pages may also link to ``others``, which are paths of the build."""
    pages = list(make_pages(game, links))
    files = {page.head.path: page_html(page, published).encode() for page in pages}
    files |= {f"{game.id}/{SUMMARY}": json_text(asdict(GameSummary.of(game))).encode()}
    files |= {f"{game.id}/{COMPARED}": json_text(comparison_data(game)).encode()}
    files |= {f"{game.id}/{INDEXED}": json_text({"pages": indexed_pages(pages)}).encode()}
    files |= _table_downloads(game)
    for page in pages:
        if isinstance(page, CharactersPage):
            files |= character_files(page, game)
    return GameSite(
        files, read_back_site(pages, files, [*others, *files, address.HOME, address.COMPARISON, address.DICE, MANIFEST])
    )


def _table_downloads(game: GameModel) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for table in game.tables.values():
        texts = {"csv": csv_text(table), "md": markdown_text(table), "json": json_text(table_data(game.id, table))}
        if game.table_roll(table):
            texts |= {suffix: ROLL_TEXTS[name](game, table) for name, (suffix, _, _) in ROLLED.items()}
        found |= {address.table(game.id, table.id, suffix): text.encode() for suffix, text in texts.items()}
    return found


# Links


def make_home_page(
    summaries: Mapping[str, GameSummary], there: OutputFiles, output: OutputSettings = _USUAL_OUTPUT
) -> HomePage:
    """The first page of the site, which lists these games and the games of an earlier build that stay.

    The site is in the language of the project's ``output``, or else in that of all its games.
    """
    everything = sorted({**_earlier_summaries(there), **summaries}.values(), key=lambda game: game.title.lower())
    languages = {summary.language for summary in everything}
    words = output.words_of(languages.pop() if len(languages) == 1 else "")
    return make_home([(summary, list(aid_links(summary.id, there, words))) for summary in everything], words)


def _earlier_summaries(there: OutputFiles) -> dict[str, GameSummary]:
    """The summaries of games of an earlier build that stay; damaged summaries are left out."""
    found = {}
    for path in there.stays:
        if path.endswith(f"/{SUMMARY}"):
            with suppress(OSError, ValueError, TypeError):
                summary = GameSummary(**json.loads(there[path]))
                found[summary.id] = summary
    return found


def aid_links(game: str, there: OutputFiles, words: Words = ENGLISH) -> Iterator[AidLinks]:
    """Links to the files of a game's aids and data, in some words."""
    for kind in KINDS.values():
        downloads = list(_downloads(game, kind, there, words))
        if downloads:
            previews = tuple(_previews(game, kind, downloads[0], there, words))
            title, about = words(f"aid-{kind.name}"), words(f"about-{kind.name}")
            yield AidLinks(title, about, tuple(downloads), previews)
    data = [
        Download(title, f"{game}/{name}", "JSON")
        for title, name in ((words("tables-and-facts"), "tables.json"), (words("check-report"), "check.json"))
        if f"{game}/{name}" in there
    ]
    if data:
        yield AidLinks(words("data"), words("about-data"), tuple(data))


def _downloads(game: str, kind: AidKind[Any, Any], there: OutputFiles, words: Words) -> Iterator[Download]:
    """The PDFs of an aid in each format, its page for a screen, and its files that have no paper size.

    Without Pango there are no PDFs, and a page to print for each format.
    """
    paths = [(page_format, f"{game}/{kind.names.of(page_format)}") for page_format in PAGE_FORMATS]
    pdfs, pages = (
        [
            Download(_label(kind, page_format, words), f"{path}.{suffix}", suffix.upper())
            for page_format, path in paths
            if f"{path}.{suffix}" in there
        ]
        for suffix in ("pdf", "html")
    )
    yield from pdfs
    yield from [replace(page, title=words("on-a-screen")) for page in pages[:1]] if pdfs else pages
    for suffix, text in kind.whole.items():
        path = f"{game}/{kind.names.stem}.{suffix}"
        if path in there:
            yield Download(words(text), path, suffix.upper())


def _label(kind: AidKind[Any, Any], page_format: PageFormat, words: Words) -> str:
    """A format in words: "A4, portrait, ink-saving"."""
    choices = [f"paper-{page_format.paper}", *(f"format-{one}" for one in page_format.unlike(kind.names.usual))]
    return ", ".join(map(words, choices))


def _previews(
    game: str, kind: AidKind[Any, Any], leads_to: Download, there: OutputFiles, words: Words
) -> Iterator[Preview]:
    """The previews of an aid, each a link to the page that it shows of a file of the aid."""
    names = (f"{game}/{kind.names.stem}", leads_to.path.rpartition(".")[0])
    name = next((name for name in names if preview_path(name, 1) in there), names[0])
    for number in count(1):
        picture = preview_path(name, number)
        if picture not in there:
            return
        width, height = png_size(there[picture])
        anchor = f"#page={number}" if leads_to.file_type == "PDF" else ""
        alt = words(f"preview-{kind.page}", aid=words(f"aid-{kind.name}"), number=number)
        yield Preview(picture, f"{leads_to.path}{anchor}", alt, width, height)


# The whole site


@dataclass(frozen=True, slots=True)
class WholeSite:
    """The files of the site by path, and the mismatches of its pages and the games.

    ``first`` are the paths that belong to no single game, ``errors`` those of the redirects; ``notes`` say which parts
    of the site are missing.
    """

    files: Files
    first: Collection[str]
    mismatches: Sequence[Mismatch]
    errors: Sequence[RefgenError] = ()
    notes: Sequence[str] = ()


def make_site(
    games: Sequence[GameData], there: OutputFiles, sites: GameSites, dice_letters: Sequence[str] = ()
) -> WholeSite:
    """The site, with links to the files that are ``there``. Games of an earlier build stay on the first page.

    Raises RenderError where a template of the project spoils the pages of no single game.
    """
    files, others = FileUnion(), list(there)
    mismatches: list[Mismatch] = []
    failed: list[RefgenError] = []
    for game in games:
        try:
            site = sites.make(game.summary.id, game.rules, there)
        except RenderError as error:
            failed.append(error)
            continue
        files.add(site.files)
        mismatches += site.mismatches
    home = make_home_page({game.summary.id: game.summary for game in games}, there, sites.output)
    words = home.head.words
    listed, whole = [summary.id for summary, _ in home.games], there.with_files(files)
    compared: list[ComparedGame] = list(_data_beside_pages(listed, COMPARED, whole))
    letters = dict.fromkeys([*dice_letters, *language_of(words.language).dice_letters])
    pages: list[SitePage] = [home, make_comparison(compared, words), make_dice([*letters], words)]
    first = {page.head.path: page_html(page, sites.published, sites.look).encode() for page in pages}
    search = search_files(_searched_pages(listed, pages[1:], whole), words)
    whole = whole.with_files(first)
    moved, errors = redirects(sites.published, whole, words)
    shown = [path for path in whole if path.endswith(".html")]
    first |= {**moved, **search.files, **published_files(sites.published, shown)}
    first |= offline_files([*others, *files, *first], home.head.title)
    mismatches += read_back_site(pages, first, [*others, *files, *first])
    files.add(first)
    return WholeSite(files, frozenset(first), mismatches, [*failed, *errors], [search.fault] if search.fault else [])


def _searched_pages(listed: Sequence[str], pages: Sequence[SitePage], there: OutputFiles) -> Groups:
    """The groups of pages of the search index: each of the given pages, and the pages of each listed game."""

    def of_game(game: str) -> list[IndexedPage]:
        return [page for data in _data_beside_pages([game], INDEXED, there) for page in data["pages"]]

    shared = {page["path"]: partial(list[IndexedPage], [page]) for page in indexed_pages(pages)}
    return {**shared, **{f"{game}/": partial(of_game, game) for game in listed}}


def _data_beside_pages(games: Sequence[str], name: str, there: OutputFiles) -> Iterator[Any]:
    """The data in the file ``name`` beside the pages of each game; damaged files are left out."""
    for path in (f"{game}/{name}" for game in games):
        if path in there:
            with suppress(OSError, ValueError):
                yield json.loads(there[path])


# Redirects


def redirects(
    published: SiteAddress, there: Mapping[str, bytes], words: Words = ENGLISH
) -> tuple[dict[str, bytes], list[RefgenError]]:
    """The pages that lead from old addresses to new ones, by path, and errors of redirects that lead nowhere."""
    files: dict[str, bytes] = {}
    errors: list[RefgenError] = []
    for old, new in published.redirects.items():
        faults = [*_faults(old, new, there)]
        errors += [RulesError(f'"{old}" {fault}', span=published.place_of(old)) for fault in faults[:1]]
        if not faults and "#" not in old:
            files[old] = redirect_html(old, new, published, words).encode()
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
    """Notes on pages of an earlier build that are gone and that no redirect leads on from."""
    gone = sorted(path for path in {*before} - {*now} if path.endswith(".html"))
    return [f'{path} is gone: [site.redirects] of {MARKER} can lead its readers on ("{path}" = "…")' for path in gone]
