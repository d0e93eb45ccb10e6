"""The pages of the site that are of one game, and what its tables can be had as: made, and read back.

In: what a game gives, and links to the files of its aids. Out: files and mismatches. They are kept, and made again when
the rules or a link are others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass

from refgen.export.model import json_text
from refgen.export.table_text import csv_text, markdown_text
from refgen.export.tables import table_data
from refgen.game.game import Game
from refgen.pipeline.cache.digests import digest
from refgen.pipeline.cache.steps import step_key
from refgen.pipeline.cache.store import Store, packed, unpacked
from refgen.pipeline.read_game import GameParts
from refgen.render.readback.mismatch import Mismatch
from refgen.site import address
from refgen.site.characters import CharactersPage, character_files
from refgen.site.comparison import compared
from refgen.site.game_pages import make_pages
from refgen.site.home import GameSummary
from refgen.site.html import page_html
from refgen.site.offline import MANIFEST
from refgen.site.page import AidLinks
from refgen.site.published import Published
from refgen.site.readback.read_back import read_back_site
from refgen.site.search import indexed

SUMMARY = "summary.json"
COMPARED = "compared.json"
INDEXED = "search.json"


@dataclass(frozen=True, slots=True)
class GameSite:
    """The files of a game's part of the site, by path, and what is not as the game says."""

    files: Mapping[str, bytes]
    mismatches: Sequence[Mismatch]


def game_site(
    parts: GameParts,
    links: Sequence[AidLinks],
    published: Published,
    store: Store | None,
    make: Callable[[], GameSite],
) -> GameSite:
    """The site of a game as it is kept, or as ``make`` makes it."""
    key = step_key(digest(["site 4", parts.rules, repr(links), repr(published)])) if store and parts.rules else ""
    entry = store.get(key) if store and key else None
    if entry is not None:
        mismatches, (files,) = unpacked(entry)
        return GameSite(files, [Mismatch(*texts) for texts in mismatches])
    found = make()
    if store and key:
        store.put(key, packed([(one.file, one.where, one.what) for one in found.mismatches], found.files))
    return found


def make_game_site(game: Game, links: Sequence[AidLinks], others: Collection[str], published: Published) -> GameSite:
    """The site of a game, made and read back; its pages may also link to the ``others``, files of the build."""
    pages = list(make_pages(game, links))
    files = {page.head.path: page_html(page, published).encode() for page in pages}
    files |= {f"{game.id}/{SUMMARY}": json_text(asdict(GameSummary.of(game))).encode()}
    files |= {f"{game.id}/{COMPARED}": json_text(compared(game)).encode()}
    files |= {f"{game.id}/{INDEXED}": json_text({"pages": indexed(pages)}).encode()}
    files |= _downloads_of_tables(game)
    for page in pages:
        if isinstance(page, CharactersPage):
            files |= character_files(page, game)
    return GameSite(
        files, read_back_site(pages, files, [*others, *files, address.HOME, address.COMPARISON, address.DICE, MANIFEST])
    )


def _downloads_of_tables(game: Game) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for table in game.tables.values():
        texts = {"csv": csv_text(table), "md": markdown_text(table), "json": json_text(table_data(game.id, table))}
        found |= {address.table(game.id, table.id, suffix): text.encode() for suffix, text in texts.items()}
    return found
