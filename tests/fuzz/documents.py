"""Targets: rule documents of each format, and the files that ``refgen init`` proposes of a document."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from pkgutil import resolve_name
from tempfile import TemporaryDirectory

from refgen.export.document import check_document, document_data
from refgen.limits import changed_limits
from refgen.proposals.rules_files import propose_rules, verified_rules
from refgen.readers.document import BINARY, Document, Format
from refgen.readers.read import FROM_BYTES, decode_document, read_document, visible_paragraphs
from tests.fuzz import seeds
from tests.fuzz.mutations import ARCHIVE, TEXT, XML
from tests.fuzz.target import Run, Target

_SUFFIX = {
    Format.MARKDOWN: "md",
    Format.DOCBOOK: "xml",
    Format.LATEX: "tex",
    Format.PLAINTEXT: "txt",
    Format.FLATTENED: "txt",
}


def _document_target(form: Format) -> Target:
    changes = {Format.DOCBOOK: XML, Format.DOCX: ARCHIVE, Format.ODT: ARCHIVE}.get(form, TEXT)
    return Target(
        lambda: seeds.documents(form),
        lambda _: lambda data: _read(data, form),
        changes,
        _read_command(form),
        foreign=lambda: seeds.foreign_documents(form),
    )


def _read(data: bytes, form: Format) -> None:
    """Read a document, show all of it, and check what needs no system.toml."""
    with changed_limits(["pandoc-seconds=1"]):
        if form in BINARY:
            _show(resolve_name(FROM_BYTES[form])(data, "rules"))
            return
        source = decode_document(data, "rules")
        _show(read_document(source, form))
        visible_paragraphs(source, form)


def _show(document: Document) -> None:
    length = len(document.source.text)
    for section in document.sections:
        for cell in (cell for grid in section.grids for row in grid.rows for cell in row):
            assert 0 <= cell.span.start <= cell.span.end <= length, cell
    document_data(document, text=True)
    check_document(document)


def _read_command(form: Format) -> Callable[[Path, bytes], Sequence[str]]:
    def command(folder: Path, data: bytes) -> Sequence[str]:
        path = folder / f"rules.{_SUFFIX.get(form, form)}"
        path.write_bytes(data)
        return ["read", str(path), "--sections", "--limit", "pandoc-seconds=4"]

    return command


def _proposals(scratch: Path) -> Run:
    def run(data: bytes) -> None:
        document = read_document(decode_document(data, "rules"), Format.MARKDOWN)
        proposed = propose_rules(document)
        with TemporaryDirectory(dir=scratch) as folder:
            verified_rules(proposed, document, Path(folder))

    return run


TARGETS: Mapping[str, Target] = {
    **{str(form): _document_target(form) for form in Format},
    "proposal": Target(lambda: seeds.documents(Format.MARKDOWN), _proposals),
}
