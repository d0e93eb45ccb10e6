"""The pages of the site that are of one game, and what its tables can be had as: made, and read back.

In: a game, and the files that its pages link to. Out: files and mismatches. They are kept, and made again when the
rules or a link are others.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

from refgen.aids.kind import AidKind, preview_path
from refgen.aids.kinds import KINDS
from refgen.export.model import json_text
from refgen.export.table_text import csv_text, markdown_text
from refgen.export.tables import table_data
from refgen.game.game import GameModel
from refgen.layout.page_format import PAGE_FORMATS, PageFormat, Paper
from refgen.layout.preview import png_size
from refgen.layout.readback.expected import Mismatch
from refgen.pipeline.cache.digests import digest
from refgen.pipeline.cache.environment import step_key
from refgen.pipeline.cache.store import Store, packed, unpacked
from refgen.pipeline.spool import Files, Gathered, Spool
from refgen.site import address
from refgen.site.address import SiteAddress
from refgen.site.characters import CharactersPage, character_files
from refgen.site.comparison import comparison_data
from refgen.site.game_pages import make_pages
from refgen.site.html import MANIFEST, page_html
from refgen.site.page import AidLinks, Download, GameSummary, HomePage, Preview, make_home
from refgen.site.read_back import read_back_site
from refgen.site.search import indexed_pages

SUMMARY = "summary.json"
COMPARED = "compared.json"
INDEXED = "search.json"

_PAPER_NAMES = {Paper.A4: "A4", Paper.LETTER: "US Letter", Paper.A5: "A5", Paper.HALF_LETTER: "Half US Letter"}


@dataclass(frozen=True, slots=True)
class OutputFiles(Mapping[str, bytes]):
    """The files that the output will hold: those ``made``, and those of an earlier build that stay in ``output``."""

    made: Files
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


@dataclass(frozen=True, slots=True)
class GameSite:
    """The files of a game's part of the site, by path, and what is not as the game says."""

    files: Files
    mismatches: Sequence[Mismatch]


@dataclass(slots=True)
class GameSites:
    """The pages of games as they will be ``published``: those made before are taken where their links are the same."""

    games: Mapping[str, GameModel]
    published: SiteAddress
    store: Store | None
    spool: Spool
    _made: dict[str, tuple[Sequence[AidLinks], GameSite]] = field(default_factory=dict)
    _summaries: dict[str, GameSummary] = field(default_factory=dict)

    def make(self, name: str, rules: str, there: OutputFiles) -> GameSite:
        """The pages of a game with links to the files that are ``there``; ``rules`` is the digest of its rules."""
        links = list(aid_links(name, there))
        known = self._made.get(name)
        if known is None or known[0] != links:
            site = self._recalled(name, rules, links, there)
            known = self._made[name] = links, replace(site, files=self.spool.take(site.files))
        return known[1]

    def files(self) -> Gathered:
        """The pages of all games, as they were made last."""
        return Gathered(*(site.files for _, site in self._made.values()))

    def first_pages(self, name: str, there: OutputFiles, paths: Collection[str] | None) -> Iterator[Files]:
        """Pages of a game (None: all) and the first page of the site, one by one, before they are read back."""
        game = self.games[name]
        self._summaries[name] = GameSummary.of(game)
        home = make_home_page(self._summaries, there)
        pages = (page for of in (make_pages(game, list(aid_links(name, there))), [home]) for page in of)
        for page in pages:
            if paths is None or page.head.path in paths:
                yield {page.head.path: page_html(page, self.published).encode()}

    def _recalled(self, name: str, rules: str, links: Sequence[AidLinks], there: OutputFiles) -> GameSite:
        """The pages of a game as they are kept, or else made."""
        store = self.store if rules else None
        key = step_key(digest(["site 4", rules, repr(links), repr(self.published)])) if store else ""
        entry = store.get(key) if store else None
        if entry is not None:
            mismatches, (files,) = unpacked(entry)
            return GameSite(files, [Mismatch(*texts) for texts in mismatches])
        found = make_game_site(self.games[name], links, there, self.published)
        if store:
            store.put(key, packed([(one.file, one.where, one.what) for one in found.mismatches], found.files))
        return found


def make_game_site(
    game: GameModel, links: Sequence[AidLinks], others: Collection[str], published: SiteAddress
) -> GameSite:
    """The site of a game, made and read back; its pages may also link to the ``others``, files of the build."""
    pages = list(make_pages(game, links))
    files = {page.head.path: page_html(page, published).encode() for page in pages}
    files |= {f"{game.id}/{SUMMARY}": json_text(asdict(GameSummary.of(game))).encode()}
    files |= {f"{game.id}/{COMPARED}": json_text(comparison_data(game)).encode()}
    files |= {f"{game.id}/{INDEXED}": json_text({"pages": indexed_pages(pages)}).encode()}
    files |= _downloads_of_tables(game)
    for page in pages:
        if isinstance(page, CharactersPage):
            files |= character_files(page, game)
    return GameSite(
        files, read_back_site(pages, files, [*others, *files, address.HOME, address.COMPARISON, address.DICE, MANIFEST])
    )


def _downloads_of_tables(game: GameModel) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for table in game.tables.values():
        texts = {"csv": csv_text(table), "md": markdown_text(table), "json": json_text(table_data(game.id, table))}
        found |= {address.table(game.id, table.id, suffix): text.encode() for suffix, text in texts.items()}
    return found


def make_home_page(summaries: Mapping[str, GameSummary], there: OutputFiles) -> HomePage:
    """The first page of the site: of some games, and of those that stay of an earlier build."""
    everything = sorted({**_earlier_summaries(there), **summaries}.values(), key=lambda game: game.title.lower())
    return make_home([(summary, list(aid_links(summary.id, there))) for summary in everything])


def _earlier_summaries(there: OutputFiles) -> dict[str, GameSummary]:
    """The summaries that stay of an earlier build; a damaged one is left out, its game will write it anew."""
    found = {}
    for path in there.stays:
        if path.endswith(f"/{SUMMARY}"):
            with suppress(OSError, ValueError, TypeError):
                summary = GameSummary(**json.loads(there[path]))
                found[summary.id] = summary
    return found


def aid_links(game: str, there: OutputFiles) -> Iterator[AidLinks]:
    """Links to the files of a game's aids and data."""
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


def _downloads(game: str, kind: AidKind[Any, Any], there: OutputFiles) -> Iterator[Download]:
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


def _previews(game: str, kind: AidKind[Any, Any], leads_to: Download, there: OutputFiles) -> Iterator[Preview]:
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
