"""Pages that were written one by one become one PDF, with tags, bookmarks and fonts as if they were written together.

In: PDFs that ``layout.engine.write_to_join`` made, no two with the same ids of elements. Out: the bytes of one PDF.
The same PDFs give the same bytes.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any
from urllib.parse import unquote

import pikepdf
from pikepdf import Array, Dictionary

from refgen.errors import RenderError
from refgen.layout.engine import BOOKMARK_LEVEL, WITHIN
from refgen.layout.font_subsets import share_fonts


def join(parts: Sequence[bytes]) -> bytes:
    """One PDF of all pages. What is said of a whole document, such as its title, is as in the first.

    Raises RenderError for a link to a place that is on none of the pages.
    """
    with ExitStack() as opened:
        whole, *others = (opened.enter_context(pikepdf.open(io.BytesIO(part))) for part in parts)
        taken = join_pages(whole, others)
        _join_links(whole, _join_names(whole, taken))
        _join_bookmarks(whole, taken)
        share_fonts(whole)
        buffer = io.BytesIO()
        whole.save(
            buffer,
            deterministic_id=True,
            fix_metadata_version=False,
            object_stream_mode=pikepdf.ObjectStreamMode.generate,
        )
        return buffer.getvalue()


def join_pages(whole: Any, others: Sequence[Any]) -> Sequence[Any]:
    """Copy the pages of other PDFs behind those of one, and their tags. Returns what else each of them has.

    All are PDFs of pikepdf's. Bookmarks are cut off where they say their level.
    """
    taken = [_parts_of(whole), *(_take(whole, other) for other in others)]
    _join_tags(whole, taken)
    return taken


def _take(whole: Any, other: Any) -> Any:
    """Copy the pages of another PDF, and its parts with them."""
    parts = _parts_of(other)
    for page in other.pages:
        whole.pages.append(page)
    return whole.copy_foreign(parts)


def _parts_of(pdf: Any) -> Any:
    """The objects of a PDF that describe its pages besides their content, cut off from its own trees."""
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
    """One tree of tags; the numbers by which pages and annotations are found in it go on from part to part."""
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
    ids = sorted(((bytes(name), owner) for part in taken for name, owner in _pairs(part.Ids)), key=_first)
    if ids:
        tree.IDTree = whole.make_indirect(Dictionary(Names=_flat(ids)))


def _join_names(whole: Any, taken: Sequence[Any]) -> Mapping[str, Any]:
    """The places that links may lead to, of those of the same name the first: the name of each as the PDF has it."""
    found = {bytes(name): (name, place) for part in reversed(taken) for name, place in _pairs(part.Names)}
    if found:
        places = [(name, place) for name, (_, place) in sorted(found.items(), key=_first)]
        whole.Root.Names = Dictionary(Dests=Dictionary(Names=_flat(places)))
    return {str(name): name for name, _ in found.values()}


def _join_links(whole: Any, places: Mapping[str, Any]) -> None:
    """Let links that lead to places of the document do so, on whatever page these are."""
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
    """All bookmarks, each under the last before it of a higher level."""
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
        for _, one in above:
            one.Count += 1
        _hang(bookmark, above[-1][1])
        above.append((level, bookmark))
    whole.Root.Outlines = outlines


def _hang(bookmark: Any, parent: Any) -> None:
    """Put a bookmark under another, behind those that are there."""
    if "/Last" in parent:
        bookmark.Prev, parent.Last.Next = parent.Last, bookmark
    else:
        parent.First = bookmark
    bookmark.Parent, parent.Last = parent, bookmark


def _in_order(bookmark: Any) -> Iterator[Any]:
    """A bookmark and its later siblings, each followed by its children."""
    while bookmark is not None:
        below, after = bookmark.get("/First"), bookmark.get("/Next")
        yield bookmark
        yield from _in_order(below)
        bookmark = after


def _pairs(array: Any) -> Iterator[tuple[Any, Any]]:
    """The names (or numbers) and values of a tree that has one leaf."""
    values = list(array)
    return zip(values[::2], values[1::2], strict=True)


def _first(pair: tuple[bytes, Any]) -> bytes:
    return pair[0]


def _flat(pairs: Sequence[tuple[bytes, Any]]) -> Array:
    return Array(part for name, value in pairs for part in (pikepdf.String(name), value))
