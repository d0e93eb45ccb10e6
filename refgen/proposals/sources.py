"""The documents of a new game, from the files, folders and patterns that somebody names.

In: paths. Out: the documents in the order in which they are named, those of a folder by their names; the files that are
left out, each with the reason; and the title of the game.

Files of a folder that hold no rules are left out: indexes (nearly all of their lines are links), licences, files
without words. A file that is named is a document in any case, but for an empty file among several.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from glob import has_magic
from itertools import filterfalse
from pathlib import Path

from refgen.errors import RefgenError, SourceError
from refgen.files import read_bytes, refuse_address
from refgen.proposals.rules_files import title_of
from refgen.readers.document import Document, Inline, join_documents
from refgen.readers.read import DocumentSize, is_document_name, open_document
from refgen.readers.repeats import without_repeats
from refgen.source import Passage, plain_text
from refgen.span import Span, SpanIndex

LINKED = 0.8
"""The share of the lines of a page without tables that are links, from which on the page is an index."""

LICENSING = 15
"""Words about licences, of a thousand words of a page without tables, from which on the page is a licence."""

_OF_LICENCES = re.compile(
    r"licen[sc]|copyright|warrant|contribut|trademark|лиценз|lizenz|lisens|licença", re.IGNORECASE
)
_IS_INDEX = re.compile(r"(?:index|readme|home|_index|toc)\b", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")
_KINDS_OF_FOLDERS = {
    *(
        "content",
        "doc",
        "docs",
        "docx",
        "html",
        "markdown",
        "md",
        "odt",
        "pages",
        "raw-html",
        "rules",
        "site",
        "src",
        "text",
        "txt",
    ),
}
"""Names of folders that say what is in them, and nothing of the game."""

_NO_RULES = {
    *(
        ".css",
        ".eot",
        ".gif",
        ".ico",
        ".jpeg",
        ".jpg",
        ".js",
        ".lock",
        ".map",
        ".mp3",
        ".mp4",
        ".otf",
        ".png",
        ".py",
        ".sh",
    ),
    *(".svg", ".toml", ".ttf", ".webp", ".woff", ".woff2", ".yaml", ".yml"),
}
"""Suffixes of files that hold no rules: pictures, fonts, sounds, styles, programs and settings."""


_NO_DOCUMENTS = "Name the documents of the game, or a folder of documents."


@dataclass(frozen=True, slots=True)
class GameSource:
    """A document of a new game: its file, its ``name`` in the folder of the game, and the document as read."""

    path: Path
    name: str
    document: Document


@dataclass(frozen=True, slots=True)
class GameSources:
    """All documents of a new game, the files that are ``left_out`` with the reason for each, and the title.

    The title is that of the only document; of several files, that of the first index, else the name of their folder,
    or of the folder around a folder that is named for what it holds ("docs", "html").
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
    files = _all_files(paths)
    named = {Path(path).resolve() for path in paths}
    folder = _common_folder(files)
    taken, left_out, size, titles = [], [], DocumentSize(), {}
    for number, file in enumerate(files, start=1):
        name = file.resolve().relative_to(folder).as_posix()
        try:
            source = GameSource(file, name, open_document(file, name, typed=True))
        except RefgenError as error:
            if file.resolve() in named and not (len(files) > 1 and _is_empty(file)):
                raise
            left_out.append((name, error.message))
            continue
        if len(files) == 1 or _IS_INDEX.match(file.stem):
            titles[name] = title_of(source.document)
        is_asked_for = len(files) == 1 or file.resolve() in named
        reason = "" if is_asked_for else _reason_to_leave(source.document)
        if reason:
            left_out.append((name, reason))
        else:
            taken.append(source)
            size.add(source.document.text.text, "the game", source.document.entity_letters, files[number:])
    if not taken:
        raise SourceError("no file holds rules", hint=_NO_DOCUMENTS)
    left_out += [entry for path in paths for entry in _unread_files(Path(path))]
    return GameSources(taken, left_out, next(iter(titles.values()), "") or _title_of_folder(folder))


def _all_files(paths: Sequence[str]) -> Sequence[Path]:
    """The files that paths stand for, each once. Raises RefgenError for a file that is not there, and for no files."""
    files = list(dict.fromkeys(found for path in paths for found in _files(path)))
    if not files:
        raise SourceError(f"{', '.join(paths)} holds no documents", hint=_NO_DOCUMENTS)
    for missing in filterfalse(Path.exists, files):
        read_bytes(missing, str(missing))  # which is refused before the others are read, as that takes long
    return files


def _title_of_folder(folder: Path) -> str:
    """The name of a folder in words; of a folder such as "docs" or "html", the name of the folder around the folder."""
    named = next((one for one in (folder, *folder.parents) if one.name.lower() not in _KINDS_OF_FOLDERS), folder)
    return plain_text(re.sub(r"[-_]+", " ", (named if named.name else folder).name)).title()


def _is_empty(file: Path) -> bool:
    return file.is_file() and not file.read_bytes().strip()


def _unread_files(folder: Path) -> Iterator[tuple[str, str]]:
    """The files of a folder that may hold rules in a format that refgen does not read, counted by their suffixes."""
    inside = folder.rglob("*") if folder.is_dir() else ()
    suffixes = Counter(file.suffix.lower() for file in inside if _is_shown(file, folder))
    for suffix, number in sorted(suffixes.items()):
        if suffix and suffix not in _NO_RULES and not is_document_name(f"a{suffix}"):
            yield f"{number} {suffix}", "refgen does not read such files"


def _files(path: str) -> Iterator[Path]:
    """The files that a path stands for: itself, the documents in a folder, or all files that a pattern names."""
    given = Path(path)
    refuse_address(path)
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
    return _is_shown(file, folder) and is_document_name(file.name)


def _is_shown(file: Path, folder: Path) -> bool:
    is_hidden = any(part.startswith(".") for part in file.relative_to(folder).parts)
    return file.is_file() and file.resolve().is_relative_to(folder.resolve()) and not is_hidden


def _natural(path: Path) -> list[str]:
    """The key by which chapter 2 stands before chapter 10, and an index before all other files of its folder."""
    parts = [*path.parent.parts, "" if _IS_INDEX.match(path.stem) else path.name]
    return [_NUMBER.sub(lambda number: number[0].zfill(9), part) for part in parts]


def _common_folder(files: Sequence[Path]) -> Path:
    """The innermost folder that holds all files."""
    return Path(os.path.commonpath([file.resolve().parent for file in files]))


def _reason_to_leave(document: Document) -> str:
    """Why a page holds no rules; "" if it may hold some."""
    if document.tables:
        return ""
    words = [text for section in document.sections for text in section.paragraphs]
    words += [item for section in document.sections for block in section.lists for item in block.items]
    if not any(map(len, words)):
        return "it has no words"
    links = SpanIndex((mark.span for mark in document.marks if mark.kind is Inline.LINK), lambda span: span)
    linked = [line for line in words if _is_link(line, links)]
    if linked and len(linked) >= LINKED * len(words):
        return "it is an index of other pages"
    text = " ".join(passage.text for passage in words)
    if len(_OF_LICENCES.findall(text)) * 1_000 >= LICENSING * len(text.split()):
        return "it speaks of licences alone"
    return ""


def _is_link(words: Passage, links: SpanIndex[Span]) -> bool:
    """Whether a line begins with a link, or is links for the most part."""
    found = links.within(words.span)
    linked = sum(link.end - link.start for link in found)
    return bool(found) and (found[0].start <= words.origins[0] + 1 or 2 * linked >= len(words))
