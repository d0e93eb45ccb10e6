"""The sheets of characters, one after the other, made by several processes where there are many.

In: characters as they are read, with their errors. Out: what was made of each, in their order, however many processes
took part: the file that all come into is the same to the byte.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import partial
from itertools import islice

from refgen.aids.filling import FillMode, Made, Maker
from refgen.characters.table import Checked
from refgen.gc_tuning import collect_seldom
from refgen.pipeline.executors.choose import LOCAL, executor
from refgen.pipeline.executors.loop import StepExecutor, in_order
from refgen.pipeline.operating_system import FORKS

ALONE = 1000
"""So many characters are made before others are asked to help: it takes as long to get them ready."""

CHUNK = 250
"""Characters that another process makes at a time."""


_makers: list[Maker] = []
"""Where forked processes find the maker, with all that it has worked out."""


def make_sheets(maker: Maker, characters: Iterable[Checked], jobs: int | None, where: str = LOCAL) -> Iterator[Made]:
    """The sheets of all characters, ``where`` an executor is. Fields of many in one PDF are made by this process alone.

    Raises ExecutorError for an executor that is not there.
    """
    waiting = iter(characters)
    if maker.mode is FillMode.PLACED:
        yield from map(maker.make, waiting)
    elif where != LOCAL:
        yield from _in_chunks(executor(where, jobs), partial(_make_from, maker.packed()), waiting)
    else:
        helped = jobs != 1 and FORKS
        yield from map(maker.make, islice(waiting, ALONE) if helped else waiting)
        _makers.append(maker)
        try:  # processes that stamp need not be warm for layouts: that would take more memory than all else
            yield from _in_chunks(executor(LOCAL, jobs, collect_seldom), _make_chunk, waiting)
        finally:
            _makers.pop()


def _in_chunks(
    executor_: AbstractContextManager[StepExecutor],
    make: Callable[[Sequence[Checked]], list[Made]],
    waiting: Iterator[Checked],
) -> Iterator[Made]:
    first = list(islice(waiting, CHUNK))
    if first:
        with executor_ as steps:
            for chunk in in_order(steps, make, _chunks(first, waiting)):
                yield from chunk


def _chunks(chunk: Sequence[Checked], waiting: Iterator[Checked]) -> Iterator[Sequence[Checked]]:
    while chunk:
        yield chunk
        chunk = list(islice(waiting, CHUNK))


def _make_chunk(chunk: Sequence[Checked]) -> list[Made]:
    return [_makers[-1].make(checked) for checked in chunk]


def _make_from(packed: bytes, chunk: Sequence[Checked]) -> list[Made]:
    maker = Maker.unpacked(packed)
    return [maker.make(checked) for checked in chunk]
