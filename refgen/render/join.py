"""Pages that were written one by one become one PDF, with tags, bookmarks and fonts as if they were written together.

In: PDFs that ``pdf.write`` made, no two with the same ids of elements. Out: the bytes of one. The same PDFs give the
same bytes.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import pairwise
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary

from refgen.render.shared_fonts import share_fonts


def join(parts: Sequence[bytes]) -> bytes:
    """One PDF of all pages. What is said of a whole document, such as its title, is as in the first."""
    with ExitStack() as opened:
        whole, *others = (opened.enter_context(pikepdf.open(io.BytesIO(part))) for part in parts)
        taken = [_parts_of(whole), *(_take(whole, other) for other in others)]
        _join_tags(whole, taken)
        _join_names(whole, taken)
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


def _take(whole: Any, other: Any) -> Any:
    """Copy the pages of another PDF, and its parts with them."""
    parts = _parts_of(other)
    whole.pages.extend(other.pages)
    return whole.copy_foreign(parts)


def _parts_of(pdf: Any) -> Any:
    """What a PDF says of its pages besides their content, cut off from what holds it together."""
    tree, outlines = pdf.Root.StructTreeRoot, pdf.Root.get("/Outlines", Dictionary())
    elements, bookmarks = [*tree.K[0].K], [*_chain(outlines.get("/First"))]
    for element in elements:
        del element.P
    for bookmark in bookmarks:
        del bookmark.Parent
    return pdf.make_indirect(
        Dictionary(
            Elements=Array(elements),
            Numbers=tree.ParentTree.Nums,
            Ids=tree.get("/IDTree", Dictionary(Names=[])).Names,
            Names=pdf.Root.get("/Names", Dictionary()).get("/Dests", Dictionary(Names=[])).Names,
            Bookmarks=Array(bookmarks),
            Count=outlines.get("/Count", 0),
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


def _join_names(whole: Any, taken: Sequence[Any]) -> None:
    """The places that links may lead to; of those of the same name the first."""
    found = {bytes(name): place for part in reversed(taken) for name, place in _pairs(part.Names)}
    if found:
        whole.Root.Names = Dictionary(Dests=Dictionary(Names=_flat(sorted(found.items(), key=_first))))


def _join_bookmarks(whole: Any, taken: Sequence[Any]) -> None:
    """All bookmarks one after the other."""
    bookmarks = [bookmark for part in taken for bookmark in part.Bookmarks]
    if not bookmarks:
        return
    outlines = whole.make_indirect(
        Dictionary(First=bookmarks[0], Last=bookmarks[-1], Count=sum(int(part.Count) for part in taken))
    )
    for bookmark in bookmarks:
        bookmark.Parent = outlines
    for one, next_one in pairwise(bookmarks):
        one.Next, next_one.Prev = next_one, one
    whole.Root.Outlines = outlines


def _chain(bookmark: Any) -> Iterator[Any]:
    while bookmark is not None:
        yield bookmark
        bookmark = bookmark.get("/Next")


def _pairs(array: Any) -> Iterator[tuple[Any, Any]]:
    """The names (or numbers) and values of a tree that has one leaf."""
    values = list(array)
    return zip(values[::2], values[1::2], strict=True)


def _first(pair: tuple[bytes, Any]) -> bytes:
    return pair[0]


def _flat(pairs: Sequence[tuple[bytes, Any]]) -> Array:
    return Array(part for name, value in pairs for part in (pikepdf.String(name), value))
