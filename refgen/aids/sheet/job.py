"""The jobs of a character sheet: a sheet on paper and a form for browsers, both read back.

In: a CharacterSheet and a page format, or its form. Out: the files, and mismatches between the pages and the sheet.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from refgen.aids.kind import AidJob, MadeFiles, preview_files
from refgen.aids.sheet.fields import field_boxes
from refgen.aids.sheet.form_pdf import form_pdf
from refgen.aids.sheet.interactive import Calculation, SheetForm, form_html
from refgen.aids.sheet.parts import PlacedColumn, PlacedPage, SetPart, SheetPages
from refgen.aids.sheet.planner import SheetPlanner, fit_sheet, longest_foot, sheet_html
from refgen.characters.sheet import AGAIN, CharacterSheet, Field, SheetPart, SheetRow
from refgen.errors import RefgenError
from refgen.game import SystemInfo
from refgen.layout.engine import write
from refgen.layout.layout_cache import KeptPages
from refgen.layout.page_format import PageFormat
from refgen.layout.pieces import (
    ExpectedField,
    ExpectedPart,
    Mismatch,
    PageFault,
    Piece,
    align,
    box_pieces,
    field_count_faults,
    header,
)
from refgen.layout.readback.compare import AidOutput, read_back
from refgen.layout.readback.html_pages import link_faults, read_html, texts
from refgen.layout.templates import loaded_files
from refgen.look.harfbuzz import NoPangoError
from refgen.words import Words


def expected_parts(system: SystemInfo, sheet: SheetPages) -> list[ExpectedPart]:
    """The texts that must be read on each page of the sheet, page by page."""
    return [_page(system, sheet.sheet, page) for page in sheet.pages]


def _page(system: SystemInfo, sheet: CharacterSheet, page: PlacedPage) -> ExpectedPart:
    name_fields = [page.name_field] if page.name_field else []
    pieces = [*header(sheet.title, system.title, *(field.label for field in name_fields), page.place)]
    fields = [_expected_field(field) for field in name_fields]
    for box, column in enumerate(page.columns):
        pieces += box_pieces(box, [piece for placed in column.parts for piece in _part(placed)])
        fields += [_expected_field(field, box) for field in _fields(column)]
    pieces.append(Piece(system.foot(is_computed=page.is_computed), "footer"))
    return ExpectedPart(f"page {page.number + 1}", tuple(pieces), tuple(fields), bool(system.look.templates))


def _expected_field(field: Field, box: int | None = None) -> ExpectedField:
    return ExpectedField(field.name, field.name.partition(AGAIN)[0], field.label, box)


def _fields(column: PlacedColumn) -> Iterator[Field]:
    """The fields of a column, without absent boxes of tracks."""
    rows = (row for placed in column.parts for row in placed.part.rows)
    return (field for row in rows for field in row.fields if not field.absent)


def _part(placed: SetPart) -> Iterator[Piece]:
    part = placed.part
    where = f'"{part.title}"'
    yield Piece(part.title, f"{where}, title")
    if part.block:
        yield from part.block.pieces(part.title)
    for column, _ in placed.line_columns:
        for head in part.heads:
            yield Piece(head, f'{where}, head "{head}"')
        for row in column:
            yield from _row(row, part, where)
    yield Piece(part.note, f"{where}, note")


def _row(row: SheetRow, part: SheetPart, where: str) -> Iterator[Piece]:
    if part.layout != "area":
        yield Piece(row.label, f'{where}, label "{row.label}"')
    if part.layout == "tracks":
        yield Piece(row.note, f'{where}, note of "{row.label}"')


_FIELDS = "self::input or self::select or self::textarea or self::output"


def form_mismatches(
    form: SheetForm, page: str, file: str, files: Collection[str], words: Words, *, is_extended: bool = False
) -> list[Mismatch]:
    """The mismatches between a form and its page, whose links may lead to ``files``."""
    root = read_html(page)
    sections = root.xpath("//form[@id = 'sheet']//section[starts-with(@aria-labelledby, 'part-')]")
    titles = [section.get("aria-labelledby").removeprefix("part-") for section in sections]
    faults = [*field_count_faults((part.id for part in form.sheet.parts()), titles), *_field_faults(form, root)]
    if not faults:
        for part, section in zip(form.sheet.parts(), sections, strict=True):
            pieces = [piece for piece in _pieces(part, words) if not piece.painted]
            faults += align(pieces, texts(section), is_extended=is_extended).faults
    return [Mismatch(file, where, what) for where, what in (*faults, *link_faults(root, file, files))]


def _field_faults(form: SheetForm, root: Any) -> Iterator[PageFault]:
    found = root.xpath(f"//form[@id = 'sheet']//*[{_FIELDS}][not(ancestor::template)]")
    labels = {field.name: field.label for field in form.sheet.fields()}
    yield from field_count_faults(labels, [field.get("id") for field in found])
    for field in found:
        name, label = field.get("id"), field.get("aria-label")
        if name in labels and label != labels[name]:
            yield f'field "{name}"', f'label "{label}" in place of "{labels[name]}"'


def _pieces(part: SheetPart, words: Words) -> Iterator[Piece]:
    """The texts of a part, in the order of the template."""
    where = f'"{part.title}"'
    yield Piece(part.title, f"{where}, title")
    if part.block:
        yield from part.block.pieces(part.title)
    if part.layout == "tracks":
        yield from (Piece(head, f'{where}, head "{head}"') for head in part.heads)
    for number, row in enumerate(part.rows, start=1):
        yield from (Piece(text, f"{where}, line {number}") for text in _line(part, row))
    if part.pattern:
        yield Piece(words("add-line"), f"{where}, button")
    yield Piece(part.note, f"{where}, note")


def _line(part: SheetPart, row: SheetRow) -> Iterator[str]:
    """The words of a line: label, heads over the fields, and note."""
    if part.layout != "area":
        yield row.label
    if part.layout in ("rows", "lines"):
        yield from part.heads
    yield row.note


@dataclass(frozen=True, slots=True)
class SheetJob(AidJob):
    """A sheet on paper; with a ``calculation``, viewers of PDFs calculate its computed fields."""

    aid: CharacterSheet
    calculation: Calculation | None = None

    def make(self, kept: KeptPages | None = None) -> MadeFiles:  # noqa: ARG002  # its pages are laid out together
        """A PDF for each format; a format that does not fit leaves an error and does not stop the others."""
        files: dict[str, bytes] = {}
        errors: list[RefgenError] = []
        mismatches: list[Mismatch] = []
        for page_format in self.formats:
            try:
                pdf, faults, found = self._make_pdf(page_format)
            except NoPangoError:
                raise
            except RefgenError as error:
                errors.append(error)
            else:
                files[f"{self.path(page_format)}.pdf"] = pdf
                errors += faults
                mismatches += found
        first = next(iter(files.values()), None)
        pictures = preview_files(self.name, first, 1) if first else {}
        return MadeFiles(files, pictures, errors, mismatches)

    def _make_pdf(self, page_format: PageFormat) -> tuple[bytes, Sequence[RefgenError], list[Mismatch]]:
        """The PDF of a format, what cannot be set, and the mismatches. Raises RenderError if the sheet does not fit."""
        name = self.path(page_format)
        fitted = fit_sheet(self.system, self.aid, page_format, name)
        boxes = field_boxes(fitted.laid_out, fitted.pages.fields())
        pdf = form_pdf(write(fitted.laid_out, name), boxes, calculation=self.calculation)
        rendered = AidOutput(name, fitted.html, pdf, [page.parts for page in fitted.laid_out])
        return pdf, fitted.faults, read_back(expected_parts(self.system, fitted.pages), rendered)

    def draft(self, *, printed: bool = False) -> MadeFiles:
        """The pages of each format, if a browser is to print them. Raises RenderError if one does not fit."""
        files: dict[str, bytes] = {}
        mismatches: list[Mismatch] = []
        words, foot = self.system.words, longest_foot(self.system, self.aid)
        for page_format in self.formats:
            name, pages = self.path(page_format), SheetPlanner(self.aid, page_format, words, foot).pages()
            if printed:
                html = sheet_html(self.system, pages, page_format, printed=True)
                files[f"{name}.html"] = html.encode()
                mismatches += read_back(expected_parts(self.system, pages), AidOutput(name, html))
        return MadeFiles(files, mismatches=mismatches)


@dataclass(frozen=True, slots=True)
class FormJob(AidJob):
    """A sheet to be filled in with a browser, independent of paper."""

    aid: SheetForm

    @property
    def html_paths(self) -> frozenset[str]:
        """The path of the form."""
        return frozenset({f"{self.name}.html"})

    def make(self, kept: KeptPages | None = None) -> MadeFiles:  # noqa: ARG002  # there is nothing to lay out
        """The page, read back."""
        file, html = f"{self.name}.html", form_html(self.system, self.aid)
        look, words = self.system.look, self.system.words
        faults = form_mismatches(self.aid, html, file, loaded_files(), words, is_extended=bool(look.templates))
        return MadeFiles({file: html.encode()}, mismatches=faults)

    def draft(self, *, printed: bool = False) -> MadeFiles:  # noqa: ARG002
        """The final page, since a form needs no layout."""
        return self.make()
