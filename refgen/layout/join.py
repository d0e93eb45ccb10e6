"""A PDF of pages that were written page by page, with the tags, bookmarks and fonts of a single document.

In: PDFs that ``layout.engine.write_to_join`` made, no two with the same ids of elements. Out: the bytes of one PDF.
The same PDFs give the same bytes.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from operator import itemgetter
from typing import Any
from urllib.parse import unquote

import pikepdf
from pikepdf import Array, Dictionary

from refgen.errors import RenderError
from refgen.layout.engine import BOOKMARK_LEVEL, WITHIN
from refgen.layout.pdf_objects import saved_pdf, share_fonts


def join(parts: Sequence[bytes]) -> bytes:
    """The PDF of the pages of all parts, with the title and the other metadata of the first part.

    Raises RenderError for a link to a place that is on none of the pages.
    """
    with ExitStack() as opened:
        whole, *others = (opened.enter_context(pikepdf.open(io.BytesIO(part))) for part in parts)
        taken = join_pages(whole, others)
        _join_links(whole, _join_names(whole, taken))
        _join_bookmarks(whole, taken)
        share_fonts(whole)
        return saved_pdf(whole, fix_metadata_version=False)


def join_pages(whole: Any, others: Sequence[Any]) -> Sequence[Any]:
    """Append the pages and tags of ``others`` to the PDF ``whole``; all are PDFs of pikepdf.

    Returns the described parts of each PDF, ``whole`` first (see ``_parts_of``). Bookmarks that have a level are cut
    off from the bookmarks around them.
    """
    taken = [_parts_of(whole), *(_take(whole, other) for other in others)]
    _join_tags(whole, taken)
    return taken


def _take(whole: Any, other: Any) -> Any:
    """Append the pages of another PDF, and copy its parts (see ``_parts_of``)."""
    parts = _parts_of(other)
    for page in other.pages:
        whole.pages.append(page)
    return whole.copy_foreign(parts)


def _parts_of(pdf: Any) -> Any:
    """The elements, numbers, ids, names and bookmarks that describe the pages of a PDF, cut off from their trees."""
    tree, outlines = pdf.Root.StructTreeRoot, pdf.Root.get("/Outlines", Dictionary())
    elements = [*tree.K[0].K]
    bookmarks = [bookmark for bookmark in _in_order(outlines.get("/First")) if BOOKMARK_LEVEL in bookmark]
    for element in elements:
        del element.P
    for bookmark in bookmarks:
        for other in ("/Parent", "/First", "/Last", "/Prev", "/Next"):
            if other in bookmark:
                del bookmark[other]
    return pdf.make_indirect(
        Dictionary(
            Elements=Array(elements),
            Numbers=tree.ParentTree.Nums,
            Ids=tree.get("/IDTree", Dictionary(Names=[])).Names,
            Names=pdf.Root.get("/Names", Dictionary()).get("/Dests", Dictionary(Names=[])).Names,
            Bookmarks=Array(bookmarks),
            Pages=Array(page.obj for page in pdf.pages),
        )
    )


def _join_tags(whole: Any, taken: Sequence[Any]) -> None:
    """Make one tree of tags; the numbers of pages and annotations in the tree go on from part to part."""
    tree = whole.Root.StructTreeRoot
    document, numbers = tree.K[0], Array()
    document.K = Array()
    for part in taken:
        first = len(numbers) // 2
        for element in part.Elements:
            element.P = document
            document.K.append(element)
        for number, owner in _pairs(part.Numbers):
            numbers.extend([first + number, owner])
        for page in part.Pages:
            page.StructParents += first
            for annotation in page.get("/Annots", ()):
                annotation.StructParent += first
    tree.ParentTree.Nums = numbers
    ids = sorted(((bytes(name), owner) for part in taken for name, owner in _pairs(part.Ids)), key=itemgetter(0))
    if ids:
        tree.IDTree = whole.make_indirect(Dictionary(Names=_flat_array(ids)))


def _join_names(whole: Any, taken: Sequence[Any]) -> Mapping[str, Any]:
    """Set the places to which links may lead, of equal names the first; returns the PDF's object for each name."""
    found = {bytes(name): (name, place) for part in reversed(taken) for name, place in _pairs(part.Names)}
    if found:
        places = [(name, place) for name, (_, place) in sorted(found.items(), key=itemgetter(0))]
        whole.Root.Names = Dictionary(Dests=Dictionary(Names=_flat_array(places)))
    return {str(name): name for name, _ in found.values()}


def _join_links(whole: Any, places: Mapping[str, Any]) -> None:
    """Let links to places of the document lead to the page of the place."""
    for page in whole.pages:
        for annotation in page.get("/Annots", ()):
            address = str(annotation.get("/A", Dictionary()).get("/URI", ""))
            if address.startswith(WITHIN):
                name = unquote(address.removeprefix(WITHIN))
                if name not in places:
                    hint = "This is a fault in refgen's templates."
                    raise RenderError(f'a link leads to "{name}", which is on no page', hint=hint)
                del annotation.A
                annotation.Dest = places[name]


def _join_bookmarks(whole: Any, taken: Sequence[Any]) -> None:
    """Make one tree of all bookmarks, each under the last earlier bookmark of a higher level."""
    bookmarks = [bookmark for part in taken for bookmark in part.Bookmarks]
    if not bookmarks:
        return
    outlines = whole.make_indirect(Dictionary(Count=0))
    above = [(0, outlines)]
    for bookmark in bookmarks:
        level, bookmark.Count = int(bookmark[BOOKMARK_LEVEL]), 0
        del bookmark[BOOKMARK_LEVEL]
        while above[-1][0] >= level:
            above.pop()
        for _, parent in above:
            parent.Count += 1
        _hang(bookmark, above[-1][1])
        above.append((level, bookmark))
    whole.Root.Outlines = outlines


def _hang(bookmark: Any, parent: Any) -> None:
    """Make a bookmark the last child of its parent."""
    if "/Last" in parent:
        bookmark.Prev, parent.Last.Next = parent.Last, bookmark
    else:
        parent.First = bookmark
    bookmark.Parent, parent.Last = parent, bookmark


def _in_order(bookmark: Any) -> Iterator[Any]:
    """A bookmark and all later siblings, each before its children."""
    while bookmark is not None:
        below, after = bookmark.get("/First"), bookmark.get("/Next")
        yield bookmark
        yield from _in_order(below)
        bookmark = after


def _pairs(array: Any) -> Iterator[tuple[Any, Any]]:
    """The names (or numbers) and values of a tree that has one leaf."""
    values = list(array)
    return zip(values[::2], values[1::2], strict=True)


def _flat_array(pairs: Sequence[tuple[bytes, Any]]) -> Array:
    return Array(part for name, value in pairs for part in (pikepdf.String(name), value))
