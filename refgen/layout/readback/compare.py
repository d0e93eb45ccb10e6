"""The comparison of the HTML and the PDF of an aid with the pieces of the aid.

In: the pieces that must be read on each part of an aid; a page, a PDF, and the places of the parts. Out: mismatches.
HTML and PDF are compared with the same pieces, each text whole: the one that shows other figures is named. Of charts
the alternative texts are compared: the rows with the highest and the lowest figure are found from the exact figures a
second time; of equal figures any may be named.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product, zip_longest
from typing import Any

from refgen.layout.engine import PartBoxes
from refgen.layout.pieces import (
    Alignment,
    DescribedChart,
    DescribedSeries,
    ExpectedPart,
    Mismatch,
    PageFault,
    Piece,
    align,
    field_count_faults,
    left_out,
    normalize_text,
)
from refgen.layout.readback import html_pages
from refgen.layout.readback.pdf_pages import PdfPage, read_pdf
from refgen.layout.readback.places import (
    PageBox,
    PaintedItem,
    PdfField,
    clashes,
    faults_of_run,
    faults_outside,
    on_paper,
)
from refgen.layout.templates import loaded_files


def html_mismatches(
    model: Sequence[ExpectedPart], named: Sequence[str], root: Any, file: str, files: Collection[str]
) -> Iterator[Mismatch]:
    """The mismatches of a page whose root element is ``root``, with tabs ``named``; links may lead to ``files``."""
    found = html_pages.parts(root)
    if len(found) != len(model):
        yield Mismatch(file, "", f"{len(found)} parts, but the model has {len(model)}")
        return
    for part, element in zip(model, found, strict=True):
        yield from (Mismatch(file, _place_in_part(part.name, where), what) for where, what in _html_part(part, element))
        yield from left_out(file, _html_alignment(part, element)) if part.is_extended else ()
    if (shown := html_pages.tab_texts(root)) != [normalize_text(name) for name in named]:
        yield Mismatch(file, "", f"the tabs are {', '.join(shown)}, and the panels {', '.join(named)}")
    yield from (Mismatch(file, "", f'"{text}" stands beside all parts') for text in html_pages.texts_beside_parts(root))
    yield from (Mismatch(file, where, what) for where, what in html_pages.link_faults(root, file, files))


def _html_part(part: ExpectedPart, element: Any) -> Iterator[PageFault]:
    """The faults of a part; an additional or missing cell is found by its text, if it has text."""
    yield from _html_alignment(part, element).faults
    yield from _html_fields(part, html_pages.fields(element))
    yield from alternative_faults(part.pieces, [svg.findtext("title") for svg in html_pages.svgs(element)])


def _html_alignment(part: ExpectedPart, element: Any) -> Alignment:
    pieces = [piece for piece in part.pieces if not piece.painted]
    return align(pieces, html_pages.texts(element), is_extended=part.is_extended)


def _place_in_part(part: str, where: str) -> str:
    """The words for a place in a part; most places name the part already."""
    return where if f'"{part}"' in where else f'"{part}", {where}' if where else f'"{part}"'


def _html_fields(part: ExpectedPart, found: Sequence[html_pages.HtmlField]) -> Iterator[PageFault]:
    yield from field_count_faults((field.name for field in part.fields), [field.name for field in found])
    labels = {field.name: field.label for field in part.fields}
    for field in found:
        if field.name in labels and (field.label, field.tooltip) != (labels[field.name], labels[field.name]):
            instead = f'in place of "{labels[field.name]}"'
            yield f'field "{field.name}"', f'label "{field.label}" and tooltip "{field.tooltip}" {instead}'


def pdf_mismatches(
    model: Sequence[ExpectedPart], data: bytes, measured: Sequence[Mapping[int, PartBoxes]], file: str
) -> Iterator[Mismatch]:
    """The mismatches of a PDF; ``measured`` has the boxes of parts by page. Raises RenderError for a broken PDF."""
    pages = read_pdf(data, file)
    shown = [number for parts in measured for number in parts]
    if len(pages) != len(measured) or shown != list(range(len(model))):
        laid_out = f"{len(measured)} pages with {len(shown)} parts were laid out"
        yield Mismatch(file, "", f"{len(pages)} pages; {laid_out}, and the model has {len(model)} parts")
        return
    for number, (page, found) in enumerate(zip(pages, measured, strict=True), start=1):
        for where, what in _pdf_page(page, [(model[part], boxes) for part, boxes in found.items()]):
            yield Mismatch(file, _place_on_page(number, where), what)
        if any(model[part].is_extended for part in found):
            yield from left_out(file, _pdf_alignment(page, [model[part] for part in found]))


def _place_on_page(number: int, where: str) -> str:
    return ", ".join(part for part in (f"page {number}", where) if part)


def _pdf_page(page: PdfPage, parts: Sequence[tuple[ExpectedPart, PartBoxes]]) -> Iterator[PageFault]:
    """The faults of a page of the PDF that holds these parts."""
    holders = {id(piece): _holder(piece, boxes, page) for part, boxes in parts for piece in part.pieces}
    pieces = [piece for part, _ in parts for piece in part.pieces]
    alignment = _pdf_alignment(page, [part for part, _ in parts])
    yield from alignment.faults
    for piece, span in alignment.texts:
        for number in span:
            yield from faults_of_run(page.runs[number], piece.where, holders[id(piece)])
    yield from _pdf_fields(page, parts)
    charts = {normalize_text(piece.chart.alternative) for piece in pieces if piece.chart}
    is_extended = any(part.is_extended for part, _ in parts)
    shown = [words for words in page.figures if not is_extended or normalize_text(words or "") in charts]
    yield from alternative_faults(pieces, shown)
    yield from clashes([*_placed_runs(page, alignment), *_placed_fields(page.fields)], page.fills)


def _pdf_alignment(page: PdfPage, parts: Sequence[ExpectedPart]) -> Alignment:
    pieces = [piece for part in parts for piece in part.pieces]
    return align(pieces, [run.aligned for run in page.runs], is_extended=any(part.is_extended for part in parts))


def _holder(piece: Piece, boxes: PartBoxes, page: PdfPage) -> PageBox:
    """The box that must hold a piece: a box of its part, the frame of the part, or the page."""
    rect = boxes.frame if piece.box is None else boxes.boxes[piece.box]
    return on_paper(rect, page.box.top) if rect is not None else page.box


def _placed_runs(page: PdfPage, alignment: Alignment) -> Iterator[PaintedItem]:
    places = {number: piece.where for piece, span in alignment.texts for number in span}
    for number, run in enumerate(page.runs):
        yield PaintedItem(run.text, places.get(number, "?"), run.box, run.order)


def _placed_fields(found: Iterable[PdfField]) -> Iterator[PaintedItem]:
    for field in found:
        yield PaintedItem(field.tooltip or field.name, f'field "{field.name}"', field.box, None)


def _pdf_fields(page: PdfPage, parts: Sequence[tuple[ExpectedPart, PartBoxes]]) -> Iterator[PageFault]:
    wanted = {field.pdf_name: (field, boxes) for part, boxes in parts for field in part.fields}
    yield from field_count_faults(wanted, [field.name for field in page.fields])
    for field in page.fields:
        where = f'field "{field.name}"'
        if field.name in wanted:
            expected, boxes = wanted[field.name]
            if field.tooltip != expected.label:
                yield where, f'tooltip "{field.tooltip}" in place of "{expected.label}"'
            holder = page.box if expected.box is None else on_paper(boxes.boxes[expected.box], page.box.top)
            yield from faults_outside(field.box, "the field", where, holder)


@dataclass(frozen=True, slots=True)
class AidOutput:
    """The HTML and the PDF of an aid.

    ``name`` is the path of its files in the output without suffix; ``measured`` has the boxes of the parts on each page
    of the PDF, by the numbers of the parts. Without Pango the PDF is empty.
    """

    name: str
    html: str
    pdf: bytes = b""
    measured: Sequence[Mapping[int, PartBoxes]] = ()


def read_back(model: Sequence[ExpectedPart], rendered: AidOutput, tabs: Sequence[str] = ()) -> list[Mismatch]:
    """Compare the ``model`` of an aid, and the words of its ``tabs``, with the HTML and the PDF of the aid.

    Raises RenderError for a broken PDF.
    """
    html, pdf = f"{rendered.name}.html", f"{rendered.name}.pdf"
    in_pdf = pdf_mismatches(model, rendered.pdf, rendered.measured, pdf) if rendered.pdf else ()
    found = [
        *html_mismatches(model, tabs, html_pages.read_html(rendered.html), html, loaded_files()),
        *(mismatch for mismatch in in_pdf if not mismatch.is_note),  # noted for the HTML
    ]
    return [*dict.fromkeys(found)]


# The alternative texts of charts


def alternative_faults(pieces: Sequence[Piece], found: Sequence[str | None]) -> Iterator[PageFault]:
    """The faults of the alternative texts of charts; ``found`` are the texts that were read, in order."""
    charts = [(piece.chart, f"{piece.where}, alternative text") for piece in pieces if piece.chart]
    if len(found) != len(charts):
        yield "", f"{len(found)} charts, but the model has {len(charts)}"
        return
    for (chart, where), words in zip(charts, found, strict=True):
        yield from ((where, what) for what in (*_unlike_model(chart, words), *_unlike_figures(chart)))


def _unlike_model(chart: DescribedChart, found: str | None) -> Iterator[str]:
    """The first word of an alternative text that differs from the model."""
    if not found:
        yield "is not there"
        return
    for wanted, word in zip_longest(chart.alternative.split(), found.split(), fillvalue="nothing"):
        if wanted != word:
            yield f'"{wanted}" is not there, but "{word}"'
            return


def _unlike_figures(chart: DescribedChart) -> Iterator[str]:
    """The highest and lowest figures that the alternative text of a chart does not state."""
    rest = chart.alternative
    ends = chart.words("chart-rows", first=chart.names[0], last=chart.names[-1])
    if f"{ends};" not in rest:
        yield f'it does not say "{ends}"'
    for series in chart.series:
        claims = list(_claims(chart, series))
        said = next((claim for claim in claims if claim in rest), "")
        if not said:
            yield f'it does not say "{claims[0][:-1]}"'
        rest = rest[rest.find(said) + len(said) :]


def _claims(chart: DescribedChart, series: DescribedSeries) -> Iterator[str]:
    """The true sentences about the highest and the lowest figure of a series, in the words of an alternative text."""
    figures = known_figures(series)
    highs, lows = (_rows_with(figures, choose(figure for _, figure in figures)) for choose in (max, min))
    name = "chart-extremes-of" if series.name else "chart-extremes"
    for high, low in product(highs, lows):
        most, least = (f"{chart.names[row]}, {series.figures[row].text}" for row in (high, low))
        yield chart.words(name, series=series.name, high=most, low=least)


def known_figures(series: DescribedSeries) -> list[tuple[int, Fraction]]:
    """The figures of a series that are not blank, each with the number of its row."""
    return [(row, figure.value) for row, figure in enumerate(series.figures) if figure.value is not None]


def _rows_with(figures: list[tuple[int, Fraction]], wanted: Fraction) -> list[int]:
    return [row for row, figure in figures if figure == wanted]
