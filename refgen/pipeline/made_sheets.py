"""The sheets of characters, one after the other, made by several processes where there are many.

In: characters as they are read, with their errors. Out: the sheet of each, in their order, however many processes took
part: the file that all come into is the same to the byte.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice

from refgen.aids.filling import MadeSheet, SheetMaker
from refgen.characters.table import Checked
from refgen.gc_tuning import collect_seldom
from refgen.pipeline.executors.choose import LOCAL, executor
from refgen.pipeline.executors.loop import in_order

ALONE = 1000
"""So many characters are made before others are asked to help: it takes as long to get them ready."""

CHUNK = 250
"""Characters that another process makes at a time."""


def make_sheets(
    maker: SheetMaker, characters: Iterable[Checked], jobs: int | None, where: str = LOCAL
) -> Iterator[MadeSheet]:
    """The sheets of all characters, ``where`` an executor is.

    Raises ExecutorError for an executor that is not there.
    """
    waiting = iter(characters)
    if where == LOCAL:
        yield from map(maker.make, waiting if jobs == 1 else islice(waiting, ALONE))
    chunks = iter(lambda: list(islice(waiting, CHUNK)), [])
    first = next(chunks, None)
    if first is None:
        return
    # Processes that stamp need not be warm for layouts: that would take more memory than all else.
    with executor(where, jobs, collect_seldom) as steps:
        for made in in_order(steps, partial(_make_chunk, maker.packed()), chain([first], chunks)):
            yield from made


def _make_chunk(packed: bytes, chunk: Sequence[Checked]) -> list[MadeSheet]:
    return list(map(SheetMaker.unpacked(packed).make, chunk))
