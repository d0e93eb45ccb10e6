"""The documents of a new game, from the files, folders and patterns that somebody names.

In: paths. Out: the documents in the order in which they are named, those of a folder by their names; the files that are
left out, each with the reason; and the title of the game.

Of several files, those that hold no rules are left out: indexes (most of their words are links), licences, files
without words. A single file is a document, whatever it holds.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from glob import has_magic
from pathlib import Path

from refgen.errors import RefgenError, SourceError
from refgen.proposals.rules_files import title_of
from refgen.readers.document import Document, Inline, join_documents
from refgen.readers.read import DocumentSize, is_document_name, open_document
from refgen.readers.repeats import without_repeats
from refgen.source import plain_text

LINKED = 0.3
"""The share of the words of a page without tables that are links, from which on the page is an index."""

LICENSING = 15
"""Words about licences, of a thousand words of a page without tables, from which on the page is a licence."""

_OF_LICENCES = re.compile(
    r"licen[sc]|copyright|warrant|contribut|trademark|лиценз|lizenz|lisens|licença", re.IGNORECASE
)
_IS_INDEX = re.compile(r"(?:index|readme|home|_index|toc)\b", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class GameSource:
    """A document of a new game: its file, its ``name`` in the folder of the game, and the document as read."""

    path: Path
    name: str
    document: Document


@dataclass(frozen=True, slots=True)
class GameSources:
    """All documents of a new game, the files that are ``left_out`` with the reason for each, and the title.

    The title is that of the only document; of several files, that of the first index, else the name of their folder.
    """

    documents: Sequence[GameSource]
    left_out: Sequence[tuple[str, str]]
    title: str

    @property
    def document(self) -> Document:
        """The documents as one."""
        return join_documents(without_repeats([source.document for source in self.documents]))

    @property
    def names(self) -> Sequence[str]:
        """The names of the documents in the folder of the game."""
        return [source.name for source in self.documents]


def find_sources(paths: Sequence[str]) -> GameSources:
    """The documents of a game.

    Raises RefgenError for a named file that cannot be read, for more letters than a game may have, and where no file
    has rules.
    """
    files = list(dict.fromkeys(found for path in paths for found in _files(path)))
    named = {Path(path).resolve() for path in paths}
    folder = _common_folder(files)
    taken, left_out, size, titles = [], [], DocumentSize(), {}
    for file in files:
        name = file.resolve().relative_to(folder).as_posix()
        try:
            source = GameSource(file, name, open_document(file, name, typed=True))
        except RefgenError as error:
            if file.resolve() in named:
                raise
            left_out.append((name, error.message))
            continue
        if len(files) == 1 or _IS_INDEX.match(file.stem):
            titles[name] = title_of(source.document)
        reason = _reason_to_leave(file, source.document) if len(files) > 1 else ""
        if reason:
            left_out.append((name, reason))
        else:
            taken.append(source)
            size.add(source.document.text.text, "the game", source.document.entity_letters)
    if not taken:
        raise SourceError("no file holds rules", hint="Name the documents of the game, or a folder of documents.")
    of_folder = plain_text(re.sub(r"[-_]+", " ", folder.name)).title()
    return GameSources(taken, left_out, next(iter(titles.values()), of_folder))


def _files(path: str) -> Iterator[Path]:
    """The files that a path stands for: itself, the documents in a folder, or all files that a pattern names."""
    given = Path(path)
    if given.is_dir():
        yield from sorted((file for file in given.rglob("*") if _is_document(file, given)), key=_natural)
    elif given.exists() and not given.is_file():
        raise SourceError(f"{path} is not a file", hint="A game keeps its documents: save it as a file first.")
    elif not given.exists() and has_magic(path):
        found = sorted(
            filter(Path.is_file, Path(given.anchor or ".").glob(path.removeprefix(given.anchor))), key=_natural
        )
        if not found:
            raise SourceError(f"no file is named like {path}", hint="Check the pattern, or name a folder.")
        yield from found
    else:
        yield given


def _is_document(file: Path, folder: Path) -> bool:
    """Whether a file in a folder may be a document: no hidden file, and no link that leads out of the folder."""
    is_hidden = any(part.startswith(".") for part in file.relative_to(folder).parts)
    is_inside = file.resolve().is_relative_to(folder.resolve())
    return file.is_file() and is_inside and not is_hidden and is_document_name(file.name)


def _natural(path: Path) -> list[str]:
    """The key by which chapter 2 stands before chapter 10, and an index before all other files of its folder."""
    parts = [*path.parent.parts, "" if _IS_INDEX.match(path.stem) else path.name]
    return [_NUMBER.sub(lambda number: number[0].zfill(9), part) for part in parts]


def _common_folder(files: Sequence[Path]) -> Path:
    """The innermost folder that holds all files."""
    return Path(os.path.commonpath([file.resolve().parent for file in files]))


def _reason_to_leave(file: Path, document: Document) -> str:
    """Why a page holds no rules; "" if it may hold some."""
    if document.tables:
        return ""
    words = [text for section in document.sections for text in section.paragraphs]
    words += [item for section in document.sections for block in section.lists for item in block.items]
    letters = sum(map(len, words))
    if not letters:
        return "it has no words"
    linked = sum(mark.span.end - mark.span.start for mark in document.marks if mark.kind is Inline.LINK)
    if linked >= LINKED * letters or _IS_INDEX.match(file.stem):
        return "it is an index of other pages"
    text = " ".join(passage.text for passage in words)
    if len(_OF_LICENCES.findall(text)) * 1_000 >= LICENSING * len(text.split()):
        return "it speaks of licences alone"
    return ""
