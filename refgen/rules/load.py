"""Load a game: the TOML files in its folder and its rule documents become a Ruleset.

In: the folder of a game, and perhaps one document to read instead of the documents there. Out: the Ruleset.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath
from typing import TypeVar

from refgen.errors import RulesError, SourceError
from refgen.files import inside
from refgen.readers.document import Document, join_documents
from refgen.readers.read import open_document, refuse_long
from refgen.rules.model import Ruleset
from refgen.rules.ruleset_reader import RulesetReader
from refgen.rules.schema import DocumentSettings, RulesSpec
from refgen.rules.spec_files import Edition, SpecFiles, editions
from refgen.rules.toml import locate
from refgen.source import SourceFile
from refgen.span import Span
from refgen.suggestion import did_you_mean

_FOLDER_HINT = "Put it into the folder, or name it with --document."
_PATTERN_HINT = 'For example "rules/*.md".'


def load_ruleset(
    folder: Path,
    model: type[_Spec],
    document: Path | None = None,
    settings: DocumentSettings | None = None,
    *,
    partial: bool = False,
) -> Ruleset[_Spec]:
    """The rules of the game in ``folder``, read from its own documents, or from ``document`` in place of all of them.

    Every error of a table, a ladder or a fact is raised, all at once; with ``partial`` the Ruleset leaves out the parts
    that cannot be read, and keeps the errors. A TOML file that does not fit and a document that cannot be read raise in
    any case.

    ``model`` is what system.toml and proof.toml may hold: usually ``refgen.game.spec.SystemSpec``. ``settings`` say how
    documents are written where system.toml does not. Another document is read with the phrasings that explain most of
    it: the game's own, or those of a file in ``phrasings``. Spans name files as ``<game>/<file>``, and another document
    by the path it was given with.
    """
    files = SpecFiles.read(folder)
    spec = files.load(model, tuple(settings.dice_letters) if settings else ())
    if settings is not None:
        spec = spec.model_copy(update={"document": spec.document.over(settings)})
    if document is None:
        return rules_in(read_documents(folder, spec, files.system), folder.name, spec, files, partial=partial)
    read = open_document(document, document_format=spec.format, typed=True)
    readers = [RulesetReader(folder.name, spec, files, read, edition) for edition in editions(folder, spec, files)]
    return _best(readers).read(lenient=partial)


def rules_in(document: Document, game: str, spec: _Spec, files: SpecFiles, *, partial: bool = False) -> Ruleset[_Spec]:
    """The rules of a game in its own document, which was read already."""
    main = Edition.main(spec, files)
    return RulesetReader(game, spec, files, document, main, at_home=True).read(lenient=partial)


def _best(readers: Sequence[RulesetReader[_Spec]]) -> RulesetReader[_Spec]:
    """The first reader whose edition explains the whole document, or the reader whose edition explains most."""
    if len(readers) == 1:
        return readers[0]
    whole = next((reader for reader in readers if not reader.unexplained), None)
    return whole or min(readers, key=lambda reader: reader.unexplained)


def read_documents(folder: Path, spec: RulesSpec, spec_source: SourceFile) -> Document:
    """All documents of a game as one, whose sections follow each other in the order in which the files are named.

    Files that a pattern matches come in the order of their names. Raises RulesError for a name that matches no file, or
    leads out of the folder.
    """
    if bool(spec.document.file) == bool(spec.documents):
        place = locate(spec_source, ("documents",))
        hint = 'For example documents = ["rules/*.md"].'
        raise RulesError("a game has a document or documents", span=place, hint=hint)
    if file := spec.document.file:
        paths = {file: _inside(folder, file, locate(spec_source, ("document",)))}
    else:
        paths = {}
        for number, pattern in enumerate(spec.documents):
            paths |= _files(folder, pattern, locate(spec_source, ("documents", number)))
    documents: list[Document] = []
    for name, path in paths.items():
        documents.append(open_document(path, f"{folder.name}/{name}", spec.format))
        refuse_long(sum(len(document.text) for document in documents), folder.name)
    return join_documents(documents)


def _files(folder: Path, pattern: str, place: Span) -> Iterator[tuple[str, Path]]:
    """The documents that a name or pattern stands for, each with its name in the folder; TOML files are none."""
    if not any(mark in pattern for mark in "*?["):
        yield pattern, _inside(folder, pattern, place)
        return
    if ".." in PurePath(pattern).parts:
        raise RulesError(f'"{pattern}" leads out of {folder.name}', span=place, hint=_FOLDER_HINT)
    try:
        found = sorted(path.relative_to(folder).as_posix() for path in folder.glob(pattern) if not path.is_dir())
    except (ValueError, NotImplementedError) as error:
        raise RulesError(f'"{pattern}" is no pattern of file names', span=place, hint=_PATTERN_HINT) from error
    documents = [file for file in found if not file.endswith(".toml") and "/." not in f"/{file}"]
    if not documents:
        raise RulesError(f'"{pattern}" matches no file in {folder.name}', span=place, hint=_PATTERN_HINT)
    for file in documents:
        yield file, _inside(folder, file, place)


def _inside(folder: Path, name: str, place: Span) -> Path:
    try:
        return inside(folder, name)
    except SourceError as error:
        raise RulesError(error.message, span=place, hint=_FOLDER_HINT) from error
