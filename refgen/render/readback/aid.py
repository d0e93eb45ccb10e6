"""An aid against its HTML and its PDF.

In: an aid as it was to be shown, and what was made of it. Out: the mismatches. Both outputs are compared
with the same pieces, each text whole: if the HTML and the PDF do not show the same figures, one of them is named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from refgen.aids.system_info import SystemInfo
from refgen.render.measure import PartBoxes
from refgen.render.pieces import Piece
from refgen.render.readback.align import Alignment, align, normalized
from refgen.render.readback.box import Box, on_paper
from refgen.render.readback.expected import ExpectedPart, ShownAid, expected, tabs
from refgen.render.readback.html_pages import (
    HtmlField,
    dead_links,
    doubled_ids,
    fields,
    ids,
    parts,
    read_html,
    tab_texts,
    texts,
    texts_beside_parts,
)
from refgen.render.readback.mismatch import Mismatch
from refgen.render.readback.pdf_pages import PdfField, PdfPage, read_pdf
from refgen.render.readback.places import Fault, Placed, clashes, faults_of_field, faults_of_run


@dataclass(frozen=True, slots=True)
class Rendered:
    """What was made of an aid.

    ``name`` is the path of its files in the output without suffix; ``measured`` says which parts stand on each page of
    the PDF, and where.
    """

    name: str
    html: str
    pdf: bytes
    measured: Sequence[Mapping[int, PartBoxes]]


def read_back(system: SystemInfo, aid: ShownAid, rendered: Rendered, files: Collection[str]) -> list[Mismatch]:
    """Compare an aid with what was made of it; links may lead to ``files``. Raises RenderError for a broken PDF."""
    model = expected(system, aid)
    return [*_html(model, tabs(aid), rendered, files), *_pdf(model, rendered)]


def _html(
    model: Sequence[ExpectedPart], named: Sequence[str], rendered: Rendered, files: Collection[str]
) -> Iterator[Mismatch]:
    file = f"{rendered.name}.html"
    root = read_html(rendered.html)
    found = parts(root)
    if len(found) != len(model):
        yield Mismatch(file, "", f"{len(found)} parts, but the model has {len(model)}")
        return
    for part, element in zip(model, found, strict=True):
        unpainted = [piece for piece in part.pieces if not piece.painted]
        faults = [*align(unpainted, texts(element)).faults, *_html_fields(part, fields(element))]
        yield from (Mismatch(file, _joined(part.name, where), what) for where, what in faults)
    if (shown := tab_texts(root)) != [normalized(name) for name in named]:
        yield Mismatch(file, "", f"the tabs are {', '.join(shown)}, and the panels {', '.join(named)}")
    yield from (Mismatch(file, "", f'"{text}" stands beside all parts') for text in texts_beside_parts(root))
    yield from (Mismatch(file, "", f'two elements have the id "{name}"') for name in doubled_ids(root))
    yield from (
        Mismatch(file, "", f'the link "{link}" leads nowhere')
        for link in dead_links(root, file, files, {file: ids(root)})
    )


def _joined(part: str, where: str) -> str:
    """A place in a part; most places name the part already."""
    return where if f'"{part}"' in where else f'"{part}", {where}' if where else f'"{part}"'


def _html_fields(part: ExpectedPart, found: Sequence[HtmlField]) -> Iterator[Fault]:
    yield from _named_once((field.name for field in part.fields), [field.name for field in found])
    labels = {field.name: field.label for field in part.fields}
    for field in found:
        if field.name in labels and (field.label, field.tooltip) != (labels[field.name], labels[field.name]):
            instead = f'in place of "{labels[field.name]}"'
            yield f'field "{field.name}"', f'label "{field.label}" and tooltip "{field.tooltip}" {instead}'


def _named_once(wanted: Iterable[str], found: Sequence[str]) -> Iterator[Fault]:
    """Every field is there, once, and no other."""
    counts = Counter(found)
    for name in wanted:
        if counts[name] != 1:
            yield f'field "{name}"', "is not there" if not counts[name] else f"is there {counts[name]} times"
        del counts[name]
    yield from ((f'field "{name}"', "is there, which the model does not have") for name in counts)


def _pdf(model: Sequence[ExpectedPart], rendered: Rendered) -> Iterator[Mismatch]:
    file = f"{rendered.name}.pdf"
    pages = read_pdf(rendered.pdf, file)
    shown = [number for parts in rendered.measured for number in parts]
    if len(pages) != len(rendered.measured) or shown != list(range(len(model))):
        laid_out = f"{len(rendered.measured)} pages with {len(shown)} parts were laid out"
        yield Mismatch(file, "", f"{len(pages)} pages; {laid_out}, and the model has {len(model)} parts")
        return
    for number, (page, found) in enumerate(zip(pages, rendered.measured, strict=True), start=1):
        for where, what in _page(page, [(model[part], boxes) for part, boxes in found.items()]):
            yield Mismatch(file, _joined_page(number, where), what)


def _joined_page(number: int, where: str) -> str:
    return ", ".join(part for part in (f"page {number}", where) if part)


def _page(page: PdfPage, parts: Sequence[tuple[ExpectedPart, PartBoxes]]) -> Iterator[Fault]:
    """What is wrong on a page that has these parts."""
    holders = {id(piece): _holder(piece, boxes, page) for part, boxes in parts for piece in part.pieces}
    alignment = align([piece for part, _ in parts for piece in part.pieces], [run.text for run in page.runs])
    yield from alignment.faults
    for piece, span in alignment.texts:
        for number in span:
            yield from faults_of_run(page.runs[number], piece.where, holders[id(piece)])
    yield from _pdf_fields(page, parts)
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


def _pdf_fields(page: PdfPage, parts: Sequence[tuple[ExpectedPart, PartBoxes]]) -> Iterator[Fault]:
    labels = {field.name: field.label for part, _ in parts for field in part.fields}
    yield from _named_once(labels, [field.name for field in page.fields])
    holders = {field.name: boxes.boxes[0] for part, boxes in parts for field in part.fields}
    for field in page.fields:
        where = f'field "{field.name}"'
        if field.name in labels:
            if field.tooltip != labels[field.name]:
                yield where, f'tooltip "{field.tooltip}" in place of "{labels[field.name]}"'
            yield from faults_of_field(field, where, on_paper(holders[field.name], page.box.top))
