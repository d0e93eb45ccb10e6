"""What a tagged PDF says of itself, read by pikepdf, and what is wrong with that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pikepdf

PAINTING = {"Tj", "TJ", "'", '"', "f", "F", "f*", "B", "B*", "b", "b*", "S", "s", "sh", "Do", "INLINE IMAGE"}
"""Operators that leave something on the page (ISO 32000-1, annex A)."""

BEGIN = {"BMC", "BDC"}
"""Those that begin marked content."""

READ = " ".join([*BEGIN, "EMC", "BI", "ID", "EI", *(PAINTING - {"INLINE IMAGE"})])
"""These, with what an image is made of and what begins and ends marked content: a third of all."""

KIDS = {
    "Table": {"Caption", "THead", "TBody", "TFoot", "TR"},
    "THead": {"TR"},
    "TBody": {"TR"},
    "TR": {"TH", "TD"},
    "L": {"L", "LI", "Caption"},
    "LI": {"Lbl", "LBody"},
}
"""What may stand right in these (ISO 32000-1, tables 336 and 337)."""


@dataclass(frozen=True)
class Tag:
    """An element of the structure tree: its kind, its elements, the marks of its content by page, its entries."""

    kind: str
    tags: tuple[Tag, ...]
    marks: tuple[tuple[int, int], ...]
    objects: tuple[Any, ...]
    entries: Any

    def all(self, *kinds: str) -> Iterator[Tag]:
        """This element and all under it, in reading order, of some kinds alone where any are named."""
        waiting = [self]
        while waiting:
            tag = waiting.pop()
            if not kinds or tag.kind in kinds:
                yield tag
            waiting.extend(reversed(tag.tags))

    def ids(self) -> list[str]:
        """The headers that a cell names."""
        return [str(name) for name in self.entries.A.get("/Headers", [])]


def read_tags(pdf: pikepdf.Pdf) -> Tag:
    """The structure tree of a PDF."""
    pages = {page.objgen: number for number, page in enumerate(pdf.pages)}
    (document,) = pdf.Root.StructTreeRoot.K
    return _tag(document, pages)


def _tag(element: Any, pages: dict[Any, int]) -> Tag:
    kids = list(element.get("/K", []))
    page = pages[element.Pg.objgen] if "/Pg" in element else -1
    inner = [kid for kid in kids if not isinstance(kid, int)]
    return Tag(
        str(element.S)[1:],
        tuple(_tag(kid, pages) for kid in inner if kid.get("/Type") != "/OBJR"),
        tuple((page, kid) for kid in kids if isinstance(kid, int)),
        tuple(kid.Obj for kid in inner if kid.get("/Type") == "/OBJR"),
        element,
    )


def outline(pdf: pikepdf.Pdf) -> list[tuple[str, list[str]]]:
    """The bookmarks of a PDF: each with those right under it."""
    with pdf.open_outline() as found:
        assert not [deep for one in found.root for two in one.children for deep in two.children]
        return [(one.title, [two.title for two in one.children]) for one in found.root]


def faults(pdf: pikepdf.Pdf) -> list[str]:
    """What a screen reader would stumble over; nothing for a sound PDF."""
    tree = read_tags(pdf)
    return [
        *_document(pdf),
        *_headings(tree),
        *_structure(tree),
        *_tables(pdf, tree),
        *_content(pdf, tree),
        *_found_by_content(pdf, tree),
        *_fields(pdf, tree),
    ]


def _document(pdf: pikepdf.Pdf) -> Iterator[str]:
    root: Any = pdf.Root
    if not root.get("/MarkInfo", {}).get("/Marked"):
        yield "not marked as tagged"
    if not root.get("/ViewerPreferences", {}).get("/DisplayDocTitle"):
        yield "shows its file name in place of its title"
    if str(root.get("/Lang", "")) != "en":
        yield "no language"
    with pdf.open_metadata() as metadata:
        if metadata.get("{http://www.aiim.org/pdfua/ns/id/}part") != "1":
            yield "no claim to be PDF/UA-1"
        if metadata.get("dc:title") != str(pdf.docinfo.get("/Title")):
            yield "two titles"
    yield from ("a page with its fields in no order" for page in pdf.pages if page.get("/Tabs") != "/S")


def _headings(tree: Tag) -> Iterator[str]:
    level = 0
    for heading in tree.all("H1", "H2", "H3", "H4", "H5", "H6"):
        if int(heading.kind[1]) > level + 1:
            yield f"{heading.kind} after H{level}"
        level = int(heading.kind[1])
    if not level:
        yield "no heading"


def _structure(tree: Tag) -> Iterator[str]:
    for tag in tree.all():
        wrong = [kid.kind for kid in tag.tags if kid.kind not in KIDS.get(tag.kind, {kid.kind})]
        if wrong or (tag.kind in KIDS and tag.marks):
            yield f"{tag.kind} holds {wrong or 'text'}"
        yield from (f"{kid.kind} in {tag.kind}" for kid in tag.tags if kid.kind == "LI" and tag.kind != "L")
        if tag.kind == "Figure" and not str(tag.entries.get("/Alt", "")):
            yield "a figure without words"


def _tables(pdf: pikepdf.Pdf, tree: Tag) -> Iterator[str]:
    names = [str(tag.entries.ID) for tag in tree.all() if "/ID" in tag.entries]
    root: Any = pdf.Root.StructTreeRoot
    index = list(root.IDTree.Names) if "/IDTree" in root else []
    if [str(name) for name in index[::2]] != sorted(names) or len(set(names)) != len(names):
        yield "ids that cannot be looked up"
    for table in tree.all("Table"):
        heads = {str(cell.entries.get("/ID", "")) for cell in table.all("TH")}
        if not heads:
            yield "a table without heads"
        for part, scope in (("THead", "/Column"), ("TBody", "/Row")):
            cells = [cell for section in table.all(part) for cell in section.all("TH")]
            yield from (
                f"a head of {part} that heads nothing" for cell in cells if cell.entries.A.get("/Scope") != scope
            )
        for cell in table.all("TD") if heads != {""} else ():  # without ids, scopes say it
            if not cell.ids() or not heads.issuperset(cell.ids()):
                yield f"a cell with the heads {cell.ids()}"


def _content(pdf: pikepdf.Pdf, tree: Tag) -> Iterator[str]:
    """All that is painted is an artifact or content of just one tag; and every tag's content is there."""
    tagged = Counter(mark for tag in tree.all() for mark in tag.marks)
    painted: set[tuple[int, int]] = set()
    for number, page in enumerate(pdf.pages):
        for name, marks in _operators(page):
            if name in BEGIN:
                painted |= {(number, mark) for mark in marks if isinstance(mark, int)}
                if set(map(type, marks)) == {int, str}:
                    yield f"page {number + 1}: an artifact in tagged content, or the other way round"
            elif name in PAINTING and all(mark is None for mark in marks):
                yield f"page {number + 1}: {name} outside of all tags"
    yield from (f"content {mark} in {count} tags" for mark, count in tagged.items() if count != 1)
    if painted - set(tagged):
        yield f"untagged content: {sorted(painted - set(tagged))}"


def _operators(page: Any) -> Iterator[tuple[str, list[Any]]]:
    """What paints or begins marked content, each with the marks that it stands in: a number, or the name of another."""
    marks: list[Any] = []
    instruction: Any
    for instruction in pikepdf.parse_content_stream(page, READ):
        operands, operator = instruction
        name = str(operator)
        if name in BEGIN:
            marks.append(operands[1].get("/MCID") if len(operands) == 2 else str(operands[0]))
        if name == "EMC":
            marks.pop()
        else:
            yield name, marks


def _found_by_content(pdf: pikepdf.Pdf, tree: Tag) -> Iterator[str]:
    """The element of each mark and of each field can be looked up (ISO 32000-1, 14.7.4.4)."""
    root: Any = pdf.Root.StructTreeRoot
    known = dict(_numbers(root.ParentTree))
    for tag in tree.all():
        for page, mark in tag.marks:
            marks = known[int(pdf.pages[page].obj.StructParents)]
            if mark >= len(marks) or marks[mark] is None or marks[mark].objgen != tag.entries.objgen:
                yield f"page {page + 1}: mark {mark} leads to another element"
        for one in tag.objects:
            if known[int(one.StructParent)].objgen != tag.entries.objgen:
                yield "a field leads to another element"
        yield from (f"{kid.kind} has another parent" for kid in tag.tags if kid.entries.P.objgen != tag.entries.objgen)
    if int(root.get("/ParentTreeNextKey", len(known))) < len(known):
        yield "the next number of an element is taken"


def _numbers(node: Any) -> Iterator[tuple[int, Any]]:
    """The entries of a number tree."""
    nums = list(node.get("/Nums", []))
    yield from zip(map(int, nums[::2]), nums[1::2], strict=True)
    for kid in node.get("/Kids", []):
        yield from _numbers(kid)


def _fields(pdf: pikepdf.Pdf, tree: Tag) -> Iterator[str]:
    """Fields and links are in the tree, in the order of the pages, and each says what it is."""
    for kind, subtype, words in (("Form", "/Widget", "/TU"), ("Link", "/Link", "/Contents")):
        found = [one.objgen for tag in tree.all(kind) for one in tag.objects]
        notes: list[Any] = [note for page in pdf.pages for note in page.get("/Annots", [])]
        there = [note for note in notes if note.Subtype == subtype]
        if sorted(found) != sorted(note.objgen for note in there):
            yield f"{len(found)} tagged of {len(there)}: {subtype}"
        yield from (f"no words: {subtype} {note.get('/T')}" for note in there if not str(note.get(words, "")))
    yield from (f"no words: field {field.T}" for field in _form_fields(pdf) if not str(field.get("/TU", "")))


def _form_fields(pdf: pikepdf.Pdf) -> Iterator[Any]:
    """The fields of a form, some of which have several widgets, without the groups of fields."""
    form: Any = pdf.Root.get("/AcroForm", pikepdf.Dictionary())
    waiting: list[Any] = [*form.get("/Fields", [])]
    while waiting:
        field = waiting.pop()
        if "/FT" in field:
            yield field
        else:
            waiting += [*field.Kids]
