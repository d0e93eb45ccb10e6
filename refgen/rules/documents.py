"""The documents of a game: one, or several read as if they were one.

In: the folder of a game and what its system.toml calls them ("rules.md", "rules/*.md"). Out: a Document, whose sections
are those of all files, in the order in which they are named; what a pattern matches comes in the order of its names.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePath

from refgen.errors import RulesError, SourceError
from refgen.files import inside
from refgen.readers.document import Document, joined
from refgen.readers.read import open_document, refuse_long
from refgen.rules.schema import RulesSpec
from refgen.rules.toml import locate
from refgen.source import SourceFile
from refgen.span import Span

_HINT = "Put it into the folder, or name it with --document."


def read_documents(folder: Path, spec: RulesSpec, spec_source: SourceFile) -> Document:
    """Everything that a game reads. Raises RulesError for a name that matches no file, or leads out of the folder."""
    if bool(spec.document.file) == bool(spec.documents):
        place = locate(spec_source, ("documents",))
        raise RulesError(
            "a game has a document or documents", span=place, hint='For example documents = ["rules/*.md"].'
        )
    if file := spec.document.file:
        names = {file: _inside(folder, file, locate(spec_source, ("document",)))}
    else:
        named = enumerate(spec.documents)
        names = dict(
            file for number, name in named for file in _files(folder, name, locate(spec_source, ("documents", number)))
        )
    documents: list[Document] = []
    for name, path in names.items():
        documents.append(open_document(path, f"{folder.name}/{name}", spec.format))
        refuse_long(sum(len(document.text) for document in documents), folder.name)
    return joined(documents)


def _files(folder: Path, name: str, place: Span) -> Iterator[tuple[str, Path]]:
    """The files that a name or pattern stands for, each with its name in the folder; those of the game are none."""
    if not any(mark in name for mark in "*?["):
        yield name, _inside(folder, name, place)
        return
    if ".." in PurePath(name).parts:
        raise RulesError(f'"{name}" leads out of {folder.name}', span=place, hint=_HINT)
    try:
        found = sorted(path.relative_to(folder).as_posix() for path in folder.glob(name) if not path.is_dir())
    except (ValueError, NotImplementedError) as error:
        raise RulesError(
            f'"{name}" is no pattern of file names', span=place, hint='For example "rules/*.md".'
        ) from error
    documents = [file for file in found if not file.endswith(".toml") and "/." not in f"/{file}"]
    if not documents:
        raise RulesError(f'"{name}" matches no file in {folder.name}', span=place, hint='For example "rules/*.md".')
    for file in documents:
        yield file, _inside(folder, file, place)


def _inside(folder: Path, name: str, place: Span) -> Path:
    try:
        return inside(folder, name)
    except SourceError as error:
        raise RulesError(error.message, span=place, hint=_HINT) from error
