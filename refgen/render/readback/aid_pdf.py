"""The parts of an aid against its PDF.

In: the parts as they were to be shown, a PDF, and where its parts were laid out. Out: the mismatches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from refgen.blocks.pieces import Piece
from refgen.characters.sheet.model import AGAIN
from refgen.layout.engine import PartBoxes
from refgen.render.readback.align import Alignment, align
from refgen.render.readback.alternative import alternative_faults
from refgen.render.readback.box import Box, on_paper
from refgen.render.readback.expected import ExpectedPart, named_once
from refgen.render.readback.mismatch import Mismatch
from refgen.render.readback.pdf_pages import PdfField, PdfPage, read_pdf
from refgen.render.readback.places import Fault, Placed, clashes, faults_of_field, faults_of_run


def pdf_mismatches(
    model: Sequence[ExpectedPart], data: bytes, measured: Sequence[Mapping[int, PartBoxes]], file: str
) -> Iterator[Mismatch]:
    """What is wrong with a PDF on whose pages the parts were ``measured``. Raises RenderError for a broken one."""
    pages = read_pdf(data, file)
    shown = [number for parts in measured for number in parts]
    if len(pages) != len(measured) or shown != list(range(len(model))):
        laid_out = f"{len(measured)} pages with {len(shown)} parts were laid out"
        yield Mismatch(file, "", f"{len(pages)} pages; {laid_out}, and the model has {len(model)} parts")
        return
    for number, (page, found) in enumerate(zip(pages, measured, strict=True), start=1):
        for where, what in _page(page, [(model[part], boxes) for part, boxes in found.items()]):
            yield Mismatch(file, _joined_page(number, where), what)


def _joined_page(number: int, where: str) -> str:
    return ", ".join(part for part in (f"page {number}", where) if part)


def _page(page: PdfPage, parts: Sequence[tuple[ExpectedPart, PartBoxes]]) -> Iterator[Fault]:
    """What is wrong on a page that has these parts."""
    holders = {id(piece): _holder(piece, boxes, page) for part, boxes in parts for piece in part.pieces}
    pieces = [piece for part, _ in parts for piece in part.pieces]
    alignment = align(pieces, [run.text for run in page.runs])
    yield from alignment.faults
    for piece, span in alignment.texts:
        for number in span:
            yield from faults_of_run(page.runs[number], piece.where, holders[id(piece)])
    yield from _fields(page, parts)
    yield from alternative_faults(pieces, page.figures)
    yield from clashes([*_placed_runs(page, alignment), *_placed_fields(page.fields)], page.fills)


def _holder(piece: Piece, boxes: PartBoxes, page: PdfPage) -> Box:
    """The box that must hold a piece: one of its part, the part's frame, or the page."""
    rect = boxes.frame if piece.box is None else boxes.boxes[piece.box]
    return on_paper(rect, page.box.top) if rect is not None else page.box


def _placed_runs(page: PdfPage, alignment: Alignment) -> Iterator[Placed]:
    places = {number: piece.where for piece, span in alignment.texts for number in span}
    for number, run in enumerate(page.runs):
        yield Placed(run.text, places.get(number, "?"), run.box, run.order)


def _placed_fields(found: Iterable[PdfField]) -> Iterator[Placed]:
    for field in found:
        yield Placed(field.tooltip or field.name, f'field "{field.name}"', field.box, None)


def _fields(page: PdfPage, parts: Sequence[tuple[ExpectedPart, PartBoxes]]) -> Iterator[Fault]:
    labels = {field.name.partition(AGAIN)[0]: field.label for part, _ in parts for field in part.fields}
    yield from named_once(labels, [field.name for field in page.fields])
    holders = {name: boxes.boxes[box] for part, boxes in parts for name, box in part.holders.items()}
    for field in page.fields:
        where = f'field "{field.name}"'
        if field.name in labels:
            if field.tooltip != labels[field.name]:
                yield where, f'tooltip "{field.tooltip}" in place of "{labels[field.name]}"'
            holder = holders.get(field.name)
            yield from faults_of_field(field, where, on_paper(holder, page.box.top) if holder else page.box)
