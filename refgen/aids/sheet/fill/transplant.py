"""Pages of another PDF, written behind those of a growing one, with their tags.

In: the bytes of a tagged PDF. Out: a dictionary for each of its pages, without its parent, and what is read of it; what
they need is written. The cells of its tables find their heads by the columns and rows that these say they are for: of
several documents, ids would collide.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from refgen.aids.sheet.fill.append import GrowingPdf

_KEPT = ("/MediaBox", "/Resources", "/Contents")

_LEFT_OUT = ("/ID", "/Headers")


@dataclass(frozen=True, slots=True)
class GraftedPage:
    """A page: the number that it is to have, its entries, and the elements of its marks as the parent tree has them."""

    number: int
    entries: bytes
    elements: bytes


@dataclass(frozen=True, slots=True)
class Grafted:
    """Pages, and the numbers of the elements that stand right under the one that they were given."""

    pages: Sequence[GraftedPage]
    kids: Sequence[int]


def transplant(data: bytes, pdf: GrowingPdf, parent: int) -> Grafted:
    """The pages of a PDF, whose elements are to stand under the ``parent``."""
    import pikepdf

    with pikepdf.open(io.BytesIO(data)) as other:
        copier = _Copier(pdf)
        root: Any = other.Root.StructTreeRoot
        document, nums = root.K[0], list(root.ParentTree.Nums)
        elements = {int(key): value for key, value in zip(nums[::2], nums[1::2], strict=True)}
        copier.numbers[document.objgen] = parent
        numbers = [pdf.reserve() for _ in other.pages]
        copier.numbers |= {page.obj.objgen: number for page, number in zip(other.pages, numbers, strict=True)}
        pages = [
            GraftedPage(
                number,
                b"".join(key.encode() + b" " + copier.value(page.obj[key]) for key in _KEPT if key in page.obj),
                copier.value(elements[int(page.obj.StructParents)]),
            )
            for number, page in zip(numbers, other.pages, strict=True)
        ]
        kids = [copier.number(kid) for kid in document.K]
        copier.work()
        return Grafted(pages, kids)


class _Copier:
    """Copies objects: each once, with a number of its own."""

    def __init__(self, pdf: GrowingPdf) -> None:
        self.pdf = pdf
        self.numbers: dict[tuple[int, int], int] = {}
        self.waiting: list[tuple[int, Any]] = []

    def value(self, value: Any) -> bytes:
        """A value as PDF has it; what it refers to waits to be written."""
        import pikepdf

        if isinstance(value, pikepdf.Object) and value.is_indirect:
            return b"%d 0 R" % self.number(value)
        return self.direct(value)

    def direct(self, value: Any) -> bytes:
        """The same of a value that stands where it is."""
        import pikepdf

        if isinstance(value, pikepdf.Dictionary):
            kept = ((key, each) for key, each in value.items() if key not in _LEFT_OUT)
            return b"<<%b>>" % b"".join(key.encode() + b" " + self.value(each) for key, each in kept)
        if isinstance(value, pikepdf.Array):
            return b"[%b]" % b" ".join(map(self.value, value))
        if value is None or isinstance(value, bool):
            return {None: b"null", True: b"true", False: b"false"}[value]
        return value.unparse() if isinstance(value, pikepdf.Object) else str(value).encode()

    def work(self) -> None:
        """Write what waits."""
        import pikepdf

        while self.waiting:
            number, value = self.waiting.pop()
            if isinstance(value, pikepdf.Stream):
                self.pdf.put_stream(number, self._stream(value))
            else:
                self.pdf.put(number, self.direct(value))

    def _stream(self, stream: Any) -> bytes:
        data = stream.read_raw_bytes()
        entries = [key.encode() + b" " + self.value(each) for key, each in stream.items() if key != "/Length"]
        return b"<<%b/Length %d>>stream\n%b\nendstream" % (b"".join(entries), len(data), data)

    def number(self, value: Any) -> int:
        """The number of an object; one that has none yet waits to be written."""
        if value.objgen not in self.numbers:
            self.numbers[value.objgen] = self.pdf.reserve()
            self.waiting.append((self.numbers[value.objgen], value))
        return self.numbers[value.objgen]
