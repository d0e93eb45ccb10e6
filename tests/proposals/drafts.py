"""Drafts of games for the tests of proposals, and the games that the proposed entries make."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

from refgen.game import GameModel, load_game
from refgen.proposals.draft import Entry, GameDraft
from refgen.proposals.tables import find_tables, table_entries
from refgen.readers.document import Document
from refgen.readers.read import open_document, read_document
from refgen.rules.schema import IN_PROOF
from refgen.source import SourceFile

FOREIGN = Path(__file__).parents[3] / "shared" / "foreign"
"""Documents of other games, which are not part of the project."""

DOCUMENTS = Path(__file__).parents[1] / "data" / "documents"
"""Documents of games that nobody has described."""

HEAD = 'title = "Game"\nabout = "A game."\ndocument = "rules.md"\naccent = "#1d4e79"\nsource = "Game"\n'


def draft_of(text: str, language: str = "en") -> GameDraft:
    """The draft of a game with one Markdown document."""
    return _draft(read_document(SourceFile("rules.md", text)), language)


@cache
def opened(path: Path) -> Document:
    """The document in a file."""
    return open_document(path, path.name)


def foreign(name: str) -> Path:
    """A document of somebody else; skips where the document is absent."""
    if not (FOREIGN / name).exists():
        pytest.skip(f"{FOREIGN / name} is not here")
    return FOREIGN / name


def document_draft(path: Path, language: str = "") -> GameDraft:
    """The draft of a game with a document in a file."""
    return _draft(opened(path), language)


def foreign_draft(name: str, language: str = "en") -> GameDraft:
    """The draft of a game of somebody else."""
    return document_draft(foreign(name), language)


def _draft(document: Document, language: str) -> GameDraft:
    ids: set[str] = set()
    return GameDraft(document, language, find_tables(document, ids), ids)


def made_game(folder: Path, draft: GameDraft, entries: Iterable[Entry]) -> GameModel:
    """The game that the tables of a draft and some entries make."""
    tables = chain.from_iterable(map(table_entries, draft.tables))
    texts: dict[bool, list[str]] = {False: [HEAD], True: []}
    for entry in (*tables, *entries):
        texts[entry.heading.strip("[]").partition(".")[0] in IN_PROOF].append(entry.text())
    (folder / "rules.md").write_text(draft.document.source.text, encoding="utf-8")
    (folder / "system.toml").write_text("\n".join(texts[False]), encoding="utf-8")
    (folder / "proof.toml").write_text("\n".join(texts[True]), encoding="utf-8")
    return load_game(folder)


def shown(entries: Iterable[Entry]) -> Sequence[str]:
    """Each entry as its heading and its evidence, a commented one after a mark."""
    return [f"{'' if entry.certain else '# '}{entry.heading} {' '.join(entry.evidence)}" for entry in entries]
