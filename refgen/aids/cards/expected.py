"""What must be read on the faces of cards.

In: the faces. Out: fronts and backs in order, each with its pieces of text in reading order. The order of the template
is repeated here on purpose.
"""

from __future__ import annotations

from refgen.aids.cards.faces import Back, Faces, Front
from refgen.blocks.pieces import Piece
from refgen.render.readback.expected import ExpectedPart, boxed


def expected(faces: Faces) -> list[ExpectedPart]:
    """The fronts, then the backs."""
    return [*(_front(face.front) for face in faces.fronts), *map(_back, faces.backs)]


def _front(front: Front) -> ExpectedPart:
    title = front.title
    blocks = [piece for block in front.blocks for piece in block.pieces(title)]
    footer = Piece(front.footer, f'"{title}", footer')
    return ExpectedPart(title, (Piece(title, f'"{title}", title'), *boxed(0, blocks), footer))


def _back(back: Back) -> ExpectedPart:
    pieces = (Piece(back.system.title, "back, title"), Piece(back.words, "back, words"))
    return ExpectedPart("back", tuple(boxed(0, pieces)))
