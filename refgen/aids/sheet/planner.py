"""The parts of a sheet spread over pages by estimated heights, and by measured heights where an estimate was too low.

In: a sheet and a page format. Out: a FittedSheet: pages filled with parts, their HTML, and their layout. Most often one
layout is enough; after too low an estimate the page is arranged with less room and laid out again. Raises RenderError
for a page that does not fit. In: pages, and the values of fields. Out: HTML that loads nothing but the assets beside
it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from refgen.aids.distribute import BALANCE_WORTH
from refgen.aids.kind import fit_pages
from refgen.aids.sheet.arranged_page import ArrangedPage, PageBands
from refgen.aids.sheet.parts import MeasuredPart, PlacedPage, SheetPages
from refgen.blocks.letters import SettableWords
from refgen.characters.sheet import CharacterSheet, Field, SheetPage, SheetPart
from refgen.errors import RenderError
from refgen.game import SystemInfo
from refgen.layout.engine import LaidOutPage, PartBoxes
from refgen.layout.layout_cache import LayoutCache
from refgen.layout.lengths import FOOTER, MILLIMETRE, PIXEL, TICK_PATH, TICK_WIDTH
from refgen.layout.page_format import PageFormat, Theme, TypeScale
from refgen.layout.sizing import footer_height, page_area
from refgen.layout.templates import aid_html
from refgen.words import Words

MAX_PAGES = 8
"""The most pages of paper for a page of a sheet that may take several."""

LARGER_SIZES = (18, 17, 16, 15)
"""Type sizes in points for pages with nothing but charts in large print, which have nothing else to fill them."""


def scale(page_format: PageFormat) -> TypeScale:
    """The type sizes of a sheet."""
    if page_format.theme is Theme.LARGE_PRINT:
        return TypeScale((14, 13.5, 13, 12.5, 12), usual=13)
    return TypeScale((9.5, 9.2, 9, 8.7, 8.4, 8.1, 7.8, 7.5), usual=9.5)


@dataclass(slots=True)
class SheetPlanner:
    """Arranges the pages of a sheet with the ``source`` below.

    ``lost`` is by how many points each page overflowed when it was laid out.
    """

    sheet: CharacterSheet
    page_format: PageFormat
    words: Words
    source: str = ""
    lost: dict[int, float] = field(default_factory=dict)
    measured: dict[str, MeasuredPart] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.measured = {part.id: MeasuredPart.of(part) for part in self.sheet.parts()}

    def pages(self) -> SheetPages:
        """All pages. Raises RenderError for a page that does not fit even in the smallest type."""
        pages: list[PlacedPage] = []
        for number, page in enumerate(self.sheet.pages):
            found = self._place_page(number, page)
            for size, columns in found.pages():
                pages.append(PlacedPage(len(pages), number, "", size, columns))
        return SheetPages(self.sheet, tuple(self._with_head(page, len(pages)) for page in pages))

    def sheets(self) -> Sequence[tuple[PlacedPage]]:
        """All pages, each on a sheet of paper of its own. Raises RenderError for a page that does not fit."""
        return [(page,) for page in self.pages().pages]

    def error(self, name: str, fullest: PlacedPage) -> RenderError:
        """The error for a page that was too full in every layout: unexpected, since measured heights are exact."""
        hint = "This is a fault in refgen: please tell us."
        return RenderError(f"{name}: no arrangement of the parts of page {fullest.number + 1} fits", hint=hint)

    def _with_head(self, page: PlacedPage, count: int) -> PlacedPage:
        """A page with its place ("page 1 of 2"), and the name in its head if the page has no name field itself."""
        key = self.sheet.name_key
        has_name = any(field.name == key for field in page.fields())
        name = next((field for field in self.sheet.fields() if field.name == key and not has_name), None)
        place = self.words("page-of", number=page.number + 1, total=count)
        return replace(page, place=place, name_field=name and name.repeated_on(page.number + 1))

    def _place_page(self, number: int, page: SheetPage) -> ArrangedPage:
        """A page of the sheet on as few pages of paper as possible. Raises RenderError if it does not fit."""
        bands = PageBands.of(page, self.measured)
        width, height = page_area(self.page_format, self.source)
        height -= self.lost.get(number, 0.0)
        larger = LARGER_SIZES if self.page_format.theme is Theme.LARGE_PRINT else ()
        for most in range(1, (MAX_PAGES if page.flows or larger else 1) + 1):
            sizes = scale(self.page_format).sizes
            pages = (ArrangedPage(bands, width, height, size, most, larger) for size in sizes)
            found = _largest(pages, sizes[0] if larger else BALANCE_WORTH)
            if found is not None:
                return found
        raise self._too_full(number, bands, width, height)

    def _too_full(self, number: int, bands: PageBands, width: float, height: float) -> RenderError:
        size = scale(self.page_format).sizes[-1]
        for each in (*bands.head, *bands.columns, *bands.foot):
            if (excess := each.min_content(size) - width) > 0:
                what = f'"{each.part.title}" is too wide by {excess / MILLIMETRE:.1f} mm'
                return RenderError(what, span=each.part.place, hint="Show fewer columns, or shorten its words.")
        half = width / 2
        least = sum(each.height(half, size) for each in bands.columns) / 2 + bands.taken(width, size)
        more = f" by {(least - height) / MILLIMETRE:.0f} mm or more" if least > height else ""
        return RenderError(
            f'"{self.sheet.title}", page {number + 1} is too full{more} even in the smallest type ({size:g} pt)',
            span=self.sheet.pages[number].parts[0].place,
            hint="Ask for fewer lines, or move a part to another page.",
        )

    def learn(self, pages: Sequence[PlacedPage], measured: Mapping[int, PartBoxes]) -> None:
        """Remember what was measured on pages that are too full."""
        for page in pages:
            boxes = measured[page.number]
            self.lost[page.sheet_page] = self.lost.get(page.sheet_page, 0.0) + boxes.overflow * PIXEL


def _largest(pages: Iterable[ArrangedPage], worth: float) -> ArrangedPage | None:
    """The first page that fits, or a page up to ``worth`` points smaller if only its columns are even."""
    first: ArrangedPage | None = None
    for found in pages:
        if first is not None and first.size - found.size > worth:
            break
        if found.fits and not found.faults:
            return found
        first = first or (found if found.fits else None)
    return first


@dataclass(frozen=True, slots=True)
class FittedSheet:
    """A sheet that fits: its pages, their HTML, and the same pages laid out.

    ``faults`` are the errors of blocks and letters that no font has.
    """

    pages: SheetPages
    html: str
    laid_out: Sequence[LaidOutPage]
    faults: Sequence[RenderError] = ()


def settable_sheet(sheet: CharacterSheet, words: SettableWords) -> CharacterSheet:
    """A sheet without the blocks and the letters that no font has."""
    pages = (replace(page, parts=tuple(_settable_parts(page.parts, words))) for page in sheet.pages)
    return replace(sheet, title=words.title(sheet.title), pages=tuple(page for page in pages if page.parts))


def _settable_parts(parts: Iterable[SheetPart], words: SettableWords) -> Iterator[SheetPart]:
    for part in parts:
        block = words.block(part.block, part.title, part.place) if part.block else None
        if part.block is None or block is not None:
            rows = tuple(replace(row, label=words.title(row.label), note=words.title(row.note)) for row in part.rows)
            heads, note = tuple(map(words.title, part.heads)), words.title(part.note, part.place)
            title = words.title(part.title, part.place)
            yield replace(part, title=title, rows=rows, heads=heads, note=note, block=block)


def fit_sheet(system: SystemInfo, sheet: CharacterSheet, page_format: PageFormat, name: str) -> FittedSheet:
    """Arrange and lay out a sheet, called ``name`` in errors. Raises RenderError when a page fits in no way."""
    words = SettableWords()
    sheet = settable_sheet(sheet, words)
    planner = SheetPlanner(sheet, page_format, system.words, longest_foot(system, sheet))

    def html_of(parts: Mapping[int, PlacedPage]) -> str:
        return sheet_html(system, SheetPages(sheet, tuple(parts.values())), page_format)

    fitted = fit_pages(planner, LayoutCache[PlacedPage](html_of, name))
    pages = SheetPages(sheet, tuple(fitted.pages))
    return FittedSheet(pages, sheet_html(system, pages, page_format), fitted.laid_out, words.faults)


@dataclass(frozen=True, slots=True)
class SheetFields:
    """How the fields of a sheet are shown: to be filled in, or as texts with their ``values``, by field name.

    ``counts`` is the number of boxes of a row, where it is known; ``sizes`` is the type size of some texts, in points.
    ``unseen`` boxes keep their place: the program that fills the sheet draws those that the character has.
    """

    values: Mapping[str, str] | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    unseen: frozenset[str] = frozenset()
    sizes: Mapping[str, float] = field(default_factory=dict)
    tick: str = TICK_PATH
    tick_width: float = TICK_WIDTH

    def box_class(self, box: Field) -> str:
        """The CSS class of a box: "" for a box that every character has, or that this character has."""
        row = box.name.rpartition(".")[0]
        if box.absent or box.name in self.unseen or (row in self.counts and int(box.id) > self.counts[row]):
            return "unseen"
        is_known = box.value or row in self.counts or (self.values and box.name in self.values)
        return "optional" if box.optional and not is_known else ""


TO_FILL_IN = SheetFields()


def longest_foot(system: SystemInfo, sheet: CharacterSheet) -> str:
    """The longest line below a page of a sheet."""
    return system.foot(is_computed=sheet.is_computed)


def sheet_html(
    system: SystemInfo,
    pages: SheetPages,
    page_format: PageFormat,
    fields: SheetFields = TO_FILL_IN,
    *,
    printed: bool = False,
) -> str:
    """The HTML of some pages of a character sheet with its fields; ``printed`` for a browser to print."""
    width, _ = page_area(page_format)
    footer = footer_height(longest_foot(system, pages.sheet), width, page_format.small_print)
    larger = f"; --footer: {footer:g}mm" if footer > FOOTER else ""
    values = {"sheet": pages.sheet, "pages": pages.pages, "fields": fields, "printed": printed, "larger": larger}
    return aid_html("sheet/sheet.html", system, page_format=page_format, **values)


def continuation_html(system: SystemInfo, character: str, parts: Sequence[object], page_format: PageFormat) -> str:
    """The HTML of continuation pages: parts with a title, and a text or lines under heads."""
    return aid_html("sheet/continuation.html", system, page_format=page_format, character=character, parts=parts)
