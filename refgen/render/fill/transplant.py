"""Pages of another PDF, written behind those of a growing one.

In: the bytes of a PDF. Out: for each of its pages a dictionary without its parent, whose contents are all of mark 0;
what it needs is written.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from refgen.render.fill.append import GrowingPdf
from refgen.render.fill.tagging import MARKED, PARAGRAPH

_KEPT = ("/MediaBox", "/Resources")


def transplant(data: bytes, pdf: GrowingPdf) -> Iterator[bytes]:
    """The entries of each page of a PDF, as a dictionary has them."""
    import pikepdf

    with pikepdf.open(io.BytesIO(data)) as other:
        copier = _Copier(pdf)
        for page in other.pages:
            entries = b"".join(key.encode() + b" " + copier.value(page.obj[key]) for key in _KEPT if key in page.obj)
            copier.work()
            page.contents_coalesce()
            contents = pdf.stream(MARKED % (PARAGRAPH, 0, page.Contents.read_bytes() + b"\n"))
            yield b"%b/Contents %d 0 R" % (entries, contents)


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
            return b"%d 0 R" % self._number(value)
        return self.direct(value)

    def direct(self, value: Any) -> bytes:
        """The same of a value that stands where it is."""
        import pikepdf

        if isinstance(value, pikepdf.Dictionary):
            inner = b"".join(key.encode() + b" " + self.value(each) for key, each in value.items())
            return b"<<%b>>" % inner
        if isinstance(value, pikepdf.Array):
            return b"[%b]" % b" ".join(map(self.value, value))
        if isinstance(value, bool):
            return b"true" if value else b"false"
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

    def _number(self, value: Any) -> int:
        if value.objgen not in self.numbers:
            self.numbers[value.objgen] = self.pdf.reserve()
            self.waiting.append((self.numbers[value.objgen], value))
        return self.numbers[value.objgen]
