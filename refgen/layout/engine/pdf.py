"""Pages become a tagged PDF, by WeasyPrint and pydyf.

In: pages of one or several documents that share their fonts. Out: the bytes of a tagged PDF, perhaps made ready to
be joined with other PDFs.

The tags tell a screen reader what is a heading, a list or a table. Where WeasyPrint 70 falls short, the PDF is mended
before it is written. Header cells have a scope; cells of a folded table name the header of their own group; lists of
facts are lists of titles and figures; charts have their true place; links are described by their words; ids can be
looked up; marks are read as words; no glyph stands for U+0000, U+FEFF or U+FFFE.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import pydyf
from weasyprint.pdf.fonts import Font
from weasyprint.text.ffi import ffi

from refgen.layout.engine import BOOKMARK_LEVEL, LaidOutPage
from refgen.layout.lengths import PIXEL
from refgen.layout.metrics import font_bytes
from refgen.look.harfbuzz import open_face

UA = "pdf/ua-1"


def tagged_pdf(pages: Sequence[LaidOutPage], prefix: str = "") -> bytes:
    """The pages as PDF/UA-1. The ids of tags begin with ``prefix``."""
    with _no_font_whole():
        return bytes(_document(pages).write_pdf(pdf_variant=UA, finisher=partial(mend, prefix=prefix)))


def to_join(pages: Sequence[LaidOutPage], prefix: str, cut: float) -> bytes:
    """The pages as PDF/UA-1, for ``refgen.layout.join`` (see ``write_to_join`` of this package)."""
    document = _document(pages)
    for page in document.pages:
        page.height -= cut
    with _without_own_fonts():
        return bytes(document.write_pdf(pdf_variant=UA, finisher=partial(_finish, prefix=prefix)))


def _document(pages: Sequence[LaidOutPage]) -> Any:
    """A WeasyPrint document of pages, perhaps from several documents."""
    _, document = pages[0].layout
    return document.copy([page for page, _ in (each.layout for each in pages)])


def _finish(document: Any, pdf: Any, prefix: str) -> None:
    """Mend the tags of a PDF, whose ids begin with the prefix, and give each bookmark its level."""
    mend(document, pdf, prefix)
    levels = (level for page in document.pages for level, *_ in page.bookmarks)
    bookmarks = (
        item for item in pdf.objects if isinstance(item, pydyf.Dictionary) and "Title" in item and "Dest" in item
    )
    for bookmark, level in zip(bookmarks, levels, strict=True):
        bookmark[BOOKMARK_LEVEL[1:]] = level


@contextmanager
def _without_own_fonts() -> Iterator[None]:
    """Write pages without refgen's fonts, to embed which takes a fifth of the time of writing."""
    embed = Font.clean

    def clean(font: Any, to_unicode: Any, hinting: bool) -> None:
        if (data := font_bytes(font.name.decode().partition("+")[2])) is not None:
            font.file_content = data[:4]
        else:
            embed(font, to_unicode, hinting)

    Font.clean = clean
    try:
        yield
    finally:
        Font.clean = embed


@contextmanager
def _no_font_whole() -> Iterator[None]:
    """Let the font of fields be embedded as other fonts are: its letters are added where a form is made of the PDF.

    Of a font that fields use, WeasyPrint embeds every glyph, knows the meaning of those alone that a letter has without
    any feature of the font, and asks fontTools for the width of each.
    """
    Font.used_in_forms = property(lambda _: False, lambda _font, _used: None)
    try:
        yield
    finally:
        del Font.used_in_forms


def font_subset(font: bytes, glyphs: Collection[int]) -> bytes:
    """The font with only some glyphs, as WeasyPrint makes it of a font that it has set text in."""
    with open_face(font) as face:
        made = Font.__new__(Font)  # it takes a font of Pango, and needs these attributes of it alone
        made.hb_face, made.index, made.family, made.missing = ffi.cast("hb_face_t *", face), 0, "", {}
        made.file_content = font
        made.subset(dict.fromkeys(glyphs), hinting=False)
        return bytes(made.file_content)


_NO_CHARACTER = re.compile(rb"> <(0000|feff|fffe)>$")
"""A glyph's line in a ToUnicode map with one of the values that PDF/UA-1 forbids (7.21.7)."""

Element = Any
"""An element of the structure tree (ISO 32000-1, 14.7.2), as a pydyf.Dictionary."""


def mend(document: Any, pdf: Any, prefix: str = "") -> None:
    """Mend the tags of a PDF: the ``finisher`` of WeasyPrint's ``write_pdf``. Ids begin with the prefix."""
    tree = _Tree(pdf.objects)
    for table in tree.all("/Table"):
        _head_columns(tree, table)
        _head_rows(tree, table)
    for outermost in list(tree.all("/L")):
        _list_facts(tree, outermost)
    for figure in tree.all("/Figure"):
        _place(tree, figure)
    _describe_links(document)
    _spell_marks(document, tree)
    _skip_margins(pdf, tree)
    _index_ids(pdf, tree, prefix)
    _name_every_glyph(pdf.objects)


def _describe_links(document: Any) -> None:
    """Describe each link by its words, which WeasyPrint describes by the id of its target."""
    for page in document.pages:
        for *_, box in page.links:
            words = "".join(child.text for child in box.descendants() if hasattr(child, "text"))
            if hasattr(box, "link_annotation") and words:
                box.link_annotation["Contents"] = pydyf.String(words)


def _spell_marks(document: Any, tree: _Tree) -> None:
    """Let marks, which are tagged as links although they lead nowhere, be read as the words of their titles."""
    marks = [link for link in tree.all("/Link") if all(isinstance(kid, int) for kid in link["K"])]
    boxes = (box for page in document.pages for box in page._page_box.descendants(placeholders=True)) if marks else ()
    elements = (box for box in boxes if box.element_tag == "a" and not hasattr(box, "text") and not box.link_annotation)
    for mark, box in zip(marks, elements, strict=True):
        mark["S"] = "/Span"
        if title := box.element.get("title"):
            mark["ActualText"] = pydyf.String(title)


class _Tree:
    """The structure tree, whose elements refer to each other by their numbers among all objects."""

    def __init__(self, objects: Sequence[Any]) -> None:
        self.objects = objects
        self.elements = [item for item in objects if isinstance(item, pydyf.Dictionary) and "S" in item and "P" in item]

    def all(self, kind: str) -> Iterator[Element]:
        return (element for element in self.elements if element["S"] == kind)

    def kids(self, element: Element, *kinds: str) -> list[Element]:
        """The children of an element; with ``kinds``, only the children of these kinds."""
        references = (kid for kid in element["K"] if isinstance(kid, bytes))
        found = (self.at(reference) for reference in references)
        return [kid for kid in found if "S" in kid and (not kinds or kid["S"] in kinds)]

    def at(self, reference: bytes) -> Any:
        """The object with a reference such as b"12 0 R"."""
        return self.objects[int(reference.split()[0])]

    def rows(self, table: Element, kind: str) -> Iterator[list[Element]]:
        """The cells of each row in the parts of a table of that kind."""
        for part in self.kids(table, kind):
            yield from (self.kids(row) for row in self.kids(part, "/TR"))


def _head_columns(tree: _Tree, table: Element) -> None:
    for row in tree.rows(table, "/THead"):
        for cell in row:
            cell["A"]["Scope"] = "/Column"


def _head_rows(tree: _Tree, table: Element) -> None:
    """Give the header of each row its scope; in a folded table, cells name only the row header of their own group.

    WeasyPrint lets every cell name all headers of its row, and then the headers of its column.
    """
    rows = list(tree.rows(table, "/TBody"))
    groups = max((len(_headers(row)) for row in rows), default=0)
    for row in rows:
        headers = _headers(row)
        for header in headers:
            header["A"]["Scope"] = "/Row"
        if groups > 1:
            columns = [cell for cell in row for _ in range(cell["A"].get("ColSpan", 1))]
            width = len(columns) // groups
            for start in range(0, len(columns), width):
                group = list({id(cell): cell for cell in columns[start : start + width]}.values())
                _head_group(group, len(headers))


def _headers(row: Sequence[Element]) -> list[Element]:
    return [cell for cell in row if cell["S"] == "/TH"]


def _head_group(group: Sequence[Element], in_row: int) -> None:
    ids = [header["ID"] for header in _headers(group)]
    for cell in group:
        if cell["S"] == "/TD":
            cell["A"]["Headers"][:in_row] = ids


def _list_facts(tree: _Tree, outermost: Element) -> None:
    """Tag a list of titles and figures (``<dl>`` laid out as a table) with an item, a label and a body for each line.

    WeasyPrint tags the boxes of the table as lists in lists, each line as a Div, and title and figure as two items.
    """
    kids = tree.kids(outermost)
    if kids and all(kid["S"] == "/L" for kid in kids):
        outermost["S"] = "/Div"
    if kids and all(kid["S"] == "/Div" for kid in kids):
        for line in kids:
            title, figure = _title_and_figure(tree, line)
            line["S"], title["S"], figure["S"] = "/LI", "/Lbl", "/LBody"
            for words in tree.kids(title):
                words["S"] = "/Span"
            for words in tree.kids(figure):
                words["S"] = "/Div"


def _title_and_figure(tree: _Tree, line: Element) -> tuple[Element, Element]:
    """The items of a title and of a figure.

    Words that take several lines have an item a line, which are joined; a blank between the two goes to the title.
    """
    kids = [kid for kid in line["K"] if isinstance(kid, bytes)]
    title, figure, *more = (kid for kid in kids if tree.at(kid)["S"] == "/LI")
    for blank in (kid for kid in kids if tree.at(kid)["S"] == "/Span"):
        _move(tree, [blank], title)
    for item in more:
        _move(tree, tree.at(item)["K"], figure)
        tree.at(item)["K"] = []
    line["K"][:] = [title, figure]
    return tree.at(title), tree.at(figure)


def _move(tree: _Tree, kids: Sequence[bytes], parent: bytes) -> None:
    """Move elements to the end of another parent, by the references of both."""
    for kid in kids:
        tree.at(kid)["P"] = parent
    tree.at(parent)["K"].extend(kids)


def _place(tree: _Tree, figure: Element) -> None:
    """Set the place of a figure in points from the lower left corner, not in pixels from the upper left corner."""
    _, _, _, height = tree.at(figure["Pg"])["MediaBox"]
    left, top, right, bottom = (length * PIXEL for length in figure["A"]["BBox"])
    figure["A"]["BBox"][:] = left, height - bottom, right, height - top


def _skip_margins(pdf: Any, tree: _Tree) -> None:
    """Make running heads and page numbers artifacts, whose tags WeasyPrint leaves without a parent."""
    root = next(item for item in pdf.objects if isinstance(item, pydyf.Dictionary) and "ParentTree" in item)
    read_aloud = set(_descendant_references(tree, root["K"]))
    numbered = tree.at(root["ParentTree"])["Nums"]
    pages = [item for item in pdf.objects if isinstance(item, pydyf.Dictionary) and item.get("Type") == "/Page"]
    for page, tags in zip(pages, numbered[1::2], strict=False):
        if skipped := {number for number, tag in enumerate(tags) if tag not in read_aloud}:
            _make_artifacts(tree.at(page["Contents"]), skipped)
            tags[:] = ["null" if number in skipped else tag for number, tag in enumerate(tags)]


def _descendant_references(tree: _Tree, kids: Sequence[Any]) -> Iterator[bytes]:
    """The references to all descendants of an element."""
    for reference in kids:
        if isinstance(reference, bytes):
            yield reference
            yield from _descendant_references(tree, tree.at(reference).get("K", ()))


def _make_artifacts(content: Any, numbers: Collection[int]) -> None:
    """Make the marked content with these numbers artifacts."""
    made: list[Any] = []
    for part in content.stream:
        made.append(part)
        if part == b"BDC" and made[-2]["MCID"] in numbers:
            made[-3:] = ["/Artifact", b"BMC"]
    content.stream[:] = made


def _index_ids(pdf: Any, tree: _Tree, prefix: str) -> None:
    """Add the tree of ids that a structure tree with ids must have (ISO 32000-1, table 322)."""
    for identifier in {id(element["ID"]): element["ID"] for element in tree.elements if "ID" in element}.values():
        identifier.string = f"{prefix}{identifier.string}"  # cells that name it as their header have the same object
    named = sorted((element["ID"].string, element) for element in tree.elements if "ID" in element)
    if named:
        index = pydyf.Dictionary({"Names": pydyf.Array()})
        for name, element in named:
            index["Names"] += [pydyf.String(name), element.reference]
        pdf.add_object(index)
        root = next(item for item in pdf.objects if isinstance(item, pydyf.Dictionary) and "ParentTree" in item)
        root["IDTree"] = index.reference


def _name_every_glyph(objects: Sequence[Any]) -> None:
    """Map glyphs without a character to U+FFFD."""
    for stream in objects:
        if isinstance(stream, pydyf.Stream) and b"begincmap" in stream.stream:
            stream.stream[:] = [_NO_CHARACTER.sub(b"> <fffd>", line) for line in stream.stream]
