"""The faces of a deck are laid out and written, each once, in batches that are kept from build to build.

In: faces, and how to make the HTML of some. Out: what was measured on the page of each, and all of them as one PDF. A
batch is a single face, so that a card which changes is made alone; in large decks it is many, which share their fonts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from refgen.render.card.faces import Back, SetFront
from refgen.render.join import join
from refgen.render.layout_cache import KeptPages, LaidOutPage, page_data, page_from
from refgen.render.measure import PartBoxes, measure
from refgen.render.pdf import layout, load_fonts, write_to_join
from refgen.render.units import MILLIMETRE, PIXEL

LARGE, BATCH = 60, 50
"""From so many faces on, a batch is so many."""

BELOW = 1000.0
"""Millimetres that a page is longer than its card while it is laid out: WeasyPrint drops what goes over its end."""

MakeHtml = Callable[[Sequence[SetFront], Sequence[Back], float], str]
"""Makes the HTML of some faces, on pages that are so many millimetres longer than their cards."""

Batch = tuple[SetFront | Back, ...]


@dataclass(slots=True)
class FacePages:
    """The pages of faces. ``name`` says in errors which deck they are of."""

    make: MakeHtml
    name: str
    kept: KeptPages | None = None
    _known: dict[Batch, LaidOutPage] = field(default_factory=dict)
    _pages: dict[SetFront | Back, Any] = field(default_factory=dict)
    _document: Any = None
    _fonts: Any = None

    def measured(self, faces: Sequence[SetFront | Back]) -> list[PartBoxes]:
        """The boxes of each face; those that are not known yet are laid out, all at once. Raises RenderError."""
        batches = _batches(faces)
        missing = [batch for batch in batches if not self._is_known(batch)]
        self._lay_out(list(chain(*missing)))
        for batch in missing:
            boxes = chain(*(measure(self._pages[face]).values() for face in batch))
            self._known[batch] = LaidOutPage(dict(enumerate(boxes)))
            self._keep(batch)
        return [boxes for batch in batches for boxes in self._known[batch].parts.values()]

    def write(self, faces: Sequence[SetFront | Back]) -> bytes:
        """The faces one a page as one PDF/UA-1. Raises RenderError."""
        batches = _batches(faces)
        for batch in batches:
            if not self._known[batch].pdf:
                self._known[batch].pdf = self._written(batch)
                self._keep(batch)
        return join([self._known[batch].pdf for batch in batches])

    def _lay_out(self, faces: Sequence[SetFront | Back]) -> None:
        new = [face for face in faces if face not in self._pages]
        if new:
            self._fonts = self._fonts or load_fonts()
            self._document = layout(self._html(new), self.name, self._fonts)
            self._pages |= dict(zip(new, self._document.pages, strict=True))

    def _written(self, batch: Batch) -> bytes:
        self._lay_out(batch)  # an earlier build needed its measures alone
        pages = [self._pages.pop(face) for face in batch]
        for page in pages:
            page.height -= BELOW * MILLIMETRE / PIXEL
        return write_to_join(self._document.copy(pages), self.name, prefix=f"{batch[0].id}-")

    def _is_known(self, batch: Batch) -> bool:
        """Whether a batch is known, if only from an earlier build."""
        if batch not in self._known and self.kept is not None:
            data = self.kept.get(self._html(batch))
            if data is not None:
                self._known[batch] = page_from(data)
        return batch in self._known

    def _keep(self, batch: Batch) -> None:
        if self.kept is not None:
            self.kept.put(self._html(batch), page_data(self._known[batch]))

    def _html(self, faces: Sequence[SetFront | Back]) -> str:
        fronts = [face for face in faces if isinstance(face, SetFront)]
        return self.make(fronts, [face for face in faces if isinstance(face, Back)], BELOW)


def _batches(faces: Sequence[SetFront | Back]) -> list[Batch]:
    """Faces in batches, in order: fronts, then backs."""
    size = BATCH if len(faces) >= LARGE else 1
    return [tuple(faces[start : start + size]) for start in range(0, len(faces), size)]
